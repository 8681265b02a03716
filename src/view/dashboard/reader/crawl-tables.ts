/**
 * The tables of a crawl for the dashboard, read from its record group by group: the states and links of pages, figures of
 * sites, the newest requests, the course over time. `refresh` reads the groups that are new. About 40 bytes per known page
 * and 4 per link.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { readFacts } from '../../../engine/fact-reader.ts'
import { stateOf } from '../../../engine/page-totals.ts'
import { noSite } from '../../../engine/world.ts'
import { KnownCrawl, knownFacts } from '../../../crawler/read/export/known-crawl.ts'
import { GrowingUint32 } from '../../../lib/growing-array.ts'
import type { CrawlProgress, CrawlTotals } from '../../../crawler/options/crawl-options.ts'
import { CrawlFolder } from '../../../crawler/record/crawl-folder.ts'
import { CrawlRecord, looksOf, outcomesOf } from '../../../crawler/record/crawl-record.ts'
import type { GroupBytes } from '../../../crawler/record/group.ts'
import { isNewVersion } from '../../../crawler/record/look-record.ts'
import { Course } from '../course.ts'
import { RequestRing, SiteTallies } from './site-tallies.ts'

const requestsMax = 200_000
const changesMax = 50
/** The record is not read again within this time. */
const refreshMs = 500

/** Numbers of pages of each site by state. */
interface SiteCounts {
  readonly pages: Uint32Array
  readonly waiting: Uint32Array
  readonly redirects: Uint32Array
  readonly errors: Uint32Array
  readonly robots: Uint32Array
  readonly limits: Uint32Array
}

interface NewestChange {
  readonly page: number
  readonly atMs: number
  readonly verdict: string
}

export class CrawlTables {
  readonly folder: CrawlFolder
  readonly record: CrawlRecord
  readonly known = new KnownCrawl()
  readonly tallies = new SiteTallies()
  readonly requests = new RequestRing(requestsMax)
  readonly course = new Course()
  /** Links to each page, and links of each page that leave the scope. */
  readonly linksIn = new GrowingUint32()
  readonly leaving = new GrowingUint32()
  /** Position of each page's last request among all requests, and the size of the response. */
  readonly orders = new GrowingUint32()
  readonly sizes = new GrowingUint32()
  /** Of pages fetched before, the newest first. */
  readonly changes: NewestChange[] = []
  progress: CrawlProgress | undefined
  /** Each receives every fact. */
  readonly #facts: Partial<FactListener>[]
  #counts: { readonly group: number; readonly counts: SiteCounts } | undefined
  #readMs = -Infinity
  #reading: Promise<void> | undefined

  private constructor(folder: CrawlFolder, record: CrawlRecord) {
    this.folder = folder
    this.record = record
    this.#facts = [this.#degrees(), knownFacts(this.known), this.#rests()]
  }

  /** `others`: further listeners, which receive every fact after the tables. */
  static async open(
    path: string,
    others: (tables: CrawlTables) => Partial<FactListener>,
  ): Promise<CrawlTables> {
    const folder = CrawlFolder.open(path)
    const tables = new CrawlTables(folder, CrawlRecord.unread(folder.log, folder.groupsMin))
    tables.#facts.push(others(tables))
    await tables.refresh()
    return tables
  }

  get asOfMs(): number {
    return this.record.lastAt
  }

  /** Of the last session, if it has ended. crawl.json is read again: another process may have written it. */
  totals(): CrawlTotals | undefined {
    return CrawlFolder.open(this.folder.path).file.totals
  }

  /** Reads the groups that have become durable since. Two calls share one read. */
  async refresh(): Promise<void> {
    if (this.#reading === undefined && performance.now() - this.#readMs < refreshMs) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.#readMs = performance.now()
    })
    await this.#reading
  }

  /** Replays all facts so far to this listener, which receives later ones too. */
  async attach(listener: Partial<FactListener>): Promise<void> {
    while (this.#reading !== undefined) await this.#reading
    // No group is added while the earlier ones are replayed.
    this.#reading = this.record
      .replay(listener)
      .then(() => void this.#facts.push(listener))
      .finally(() => (this.#reading = undefined))
    await this.#reading
  }

  async #read(): Promise<void> {
    for await (const group of this.record.follow()) this.#add(group)
  }

  #add(group: GroupBytes): void {
    readFacts(group.section('facts'), ...this.#facts)
    const { pages } = this.known
    for (const [page, outcome] of outcomesOf(group)) {
      const { outside = 0, tooDeep = 0, order, startMs, durationMs } = outcome
      this.leaving.ensure(page)
      this.leaving.array[page] = outside + tooDeep
      this.orders.ensure(page)
      this.orders.array[page] = order
      this.sizes.ensure(page)
      this.sizes.array[page] = outcome.bytes
      const site = pages.siteOf(page)
      if (order === 0 || site === noSite) continue
      this.tallies.requested(site, outcome)
      this.requests.add(page, startMs, durationMs)
    }
    for (const [page, look] of looksOf(group)) {
      if (look.verdict === 'first') continue
      if (!isNewVersion(look.verdict) && look.status > 0) {
        this.tallies.requested(pages.siteOf(page), look)
        this.requests.add(page, look.startMs, look.durationMs)
      }
      if (look.verdict !== 'changed' && look.verdict !== 'gone') continue
      this.changes.unshift({ page, atMs: look.startMs, verdict: look.verdict })
      if (this.changes.length > changesMax) this.changes.pop()
    }
    const progress = group.json('progress') as CrawlProgress | undefined
    if (progress === undefined) return
    this.progress = progress
    this.course.add(group.at, progress)
  }

  #degrees(): Partial<FactListener> {
    const { known, linksIn } = this
    const count = (links: Uint32Array, start: number, end: number, by: number): void => {
      for (let i = start; i < end; i++) {
        linksIn.ensure(links[i])
        linksIn.array[links[i]] += by
      }
    }
    return {
      fetched: (_page, links, linkCount) => count(links, 0, linkCount, 1),
      looked: (page, _time, verdict, links, linkCount = 0) => {
        if (verdict !== 'changed' || links === undefined) return
        known.links.seek(page)
        const { targets, start, end } = known.links
        count(targets, start, end, -1)
        count(links, 0, linkCount, 1)
      },
    }
  }

  #rests(): Partial<FactListener> {
    return { closed: (site, freeAt) => this.tallies.closed(site, freeAt) }
  }

  /** Counted anew after each group. */
  get siteCounts(): SiteCounts {
    const group = this.record.groups
    if (this.#counts?.group !== group) this.#counts = { group, counts: this.#counted() }
    return this.#counts.counts
  }

  #counted(): SiteCounts {
    const { pages } = this.known
    const sites = this.record.siteNames.length
    const empty = (): Uint32Array => new Uint32Array(sites)
    const counts = {
      pages: empty(),
      waiting: empty(),
      redirects: empty(),
      errors: empty(),
      robots: empty(),
      limits: empty(),
    }
    const byState = {
      fetched: counts.pages,
      waiting: counts.waiting,
      redirect: counts.redirects,
      failed: counts.errors,
      temporary: counts.errors,
      unreachable: counts.errors,
      robots: counts.robots,
      limit: counts.limits,
      scope: counts.limits,
    }
    for (let page = 0; page < pages.known; page++) {
      const site = pages.siteOf(page)
      if (site < sites) byState[stateOf(pages, page)][site]++
    }
    return counts
  }
}
