/**
 * The outcome of each page, and the number of pages with each outcome. The state of a page follows from the
 * facts alone, so totals, progress, report, export and `explain` all have the same numbers.
 * docs/reference/crawl-output.md defines the terms.
 *
 *   known = pages + redirects + failed + temporary + unreachable + refusedByRobots + refusedByLimits
 *           + waiting (+ in flight)
 */
import type { PageStates } from './page-states.ts'
import { awaySite, noSite, type FailureCause } from './world.ts'

/** A page in flight when the crawl was killed is `waiting`: it is requested again. */
export type PageState = 'fetched' | 'redirect' | 'waiting' | FailureCause

export function stateOf(pages: PageStates, page: number): PageState {
  if (pages.isRedirect(page)) return 'redirect'
  return pages.isCrawled(page) ? 'fetched' : (pages.failureOf(page) ?? 'waiting')
}

/** Whether a request for the page was sent and has a final outcome. */
export function wasRequested(state: PageState): boolean {
  return state === 'fetched' || state === 'redirect' || state === 'failed' || state === 'temporary'
}

export interface PageTotals {
  /** Pages fetched: successful responses with content. `--pages` counts these. */
  readonly pages: number
  /** Pages that redirect to another one. */
  readonly redirects: number
  /**
   * Pages whose request failed for good: HTTP errors such as 404. `--failures` counts these and the temporary
   * ones.
   */
  readonly failed: number
  /**
   * Pages whose request failed for a temporary reason: timeouts, broken connections, 5xx. A resume requests
   * them again.
   */
  readonly temporary: number
  /** Pages that could not be requested: no address, no connection, an invalid certificate. */
  readonly unreachable: number
  /** Pages that robots.txt disallows. */
  readonly refusedByRobots: number
  /** Pages over a limit: pages per site, crawl delay, traps. */
  readonly refusedByLimits: number
}

export function pageTotals(pages: PageStates): PageTotals {
  return {
    pages: pages.fetchedCount,
    redirects: pages.redirectCount,
    failed: pages.failedFor('failed'),
    temporary: pages.failedFor('temporary'),
    unreachable: pages.failedFor('unreachable'),
    refusedByRobots: pages.failedFor('robots'),
    refusedByLimits: pages.failedFor('limit'),
  }
}

export const noPages: PageTotals = {
  pages: 0,
  redirects: 0,
  failed: 0,
  temporary: 0,
  unreachable: 0,
  refusedByRobots: 0,
  refusedByLimits: 0,
}

/**
 * Number of hosts that have pages; those that only have other files do not count. `first`: the first site of the same host,
 * since a host may have several.
 */
export function hostsWithPages(
  pages: Pick<PageStates, 'known' | 'siteOf'>,
  first: (site: number) => number,
): number {
  const hosts = new Set<number>()
  for (let page = 0; page < pages.known; page++) {
    const site = pages.siteOf(page)
    if (site !== noSite && site !== awaySite) hosts.add(first(site))
  }
  return hosts.size
}
