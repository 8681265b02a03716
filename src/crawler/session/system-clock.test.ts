import { describe, expect, it } from 'vitest'
import { clockBehindText, systemSeconds } from './system-clock.ts'

describe('the clock of this machine', () => {
  it('gives seconds of the epoch', () => {
    expect(Math.abs(systemSeconds() - Date.now() / 1000)).toBeLessThan(60)
  })

  it.each([
    [6.4, '6 seconds'],
    [119, '119 seconds'],
    [3600, '60 minutes'],
    [7200, '2 hours'],
    [30 * 86_400, '30 days'],
  ])('that is %d seconds behind is said in one line', (seconds, text) => {
    expect(clockBehindText(seconds, 'the record of this crawl')).toBe(
      `The clock of this machine is ${text} behind the record of this crawl. The crawl continues from the time of the last entry, as if no time had passed since: gaps between requests are kept.`,
    )
  })
})
