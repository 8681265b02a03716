/**
 * Decides when held pages are fetched again. A policy gives a key to every held page and to the best new page; the
 * engine takes the page with the highest key, and of equal ones the page found first. Times are days since the start
 * of the crawl. They are part of facts and never read from a clock.
 */
import type { StateCodec } from '../lib/state.ts'

/** The result of a look: fetched for the first time, changed since the last look, unchanged, or deleted. */
export const verdicts = ['first', 'changed', 'same', 'gone'] as const
export type Verdict = (typeof verdicts)[number]

export interface RecrawlPolicy {
  readonly name: string
  /** Called once before anything else. */
  start(services: RecrawlServices): void
  /** Sets the budget in fetches per day; Infinity for no budget. */
  rate(perDay: number): void
  /** The key of a new page, the best one by the strategy's order. */
  newKey(page: number, day: number): number
  /** The result of a look. The policy passes the new key of the page to `services.key`. */
  looked(page: number, day: number, verdict: Verdict): void
  /** A sitemap, feed or ping reports that the page has changed. */
  signal?(page: number, day: number): void
  /** The mass of a held page may have changed. */
  massMoved?(page: number, day: number): void
  /**
   * Called before a choice: updates all keys to this day. `newKey` is the key of the best new page, or -Infinity.
   * Returns true if more than keys has changed; the choice is then recorded as a fact even if no page is taken.
   */
  raise?(day: number, newKey: number): boolean
  /** Sets the keys of all held pages as of this day, in page order, so that equal facts give equal state. */
  rekey(day: number): void
  /** The first day after the last `raise` on which a key rises; Infinity if none does. */
  nextRise?(): number
  /** Writes everything that the policy remembers between two facts, or reads it back after `start`. */
  transfer(state: StateCodec): void
  readonly byteLength: number
}

/** The services that the engine offers a policy. */
export interface RecrawlServices {
  /** Number of known pages. */
  known(): number
  siteOf(page: number): number
  /** The strategy's estimate of a page's importance; 1 for strategies without one. */
  massOf(page: number): number
  /** Sets the key of a held page. With -Infinity it is not fetched again. */
  key(page: number, key: number): void
  /** The highest key of a held page whose site is free; -Infinity if there is none. */
  highest(): number
}
