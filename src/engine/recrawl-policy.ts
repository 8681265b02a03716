/**
 * Decides when held pages are fetched again. A policy gives a key to every held page that waits and to the best new page;
 * the engine takes the page with the highest key, and of equal ones the page found first. Times are days on the clock of
 * the world. They are part of facts and never read from a clock.
 */
import type { StateCodec } from '../lib/state.ts'
import type { Horizon } from './recrawl/horizon.ts'

/**
 * The result of a look at a page.
 *
 * | verdict | meaning | what follows |
 * | --- | --- | --- |
 * | first | fetched for the first time | it is held |
 * | changed | it has other content or links, or redirects elsewhere | its links are replaced |
 * | same | unchanged | |
 * | gone | deleted for good: status 410 | not fetched again until a page fetched later links to it |
 * | missing | status 404 | its mass counts half as much for each in a row; the third in a row with a day between each is `gone` |
 * | failed | no observation: a temporary failure | it rests, twice as long for each in a row |
 * | forbidden | not requested: robots.txt now disallows it | it waits for a `retry` |
 */
export const verdicts = ['first', 'changed', 'same', 'gone', 'missing', 'failed', 'forbidden'] as const
export type Verdict = (typeof verdicts)[number]

export interface RecrawlPolicy {
  readonly name: string
  /** A fixed horizon, in days. Default: it follows from the budget and the age of the crawl. */
  readonly givenHorizon?: number | undefined
  /** Called once before anything else. */
  start(services: RecrawlServices): void
  /** The key of a new page, the best one by the strategy's order. */
  newKey(page: number, day: number): number
  /**
   * A look that observed the page: for the first time, or changed or not since the last look. `datedDays`: the page changed
   * this long before the look, if the server says so and is trusted. Sets no key.
   */
  looked(page: number, day: number, verdict: 'first' | 'changed' | 'same', datedDays?: number): void
  /** The page waits: passes its key as of this day to `services.key`, and updates it from then on. */
  enter(page: number, day: number): void
  /** The page no longer waits. */
  leave?(page: number): void
  /** A sitemap, feed or ping reports that the page changed on this day. Sets no key. */
  signal?(page: number, day: number): void
  /** The mass of a held page may have changed. Sets a key only if the page waits. */
  massMoved?(page: number, day: number, doesWait: boolean): void
  /**
   * Called before a choice: updates all keys to this day. `newKey` is the key of the best new page, or -Infinity.
   * Returns true if more than keys has changed; the choice is then recorded as a fact even if no page is taken.
   */
  raise?(day: number, newKey: number): boolean
  /** The horizon has doubled, this often. Called before a choice. */
  grown?(doublings: number, day: number): void
  /** The first day after the last `raise` on which a key rises; Infinity if none does. */
  nextRise?(): number
  /** The day of the last look that observed this held page. */
  lastLookDay(page: number): number
  /** What the policy knows about a held page on this day. */
  view(page: number, day: number): PolicyView
  /** Writes everything that the policy remembers between two facts, except keys, or reads it back after `start`. */
  transfer(state: StateCodec): void
  readonly byteLength: number
}

export interface PolicyView {
  /** The mass that the value counts. */
  readonly mass: number
  /** What the key follows from: for most policies the value of a fetch, in mass × horizons; in mass × days if the horizon is given. */
  readonly value: number
  /** Days since the last look; in the time of the site, if the policy keeps site clocks. */
  readonly elapsedDays: number
  /** The estimated change rate, per day: shape and rate of a Gamma distribution. Undefined if the policy learns none. */
  readonly a?: number
  readonly b?: number
  /** The probability that the page has not changed since the last look. Undefined if the policy has no estimate. */
  readonly survival?: number
}

/** The services that the engine offers a policy. */
export interface RecrawlServices {
  readonly horizon: Horizon
  /** Days in which as many pages are fetched as are known, without those that are gone or failed. */
  roundDays(day: number): number
  siteOf(page: number): number
  /** The strategy's estimate of a page's importance; 1 for strategies without one. */
  massOf(page: number): number
  /** Sets the key of a page that waits. With -Infinity it is not fetched. */
  key(page: number, key: number): void
  /** Calls `visit` for every page that waits and has a key of this policy: all, in page order; or those of a site, in any order. */
  eachWaiting(visit: (page: number) => void): void
  eachOfSite(site: number, visit: (page: number) => void): void
  /** The highest key of a held page whose site is free; -Infinity if there is none. */
  highest(): number
}
