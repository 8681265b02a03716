/**
 * What decides when held pages are fetched again. A policy gives every held page a key, and the best page never fetched a key to
 * compete at; the engine takes the highest, ties to the page found first. Times are days since the crawl began; they come with
 * facts, never from a clock.
 */
import type { StateCodec } from '../lib/state.ts'

/** What a look at a page found: it had never been fetched, it differs, it is the same, it does not exist any more. */
export const verdicts = ['first', 'changed', 'same', 'gone'] as const
export type Verdict = (typeof verdicts)[number]

export interface RecrawlPolicy {
  readonly name: string
  /** Called once before anything else. */
  start(services: RecrawlServices): void
  /** The budget: fetches a day, from now on. Infinity: no budget. */
  rate(perDay: number): void
  /** The key at which a page never fetched competes; it is the best of those by the strategy. */
  newKey(page: number, day: number): number
  /** A page was looked at. Its key from now on goes to `services.key`. */
  looked(page: number, day: number, verdict: Verdict): void
  /** A sitemap, feed or ping says that the page has changed. */
  signal?(page: number, day: number): void
  /** The mass of a held page may have changed. */
  massMoved?(page: number, day: number): void
  /**
   * Called before a choice: brings all keys up to this day. `newKey`: of the best page never fetched, -Infinity without one. True: more
   * than keys has changed, so that the choice must be a fact even if nothing is taken.
   */
  raise?(day: number, newKey: number): boolean
  /** Gives all held pages their keys as of this day, in page order: equal facts then give equal state. */
  rekey(day: number): void
  /** The first day after the last `raise` on which a key rises; Infinity where none does. */
  nextRise?(): number
  /** Writes everything that it remembers between two facts, or reads it back, after `start`. */
  transfer(state: StateCodec): void
  readonly byteLength: number
}

/** What the engine offers a policy. */
export interface RecrawlServices {
  /** Pages known. */
  known(): number
  siteOf(page: number): number
  /** The strategy's estimate of a page's importance; 1 for strategies without one. */
  massOf(page: number): number
  /** The key of a held page from now on; -Infinity: it is not fetched again. */
  key(page: number, key: number): void
  /** The highest key of a held page whose site is free; -Infinity without one. */
  highest(): number
}
