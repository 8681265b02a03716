/**
 * The pages that may be taken next and the sites they stand on. Three frontiers keep this contract; all obey the same
 * politeness: a site that is busy, or that rests until a given time, offers no page.
 */
import type { StateCodec } from '../lib/state.ts'

export interface Frontier {
  readonly name: string
  /** Pages in it. */
  readonly waiting: number

  /** A page that is not in it comes in. */
  add(page: number, site: number, key: number): void
  /** A page in it has another key. */
  update(page: number, site: number, key: number): void
  /** All pages leave, to come back with other keys; busy and resting sites stay so. */
  clear(): void

  /**
   * The page that `take` would give now, or `none`: no page stands at a site that is free. `provenOnly`: sites that are not
   * proven offer none either.
   */
  best(now: number, provenOnly?: boolean): number
  /** Takes the best page and makes its site busy. There must be one. */
  take(now: number, provenOnly?: boolean): number
  /** Takes the best page of a site that `take` has made busy, for the same connection; `none` where there is no more. */
  takeFrom(site: number): number
  /** Makes a free site busy without taking a page of it. Needed for a continuous crawl only, as is `keyOf`. */
  occupy?(site: number, now: number): void
  /** The key of a page in it. */
  keyOf?(page: number): number
  /** What the last `take` went by: a page's key, or what its site ranked by. */
  readonly takenRank: number
  /** A busy site is asked no more and rests until `freeAt`. */
  release(site: number, freeAt: number): void
  /** A busy site is proven, or is not any more. No site is at first. */
  prove(site: number, isProven: boolean): void
  isProven(site: number): boolean
  /** When the next resting site that has pages becomes free; Infinity where there is none. */
  nextFree(): number

  /**
   * Writes its state, or reads it into an empty frontier with the same options. The time of the last `best` is no part of it, since
   * a replayed crawl calls that less often: after a read, call `best` before `nextFree`.
   */
  transfer(state: StateCodec): void
  readonly byteLength: number
}
