/**
 * The interface to the two worlds. The engine decides what to fetch next; a world fetches it and reports the
 * outcome. The virtual world is a stored graph under a virtual clock; the real world is HTTP under the real
 * clock.
 */
import type { Reading } from './reading.ts'
import type { Verdict } from './recrawl-policy.ts'

export interface World {
  /** Seconds; never decreases. */
  now(): number
  /**
   * Fetch these pages of one site, one after the other on one connection: `pages[0] … pages[count - 1]`. The
   * engine owns the array and changes it after the call.
   */
  fetch(site: number, pages: Uint32Array, count: number): void
  /** Reports every outcome since the last call to the engine, in order. */
  deliver(listener: WorldListener): void
  /**
   * Waits for the next outcome or until `due`, whichever is first. Returns undefined if no wait is needed (a
   * virtual clock jumps).
   */
  wait(due: number): Promise<void> | undefined
}

/**
 * Why a page is not fetched.
 *
 * | cause | was it requested? | its importance |
 * | --- | --- | --- |
 * | robots | no: robots.txt disallows it | unobtainable |
 * | scope | no: it lies outside the crawl | excluded by the user |
 * | limit | no: too many pages of its site, or a trap | excluded by the user |
 * | unreachable | no: the host name does not resolve, or no server responds | not fetched: a later session
 * may fetch it |
 * | failed | yes; the error is permanent | unobtainable |
 * | temporary | yes; the error is temporary | not fetched: a later session may fetch it |
 */
export const failureCauses = ['robots', 'scope', 'limit', 'unreachable', 'failed', 'temporary'] as const
export type FailureCause = (typeof failureCauses)[number]

/**
 * Why a page is requeued. `turn`: it was not requested after all. `last`: nor that, and it is queued behind all other pages, because it
 * is probably worthless. `retry`: the request failed for now, or the server asks for a later one (429, 503).
 */
export type Postponement = 'turn' | 'last' | 'retry'

/**
 * Replaces the site of a new page that is out of scope. This page stands for everything outside the crawl and
 * never waits.
 */
export const noSite = 0xffffffff

/** Replaces the site of a page that another shard of the crawl owns (away-pages.ts). */
export const awaySite = 0xfffffffe

/** The events that a world reports to the engine. */
export interface WorldListener {
  /**
   * A page was fetched. Its links are the page numbers `links[0] … links[linkCount - 1]`. A number not seen
   * before is a new page; the sites of the new pages are `newSites[0] …`, in the order of their numbers (or
   * `noSite`). `reading`: the page's relevance, if the crawl has a topic. `isRedirect`: the page has one link
   * and no content, and does not count against the page budget.
   */
  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    reading?: Reading,
    isRedirect?: boolean,
  ): void
  /**
   * If pages are fetched again: the result of a look at a page (recrawl-policy.ts has the verdicts). `seconds` is the time
   * of the response, on the clock of `World.now`; the engine rounds it to milliseconds. `first` follows
   * `fetched` of the same page. All other verdicts are outcomes of held pages, which are reported here and never by
   * `fetched` or `failed`; a held page that was not requested is reported by `postponed`. `changed` has all links of the
   * page, as in `fetched`; a redirect has one. A page that was gone and has content again has `changed`.
   *
   * `datedSeconds`: the page changed this long before the look; only for `changed`, and only if the server is trusted to
   * know. `bytes`: the size of the transfer.
   */
  looked?(
    page: number,
    seconds: number,
    verdict: Verdict,
    links?: Uint32Array,
    linkCount?: number,
    newSites?: Uint32Array,
    datedSeconds?: number,
    bytes?: number,
  ): void
  /**
   * If pages are fetched again: a sitemap or feed lists a page not known before. It has the next page number. `parent` is the
   * fetched page that the list belongs to, such as the home page of the site; the new page gets as much importance as a
   * link from there carries. Without one: `noParent`.
   */
  listed?(site: number, parent: number): void
  /** If pages are fetched again: a sitemap, feed or ping reports that a held page changed at this time. */
  signal?(page: number, seconds: number): void
  /** A page was not fetched: the request failed or was not allowed. */
  failed(page: number, cause: FailureCause): void
  /** A page is requeued; by default because its `turn` has not come. */
  postponed(page: number, why?: Postponement): void
  /** The site of an open connection has sent a complete response quickly enough: it is proven from now on. */
  proven(site: number): void
  /**
   * The connection to a site is slow. It stays open but no longer counts against the limit of connections,
   * and the site becomes unproven.
   */
  slow(site: number): void
  /** A connection has ended. Its site may be requested again from `freeAt` on. */
  closed(site: number, freeAt: number): void
}
