import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../crawler/options/crawl-settings.ts'
import type { CrawlOptions } from '../../crawler/options/crawl-options.ts'
import { paceNote } from './advice.ts'

const noteOf = (options: Partial<CrawlOptions>): string | undefined =>
  paceNote(settingsOf({ seeds: ['https://example.org/', 'https://example.org/a'], ...options }))

describe('the pace of a crawl of one site', () => {
  it('is said with the time that its pages take, and with the option for own sites', () => {
    expect(noteOf({ pages: 5000 })).toBe(
      'politeness allows 1 page per second from example.org, so 5,000 pages take at least 1:23 h. If it is your own site, --own example.org uses several connections and no wait.',
    )
    expect(noteOf({ wait: 0.5 })).toBe(
      'politeness allows 2 pages per second from example.org. If it is your own site, --own example.org uses several connections and no wait.',
    )
  })

  it.each<Partial<CrawlOptions>>([
    { pages: 50 },
    { wait: 0, pages: 5000 },
    { own: ['example.org'] },
    { scope: 'any', pages: 5000 },
    { seeds: ['https://example.org/', 'https://example.net/'], pages: 5000 },
  ])('is not said where it is no limit: %j', (options) => {
    expect(noteOf(options)).toBeUndefined()
  })
})
