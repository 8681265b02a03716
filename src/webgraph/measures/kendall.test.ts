import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { hashId } from '../../lib/hash.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { crawls } from './arbitrary-crawl.cases.ts'
import { type Kendall, sortCountingInversions, kendall, kendallOfSample, samplePages } from './kendall.ts'
import { sevenPages } from './seven-pages.cases.ts'

/** Every pair looked at, as the definition reads. */
function naiveKendall(order: Uint32Array, importance: Float64Array, pages: readonly number[]): Kendall {
  const place = (page: number): number => (order.includes(page) ? order.indexOf(page) : order.length)
  let [concordant, discordant, tiedInOrder, tiedInImportance, all] = [0, 0, 0, 0, 0]
  pages.forEach((a, i) =>
    pages.slice(i + 1).forEach((b) => {
      const later = Math.sign(place(b) - place(a))
      const less = Math.sign(roundScore(importance[a]) - roundScore(importance[b]))
      all++
      if (later === 0) tiedInOrder++
      if (less === 0) tiedInImportance++
      if (later * less > 0) concordant++
      if (later * less < 0) discordant++
    }),
  )
  const excess = concordant - discordant
  return {
    pages: pages.length,
    concordant,
    discordant,
    tauA: excess / all,
    tauB: excess / Math.sqrt((all - tiedInOrder) * (all - tiedInImportance)),
    gamma: excess / (concordant + discordant),
  }
}

const everyThird = (page: number): number => 3 * page + 1

const rising = (pages: number): Uint32Array => Uint32Array.from({ length: pages }, (_, page) => page)

describe("Kendall's tau", () => {
  it('is that of the worked case', () => {
    const { order, pagerank } = sevenPages
    const { concordant, discordant, tauA, tauB, gamma } = kendall(order, pagerank)
    expect([concordant, discordant]).toEqual([3, 12])
    expect(tauA).toBe(-3 / 7)
    expect(tauB).toBeCloseTo(-0.507092553, 9)
    expect(gamma).toBe(-3 / 5)
    expect(kendallOfSample(order, pagerank, (page) => page + 1)).toEqual(kendall(order, pagerank))
  })

  it('is what comparing every pair gives, ties and pages never crawled included', () => {
    fc.assert(
      fc.property(crawls(80), ({ order, importance }) => {
        expect(kendall(order, importance)).toEqual(naiveKendall(order, importance, [...importance.keys()]))
      }),
      seeded(300),
    )
  })

  it('on a sample is what comparing every pair of the sample gives', () => {
    fc.assert(
      fc.property(crawls(60), fc.nat(60), ({ order, importance }, size) => {
        const sample = samplePages(importance.length, everyThird, size)
        expect(kendallOfSample(order, importance, everyThird, sample)).toEqual(
          naiveKendall(order, importance, [...sample]),
        )
      }),
      seeded(300),
    )
  })

  it('is +1 when the most important pages are crawled first, -1 when last', () => {
    const falling = Float64Array.from({ length: 1000 }, (_, page) => 1 / (page + 1))
    expect(kendall(rising(1000), falling)).toMatchObject({ tauA: 1, tauB: 1, gamma: 1 })
    expect(kendall(rising(1000), falling.toReversed())).toMatchObject({ tauA: -1, tauB: -1, gamma: -1 })
  })

  it('counts a pair of which one page was never crawled, and ties one of which neither was', () => {
    const { concordant, discordant, tauA, tauB, gamma } = kendall(Uint32Array.of(0), Float64Array.of(3, 2, 1))
    expect([concordant, discordant, tauA, gamma]).toEqual([2, 0, 2 / 3, 1])
    expect(tauB).toBe(2 / Math.sqrt(6))
  })

  it('of equally important pages is 0 as tau-a and undefined as tau-b and gamma', () => {
    const { tauA, tauB, gamma } = kendall(rising(5), new Float64Array(5).fill(0.2))
    expect([tauA, tauB, gamma]).toEqual([0, NaN, NaN])
  })

  it('of fewer than two pages is undefined, and null in JSON', () => {
    for (const pages of [0, 1]) {
      const result = kendall(rising(pages), new Float64Array(pages))
      expect(result).toEqual({ pages, concordant: 0, discordant: 0, tauA: NaN, tauB: NaN, gamma: NaN })
      expect(JSON.stringify(result.tauA)).toBe('null')
    }
  })

  it('counts pairs exactly where there are more than 2^32', () => {
    const pages = 300_001
    const importance = Float64Array.from(rising(pages))
    const { concordant, discordant } = kendall(rising(pages), importance)
    expect([concordant, discordant]).toEqual([0, 150_000 * pages])
  })
})

describe('the sample', () => {
  it('is the pages with the smallest hashes, ties by id', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(100), fc.nat(0xffff_0000), (pages, size, first) => {
        const idOf = (page: number): number => first + page * 7
        const expected = [...rising(pages)]
          .sort((a, b) => hashId(idOf(a), 5) - hashId(idOf(b), 5) || idOf(a) - idOf(b))
          .slice(0, size)
          .sort((a, b) => a - b)
        expect([...samplePages(pages, idOf, size)]).toEqual(expected)
      }),
      seeded(200),
    )
  })

  it('orders equal hashes by id', () => {
    // Ids of more than 32 bits can collide: the page with the greater number has the smaller id.
    const [low, high] = collidingIds()
    expect([...samplePages(2, (page) => (page === 0 ? high : low), 1)]).toEqual([1])
  })

  it('has 5,000 pages of a larger web and all of a smaller one', () => {
    expect(samplePages(70_000, (page) => page)).toHaveLength(5000)
    expect(samplePages(5001, (page) => page)).toHaveLength(5000)
    expect([...samplePages(5000, (page) => page)]).toEqual([...rising(5000)])
    expect(samplePages(0, (page) => page)).toHaveLength(0)
  })
})

describe('inversions', () => {
  it('are counted exactly while the values are sorted from the largest to the smallest', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 200 }), (values) => {
        let expected = 0
        values.forEach((a, i) => values.slice(i + 1).forEach((b) => (expected += a < b ? 1 : 0)))
        const descending = values.toSorted((a, b) => b - a)
        const sorted = Float64Array.from(values)
        expect(sortCountingInversions(sorted, (i) => descending[i])).toBe(expected)
        expect([...sorted]).toEqual(descending)
      }),
      seeded(500),
    )
  })
})

/** Two ids with the same h(id, 5), by the birthday paradox. */
function collidingIds(): [number, number] {
  const seen = new Map<number, number>()
  for (let id = 0; ; id++) {
    const wide = id * 0x1_0001_0001
    const hash = hashId(wide, 5)
    const other = seen.get(hash)
    if (other !== undefined) return [other, wide]
    seen.set(hash, wide)
  }
}
