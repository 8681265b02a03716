/**
 * The sitemaps and feeds of a crawl that fetches pages again: sources of new pages and of signals of change.
 *
 *   page fetched ─▶ sitemaps of its robots.txt, feeds that it names ─▶ schedule ─▶ request ─▶ reading ─▶ facts
 */
import type { WorldListener } from '../../../engine/world.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { PageTable } from '../../world/page-table.ts'
import { originOf } from '../../desk/site-access.ts'
import { sitemapUrl } from './sitemap-visit.ts'
import { SourceReadings, type SourceCounts } from './source-readings.ts'
import { SourceRequests, type SourceRequestsOptions } from './source-requests.ts'
import type { SourcesState } from './sources-state.ts'

interface SourcesOptions extends Omit<SourceRequestsOptions, 'schedule'> {
  readonly state: SourcesState
  readonly pages: PageTable
  readonly maxDepth: number
  /** Is `/sitemap.xml` requested if robots.txt names no sitemap? */
  readonly triesSitemap: boolean
  /** Only the sitemaps of these pages' origins are read; default: those of all pages. */
  readonly seeds?: readonly string[] | undefined
}

/** Origins whose sitemaps were looked up in this session, before they are forgotten. */
const originsMax = 100_000

export class Sources {
  readonly #options: SourcesOptions
  readonly #requests: SourceRequests
  readonly #readings: SourceReadings
  readonly #origins = new Set<string>()
  readonly #seedOrigins: ReadonlySet<string> | undefined

  constructor(options: SourcesOptions) {
    const { schedule, signals, counts, isOnce } = options.state
    this.#options = options
    this.#seedOrigins = options.seeds && new Set(options.seeds.map(originOf))
    const { desk, wake, pages, maxDepth } = options
    this.#requests = new SourceRequests({ schedule, desk, wake })
    this.#readings = new SourceReadings({ schedule, signals, counts, pages, maxDepth, areSeeds: isOnce })
  }

  get counts(): Readonly<SourceCounts> {
    return this.#options.state.counts
  }

  /** A page has content: the feeds that it names, and the sitemaps of its origin, are read from now on. */
  fetched(page: number, { site, feeds }: FetchResult): void {
    const { state, desk } = this.#options
    for (const url of feeds ?? []) state.schedule.add({ url, kind: 'feed', site, parent: page }, desk.now())
    this.visited(page, site)
  }

  /** The robots.txt of a page's origin is known: it names sitemaps. */
  visited(page: number, site: number): void {
    const { state, pages, desk } = this.#options
    const origin = originOf(pages.url(page))
    if (this.#origins.has(origin) || this.#seedOrigins?.has(origin) === false) return
    if (this.#origins.size >= originsMax) this.#origins.clear()
    this.#origins.add(origin)
    for (const url of this.#sitemapsOf(origin)) {
      state.schedule.add({ url, kind: 'sitemap', site, parent: page }, desk.now())
    }
  }

  #sitemapsOf(origin: string): string[] {
    const { desk, triesSitemap } = this.#options
    const named = desk.access.rulesOf(origin).sitemaps.flatMap((place) => sitemapUrl(place, origin) ?? [])
    return named.length === 0 && triesSitemap ? [`${origin}/sitemap.xml`] : named
  }

  /** A look at a page that observed it. */
  looked(page: number, seconds: number): void {
    this.#options.state.signals.looked(page, seconds)
  }

  /** Requests what is due; returns when there is more to do. */
  turn(): number {
    return this.#requests.turn()
  }

  /** Requests nothing more. */
  stop(): void {
    this.#requests.stop()
  }

  /** Reports what was read since the last call. */
  deliver(listener: WorldListener): void {
    for (const fetched of this.#requests.takeFetched()) this.#readings.settle(fetched, listener)
  }

  /** Whether something will be read, or reported. */
  get isBusy(): boolean {
    return this.hasNews || this.#requests.isBusy
  }

  get hasNews(): boolean {
    return this.#requests.hasFetched
  }
}
