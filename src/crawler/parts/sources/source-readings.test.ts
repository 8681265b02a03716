import { describe, expect, it } from 'vitest'
import type { WorldListener } from '../../../engine/world.ts'
import { fingerprint } from '../../../lib/fingerprint.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import { ChangeSignals } from './change-signals.ts'
import { SourceSchedule } from './source-schedule.ts'
import { PageTable, type FoundPage } from '../../world/page-table.ts'
import { SiteTable } from '../../world/site-table.ts'
import { noSourceCounts, SourceReadings } from './source-readings.ts'

const day = 86_400
const now = Date.UTC(2026, 10, 16) / 1000
const httpDate = (seconds: number): string => new Date(1000 * seconds).toUTCString()

/** A crawl whose only page is http://h/, looked at yesterday, with a feed. */
class Crawl {
  readonly found: FoundPage[] = []
  readonly pages: PageTable
  readonly schedule = new SourceSchedule({ restSeconds: 3600 })
  readonly signals = new ChangeSignals((page) => this.found[page].site)
  readonly readings: SourceReadings
  readonly facts: unknown[] = []
  readonly counts = { ...noSourceCounts }
  readonly #listener = {
    listed: (site: number, parent: number) => this.facts.push(['listed', site, parent]),
    signal: (page: number, seconds: number) => this.facts.push(['signal', page, seconds]),
  } as unknown as WorldListener

  constructor(limits: { pagesMax?: number; maxDepth?: number } = {}) {
    const { found } = this
    const shelf = {
      putFound: (_: number, page: FoundPage) => void found.push(page),
      putSite: () => {},
      found: (page: number) => found[page],
    }
    this.pages = new PageTable(new SiteTable(), shelf)
    this.pages.addSeed('http://h/')
    this.signals.looked(0, now - day)
    const { pages, schedule, signals, counts } = this
    this.readings = new SourceReadings({ pages, schedule, signals, counts, maxDepth: Infinity, ...limits })
    schedule.add({ url: 'http://h/feed', kind: 'feed', site: 0, parent: 0 }, now)
  }

  read(entries: readonly Entry[], more: Partial<FetchResult> = {}): unknown[] {
    this.facts.length = 0
    this.readings.settle({ source: 0, result: resultOf(entries, more), at: now }, this.#listener)
    return [...this.facts]
  }
}

type Entry = readonly [url: string, date?: number | undefined, kind?: 'sitemap']

function resultOf(entries: readonly Entry[], more: Partial<FetchResult>): FetchResult {
  const fingerprints = new Uint32Array(2 * entries.length)
  entries.forEach(([url], i) => fingerprint(url, fingerprints, 2 * i))
  return {
    status: 200,
    date: httpDate(now),
    bodyLow: 1,
    bodyHigh: 1,
    links: entries.map(([url]) => url).join('\n'),
    fingerprints,
    anchors: entries.map(([, , kind = '']) => kind),
    dates: Float64Array.from(entries, ([, date = Number.NaN]) => date),
    ...more,
  } as FetchResult
}

describe('the reading of a source', () => {
  it('lists new pages as links of its parent, once', () => {
    const crawl = new Crawl()
    const entries: Entry[] = [['http://h/'], ['http://h/1', now - 10], ['http://g/2']]
    expect(crawl.read(entries)).toEqual([
      ['listed', 0, 0],
      ['listed', 1, 0],
    ])
    expect(crawl.found.slice(1)).toEqual([
      { url: 'http://h/1', site: 0, parent: 0, depth: 1 },
      { url: 'http://g/2', site: 1, parent: 0, depth: 1 },
    ])
    expect(crawl.read(entries, { bodyLow: 2 })).toEqual([])
    expect(crawl.counts).toEqual({ readings: 2, cut: 0, listed: 2, signals: 0 })
  })

  it('signals pages whose date is after their last look', () => {
    const crawl = new Crawl()
    expect(crawl.read([['http://h/', now - 10]])).toEqual([['signal', 0, now - 10]])
    expect(crawl.read([['http://h/', now - 10]])).toEqual([])
    expect(crawl.read([['http://h/', 2 ** 31 - 1]])).toEqual([])
  })

  it.each([
    ['wrong', httpDate(now - 9 * day)],
    ['no date', 'yesterday'],
    ['missing', undefined],
  ])('does not depend on a Date that is %s', (_, date) => {
    expect(new Crawl().read([['http://h/', now - 10]], { date })).toEqual([['signal', 0, now - 10]])
  })

  it('adds the sitemaps of an index to the schedule, for the same site, and heeds their dates', () => {
    const crawl = new Crawl()
    const { schedule } = crawl
    expect(crawl.read([['http://g/map.xml', undefined, 'sitemap']])).toEqual([])
    const map = schedule.numberOf('http://g/map.xml')!
    expect([schedule.kindOf(map), schedule.siteOf(map), schedule.parentOf(map)]).toEqual(['sitemap', 0, 0])
    expect(schedule.take(now)).toBe(map)
    schedule.settle(map, now - day, { kind: 'not-modified' })
    crawl.read([['http://g/map.xml', now + day, 'sitemap']])
    expect(schedule.nextDue).toBeGreaterThan(now)
    crawl.read([['http://g/map.xml', now - 10, 'sitemap']])
    expect(schedule.nextDue).toBe(now)
  })

  it('adds a bounded number of pages, however many sources name', () => {
    const crawl = new Crawl({ pagesMax: 50 })
    for (let time = 0; time < 3; time++) {
      crawl.read(Array.from({ length: 40 }, (_, i) => [`http://h/${time}/${i}`]))
    }
    expect(crawl.pages.known).toBe(51)
  })

  it('adds no pages that are too deep', () => {
    expect(new Crawl({ maxDepth: 0 }).read([['http://h/1'], ['http://h/', now - 10]])).toEqual([
      ['signal', 0, now - 10],
    ])
  })

  it('counts readings that were cut', () => {
    const crawl = new Crawl()
    crawl.read([], { cut: true })
    expect(crawl.counts).toMatchObject({ readings: 1, cut: 1 })
  })

  it.each([
    ['304', { status: 304 }, 1.5],
    ['404', { status: 404 }, 2],
    ['503', { status: 503 }, 2],
    ['no response', { status: 0, failure: 'timeout' as const }, 2],
    ['a redirect', { status: 301 }, 2],
  ])('reports nothing after %s', (_, more, factor) => {
    const crawl = new Crawl()
    expect(crawl.read([['http://h/1']], more)).toEqual([])
    expect(crawl.counts.readings).toBe(0)
    expect(crawl.schedule.nextDue).toBe(now + factor * day)
  })
})
