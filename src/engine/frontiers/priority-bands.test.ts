import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { PriorityBands } from './front-queues.ts'
import { seededRandom } from '../../lib/random.ts'

const key = fc.oneof(fc.integer({ min: -5, max: 30 }), fc.double({ noNaN: true }))

describe('priorities of keys', () => {
  it('never fall as the key rises, and stay between 1 and their number', () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 200 }),
        fc.array(key),
        fc.integer({ min: 1, max: 100 }),
        (seen, asked, count) => {
          const bands = new PriorityBands(count, 1)
          seen.forEach((value, i) => bands.observe(value, i))
          const priorities = asked.toSorted((a, b) => a - b).map((value) => bands.priorityOf(value))
          expect(priorities).toEqual(priorities.toSorted((a, b) => a - b))
          for (const priority of priorities) {
            expect(priority).toBeGreaterThanOrEqual(1)
            expect(priority).toBeLessThanOrEqual(count)
          }
        },
      ),
      seeded(200),
    )
  })

  it('are the highest for the highest of several keys seen and the lowest for the lowest', () => {
    const bands = new PriorityBands(16, 1)
    bands.observe(0, 1)
    expect([0, 1].map((key) => bands.priorityOf(key))).toEqual([1, 16])
    for (let i = 0; i < 100; i++) bands.observe(i % 2, i)
    expect([-1, 0, 1, 2].map((key) => bands.priorityOf(key))).toEqual([1, 1, 16, 16])
  })

  it('are narrower the higher they are', () => {
    const bands = new PriorityBands(16, 1)
    const random = seededRandom(5)
    for (let i = 0; i < 100_000; i++) bands.observe(random.fraction(), 50_000)
    const counts = new Uint32Array(17)
    for (let i = 0; i < 100_000; i++) counts[bands.priorityOf(random.fraction())]++
    expect(counts[1] / 100_000).toBeCloseTo(0.29, 1)
    expect(counts[8]).toBeLessThan(counts[4])
    expect(counts[12]).toBeLessThan(counts[8])
    expect(counts[16]).toBeLessThan(1000)
  })

  it('follow a scale that shrinks as the crawl grows', () => {
    const bands = new PriorityBands(16, 1)
    const random = seededRandom(6)
    for (let i = 0; i < 5000; i++) bands.observe(random.fraction(), 2000)
    expect(bands.priorityOf(0.009)).toBeLessThan(3)
    for (let i = 0; i < 20_000; i++) bands.observe(random.fraction() / 100, 2000)
    expect(bands.priorityOf(0.009)).toBeGreaterThan(5)
  })
})
