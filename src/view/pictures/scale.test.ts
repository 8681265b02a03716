import { expect, it } from 'vitest'
import { linearTicks, logTicks, roundDomain, scaleOf, widenedForBars } from './scale.ts'

it('linear ticks are round and within the axis', () => {
  expect(linearTicks([0, 1], 6)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(linearTicks([0, 100], 10)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  expect(linearTicks([-1, 41], 5)).toEqual([0, 10, 20, 30, 40])
})

it('counts have whole ticks', () => {
  expect(linearTicks([0, 2], 6, 'count')).toEqual([0, 1, 2])
})

it('durations have ticks at the usual numbers of minutes, hours and days', () => {
  expect(linearTicks([0, 3600], 5, 'seconds')).toEqual([0, 900, 1800, 2700, 3600])
  expect(linearTicks([0, 30 * 86_400], 6, 'seconds')).toEqual(
    [0, 5, 10, 15, 20, 25, 30].map((days) => days * 86_400),
  )
})

it('logarithmic ticks are powers of ten, finer where these are few', () => {
  expect(logTicks([1, 200_000], 10)).toEqual([1, 10, 100, 1000, 10_000, 100_000])
  expect(logTicks([1, 100], 10)).toEqual([1, 2, 5, 10, 20, 50, 100])
  expect(logTicks([1, 1e12], 5)).toEqual([1, 1e2, 1e4, 1e6, 1e8, 1e10, 1e12])
  expect(logTicks([3, 4], 5)).toEqual([3, 3.2, 3.4, 3.6, 3.8, 4])
})

it('places go from end to end, and 0 has no logarithm', () => {
  const scale = scaleOf({ kind: 'log', domain: [1, 100], range: [0, 200], ticksWanted: 5 })
  expect([scale.place(1), scale.place(10), scale.place(100)]).toEqual([0, 100, 200])
  expect(scale.place(0)).toBeNaN()
  expect(scaleOf({ kind: 'linear', domain: [0, 4], range: [100, 0], ticksWanted: 5 }).place(1)).toBe(75)
})

it('an axis whose values are all the same still has a length', () => {
  for (const [low, high] of [roundDomain(0, 0, 'linear'), roundDomain(5, 5, 'log')])
    expect(high).toBeGreaterThan(low)
})

it('an axis reaches half a distance beyond the outermost bars', () => {
  expect(widenedForBars([0, 9], [0, 1, 2, 9], 'linear')).toEqual([-0.5, 9.5])
  expect(widenedForBars([0, 10], [4, 2, 6], 'linear')).toEqual([0, 10])
  expect(widenedForBars([0, 100], [100], 'linear')).toEqual([0, 110])
  expect(widenedForBars([0, 100], [], 'linear')).toEqual([0, 100])
  const [low, high] = widenedForBars([1, 100], [1, 100], 'log')
  expect([low, high]).toEqual([expect.closeTo(0.1), expect.closeTo(1000)])
})
