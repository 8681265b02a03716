/** What is counted on the way, against the same with everything kept. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { LogHistogram } from './log-histogram.ts'
import { momentsOf } from './coverage-curve.ts'
import { TimeBins } from './time-bins.ts'
import { TopList } from '../model/top-list.ts'

it('a top list has the best of a stream, of equals the first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 1, max: 8 }), (values, size) => {
      const items = values.map((worth, at) => ({ worth, at }))
      const top = new TopList<(typeof items)[0]>(size, ({ worth }) => worth)
      for (const item of items) top.add(item)
      expect(top.items).toEqual(items.toSorted((a, b) => b.worth - a.worth || a.at - b.at).slice(0, size))
    }),
    seeded(200),
  )
})

it('a histogram has every number in the bin where it belongs, and quantiles to 4%', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1 }), (values) => {
      const histogram = new LogHistogram()
      for (const value of values) histogram.add(value)
      const { bins, count, max, median, p90 } = histogram.result()!
      expect([count, max]).toEqual([values.length, Math.max(...values)])
      for (const { low, high, count: inBin } of bins) {
        const slack = 1 + 1e-9
        expect(inBin).toBe(values.filter((value) => value * slack >= low && value * slack < high).length)
      }
      const sorted = values.toSorted((a, b) => a - b)
      const quantile = (share: number): number => sorted[Math.max(0, Math.ceil(share * count) - 1)]
      expect(Math.abs(median / quantile(0.5) - 1)).toBeLessThan(0.04)
      expect(Math.abs(p90 / quantile(0.9) - 1)).toBeLessThan(0.04)
    }),
    seeded(200),
  )
  expect(new LogHistogram().result()).toBeUndefined()
})

it('time bins lose nothing, however long the crawl and its pauses', () => {
  const second = fc.double({ min: 0, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(fc.array(second, { minLength: 1 }), fc.array(second, { maxLength: 3 }), (times, resumed) => {
      const starts = [0, ...resumed].toSorted((a, b) => a - b)
      const bins = new TimeBins(starts)
      times.forEach((time) => bins.add(time, 7))
      const { pages, bytes, binSeconds, sessions } = bins.result()
      expect(pages.reduce((a, b) => a + b, 0)).toBe(times.length)
      expect(bytes.reduce((a, b) => a + b, 0)).toBe(7 * times.length)
      expect(pages.length).toBeLessThanOrEqual(160)
      expect(sessions).toBe(starts.length)
      expect(pages.length * binSeconds).toBeLessThanOrEqual(2e6 + 4 * binSeconds)
    }),
    seeded(200),
  )
})

it('a pause between two sessions takes no time', () => {
  const bins = new TimeBins([1000, 9000])
  for (const at of [1000, 1001, 1002, 9000.5, 9001]) bins.add(at, 1)
  const { pages, binSeconds } = bins.result()
  expect(pages.length * binSeconds).toBeCloseTo(3, 0)
})

it('moments rise, begin with the first page and end with the last', () => {
  for (const pages of [1, 2, 39, 40, 1000, 1_000_000]) {
    const moments = momentsOf(pages, 40)
    expect([moments[0], moments.at(-1)]).toEqual([1, pages])
    expect(new Set(moments).size).toBe(moments.length)
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  }
  expect(momentsOf(0, 40)).toEqual([])
})
