import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { seededRandom } from '../../lib/random.ts'
import { SharedLink } from './shared-link.ts'

interface Flow {
  start: number
  bytes: number
  cap: number
}

/** Runs the flows, sorted by start, and gives when each ended. `watch` looks at the link after every event. */
function ends(
  bandwidth: number,
  flows: Flow[],
  watch?: (link: SharedLink, active: Set<number>) => void,
): number[] {
  const link = new SharedLink(bandwidth, flows.length)
  const ended: number[] = []
  const active = new Set<number>()
  let next = 0
  while (next < flows.length || active.size > 0) {
    const end = link.nextEnd()
    if (next < flows.length && flows[next].start < end) {
      link.start(next, flows[next].bytes, flows[next].cap, flows[next].start)
      active.add(next++)
    } else {
      const robot = link.end()
      ended[robot] = end
      active.delete(robot)
    }
    watch?.(link, active)
  }
  return ended
}

/** The same by filling up all rates together, from the smallest cap on, anew at every event. */
function naiveEnds(bandwidth: number, flows: Flow[]): number[] {
  const left = flows.map(({ bytes }) => bytes)
  const ended: number[] = []
  let active: number[] = []
  let next = 0
  let now = 0
  while (next < flows.length || active.length > 0) {
    const rates = new Map<number, number>()
    let spare = bandwidth
    active
      .toSorted((a, b) => flows[a].cap - flows[b].cap)
      .forEach((flow, i) => {
        const rate = Math.min(flows[flow].cap, spare / (active.length - i))
        rates.set(flow, rate)
        spare -= rate
      })
    const endOf = (flow: number): number => now + left[flow] / (rates.get(flow) ?? 0)
    const firstEnd = Math.min(...active.map(endOf))
    const then = next < flows.length ? Math.min(firstEnd, flows[next].start) : firstEnd
    for (const flow of active) {
      if (endOf(flow) <= then) ended[flow] = then
      left[flow] -= (rates.get(flow) ?? 0) * (then - now)
    }
    active = active.filter((flow) => ended[flow] === undefined)
    now = then
    while (next < flows.length && flows[next].start <= now) active.push(next++)
  }
  return ended
}

const flow = fc.record({
  start: fc.double({ min: 0, max: 100, noNaN: true }),
  bytes: fc.integer({ min: 1, max: 100_000 }),
  cap: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom(500, 1000, Infinity)),
})
const flows = fc
  .array(flow, { minLength: 1, maxLength: 40 })
  .map((list) => list.toSorted((a, b) => a.start - b.start))
const bandwidth = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom(1000, 1e9))

function expectClose(actual: number[], expected: number[]): void {
  expect(actual.length).toBe(expected.length)
  actual.forEach((value, i) => expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(1e-9 * expected[i]))
}

describe('the shared link', () => {
  it('ends every transfer when max-min fair sharing worked out anew at every event does', () => {
    fc.assert(
      fc.property(bandwidth, flows, (bandwidth, flows) => {
        expectClose(ends(bandwidth, flows), naiveEnds(bandwidth, flows))
      }),
      seeded(1000),
    )
  })

  it('does so with hundreds of transfers at a time, drawn as a web draws them', () => {
    const random = seededRandom(7)
    const spread = (median: number): number => Math.round(median * Math.exp(4 * (random.fraction() - 0.5)))
    let start = 0
    const flows = Array.from({ length: 1500 }, () => {
      start += random.fraction() * 0.01
      return { start, bytes: spread(8000), cap: spread(20_000) }
    })
    expectClose(ends(1_000_000, flows), naiveEnds(1_000_000, flows))
  })

  it('never gives more than its bandwidth, nor any transfer more than its cap, nor less than it could', () => {
    fc.assert(
      fc.property(bandwidth, flows, (bandwidth, flows) => {
        ends(bandwidth, flows, (link, active) => {
          expect(link.rate).toBeLessThanOrEqual(bandwidth)
          const rates = [...active].map((robot) => link.rateOf(robot))
          const sum = rates.reduce((a, b) => a + b, 0)
          expect(Math.abs(sum - link.rate)).toBeLessThanOrEqual(1e-9 * bandwidth)
          const highest = Math.max(...rates)
          ;[...active].forEach((robot, i) => {
            expect(rates[i]).toBeLessThanOrEqual(flows[robot].cap)
            // Below its cap only where the link is full and nobody has more.
            if (rates[i] < flows[robot].cap) {
              expect(link.rate).toBe(bandwidth)
              expect(rates[i]).toBe(highest)
            }
          })
        })
      }),
      seeded(300),
    )
  })

  it('carries as many bytes as were asked for', () => {
    fc.assert(
      fc.property(bandwidth, flows, (bandwidth, flows) => {
        let carried = 0
        let time = 0
        let rate = 0
        const link = new SharedLink(bandwidth, flows.length)
        const event = (now: number): void => {
          carried += rate * (now - time)
          time = now
        }
        for (const [robot, { start, bytes, cap }] of flows.entries()) {
          for (; link.nextEnd() <= start; rate = link.rate) {
            event(link.nextEnd())
            link.end()
          }
          event(start)
          link.start(robot, bytes, cap, start)
          rate = link.rate
        }
        for (; link.nextEnd() < Infinity; rate = link.rate) {
          event(link.nextEnd())
          link.end()
        }
        const asked = flows.reduce((sum, { bytes }) => sum + bytes, 0)
        // A time of day has 53 bits: a transfer that takes a billionth of a second late in the day is rounded by that much.
        const rounding = 2 * flows.length * time * Number.EPSILON * bandwidth
        expect(Math.abs(carried - asked)).toBeLessThanOrEqual(1e-9 * asked + rounding)
      }),
      seeded(300),
    )
  })

  it('ends transfers of one instant lowest robot first, capped or not', () => {
    const link = new SharedLink(300, 4)
    // The level is 100: robot 0 and 3 run at it, 1 and 2 at their caps of 50, and all end at 2.
    link.start(3, 200, 1000, 0)
    link.start(2, 100, 50, 0)
    link.start(1, 100, 50, 0)
    link.start(0, 200, 1000, 0)
    const order: [number, number][] = []
    while (link.nextEnd() < Infinity) order.push([link.nextEnd(), link.end()])
    expect(order).toEqual([
      [2, 0],
      [2, 1],
      [2, 2],
      [2, 3],
    ])
  })

  it('is exact to the last digit where no transfer hinders another', () => {
    const link = new SharedLink(1_000_000, 2)
    link.start(0, 1000, 3000, 0.1)
    link.start(1, 8000, 7000, 0.2)
    expect([link.nextEnd(), link.end()]).toEqual([0.1 + 1000 / 3000, 0])
    expect([link.nextEnd(), link.end()]).toEqual([0.2 + 8000 / 7000, 1])
    expect(link.nextEnd()).toBe(Infinity)
    expect(link.rate).toBe(0)
  })

  it('stays exact when it has been full for very long', () => {
    const link = new SharedLink(1000, 3)
    link.start(0, 1e15, 1000, 0)
    link.start(1, 2.5e12, 1000, 0)
    // Robot 1 is half served for 5e9 seconds, then robot 0 is alone with what is left.
    expect([link.nextEnd(), link.end()]).toEqual([5e9, 1])
    link.start(2, 10, 1000, 5e9)
    expect(link.nextEnd()).toBe(5e9 + 0.02)
    link.end()
    expect(link.nextEnd()).toBeCloseTo((1e15 + 2.5e12 + 10) / 1000, 2)
  })

  it('takes no time at infinite speed where nothing limits it', () => {
    const link = new SharedLink(Infinity, 2)
    link.start(0, 5000, Infinity, 3)
    link.start(1, 5000, 1000, 3)
    expect([link.nextEnd(), link.end()]).toEqual([3, 0])
    expect(link.rate).toBe(1000)
    expect([link.nextEnd(), link.end()]).toEqual([8, 1])
  })
})
