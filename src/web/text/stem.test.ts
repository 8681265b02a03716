import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { loadStemmer, stemmedLanguage, stemmedLanguages } from './stem.ts'
import { wordsOf } from './words.ts'

describe('stems', () => {
  it.each<[string, string[], string]>([
    ['en', ['connection', 'connections', 'connected', 'connecting'], 'connect'],
    ['en', ['running', 'runs', 'run'], 'run'],
    ['de', ['Häuser', 'Haus', 'Häusern'], 'haus'],
    ['fr', ['énergies', 'énergie'], 'énerg'],
    ['es', ['canciones', 'canción'], 'cancion'],
    ['it', ['ragazzi', 'ragazzo', 'ragazze'], 'ragazz'],
    ['ru', ['книги', 'книгами', 'книга'], 'книг'],
    ['uk', ['книги', 'книга'], 'книг'],
    ['fi', ['talossa', 'taloissa', 'talo'], 'talo'],
    ['tr', ['evler', 'evlerde', 'ev'], 'ev'],
    ['sv', ['flickorna', 'flickor', 'flicka'], 'flick'],
    ['hi', ['किताबें', 'किताब'], 'किताब'],
    ['ar', ['الكتاب', 'كتاب'], 'كتاب'],
  ])('in %s of %j', async (language, words, stem) => {
    const stemmer = await loadStemmer(language)
    expect(words.flatMap(wordsOf).map(stemmer)).toEqual(words.map(() => stem))
  })

  it('are found for every language, of any word, and are never empty', async () => {
    const stemmers = await Promise.all(stemmedLanguages.map(loadStemmer))
    const letters = fc.constantFrom(...Array.from('aeinrstyßäéışαγιςангеиеныьंिाबனமկրتاب漢7'))
    const word = fc.oneof(fc.string({ unit: letters, minLength: 1, maxLength: 64 }), fc.string())
    fc.assert(
      fc.property(word, (text) => {
        for (const each of wordsOf(text))
          for (const stem of stemmers) {
            expect(stem(each)).not.toBe('')
            expect(stem(each)).toBe(stem(each))
          }
      }),
      seeded(300),
    )
    // A word whose stem the library gives as nothing.
    expect((await loadStemmer('el'))('αγα')).toBe('αγα')
  })

  it.each([
    ['en-GB', 'en'],
    ['EN_us', 'en'],
    ['eng', 'en'],
    ['German', 'de'],
    ['nb', 'no'],
    ['pt-BR', 'pt'],
    ['zh', undefined],
    ['bg', undefined],
    ['constructor', undefined],
    ['', undefined],
    ['\u{1b}[31m', undefined],
  ])('of the language %j are those of %s', (tag, code) => {
    expect(stemmedLanguage(tag)).toBe(code)
  })

  it('of a language without them are refused, with the known ones and the nearest', async () => {
    await expect(loadStemmer('englsh')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/"englsh"\. Did you mean english\? Known are: ar, da, .*, uk\.$/),
    })
    await expect(loadStemmer('zh')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/^no stems for the language "zh"\. Known are: ar, /),
    })
  })
})
