import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { omissionsOf } from '../../crawler/options/omissions.ts'
import { describe, expect, it } from 'vitest'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import { frame, leftText, progressLine, type CrawlView } from './frame.ts'
import { RecentRates } from './recent-rates.ts'

const progress: CrawlProgress = {
  pages: 1234,
  responded: 1270,
  redirects: 20,
  failed: 16,
  temporary: 0,
  unreachable: 3,
  refusedByRobots: 0,
  refusedByLimits: 0,
  ...omissionsOf([]),
  known: 45_210,
  waiting: 43_976,
  bytes: 54_321_000,
  seconds: 32.4,
  connections: 64,
  sites: 212,
  guaranteed: 0.3728,
  duplicates: 31,
  nearDuplicates: 0,
  hot: undefined,
  errors: { 'http-404': 2, timeout: 12, tls: 3, reset: 1, 'http-500': 1 },
  nextDueSeconds: 0,
  phase: 'crawling',
}

const view: CrawlView = {
  subject: 'https://example.org/ into crawl',
  progress,
  budgets: { pages: 5000, coverage: 0.95, seconds: 900 },
  rates: {
    pagesPerSecond: 41.23,
    bytesPerSecond: 1_812_345,
    looksPerSecond: 19.8,
    meanPagesPerSecond: 38.09,
  },
  left: { budget: 'pages', amount: 3766, seconds: 3766 / 41.23 },
  isStopping: false,
}

const size = { columns: 100, rows: 30, colour: false }

describe('a frame of the live view', () => {
  it('shows the state of the crawl', () => {
    expect(frame(view, size).join('\n')).toBe(
      `Crawling https://example.org/ into crawl
  pages     1,234 of 5,000           41.2/s now, 38.1/s on average
  bytes     54.3 MB                  1.81 MB/s
  certain   █████████                37.2% of the importance, of 95%
  known     45,210 pages             43,976 wait, 31 duplicates
  active    64 connections           212 sites with waiting pages
  errors    timeout 12, tls 3, http-404 2, 2 others
  time      32 s of 15:00 min
  left      3,766 pages of the budget, 1:31 min at this rate`,
    )
  })

  it('is shown in docs/reference/crawl.md', () => {
    const page = readFileSync(new URL('../../../docs/reference/crawl.md', import.meta.url), 'utf8')
    expect(page).toContain(frame(view, size).join('\n'))
  })

  it('says how much was found where the crawl looks for something', () => {
    const lines = frame({ ...view, progress: { ...progress, hot: 61 } }, size)
    expect(lines).toContain('  found     61 hot pages (4.9% of the pages fetched)')
  })

  it('says that only unreachable sites are left, or that there is no network, and when the next try is', () => {
    const outage = { kind: 'sites', sites: 3, pages: 41, nextTrySeconds: 12, endsInSeconds: 500 } as const
    const waiting = { ...view, progress: { ...progress, outage } }
    expect(frame(waiting, size)).toContain(
      '  waiting   for 3 unreachable sites with 41 pages; next try in 12 s, stops in 8:20 min',
    )
    expect(progressLine(waiting)).toContain(
      ', waiting for 3 unreachable sites with 41 pages; next try in 12 s, stops in 8:20 min',
    )
    const down = { ...view, progress: { ...progress, outage: { ...outage, kind: 'network' } as const } }
    expect(frame(down, size)).toContain(
      '  network   no network: no site responds; next try in 12 s, stops in 8:20 min',
    )
    expect(progressLine(down)).toContain(', no network: no site responds; next try in 12 s')
  })

  it('says how fresh the copies of a continuous crawl are', () => {
    const freshness: CrawlProgress['freshness'] = {
      refreshes: 4000,
      changes: 500,
      yield: 0.125,
      held: 1234,
      gone: 3,
      forbidden: 0,
      freshCoverage: 0.913,
      isFreshnessPending: false,
      price: 0.001,
      intervals: undefined,
      lookedOnce: 1234,
      newest: [],
    }
    const fresh: CrawlView = { ...view, progress: { ...progress, freshness } }
    expect(frame(fresh, { ...size, columns: 120 }).join('\n')).toContain(
      'fresh     91.3% expected           4,000 looks at held pages, 500 found a change (12.5%), 19.8/s now',
    )
    expect(progressLine(fresh)).toContain(
      '91.3% expected to be fresh, 4,000 looks at held pages, 500 found a change (12.5%), 19.8 looks/s, ',
    )
    const pending = { ...freshness, freshCoverage: undefined, isFreshnessPending: true }
    const early: CrawlView = { ...view, progress: { ...progress, freshness: pending } }
    expect(frame(early, { ...size, columns: 120 }).join('\n')).toContain('fresh     not known yet ')
    expect(progressLine(early)).toContain('freshness not known yet, 4,000 looks at held pages')
  })

  it('says what can be reached where the goal cannot', () => {
    const less: CrawlView = { ...view, progress: { ...progress, reach: 0.7166 } }
    expect(frame(less, size).join('\n')).toContain(
      'of the importance, of 95% (at most 71.6% can be reached)\n',
    )
    expect(progressLine(less)).toContain('37.2% certain, at most 71.6% within reach, ')
  })

  it('omits lines without a value', () => {
    const bare: CrawlView = {
      ...view,
      progress: {
        ...progress,
        guaranteed: undefined,
        errors: {},
        connections: 0,
        sites: 1,
        nextDueSeconds: 12.4,
      },
      budgets: {},
      left: undefined,
    }
    expect(frame(bare, size).join('\n')).toBe(
      `Crawling https://example.org/ into crawl
  pages     1,234                    41.2/s now, 38.1/s on average
  bytes     54.3 MB                  1.81 MB/s
  known     45,210 pages             43,976 wait, 31 duplicates
  active    0 connections            1 site with waiting pages; the next in 12 s
  errors    none
  time      32 s
  left      until no page waits`,
    )
  })

  it('is never wider or higher than the terminal', () => {
    const long = { ...view, subject: 'x'.repeat(300) }
    for (const columns of [30, 50, 64, 80, 200]) {
      const lines = frame(long, { ...size, columns })
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns)
    }
    expect(frame(view, { ...size, rows: 5 })).toHaveLength(4)
  })

  it('has the same text with colours', () => {
    const colourful = frame(view, { ...size, colour: true })
    expect(colourful.join('\n')).toContain('\u001b[')
    expect(colourful.map(stripVTControlCharacters)).toEqual(frame(view, size))
  })

  it('names the phases before the first page and after the last', () => {
    const first = (phase: CrawlProgress['phase'], isStopping = false): string =>
      frame({ ...view, isStopping, progress: { ...progress, phase } }, size)[0]
    expect(first('resuming')).toBe('Reading the record of https://example.org/ into crawl')
    expect(first('sitemaps')).toBe('Reading the sitemaps of https://example.org/ into crawl')
    expect(first('crawling', true)).toBe('Stopping https://example.org/ into crawl')
  })

  it('shows control characters of others spelt out', () => {
    const lines = frame({ ...view, subject: 'https://a/\u001b[2J' }, size)
    expect(lines[0]).toContain('\\x1b[2J')
  })
})

describe('a line of the log', () => {
  it('has the same in short', () => {
    expect(progressLine(view)).toBe(
      '32 s: 1,234 of 5,000 pages (41.2/s), 54.3 MB, 37.2% certain, 45,210 known, 64 connections, 19 errors; left: 3,766 pages of the budget, 1:31 min at this rate',
    )
    expect(progressLine({ ...view, isStopping: true })).toMatch(/19 errors; stopping$/)
    expect(progressLine({ ...view, progress: { ...progress, phase: 'resuming' } })).toBe(
      '32 s: reading the record of …',
    )
  })
})

describe('what is left, in words', () => {
  it.each([
    [{ budget: 'pages', amount: 1, seconds: 0.5 }, '1 page of the budget, 500 ms at this rate'],
    [{ budget: 'pages', amount: 52_231 }, '52,231 pages of the budget'],
    [{ budget: 'time', amount: 7200, seconds: 7200 }, '2:00 h of the budget'],
    [{ budget: 'bytes', amount: 45_700_000, seconds: 25.2 }, '45.7 MB of the budget, 25 s at this rate'],
    [{ budget: 'bytes', amount: 0, seconds: 0 }, '0 bytes of the budget'],
  ] as const)('%j', (left, text) => {
    expect(leftText(left, { coverage: 0.95 }, progress)).toBe(text)
  })

  it('names what ends a crawl without such a budget, and says nothing where nothing is known', () => {
    expect(leftText(undefined, { coverage: 0.95 }, progress)).toBe('until 95% is certain or no page waits')
    expect(leftText(undefined, {}, progress)).toBe('until no page waits')
    const freshness = {} as NonNullable<CrawlProgress['freshness']>
    expect(leftText(undefined, {}, { freshness })).toBe('')
  })
})

describe('the rates', () => {
  it('have the looks of a crawl that only fetches pages again', () => {
    const rates = new RecentRates()
    for (let seconds = 0; seconds <= 60; seconds++) {
      const freshness = { refreshes: 20 * seconds } as NonNullable<CrawlProgress['freshness']>
      rates.add({ seconds, pages: 300, bytes: 0, freshness })
    }
    expect(rates.read()).toMatchObject({ pagesPerSecond: 0, looksPerSecond: 20 })
  })

  it('are those of the last quarter of a minute, and since the start', () => {
    const rates = new RecentRates()
    expect(rates.read().pagesPerSecond).toBe(0)
    for (let i = 0; i <= 40_000; i++) {
      const seconds = i / 4
      const pages = seconds <= 9000 ? 2 * seconds : 18_000 + 10 * (seconds - 9000)
      rates.add({ seconds, pages, bytes: 1000 * pages })
    }
    expect(rates.read().looksPerSecond).toBeCloseTo(10, 6)
    expect(rates.read().pagesPerSecond).toBeCloseTo(10, 6)
    expect(rates.read().bytesPerSecond).toBeCloseTo(10_000, 3)
    expect(rates.read().meanPagesPerSecond).toBeCloseTo(2.8, 6)
  })
})
