/** What a crawl is told before it begins. */
import type { FactWriter } from './fact-writer.ts'
import type { Frontier } from './frontier.ts'
import type { Strategy } from './strategy.ts'

export interface EngineOptions {
  readonly strategy: Strategy
  readonly frontier: Frontier
  /** Connections at a time; 1 unless given. */
  readonly robots?: number
  /** How many of them may go to sites that are not proven; all unless given. */
  readonly unprovenMax?: number
  /** Pages on one connection; 1 unless given. */
  readonly perConnection?: number
  /** Stop after this many pages with content, those in flight included: never one more. Redirects and failures do not count. */
  readonly pagesMax?: number
  /** Stop after this many failed requests; the default of page-budget.ts unless given. Pages in flight are still finished. */
  readonly failuresMax?: number
  /** Stop when the strategy guarantees this coverage: a share of what is obtainable (coverage.ts). */
  readonly coverage?: number
  /** Choose this many pages at a time by the strategy's order, crawl all of them, and again (short-term scheduling). */
  readonly batchSize?: number
  /**
   * A batch ends early when there is nothing more to hand out and fewer robots than this are busy though pages wait for
   * the next batch; what is left of it waits for that one. Not before it has opened as many connections, nor fewer than
   * a sixteenth of its pages: where sites are few, it would be chosen anew over and over.
   */
  readonly batchEndBelow?: number
  /** The next batch is chosen when a robot is idle and the current one is handed out to its last page, not when that has come. */
  readonly batchOverlap?: boolean
  /** Facts are written here too, for a journal. */
  readonly facts?: FactWriter
  /** Told of every page that is taken, with its score as shown, and when. */
  readonly onTaken?: (page: number, score: number, now: number) => void
  /** Called once for a coverage goal, as soon as it certainly cannot be reached, with the most that can be. */
  readonly onOutOfReach?: (reach: number) => void
  /** Told of every page that has been crawled, after its links were counted. */
  readonly onCrawled?: (page: number) => void
}

/** `unreachable`: the pages left are on sites that could not be reached. */
export type StopReason =
  | 'pages'
  | 'failures'
  | 'coverage'
  | 'time'
  | 'bytes'
  | 'finished'
  | 'unreachable'
  | 'interrupted'
