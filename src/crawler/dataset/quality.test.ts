import { expect, it } from 'vitest'
import { qualityOf, qualityWords } from './quality.ts'

const numbersOf = (text: string) => qualityOf(text, qualityWords(text)).numbers

it.each([
  ['A sentence.', 1],
  ['What?', 1],
  ['文章。', 1],
  ['Read more …', 0],
  ['Read more [&hellip;]', 0],
  ['A heading', 0],
])('a line ends a sentence as datatrove has it: %s', (line, ended) => {
  expect(numbersOf(line).fineweb_line_punctuation).toBe(ended)
})

it('marks that end sentences in other scripts are no words', () => {
  const [plain, marked] = ['one two', 'one ። two ៕'].map((text) => numbersOf(text))
  expect(marked.gopher_mean_word_length).toBe(plain.gopher_mean_word_length)
})
