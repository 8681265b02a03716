import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import {
  addressFreeAt,
  addressTurn,
  backOffSeconds,
  defaultWaitFactor,
  defaultWaitPerAddress,
  gapSeconds,
  isTooSlow,
  retryAfterSeconds,
} from './politeness.ts'

const backOff = { firstSeconds: 1, maxSeconds: 3600 }

describe('the gap after a request', () => {
  it('is the longest of the wait, the download time, the crawl-delay and the back-off', () => {
    const none = { wait: 0, waitFactor: 0, tookSeconds: 0, crawlDelaySeconds: 0, restSeconds: 0 }
    expect(gapSeconds(none)).toBe(0)
    expect(gapSeconds({ ...none, wait: 1, restSeconds: 0.5 })).toBe(1)
    expect(gapSeconds({ ...none, wait: 1, waitFactor: 2, tookSeconds: 3 })).toBe(6)
    expect(gapSeconds({ ...none, wait: 1, crawlDelaySeconds: 20, restSeconds: 5 })).toBe(20)
    expect(gapSeconds({ ...none, wait: 1, crawlDelaySeconds: 20, restSeconds: 50 })).toBe(50)
  })

  it('ignores a crawl-delay of more than ten minutes, unless the wait is as long', () => {
    const gap = (wait: number, crawlDelaySeconds: number): number =>
      gapSeconds({ wait, waitFactor: 0, tookSeconds: 0, crawlDelaySeconds, restSeconds: 0 })
    expect([gap(1, 600), gap(1, 601), gap(1000, 999), gap(1000, 1001)]).toEqual([600, 1, 1000, 1000])
    expect([isTooSlow(600, 1), isTooSlow(601, 1), isTooSlow(999, 1000), isTooSlow(1001, 1000)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('is never below any of its parts, and grows with each of them', () => {
    const seconds = fc.double({ min: 0, max: 10_000, noNaN: true })
    const parts = fc.record({
      wait: seconds,
      waitFactor: fc.double({ min: 0, max: 10, noNaN: true }),
      tookSeconds: seconds,
      crawlDelaySeconds: fc.double({ min: 0, max: 600, noNaN: true }),
      restSeconds: seconds,
    })
    const part = fc.constantFrom('wait', 'waitFactor', 'tookSeconds', 'restSeconds')
    fc.assert(
      fc.property(parts, part, seconds, (given, grown, more) => {
        const gap = gapSeconds(given)
        expect(gap).toBeGreaterThanOrEqual(given.wait)
        expect(gap).toBeGreaterThanOrEqual(given.waitFactor * given.tookSeconds)
        expect(gap).toBeGreaterThanOrEqual(given.crawlDelaySeconds)
        expect(gap).toBeGreaterThanOrEqual(given.restSeconds)
        expect(gapSeconds({ ...given, [grown]: given[grown] + more })).toBeGreaterThanOrEqual(gap)
      }),
      seeded(200),
    )
  })

  it('by default is at least the duration of the last download, except without a wait', () => {
    expect([0, 0.1, 1, 30].map(defaultWaitFactor)).toEqual([0, 1, 1, 1])
    expect([0, 0.1, 1, 30].map(defaultWaitPerAddress)).toEqual([0, 0.1, 0.5, 0.5])
  })
})

describe('the rest after a temporary failure', () => {
  it('is the Retry-After of the response, up to an hour and never negative', () => {
    expect([-5, 0, 7, 3600, 1e9, Infinity].map(retryAfterSeconds)).toEqual([0, 0, 7, 3600, 3600, 3600])
  })
})

describe('an address that sites share', () => {
  it('is free a rest after the last request; each site in line is due a rest after the one before it', () => {
    expect(addressFreeAt(10, 0.5)).toBe(10.5)
    const turn = (freeAt: number, ahead: number): number =>
      addressTurn({ freeAt, now: 10, ahead, waitPerAddress: 0.5 })
    expect([turn(12, 0), turn(12, 1), turn(12, 4)]).toEqual([12, 12.5, 14])
    expect(turn(3, 0)).toBe(10)
    expect(turn(Infinity, 2)).toBe(11.5)
  })
})

describe('the back-off', () => {
  it('doubles with every failure, between half and all of it, and never exceeds its maximum', () => {
    for (let site = 0; site < 1000; site++) {
      for (let failures = 1; failures <= 40; failures++) {
        const longest = Math.min(3600, 2 ** (failures - 1))
        const seconds = backOffSeconds(failures, site, backOff)
        expect(seconds).toBeGreaterThanOrEqual(longest / 2)
        expect(seconds).toBeLessThanOrEqual(longest)
      }
    }
  })

  it('spreads sites that failed together, the same way every time', () => {
    const at = (failures: number): number[] =>
      Array.from({ length: 100 }, (_, site) => backOffSeconds(failures, site, backOff))
    expect(at(5)).toEqual(at(5))
    expect(new Set(at(5)).size).toBe(100)
    // Every quarter of the range holds some.
    const quarters = at(1).map((seconds) => Math.floor((seconds - 0.5) * 8))
    expect(new Set(quarters)).toEqual(new Set([0, 1, 2, 3]))
  })

  it('stretches over hours: twelve failures take more than half an hour, twenty more than four hours', () => {
    const total = (tries: number): number =>
      Array.from({ length: tries }, (_, i) => backOffSeconds(i + 1, 7, backOff)).reduce((a, b) => a + b)
    expect(total(12)).toBeGreaterThan(1800)
    expect(total(20)).toBeGreaterThan(4 * 3600)
  })
})
