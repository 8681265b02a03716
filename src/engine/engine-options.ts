/** Options of a crawl, fixed before it starts. */
import type { CutContent } from './fact.ts'
import type { FactWriter } from './fact-writer.ts'
import type { Frontier } from './frontier.ts'
import type { RecrawlOptions } from './recrawl-options.ts'
import type { Strategy } from './strategy.ts'

export interface EngineOptions {
  readonly strategy: Strategy
  readonly frontier: Frontier
  /** Maximum number of concurrent connections. Default: 1. */
  readonly connections?: number
  /** Maximum number of connections to unproven sites. Default: all. */
  readonly unprovenMax?: number
  /** Pages per connection. Default: 1. */
  readonly perConnection?: number
  /**
   * Stop after this many pages with content. Pages in flight count, so the crawl never exceeds it. Redirects
   * and failures do not count.
   */
  readonly pagesMax?: number
  /** Stop after this many failed requests. Default: see page-budget.ts. Pages in flight still finish. */
  readonly failuresMax?: number
  /** Stop when the strategy guarantees this coverage, a share of the obtainable importance (coverage.ts). */
  readonly coverage?: number
  /**
   * Choose this many pages at a time in the strategy's order and crawl all of them before choosing again
   * (short-term scheduling).
   */
  readonly batchSize?: number
  /**
   * End a batch early if it has no page left to hand out, fewer connections than this are busy, and pages
   * wait for the next batch. Its remaining pages return to the reserve. A batch never ends before it has
   * opened this many connections and a sixteenth of its pages; otherwise crawls of few sites would choose
   * batches over and over.
   */
  readonly batchEndBelow?: number
  /**
   * Choose the next batch when a connection is idle and the last page of the current batch has been handed
   * out, instead of waiting until all its pages are fetched.
   */
  readonly batchOverlap?: boolean
  /** Take a page only if its score is at least this share of that of the best page that waits for politeness (patience.ts). Default: 0. */
  readonly patience?: number | undefined
  /** Fetch held pages again. The crawl then does not end by itself. Default: fetch every page once. */
  readonly recrawl?: RecrawlOptions
  /** URLs and anchors for strategies. Default: none. */
  readonly names?: PageNames | undefined
  /** The engine is one of several shards of a crawl (exchange.ts). */
  readonly isShard?: boolean
  /** When the crawl of the shards began, by the clock of the world; 0 unless given. */
  readonly beganAt?: number
  /** Called with the away pages that a cut has emptied, and their amounts. */
  readonly onCut?: (content: CutContent) => void
  /** Also write facts here, for the record. */
  readonly facts?: FactWriter
  /** Called for every page taken, with its reported score and the time. */
  readonly onTaken?: (page: number, score: number, now: number) => void
  /**
   * Called once if the coverage goal becomes unreachable, with the highest coverage that can still be
   * reached.
   */
  readonly onOutOfReach?: (reach: number) => void
  /** Called for every crawled page, after its links are counted. */
  readonly onCrawled?: (page: number) => void
}

/** What pages are called. */
export interface PageNames {
  readonly urlOf: (page: number) => string
  readonly anchorOf: (page: number) => string
}

/**
 * `finished`: no page is left. `unreachable`, `traps`: nor is one, but sites could not be reached, or trap detection refused
 * pages.
 */
export type StopReason =
  | 'pages'
  | 'failures'
  | 'coverage'
  | 'time'
  | 'bytes'
  | 'finished'
  | 'unreachable'
  | 'traps'
  | 'interrupted'
