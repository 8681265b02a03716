import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { loadStemmer } from '../../../web/text/stem.ts'
import { PageIndex, type RankedPage } from './page-index.ts'
import type { PageText } from '../archive/page-text.ts'
import { Query } from './query.ts'

const alike = (): number => 1

function indexOf(query: Query, pages: readonly PageText[]): PageIndex {
  const index = new PageIndex(query)
  pages.forEach((page, i) => index.add(i, page))
  return index
}

const ofText = (text: string): PageText => ({ title: '', text })
const pagesOf = (ranked: readonly RankedPage[]): number[] => ranked.map(({ page }) => page)

/** Few words, so that they meet. */
const text = fc.array(fc.constantFrom(...'a b c d e f'.split(' ')), { maxLength: 30 })
const page = fc.record({ title: text, text })
const match = fc.constantFrom<'all' | 'any'>('all', 'any')

/** BM25+ as MiniSearch documents it, k 1.2, b 0.7, d 0.5, over fields and units; times the units found. */
function naiveScore(pages: readonly Fields[], at: number, units: readonly string[][]): number {
  let sum = 0
  let found = 0
  for (const unit of units) {
    if (timesIn(pages[at].title, unit) + timesIn(pages[at].text, unit) > 0) found++
    for (const [field, boost] of [['title', 2] as const, ['text', 1] as const]) {
      const times = timesIn(pages[at][field], unit)
      if (times === 0) continue
      const having = pages.filter((each) => timesIn(each[field], unit) > 0).length
      const lengths = pages.map((each) => lengthOf(each[field], units))
      const average = lengths.reduce((a, b) => a + b) / pages.length
      const rarity = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5))
      sum += boost * rarity * (0.5 + (times * 2.2) / (times + 1.2 * (0.3 + (0.7 * lengths[at]) / average)))
    }
  }
  return sum * found
}

interface Fields {
  readonly title: readonly string[]
  readonly text: readonly string[]
}

const timesIn = (words: readonly string[], unit: readonly string[]): number =>
  words.filter((_, at) => unit.every((word, i) => words[at + i] === word)).length

/** Different words, and different rows of words that are searched for. */
const lengthOf = (words: readonly string[], units: readonly string[][]): number =>
  new Set(words).size + units.filter((unit) => unit.length > 1 && timesIn(words, unit) > 0).length

describe('the index of pages', () => {
  it('gives each page the BM25+ of the formula, also for rows of words', () => {
    const units = [['a'], ['b', 'a'], ['c', 'c']]
    const query = new Query('a "b a" "c c"')
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 20 }), match, (pages, which) => {
        const index = indexOf(
          query,
          pages.map((each) => ({ title: each.title.join(' '), text: each.text.join(' ') })),
        )
        expect(index.pages).toBe(pages.length)
        const ranked = index.ranked(which, alike)
        const has = (each: Fields, unit: string[]): boolean =>
          timesIn(each.title, unit) + timesIn(each.text, unit) > 0
        const matching = pages.flatMap((each, i) =>
          (which === 'all' ? units.every((unit) => has(each, unit)) : units.some((unit) => has(each, unit)))
            ? [i]
            : [],
        )
        expect(pagesOf(ranked).toSorted((a, b) => a - b)).toEqual(matching)
        for (const { page: at, score } of ranked) expect(score).toBeCloseTo(naiveScore(pages, at, units), 9)
      }),
      seeded(200),
    )
  })

  it('scores as an index of all words does, though it keeps only those that are searched for', async () => {
    const stem = await loadStemmer('en')
    const words = 'connect connection connected run running tree trees house of the'.split(' ')
    const field = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((each) => each.join(' '))
    const pages = fc.array(fc.record({ title: field, text: field }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(pages, match, (all, which) => {
        const whole = new MiniSearch<PageText & { id: number }>({
          fields: ['title', 'text'],
          tokenize: (each) => each.split(' ').filter((word) => word !== ''),
          processTerm: (word) => stem(word),
        })
        whole.addAll(all.map((each, id) => ({ id, ...each })))
        const combineWith = which === 'all' ? 'AND' : 'OR'
        const expected = new Map(
          whole
            .search('connecting trees', { combineWith, boost: { title: 2 } })
            .map(({ id, score }) => [id, score]),
        )
        const index = indexOf(new Query('connecting trees', stem), all)
        expect(index.terms).toBeLessThanOrEqual(2)
        const ranked = index.ranked(which, alike)
        expect(new Map(ranked.map(({ page: id, score }) => [id, score]))).toEqual(expected)
      }),
      seeded(200),
    )
  })

  it('holds more for more of a word, for a shorter page, for a rarer word and for a title', () => {
    const filler = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ')
    const ranked = indexOf(new Query('common rare'), [
      ofText(`common ${filler}`),
      ofText(`common common ${filler}`),
      ofText('common short'),
      ofText(`rare ${filler}`),
      { title: 'common', text: filler },
    ]).ranked('any', alike)
    const scores = ranked.toSorted((a, b) => a.page - b.page).map(({ score }) => score)
    expect(scores).toHaveLength(5)
    for (const better of scores.slice(1)) expect(better).toBeGreaterThan(scores[0])
  })

  it('multiplies scores by the boost of a page, and breaks ties by discovery order', () => {
    const index = new PageIndex(new Query('a'))
    for (const each of [5, 3, 9, 1]) index.add(each, ofText('a b'))
    const plain = index.ranked('all', alike)
    expect(pagesOf(plain)).toEqual([1, 3, 5, 9])
    const boosted = index.ranked('all', (each) => (each === 9 ? 1.5 : 1))
    expect(pagesOf(boosted)).toEqual([9, 1, 3, 5])
    expect(boosted[0].score).toBeCloseTo(1.5 * plain[0].score, 12)
  })

  it('takes words that objects have as any other', () => {
    const index = indexOf(new Query('constructor __proto__ "to string"'), [
      ofText('constructor of the proto to string'),
      ofText('nothing'),
    ])
    expect(pagesOf(index.ranked('all', alike))).toEqual([0])
  })
})
