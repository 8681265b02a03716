import { describe, expect, it } from 'vitest'
import { backOffSeconds, gapSeconds } from './politeness.ts'

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
