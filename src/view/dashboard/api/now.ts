/** The API of the view Now, and of the crawl as a whole. */
import type { ControlEntry } from './control.ts'

/** What the crawl is, and what this client may do. Read once, at the start, and again after `event: crawl`. */
export interface CrawlInfo {
  readonly version: string
  /** Name of the crawl's folder, without the path; on a cluster, the name of the crawl. */
  readonly name: string
  readonly startedAtMs: number
  /** True if the process that serves the dashboard runs the crawl. */
  readonly isLive: boolean
  /** True if any process runs the crawl. */
  readonly isRunning: boolean
  /** Why it ended; absent while it runs, or if it was interrupted. */
  readonly stoppedBecause?: string | undefined
  /** The same in words, for the sentence “the crawl stopped …”. */
  readonly endText?: string | undefined
  readonly strategy: { readonly name: string; readonly about?: string | undefined }
  readonly seeds: readonly string[]
  readonly seedCount: number
  readonly budgets: Budgets
  /** Scope, politeness and identity of the crawl, for display: names as in a config file. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly has: {
    /** Coverage is guaranteed while the crawl runs. */
    readonly guarantee: boolean
    /** Pages, sites, queue and map can be read. False on a cluster. */
    readonly record: boolean
    readonly archive: boolean
    readonly freshness: boolean
    readonly cluster: boolean
    readonly topic: boolean
    readonly traps: boolean
    readonly nearDuplicates: boolean
  }
  readonly access: {
    /** Control is possible: the crawl is live, or runs on a cluster. It still needs the token. */
    readonly control: boolean
    /** True if this request had the token. */
    readonly hasToken: boolean
  }
}

export interface Budgets {
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
}

export interface Now {
  readonly asOfMs: number
  readonly phase: 'opening' | 'resuming' | 'sitemaps' | 'crawling' | 'paused' | 'ending' | 'ended'
  /** Guaranteed share of the obtainable importance; absent if the strategy guarantees nothing. */
  readonly coverage?: number | undefined
  readonly pages: number
  readonly pagesPerSecond: number
  /** Fetches of new and of held pages; absent if every page is fetched once. */
  readonly looksPerSecond?: number | undefined
  readonly bytes: number
  readonly bytesPerSecond: number
  readonly seconds: number
  /** What is left of the budget that is spent first at the current rates; absent without a budget of pages, time or bytes. */
  readonly left?:
    | {
        readonly budget: 'pages' | 'time' | 'bytes'
        /** Pages, seconds or bytes. */
        readonly amount: number
        /** How long it lasts at the current rate; absent if that is 0. */
        readonly seconds?: number | undefined
      }
    | undefined
  /** Absent until it has been computed once. */
  readonly importance?: ImportanceBar | undefined
  /** Increase of the coverage per 1,000 pages, over the last 1,000 or more; absent before so many were fetched. */
  readonly gain?: number | undefined
  readonly known: number
  readonly waiting: number
  readonly redirects: number
  readonly failed: number
  readonly temporary: number
  readonly unreachable: number
  readonly refusedByRobots: number
  readonly refusedByLimits: number
  /** Pages that trap detection refused; part of `refusedByLimits`. */
  readonly refusedAsTraps: number
  /** Different links of each page that lead out of the scope, summed over the pages. */
  readonly linksOutOfScope: number
  /** The same of links in scope that were not followed, by reason. */
  readonly linksNotFollowed: {
    /** Of pages that say nofollow. */
    readonly nofollow: number
    /** Marked nofollow, ugc or sponsored. */
    readonly rel: number
    /** With a word of `--ignore-rel` in rel. */
    readonly ignoredRel: number
    /** Outside of the elements of `--links-from`. */
    readonly elsewhere: number
    /** Of pages at `--max-depth`. */
    readonly tooDeep: number
    /** To new pages, of copies that are not followed further. */
    readonly copies: number
  }
  readonly duplicates: number
  readonly nearDuplicates: number
  /** Sites with waiting pages; absent on a cluster. */
  readonly sites?: number | undefined
  /** Open connections; on a cluster, requests in flight. */
  readonly connections: number
  /** Maximum number of connections; absent on a cluster, where each worker has its own. */
  readonly connectionsMax?: number | undefined
  /** With patience: share of the connection time in which connections stayed free for better pages (S73). */
  readonly waitedForBetter?: number | undefined
  /** By kind, such as `http-404` or `timeout`; retried requests as `retried-…`. The most frequent 40. */
  readonly errors: readonly { readonly error: string; readonly count: number }[]
  /** Of parts of the crawl: what each has done, in words. */
  readonly rows?: readonly (readonly [label: string, text: string])[] | undefined
  /** Of the process that runs the crawl; absent if that is another one. */
  readonly process?:
    | {
        /** Processor time per second of real time: 1.5 is one and a half cores. */
        readonly cpu: number
        readonly rssBytes: number
        readonly heapBytes: number
        /** 99th percentile of the delay of the event loop in the last seconds. */
        readonly eventLoopDelayMs: number
      }
    | undefined
  readonly outage?:
    | {
        readonly kind: 'sites' | 'network'
        readonly sites: number
        readonly pages: number
        readonly nextTrySeconds: number
        readonly endsInSeconds: number
      }
    | undefined
  readonly nextDueSeconds: number
  /** Why the figures are not current, for example because the servers of a cluster do not respond. */
  readonly problem?: string | undefined
}

/** The parts `held` to `waiting` sum to 1. docs/theory/coverage.md defines them. */
export interface ImportanceBar {
  readonly asOfMs: number
  readonly held: number
  readonly robots: number
  readonly scope: number
  readonly failed: number
  /** On pages that wait, that a limit excludes, or that failed for a temporary reason. */
  readonly waiting: number
  /** Only on a cluster, whose journals do not tell robots.txt from failures: both together. `robots` and `failed` are then 0. */
  readonly unobtainable?: number | undefined
  /** Beside the bar: mass that would leave the scope if links out of scope counted. */
  readonly outOfScope?: number | undefined
}

export interface SeriesQuery {
  /** Maximum number of points, at most 1,000; default 300. */
  readonly points?: number
}

/** Columns of equal length, as uPlot expects them. `null`: not known at that time. */
export interface Series {
  readonly timeMs: readonly number[]
  readonly pages: readonly number[]
  readonly coverage: readonly (number | null)[]
  readonly gain: readonly (number | null)[]
  readonly pagesPerSecond: readonly (number | null)[]
  readonly looksPerSecond: readonly (number | null)[]
  readonly bytesPerSecond: readonly (number | null)[]
  readonly waiting: readonly number[]
  readonly connections: readonly number[]
  readonly errors: readonly number[]
  readonly cpu: readonly (number | null)[]
  readonly rssBytes: readonly (number | null)[]
}

export const seriesColumns = [
  'timeMs',
  'pages',
  'coverage',
  'gain',
  'pagesPerSecond',
  'looksPerSecond',
  'bytesPerSecond',
  'waiting',
  'connections',
  'errors',
  'cpu',
  'rssBytes',
] as const satisfies (keyof Series)[]

/** One point of the series, by column. */
export type SeriesPoint = { readonly [Column in keyof Series]: Series[Column][number] }

/** The point that these figures are. */
export function pointOf(now: Now): SeriesPoint {
  const { asOfMs, pages, coverage, gain, pagesPerSecond, bytesPerSecond, waiting, connections } = now
  return {
    timeMs: asOfMs,
    pages,
    coverage: coverage ?? null,
    gain: gain ?? null,
    pagesPerSecond,
    looksPerSecond: now.looksPerSecond ?? null,
    bytesPerSecond,
    waiting,
    connections,
    errors: now.errors.reduce((sum, { count }) => sum + count, 0),
    cpu: now.process?.cpu ?? null,
    rssBytes: now.process?.rssBytes ?? null,
  }
}

/**
 * Live updates. Each event has a name (`event:`) and a JSON body (`data:`). A client that reads too slowly misses
 * events, but always gets the newest `now` later; a client that does not read for a minute is disconnected and
 * reconnects by itself.
 */
export interface LiveEvents {
  /** Once a second while anything changes. */
  readonly now: Now
  /** Each new point of the series. */
  readonly point: SeriesPoint
  /** Pages that were settled since the last event, the newest at most 20, and how many there were. */
  readonly pages: { readonly count: number; readonly newest: readonly SettledPage[] }
  /** A control was used. */
  readonly control: ControlEntry
  /** `CrawlInfo` has changed, for example because the crawl has ended. */
  readonly crawl: Record<string, never>
}

export interface SettledPage {
  readonly url: string
  readonly kind: 'page' | 'redirect' | 'failed' | 'look'
  readonly status?: number | undefined
  readonly bytes?: number | undefined
  readonly error?: string | undefined
  /** Of a look: changed, same, gone, … */
  readonly verdict?: string | undefined
}
