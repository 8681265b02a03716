import { describe, expect, it } from 'vitest'
import { CrawlClock } from './crawl-clock.ts'

describe('the clock of a crawl', () => {
  it('gives the time of the system at first', () => {
    expect(Math.abs(new CrawlClock().now() - Date.now() / 1000)).toBeLessThan(60)
  })

  it('continues from a later time, as if the system clock had never been set back', () => {
    const clock = new CrawlClock()
    const ahead = clock.now() + 30 * 86_400
    clock.notBefore(ahead)
    expect(clock.now()).toBeGreaterThanOrEqual(ahead)
    clock.notBefore(ahead - 3600)
    expect(clock.now()).toBeGreaterThanOrEqual(ahead)
  })
})
