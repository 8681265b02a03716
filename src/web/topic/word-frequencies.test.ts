import { describe, expect, it } from 'vitest'
import { cellOf } from './cells.ts'
import { wordFrequencies } from './document-frequencies.ts'

describe('a file of word frequencies', () => {
  it('reads the number of pages counted and the number with each word', () => {
    const { documents, counts } = wordFrequencies('# Documents: 1000\nThe\t990\nsun\t7\n\n', 'f.tsv')
    expect(documents).toBe(1000)
    expect([counts[cellOf('the')], counts[cellOf('sun')], counts[cellOf('moon')]]).toEqual([990, 7, 0])
  })

  it('may have several forms of a word', () => {
    const { counts } = wordFrequencies('# documents: 9\nsuns\t2\nsun\t7', 'f.tsv', (word) =>
      word.replace(/s$/, ''),
    )
    expect(counts[cellOf('sun')]).toBe(7)
  })

  it.each([
    ['sun\t7', 'f.tsv does not say how many pages'],
    ['# Documents: 5\nsun 7', 'f.tsv:2: expected "word<TAB>pages"'],
    ['# Documents: 5\nsun\t-1', 'f.tsv:2'],
    ['# Documents: 5\nsun\t1\t2', 'f.tsv:2'],
  ])('%j is refused', (text, why) => {
    expect(() => wordFrequencies(text, 'f.tsv')).toThrow(why)
  })
})
