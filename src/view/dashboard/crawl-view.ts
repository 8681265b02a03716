/**
 * The state of a crawl that its next decisions follow from. Implemented by the running session (`liveView`) and by the
 * record, whose facts are replayed (reader/record-view.ts).
 */
import type { Engine } from '../../engine/engine.ts'
import type { LiveCrawl } from '../../crawler/session/session.ts'
import type { FoundPage } from '../../crawler/world/page-table.ts'

export interface CrawlView {
  readonly engine: Engine
  /** Seconds since the epoch. */
  now(): number
  /** The configured gap between two requests to a site, in seconds. */
  wait(): number
  readonly siteCount: number
  siteName(site: number): string
  /** When the site may be requested again, in seconds since the epoch. */
  freeAt(site: number): number
  /** True if a connection to the site is open. */
  isBusy(site: number): boolean
  /** Consecutive failures to reach the site; 0 if that is not known. */
  failures(site: number): number
  found(page: number): FoundPage
}

/** A running crawl of this process as the dashboard sees it. */
export function liveView({ parts, settings, now }: LiveCrawl): CrawlView {
  const { engine, sites, pages, reachability } = parts
  return {
    engine,
    now,
    wait: () => settings().wait,
    get siteCount() {
      return sites.count
    },
    siteName: (site) => sites.name(site),
    freeAt: (site) => Math.max(sites.freeAt(site), reachability.nextTryOf(site)),
    isBusy: (site) => engine.busySites.has(site),
    failures: (site) => sites.failures(site),
    found: (page) => pages.found(page),
  }
}
