/**
 * What sitemaps and feeds say, as facts: pages not known before are listed, and dates after the last look at
 * a page are signals of a change. Sitemaps that an index names become sources themselves.
 */
import { noParent } from '../../../engine/strategy.ts'
import type { WorldListener } from '../../../engine/world.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { ChangeSignals } from './change-signals.ts'
import type { SourceResult, SourceSchedule } from './source-schedule.ts'
import { writtenSeconds } from '../../../web/html/written-date.ts'
import type { PageTable } from '../../world/page-table.ts'
import type { SourceFetched } from './source-requests.ts'

interface SourceReadingsOptions {
  readonly schedule: SourceSchedule
  readonly signals: ChangeSignals
  readonly pages: PageTable
  readonly counts: SourceCounts
  /** Pages deeper than this are not added. */
  readonly maxDepth: number
  /** New pages count as seeds without trust; default: as linked from the parent of their source. */
  readonly areSeeds?: boolean | undefined
  /** Pages that sources may add, in all. */
  readonly pagesMax?: number
}

/** What sitemaps and feeds have contributed so far. */
export interface SourceCounts {
  /** Times that one was read. */
  readings: number
  /** Readings that were cut at a limit. */
  cut: number
  /** Pages that one of them named first. */
  listed: number
  /** Changes that they signalled. */
  signals: number
}

export const noSourceCounts: Readonly<SourceCounts> = { readings: 0, cut: 0, listed: 0, signals: 0 }

export class SourceReadings {
  readonly #options: SourceReadingsOptions
  readonly #pagesMax: number

  constructor(options: SourceReadingsOptions) {
    this.#options = options
    this.#pagesMax = options.pagesMax ?? 1_000_000
  }

  /** A source was requested. */
  settle({ source, result, at }: SourceFetched, listener: WorldListener): void {
    const { schedule } = this.#options
    schedule.settle(source, at, sourceResultOf(result))
    if (result.failure !== undefined || result.status !== 200) return
    this.#options.counts.readings++
    if (result.cut === true) this.#options.counts.cut++
    this.#read(source, at, result, listener)
  }

  #read(source: number, at: number, result: FetchResult, listener: WorldListener): void {
    const { links, fingerprints, anchors, dates } = result
    const count = fingerprints.length / 2
    const pages = new Int32Array(count).fill(-1)
    const parent = this.#options.schedule.parentOf(source)
    let start = 0
    for (let i = 0; i < count; i++) {
      const next = links.indexOf('\n', start)
      const url = links.slice(start, next < 0 ? links.length : next)
      start = next + 1
      if (anchors?.[i] === 'sitemap') this.#sitemap(source, url, dates?.[i], at)
      else pages[i] = this.#page(url, fingerprints[2 * i], fingerprints[2 * i + 1], parent, listener)
    }
    if (dates !== undefined) this.#signal(source, at, result, pages, dates, listener)
  }

  /** The number of a page that was known; -1 if it is new or is not added. */
  #page(url: string, low: number, high: number, parent: number, listener: WorldListener): number {
    const { pages, maxDepth, counts, areSeeds = false } = this.#options
    const known = pages.find(low, high)
    if (known >= 0) return known
    if (counts.listed < this.#pagesMax && (areSeeds || pages.depth(parent) < maxDepth)) {
      counts.listed++
      if (areSeeds) listener.listed?.(pages.add(low, high, url, undefined), noParent)
      else listener.listed?.(pages.add(low, high, url, parent), parent)
    }
    return -1
  }

  #sitemap(index: number, url: string, modified: number | undefined, at: number): void {
    const { schedule } = this.#options
    const known = schedule.numberOf(url)
    if (known === undefined) {
      const [site, parent] = [schedule.siteOf(index), schedule.parentOf(index)]
      schedule.add({ url, kind: 'sitemap', site, parent }, at)
    } else if (modified !== undefined && modified <= at) schedule.announce(known, modified, at)
  }

  #signal(
    source: number,
    at: number,
    { date }: FetchResult,
    pages: Int32Array,
    dates: Float64Array,
    listener: WorldListener,
  ): void {
    const { schedule, signals } = this.#options
    const site = schedule.siteOf(source)
    const responded = date === undefined ? undefined : writtenSeconds(date)
    const reading = { source, site, at, date: responded, pages, dates }
    for (const entry of signals.entriesOf(reading)) {
      this.#options.counts.signals++
      listener.signal?.(pages[entry], dates[entry])
    }
  }
}

/** What a request for a source led to. */
function sourceResultOf({
  failure,
  status,
  bodyLow,
  bodyHigh,
  etag,
  lastModified,
}: FetchResult): SourceResult {
  if (failure === undefined && status === 200)
    return { kind: 'read', low: bodyLow, high: bodyHigh, validator: { etag, lastModified } }
  if (status === 304) return { kind: 'not-modified' }
  return { kind: status === 404 || status === 410 ? 'missing' : 'failed' }
}
