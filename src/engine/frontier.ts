/**
 * The pages that may be taken next, grouped by site. All three frontiers implement this contract and the same
 * politeness rule: a site that is busy, or resting until a given time, offers no page.
 */
import type { StateCodec } from '../lib/state.ts'
import type { PageForest } from './page-forest.ts'

export interface Frontier {
  readonly name: string
  /** Number of pages in the frontier. */
  readonly waiting: number

  /** Adds a page. It must not be in the frontier. */
  add(page: number, site: number, key: number): void
  /** Changes the key of a page in the frontier. */
  update(page: number, site: number, key: number): void
  /** Removes all pages, so that they can be added again with other keys. Busy and resting sites stay so. */
  clear(): void

  /**
   * The page that `take` would return now, or `none` if no free site has a page. With `provenOnly`, unproven
   * sites offer no page.
   */
  best(now: number, provenOnly?: boolean): number
  /** Takes the best page and makes its site busy. There must be one. */
  take(now: number, provenOnly?: boolean): number
  /**
   * Takes the best page of a site that `take` has made busy, for the same connection. Returns `none` if the
   * site has no more pages.
   */
  takeFrom(site: number): number
  /** Makes a free site busy without taking a page of this frontier. */
  occupy(site: number, now: number): void
  /** The key of a page in the frontier. Needed only by the frontier of held pages. */
  keyOf?(page: number): number
  /** Keeps pages in the memory of another frontier, if it can. Called before anything else; no page may be in both. */
  shareWith?(other: Frontier): void
  /** The heaps of its pages, if other pages may be kept there too: 20 bytes per page less for the reserve. */
  readonly heaps?: PageForest
  /** Forgets everything about a page that is not in the frontier, so that the state does not depend on it. */
  forget?(page: number): void
  /** The pages of a site that are in the frontier, in any order. Needed only by the frontier of held pages. */
  pagesOf?(site: number): number[]
  /**
   * Calls `offer` for each site with pages that is not busy: the key of its best page, the number of its pages, and when it is
   * or was free. Needed only on shards.
   */
  offers?(offer: (site: number, key: number, pages: number, freeAt: number) => void): void
  /** Calls `enter` for pages of a site, the best one first: for a page only if it returned true for one that is better. Needed only on shards. */
  bestOf?(site: number, enter: (page: number) => boolean): void
  /** The key by which the last `take` chose: the key of the page or the rank of its site. */
  readonly takenRank: number
  /** Ends the connection to a busy site. The site rests until `freeAt`. */
  release(site: number, freeAt: number): void
  /** Marks a busy site as proven or unproven. Every site starts as unproven. */
  prove(site: number, isProven: boolean): void
  isProven(site: number): boolean
  /** The time at which the next resting site with pages becomes free; Infinity if there is none. */
  nextFree(): number

  /** Whether better pages of a site that is busy or rests hold up the pages of free sites (patience.ts). By default, none does. */
  holdUp?(site: number, holdsUp: boolean): void
  /** The best page of the busy or resting sites that hold others up; `none` if there is none. */
  heldUpFor?(now: number): number
  /** Number of sites that offer a page, as of the last `best`: the proven or the unproven ones. */
  freeSites?(isProven: boolean): number
  /** The rank of the site of a page that is the best of its site: its key, or the number of pages of the site. */
  rankOf?(page: number, site: number): number

  /**
   * Writes the state, or reads it into an empty frontier with the same options. The time of the last `best`
   * is not part of the state, because a replay calls `best` less often: after a read, call `best` before
   * `nextFree`.
   */
  transfer(state: StateCodec): void
  readonly byteLength: number
}
