/**
 * What the dashboard keeps of a crawl besides its model: the newest requests, the last answer of each host, the course over
 * time. The record is followed. About 12 bytes per known page.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { noSite } from '../../../engine/world.ts'
import type { CrawlProgress } from '../../../crawler/options/crawl-options.ts'
import type { CrawlFolder } from '../../../crawler/record/crawl-folder.ts'
import type { CrawlRecord, GroupResults } from '../../../crawler/record/crawl-record.ts'
import { CrawlModel, eachRequest } from '../../../crawler/read/model/crawl-model.ts'
import type { Hosts } from '../../../crawler/read/model/hosts.ts'
import type { KnownCrawl } from '../../../crawler/read/model/known-crawl.ts'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import { Course } from '../course.ts'
import { LastRequests, RequestRing } from './site-requests.ts'

const requestsMax = 200_000
const changesMax = 50
/** The record is not read again within this time. */
const refreshMs = 500

interface NewestChange {
  readonly page: number
  readonly atMs: number
  readonly verdict: string
}

export class CrawlTables {
  readonly model: CrawlModel
  readonly folder: CrawlFolder
  readonly record: CrawlRecord
  readonly known: KnownCrawl
  readonly hosts: Hosts
  /** By host. */
  readonly last = new LastRequests()
  /** By site: when the rest after its last connection ends, in seconds since the epoch. */
  readonly freeAt = new GrowingFloat64(64)
  readonly requests = new RequestRing(requestsMax)
  readonly course = new Course()
  /** Links of each page that leave the scope. */
  readonly leaving = new GrowingUint32()
  /** Position of each page's last request among all requests, and the size of the response. */
  readonly orders = new GrowingUint32()
  readonly sizes = new GrowingUint32()
  /** Of pages fetched before, the newest first. */
  readonly changes: NewestChange[] = []
  #readMs = -Infinity

  private constructor(model: CrawlModel) {
    this.model = model
    this.folder = model.folder
    this.record = model.record
    this.known = model.known
    this.hosts = model.hosts
  }

  static async open(path: string): Promise<CrawlTables> {
    const tables = new CrawlTables(CrawlModel.unread(path))
    await tables.model.attach(tables)
    await tables.refresh()
    return tables
  }

  get asOfMs(): number {
    return this.model.asOfMs
  }

  /** Reads the groups that have become durable since. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readMs < refreshMs) return
    await this.model.refresh()
    this.#readMs = performance.now()
  }

  readonly facts: Partial<FactListener> = {
    closed: (site, freeAt) => {
      this.freeAt.ensure(site)
      this.freeAt.array[site] = freeAt
    },
  }

  readonly results = (results: GroupResults): void => {
    for (const [page, outcome] of results.outcomes) {
      const { outside = 0, tooDeep = 0, order, bytes } = outcome
      this.leaving.ensure(page)
      this.leaving.array[page] = outside + tooDeep
      this.orders.ensure(page)
      this.orders.array[page] = order
      this.sizes.ensure(page)
      this.sizes.array[page] = bytes
    }
    eachRequest(results, (page, request) => {
      const host = this.model.hostOf(page)
      if (host === noSite) return
      this.last.add(host, request)
      this.requests.add(page, request.startMs, request.durationMs)
    })
    for (const [page, { verdict, startMs }] of results.looks) {
      if (verdict !== 'changed' && verdict !== 'gone') continue
      this.changes.unshift({ page, atMs: startMs, verdict })
      if (this.changes.length > changesMax) this.changes.pop()
    }
    const progress = results.group.json('progress') as CrawlProgress | undefined
    if (progress !== undefined) this.course.add(results.closedMs, progress)
  }
}
