import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { MatchTable } from './match-table.ts'

interface Page {
  readonly words: number
  readonly counts: readonly number[]
}

/** The formula of the book, word by word. */
function naiveBm25(pages: readonly Page[], page: Page): number {
  const average = pages.reduce((sum, { words }) => sum + words, 0) / pages.length
  return page.counts
    .map((count, unit) => {
      const having = pages.filter(({ counts }) => counts[unit] > 0).length
      const idf = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5))
      return (idf * (count * 2.2)) / (count + 1.2 * (0.25 + (0.75 * page.words) / average))
    })
    .reduce((sum, each) => sum + each, 0)
}

const count = fc.oneof(fc.constant(0), fc.nat(20))
const page = fc.record({ words: fc.integer({ min: 1, max: 2000 }), counts: fc.tuple(count, count, count) })

describe('the table of matches', () => {
  it('gives each page the BM25 of the formula', () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 40 }), (pages) => {
        const table = new MatchTable(3)
        pages.forEach(({ words, counts }, i) => table.add(1000 + i, words, Uint32Array.from(counts)))
        const matching = pages.filter(({ counts }) => counts.some((each) => each > 0))
        expect(table.pages).toBe(pages.length)
        expect(table.rows).toBe(matching.length)
        matching.forEach((each, row) => {
          expect(pages[table.pageOf(row) - 1000]).toBe(each)
          expect(table.isComplete(row)).toBe(each.counts.every((times) => times > 0))
          expect(table.bm25(row)).toBeCloseTo(naiveBm25(pages, each), 10)
        })
        expect(table.complete).toBe(matching.filter(({ counts }) => counts.every((each) => each > 0)).length)
      }),
      seeded(200),
    )
  })

  it('holds more for more of a word, for a shorter page and for a rarer word', () => {
    const table = new MatchTable(2)
    const add = (words: number, ...counts: number[]): void => table.add(0, words, Uint32Array.from(counts))
    add(100, 1, 0)
    add(100, 2, 0)
    add(50, 1, 0)
    add(100, 0, 1)
    expect(table.bm25(1)).toBeGreaterThan(table.bm25(0))
    expect(table.bm25(2)).toBeGreaterThan(table.bm25(0))
    expect(table.bm25(3)).toBeGreaterThan(table.bm25(0))
  })
})
