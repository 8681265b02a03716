import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { crawls } from './arbitrary-crawl.cases.ts'
import { cumulativeImportance, idealImportance } from './cumulative-importance.ts'
import { randomImportance } from './random-importance.cases.ts'
import { checkpoints } from './percent.ts'
import { atTens, sevenPages } from './seven-pages.cases.ts'

const zeros = Array.from({ length: 100 }, () => 0)

/** The sum after each of k = 1..N pages. */
function naiveSums(order: Uint32Array, importance: Float64Array): number[] {
  return Array.from(importance, (_, i) =>
    order.subarray(0, i + 1).reduce((sum, page) => sum + importance[page], 0),
  )
}

describe('cumulative importance', () => {
  it('is that of the worked case', () => {
    const { curve, average } = cumulativeImportance(sevenPages.order, sevenPages.pagerank)
    expect(average).toBeCloseTo(393 / 749, 15)
    const expected = [12, 24, 36, 36, 58, 70, 70, 86, 107, 107]
    atTens(curve).forEach((value, i) => expect(value).toBeCloseTo(expected[i] / 107, 15))
  })

  it('is the plain sum at every percent, for whole crawls and for those that stopped early', () => {
    fc.assert(
      fc.property(crawls(250), ({ order, importance }) => {
        const { curve, average } = cumulativeImportance(order, importance)
        const sums = naiveSums(order, importance)
        expect(curve).toHaveLength(100)
        checkpoints(importance.length).forEach((k, i) => expect(curve[i]).toBeCloseTo(sums[k - 1] ?? 0, 10))
        const mean = sums.reduce((sum, value) => sum + value, 0) / Math.max(1, sums.length)
        expect(average).toBeCloseTo(mean, 10)
      }),
      seeded(200),
    )
  })

  it('stays flat after the last page of a crawl that stopped early', () => {
    const { curve, average } = cumulativeImportance(Uint32Array.of(2, 0), Float64Array.of(0.25, 0.25, 0.5, 0))
    expect([curve[24], curve[25], curve[49], curve[50], curve[99]]).toEqual([0.5, 0.75, 0.75, 0.75, 0.75])
    expect(average).toBe((0.5 + 0.75 * 3) / 4)
  })

  it('is never above the ideal, which takes the most important pages first', () => {
    fc.assert(
      fc.property(crawls(150), ({ order, importance }) => {
        const real = cumulativeImportance(order, importance)
        const ideal = idealImportance(importance)
        real.curve.forEach((value, i) => expect(value).toBeLessThanOrEqual(ideal.curve[i] + 1e-12))
        expect(real.average).toBeLessThanOrEqual(ideal.average + 1e-12)
        const best = Array.from(importance.keys()).sort((a, b) => importance[b] - importance[a])
        expect(cumulativeImportance(Uint32Array.from(best), importance)).toEqual(ideal)
      }),
      seeded(200),
    )
  })

  it('of a random crawl is k/N, as that of any crawl of equally important pages', () => {
    const equal = new Float64Array(8).fill(1 / 8)
    const order = Uint32Array.of(3, 1, 0, 2, 7, 6, 5, 4)
    expect(cumulativeImportance(order, equal)).toEqual(randomImportance(8))
    expect(idealImportance(equal)).toEqual(randomImportance(8))
  })

  it('of one page is all there is, of no page nothing', () => {
    const all = { curve: zeros.map(() => 1), average: 1 }
    expect(cumulativeImportance(Uint32Array.of(0), Float64Array.of(1))).toEqual(all)
    expect(randomImportance(1)).toEqual(all)
    const nothing = { curve: zeros, average: 0 }
    expect(cumulativeImportance(new Uint32Array(0), new Float64Array(0))).toEqual(nothing)
    expect(idealImportance(new Float64Array(0))).toEqual(nothing)
    expect(randomImportance(0)).toEqual(nothing)
    expect(cumulativeImportance(new Uint32Array(0), Float64Array.of(1))).toEqual(nothing)
  })

  it('loses nothing visible over millions of pages', () => {
    const pages = 3_000_000
    const importance = new Float64Array(pages).fill(1 / pages)
    const order = Uint32Array.from({ length: pages }, (_, i) => pages - 1 - i)
    const { curve, average } = cumulativeImportance(order, importance)
    expect(Math.abs(curve[99] - 1)).toBeLessThan(5e-16)
    expect(Math.abs(average - randomImportance(pages).average)).toBeLessThan(5e-16)
  })
})
