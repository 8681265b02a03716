import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { StepSeries } from './step-series.ts'

/** Steps of a random walk in time, a thousandth of a second to days apart. */
const walk = fc.array(
  fc.record({
    pause: fc.double({ min: 0, max: 1, noNaN: true }),
    scale: fc.constantFrom(0.001, 1, 1000, 1e5),
    value: fc.nat(50),
  }),
  { minLength: 1, maxLength: 3000, size: 'max' },
)

describe('a series of steps', () => {
  it('lists every step as it was where there are few', () => {
    const series = new StepSeries()
    series.set(0, 1)
    series.set(0, 2)
    series.set(1.5, 3)
    series.set(2, 1)
    series.set(2, 3)
    series.set(4, 0)
    expect(series.points(4, 1000)).toEqual([
      [0, 2],
      [1.5, 3],
      [4, 0],
    ])
    expect(series.area(4)).toBe(2 * 1.5 + 3 * 2.5)
  })

  it('gives means whose sum over time is that of the steps, in no more points than asked for', () => {
    fc.assert(
      fc.property(walk, fc.integer({ min: 1, max: 1000 }), (walk, pointsMax) => {
        const series = new StepSeries()
        let now = 0
        let value = 0
        let area = 0
        for (const step of walk) {
          const next = now + step.pause * step.scale
          // The pause as the clock shows it: late in a long walk, short ones are rounded.
          area += value * (next - now)
          now = next
          series.set(now, (value = step.value))
        }
        const end = now + 1
        area += value * (end - now)
        expect(series.area(end) / area || 1).toBeCloseTo(1, 9)
        const points = series.points(end, pointsMax)
        expect(points.length).toBeLessThanOrEqual(pointsMax)
        const sum = points.reduce(
          (sum, [from, mean], i) => sum + mean * ((points[i + 1]?.[0] ?? end) - from),
          0,
        )
        expect(sum / area || 1).toBeCloseTo(1, 9)
      }),
      seeded(60),
    )
  })

  it('gives the mean of each interval', () => {
    const series = new StepSeries()
    // On for the first half of every second.
    for (let second = 0; second < 1024; second++) {
      series.set(second, 1)
      series.set(second + 0.5, 0)
    }
    const points = series.points(1024, 8)
    expect(points).toEqual([0, 128, 256, 384, 512, 640, 768, 896].map((from) => [from, 0.5]))
  })
})
