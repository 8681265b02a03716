/**
 * Facts: everything that the world reported to the engine, and the times of the engine's decisions. The log holds them in order, and the
 * engine's state is a function of them. fact-writer.ts writes them as bytes, fact-reader.ts reads them back.
 */
import type { Reading } from './reading.ts'
import type { Verdict } from './recrawl-policy.ts'
import type { FailureCause, Postponement } from './world.ts'

export const factKinds = {
  seed: 0,
  fetched: 1,
  failed: 2,
  closed: 3,
  dispatch: 4,
  postponed: 5,
  budget: 6,
  demoted: 7,
  reading: 8,
  retry: 9,
  proven: 10,
  slow: 11,
  /** Same as `fetched`, for a redirect. */
  redirected: 12,
  connections: 13,
  looked: 14,
  signal: 15,
  rate: 16,
  listed: 17,
  cut: 18,
  arrived: 19,
  price: 20,
  round: 21,
  moment: 22,
  repeated: 23,
  allKnown: 24,
  raised: 25,
} as const

/** By why a page is requeued. */
export const postponedKinds: Readonly<Record<Postponement, number>> = {
  turn: factKinds.postponed,
  last: factKinds.demoted,
  retry: factKinds.repeated,
}

/** Beside the verdict of a look: which numbers follow. */
export const lookFlags = { isDated: 8, hasBytes: 16 } as const

/** Receives facts that are read back, in order. */
export interface FactListener {
  seed(site: number): void
  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    reading?: Reading,
    isRedirect?: boolean,
  ): void
  failed(page: number, cause: FailureCause): void
  postponed(page: number, why?: Postponement): void
  /** A page that failed temporarily is requeued. */
  retry(page: number): void
  proven(site: number): void
  slow(site: number): void
  closed(site: number, freeAt: number): void
  dispatchAt(now: number): void
  budget(pagesMax: number, coverage: number, failuresMax: number): void
  connections(max: number, unprovenMax: number): void
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
  signal?(page: number, seconds: number): void
  rate?(perDay: number): void
  /** Each held page is looked at once from now on, or again as often as is worth it. */
  round?(isRound: boolean): void
  listed?(site: number, parent: number): void
  /** The accounts of away pages are emptied (exchange.ts). */
  cut?(limit: number, all: boolean): void
  arrived?(source: number, number: number, arrival: Arrival): void
  /** No page with a smaller key is taken from now on. */
  price?(key: number): void
  /** A group of facts ends at this time. */
  moment?(now: number): void
  /** So many pages are known to all shards together. */
  allKnown?(pages: number): void
  /** Keys of held pages were raised at this time, and no page was taken. */
  raisedAt?(now: number): void
}

/** The content of message `number` of the shard `source`, as far as it concerns this shard. */
export interface Arrival {
  /** The amount for the seeds of this shard. */
  readonly home: number
  /** `pages[0] … pages[count - 1]`. A number not seen before is a new page; `newSites` has the sites of the new pages. */
  readonly pages: Uint32Array
  readonly amounts: Float64Array
  readonly count: number
  readonly newSites: Uint32Array
  /** When the new pages were found, in the same order, in milliseconds from the beginning of the crawl. */
  readonly foundMs: Uint32Array
}

/** What a cut has taken from away pages. The arrays change after the call. */
export interface CutContent {
  /** `pages[0] … pages[count - 1]`. */
  readonly pages: Uint32Array
  readonly amounts: Float64Array
  /** When each page was found; `namedBefore` if an earlier cut has said it. */
  readonly foundMs: Uint32Array
  readonly count: number
}

export const namedBefore = 0xffff_ffff
