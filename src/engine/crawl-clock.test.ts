import { describe, expect, it } from 'vitest'
import { CrawlClock } from './crawl-clock.ts'

describe('the clock of a crawl', () => {
  it('follows the system if the record ends before now', () => {
    let system = 1000
    const clock = new CrawlClock(() => system)
    expect(clock.continueFrom(990)).toBeUndefined()
    expect([clock.now(), clock.aheadSeconds]).toEqual([1000, 0])
    system = 1003
    expect(clock.now()).toBe(1003)
  })

  it('continues from the last fact of a record that is ahead, at the speed of the system', () => {
    let system = 1000
    const clock = new CrawlClock(() => system)
    expect(clock.continueFrom(1040)).toBe(40)
    expect([clock.now(), clock.aheadSeconds]).toEqual([1040, 40])
    system = 1002
    expect(clock.now()).toBe(1042)
    expect(clock.continueFrom(1030)).toBe(28)
    expect(clock.now()).toBe(1042)
  })

  it('is never before the last fact, however sums are rounded', () => {
    for (const [system, fact] of [
      [0.1, 0.7],
      [1_763_413_407.123_456_7, 1_763_413_450.765_432_1],
      [3.3, 1_763_413_450.000_000_2],
    ]) {
      const clock = new CrawlClock(() => system)
      clock.continueFrom(fact)
      expect(clock.now()).toBeGreaterThanOrEqual(fact)
    }
  })

  it('says nothing of a few seconds', () => {
    const clock = new CrawlClock(() => 1000)
    expect(clock.continueFrom(1005)).toBeUndefined()
    expect(clock.now()).toBe(1005)
  })
})
