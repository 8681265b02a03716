import { describe, expect, it } from 'vitest'
import { settingsOf } from '../options/crawl-settings.ts'
import type { CrawlOptions } from '../options/crawl-options.ts'
import { shortestCrawl, type PacedSite } from './check.ts'

const settings = (options: Partial<CrawlOptions>): ReturnType<typeof settingsOf> =>
  settingsOf({ seeds: ['https://a.org/'], ...options })
const sites = (...gaps: number[]): PacedSite[] =>
  gaps.map((gapSeconds, i) => ({ site: `s${i}`, gapSeconds, address: undefined }))

describe('the shortest time of a crawl', () => {
  it.each([
    ['one site, one page per second', { pages: 1000 }, sites(1), 1, 1000, 1000],
    ['sites add up', { pages: 1000 }, sites(1, 2, 10), 1.6, 1000, 625],
    ['pages per connection multiply', { pages: 100, perConnection: 5 }, sites(10), 0.5, 100, 200],
    ['connections limit the sites', { pages: 100, connections: 2 }, sites(1, 1, 5), 2, 100, 50],
    ['a time budget limits the pages', { pages: 1000, seconds: 60 }, sites(1), 1, 60, 60],
    ['a page budget ends before the time', { pages: 10, seconds: 60 }, sites(1), 1, 10, 10],
    ['without a budget there is no end', {}, sites(1, 1), 2, undefined, undefined],
    ['without a wait there is no limit', { pages: 10, wait: 0 }, sites(0), Infinity, 10, 0],
    ['without a site there is nothing', { pages: 10 }, sites(), 0, undefined, undefined],
  ] as const)('%s', (_, options, given, pagesPerSecond, pages, seconds) => {
    expect(shortestCrawl(settings(options), given)).toEqual({
      pagesPerSecond,
      isBound: true,
      ...(pages === undefined ? {} : { pages, seconds }),
    })
  })

  it('sites with one address share its pace, and one site in http and https counts once', () => {
    const shared = sites(1, 1, 1, 1).map((site) => ({ ...site, address: '10.0.0.1' }))
    expect(shortestCrawl(settings({ waitPerAddress: 0.5 }), shared).pagesPerSecond).toBe(2)
    expect(shortestCrawl(settings({}), [...sites(1), ...sites(1)]).pagesPerSecond).toBe(1)
  })

  it('is no bound for the rate where links may lead to other sites', () => {
    expect(shortestCrawl(settings({ scope: 'domain' }), sites(1)).isBound).toBe(false)
  })
})
