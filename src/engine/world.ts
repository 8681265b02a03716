/**
 * The two worlds. The engine decides what to fetch next; a world carries it out and tells what came of it. The virtual
 * world is a stored graph under a virtual clock, the real one HTTP under the real clock.
 */
import type { Reading } from './reading.ts'
import type { Verdict } from './recrawl-policy.ts'

export interface World {
  /** Seconds; only ever grows. */
  now(): number
  /**
   * Ask for these pages of one site, one after the other on one connection: `pages[0] … pages[count - 1]`. The array is the
   * engine's and changes after the call.
   */
  fetch(site: number, pages: Uint32Array, count: number): void
  /** Tells the engine every outcome that has come in since the last call, in order. */
  deliver(listener: WorldListener): void
  /**
   * Waits for the next outcome, or until `due`, whichever is first. Undefined: no need to wait, go on at once (a virtual
   * clock simply jumps).
   */
  wait(due: number): Promise<void> | undefined
}

/**
 * Why a page does not come.
 *
 * | cause | was it requested? | its importance |
 * | --- | --- | --- |
 * | robots | no: robots.txt forbids it | unobtainable |
 * | scope | no: it lies outside the crawl | excluded by the user |
 * | limit | no: too many pages of its site, or a trap | excluded by the user |
 * | unreachable | no: there is no address, or no server answers there | not fetched: a later session may fetch it |
 * | failed | yes, and the answer was an error for good | unobtainable |
 * | temporary | yes, and the answer was an error that may pass | not fetched: a later session may fetch it |
 */
export const failureCauses = ['robots', 'scope', 'limit', 'unreachable', 'failed', 'temporary'] as const
export type FailureCause = (typeof failureCauses)[number]

/** In place of a new page's site: the page is outside the crawl, and stands for whatever lies there. It never waits. */
export const noSite = 0xffffffff

/** What a world tells. The engine listens. */
export interface WorldListener {
  /**
   * A page came. Its links are `links[0] … links[linkCount - 1]`, page numbers; a number that was never seen before is a
   * new page, and the sites of the new pages are `newSites[0] …`, in the order of their numbers (or `noSite`). `reading`: what
   * it said, where the crawl has a topic. `isRedirect`: it has a link and no content, and uses up no budget of pages.
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
   * A continuous crawl looked at a page at this time. `first` follows the page's `fetched`; the others are of a page fetched before, and
   * `changed` comes with its links, as in `fetched`.
   */
  looked?(
    page: number,
    seconds: number,
    verdict: Verdict,
    links?: Uint32Array,
    linkCount?: number,
    newSites?: Uint32Array,
  ): void
  /** A page does not come: it failed, or may not be fetched. */
  failed(page: number, cause: FailureCause): void
  /**
   * A page was not asked for after all, or its site asks for patience: it waits again. `last`: and not before everything
   * else, since it is likely to be worth nothing.
   */
  postponed(page: number, last?: boolean): void
  /** A site with a connection under way has answered completely, and not slowly: it counts as proven from now on. */
  proven(site: number): void
  /**
   * The connection to a site is slow: it goes on, no longer counts as one of the connections, and the site is not proven
   * any more.
   */
  slow(site: number): void
  /** A connection ended. Its site may be asked again from `freeAt` on. */
  closed(site: number, freeAt: number): void
}
