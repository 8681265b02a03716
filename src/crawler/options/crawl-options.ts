/** The options of a crawl: the same for the command line, the config file and the library. */
import type { FetchCost } from '../../engine/recrawl-options.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import type { ArchiveOptions } from './archive-options.ts'
import type { ContentOptions } from './content-options.ts'
import type { CrawlFreshness } from './crawl-freshness.ts'
import type { ChangeRule } from '../world/looks/change.ts'
import type { ScopeKind } from '../../web/url/scope.ts'
import type { CrawlCallbacks, HandlerOptions } from './handler-settings.ts'
import type { FrontierChoice, ScorerChoice, StrategyChoice } from '../../engine/user-code/inline-code.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import type { PageTotals } from '../../engine/page-totals.ts'
import type { LogLevel } from './log-levels.ts'
import type { Omissions } from './omissions.ts'

export interface CrawlOptions extends ContentOptions, ArchiveOptions, HandlerOptions, CrawlCallbacks {
  /** http(s) URLs to start from. */
  readonly seeds: readonly string[]
  /** The crawl's folder; without it the crawl writes nothing to disk. */
  readonly out?: string | undefined
  /**
   * Let a later crawl replace this one in the same folder, including its pages. By default only a crawl
   * without pages is replaced.
   */
  readonly replaceable?: boolean | undefined
  /** Add the pages in the sitemaps of the seeds' sites as seeds, without trust. */
  readonly sitemap?: boolean | undefined

  /** A name, a weighted sum, the path of a module, or code; default exact-rankmass. */
  readonly strategy?: StrategyChoice | undefined
  /** Default two-level. */
  readonly frontier?: FrontierChoice | undefined
  readonly damping?: number | undefined
  /** Pages between two recomputations, for the strategies that recompute. */
  readonly every?: number | undefined
  /** Sites with more spam mass than this, from 0 to 1, are fetched last; by default none. */
  readonly demoteSpam?: number | undefined
  /** Seed of the random strategy. */
  readonly seed?: number | undefined
  /** Weights of the seeds, by URL. */
  readonly trust?: ReadonlyMap<string, number> | undefined
  /** Scores of an earlier crawl, by URL. */
  readonly historicalScores?: ReadonlyMap<string, number> | undefined

  /** The topic of the crawl, such as "solar energy"; required by topic strategies. */
  readonly topic?: string | undefined
  /** Which pages are hot; by default those with a word of the topic in the title, or ten in the body. */
  readonly topicHot?: string | undefined
  /** Default cosine. */
  readonly likeness?: 'cosine' | 'inner' | undefined
  /** The weight of a word in the title; default 4. */
  readonly titleWeight?: number | undefined
  /** Compare words by their stems in this language. */
  readonly language?: string | undefined
  /**
   * Document frequencies of words: the number of documents, and how many have each word; by default those of
   * the pages fetched so far.
   */
  readonly wordFrequencies?: { readonly documents: number; readonly counts: Uint32Array } | undefined
  /**
   * Scores each page, in place of its similarity to the topic. A module runs in its own thread, code in the
   * calling thread.
   */
  readonly scorer?: ScorerChoice | undefined
  /** Time limit of the scorer per page; default 10. */
  readonly scorerSeconds?: number | undefined

  /**
   * Budgets. The first one reached ends the crawl. `pages` counts pages fetched with content, `failures`
   * failed requests.
   */
  readonly pages?: number | undefined
  /** Default: ten times `pages` and at least 10,000; no limit without `pages`. */
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined

  /** Fetch pages again as they change, until the crawl is stopped. `pages` then limits how many pages it holds. */
  readonly continuous?: boolean | undefined
  /** Fetches per day, of new and known pages together. Default: about a thirtieth of the known pages. */
  readonly rate?: number | undefined
  /** The policy that decides which page is fetched again next. Default: greedy. */
  readonly recrawl?: string | undefined
  /** A page is never fetched again within this many seconds. Default: 3600. */
  readonly restSeconds?: number | undefined
  /** What counts as a change. Default: content (the visible text or the set of links). */
  readonly change?: ChangeRule | undefined
  /** What a fetch costs. With `bytes`, the value of a fetch is divided by its expected size. Default: fetch (all the same). */
  readonly cost?: FetchCost | undefined

  /** Whether coverage is relative to the pages in scope or to all linked pages; default scope. */
  readonly coverageOf?: 'scope' | 'web' | undefined

  /** Default host. */
  readonly scope?: ScopeKind | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly maxDepth?: number | undefined
  readonly maxPagesPerSite?: number | undefined
  readonly canonicalRules?: CanonicalRules | undefined
  /** Detect traps: kinds of pages that link to ever more pages of the same kind; default true. */
  readonly traps?: boolean | undefined
  /** How similar the texts of near-duplicates are; default 0.9. False disables their detection. */
  readonly nearDuplicates?: number | false | undefined

  /**
   * How much longer the crawl may take so that better pages are fetched than those that trap detection has put last: 0.5
   * is half as long again. Default: 0.5 with `pages` and without `seconds`, otherwise 0.
   */
  readonly patience?: number | undefined

  /** Seconds between two requests to a site; default 1. A longer crawl-delay takes precedence. */
  readonly wait?: number | undefined
  /** The gap is at least this many times the duration of the last download; default 1. */
  readonly waitFactor?: number | undefined
  /** Seconds between two requests to an address shared by sites; default 0.5, or `wait` if that is less. */
  readonly waitPerAddress?: number | undefined
  /** Pages on one connection, without a gap between them; default 1. */
  readonly perConnection?: number | undefined
  /** Simultaneous connections, never two to one site, except for `own`; default 64. */
  readonly connections?: number | undefined
  /** An alias of `connections`. */
  readonly robots?: number | undefined
  /** Obey robots.txt; default true. */
  readonly robotsTxt?: boolean | undefined
  /** Obey rel=nofollow, robots meta elements and X-Robots-Tag; default true. */
  readonly obeyNofollow?: boolean | undefined

  readonly userAgent?: string | undefined
  /** A contact URL or e-mail address for site owners, part of the User-Agent. */
  readonly contact?: string | undefined
  /** For all hosts, or for those that match a pattern: `['X-Key', 'abc', '*.example.org']`. */
  readonly headers?: readonly (readonly [name: string, value: string, host?: string])[] | undefined
  /**
   * `HOST1:PORT1:HOST2:PORT2` as in curl: connect to the second for URLs with the first; empty parts match
   * any.
   */
  readonly connectTo?: readonly string[] | undefined
  /** DNS servers, `ADDRESS` or `ADDRESS:PORT`; default: the system's. */
  readonly dnsServers?: readonly string[] | undefined
  /** Allow private, local and loopback addresses. */
  readonly allowPrivate?: boolean | undefined
  /** Accept invalid certificates. */
  readonly insecure?: boolean | undefined
  readonly http2?: boolean | undefined
  /** Longer bodies are truncated; default 10 MB. */
  readonly limitBytes?: number | undefined
  /** Timeout of a request, in seconds; default 30. */
  readonly limitSeconds?: number | undefined
  /**
   * After this many seconds, a connection below 1 KiB per second is slow: it continues, but does not count
   * towards `connections`. Default 3.
   */
  readonly slowSeconds?: number | undefined
  /** Requests for a page that fails, and for a site that never responded; default 3. */
  readonly attempts?: number | undefined
  /** Seconds before the first retry; each further wait is about twice as long. Default 1. */
  readonly retrySeconds?: number | undefined
  /** The longest of these waits, in seconds; default 3600. */
  readonly retrySecondsMax?: number | undefined
  /**
   * Seconds to wait when the only pages left are on sites that responded before and are unreachable; default
   * 600.
   */
  readonly waitUnreachableSeconds?: number | undefined

  /** Write WARC files; default true with a folder, false without. */
  readonly warc?: boolean | undefined
  readonly warcBytesMax?: number | undefined
  /** gzip level, 0 (none) to 9; default 1. */
  readonly warcLevel?: number | undefined
  /** Keep a search index while crawling; otherwise the first search builds it. Default: false. */
  readonly index?: boolean | undefined
  /** Fetch threads; default: one less than there are cores. */
  readonly threads?: number | undefined

  /** Serve a dashboard while the crawl runs: `8080`, `0.0.0.0:8080`; port 0 takes any. An event has its address. */
  readonly dashboard?: string | undefined
  /** A file with the token that control needs; by default one is drawn, and the event has it. */
  readonly dashboardToken?: string | undefined
  /** Further names of the dashboard's host, such as that of a reverse proxy. */
  readonly dashboardNames?: readonly string[] | undefined
  /** Append a log of JSON lines to this file. */
  readonly log?: string | undefined
  /** Default info; debug has a line for every page. */
  readonly logLevel?: LogLevel | undefined

  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
}

/** Events of parts, by kind: a part adds its own. */
export interface PartEvents {}

export type CrawlEvent =
  | PartEvents[keyof PartEvents]
  | { readonly kind: 'page'; readonly url: string; readonly status: number; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly url: string; readonly status: number; readonly location: string }
  | { readonly kind: 'failed'; readonly url: string; readonly error: string }
  /** A page was fetched again. */
  | { readonly kind: 'look'; readonly url: string; readonly verdict: Verdict; readonly status: number }
  /** The clock of this machine is behind the record, which may come from another one. The crawl continues from the time of the record. */
  | { readonly kind: 'clock-behind'; readonly seconds: number }
  /** A snapshot could not be written. The crawl continues; a resume has more to replay. */
  | { readonly kind: 'no-snapshot'; readonly why: string }
  /**
   * The requested coverage can no longer be reached: the user's limits exclude too much. The crawl continues.
   */
  | { readonly kind: 'out-of-reach'; readonly coverage: number; readonly reach: number }
  /**
   * Only unreachable sites are left (`sites`), or no site responds (`network`). The crawl ends at `endsAt`
   * unless one responds.
   */
  | {
      readonly kind: 'waiting'
      readonly for: 'sites' | 'network'
      readonly sites: number
      readonly pages: number
      readonly nextTry: string
      readonly endsAt: string
    }
  /** A site responded; the crawl continues. */
  | { readonly kind: 'reachable' }
  | { readonly kind: 'stopping'; readonly because: StopReason }
  /** The dashboard is ready. `token`: for control, and on addresses other than loopback also for reading (`needsToken`). */
  | {
      readonly kind: 'dashboard'
      readonly url: string
      /** Undefined if it was read from a file. */
      readonly token: string | undefined
      readonly needsToken: boolean
    }

/** A page fetched with content. */
export interface CrawledPage {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly contentType: string
  /** The body with content encodings decoded. */
  readonly body: Uint8Array
  /** The source of an HTML page, decoded by the rules of HTML; empty for other types. */
  readonly html: string
  /**
   * The visible text of an HTML page, up to 1,048,576 characters; the whole of other text such as JSON; empty
   * for binary types.
   */
  readonly text: string
  readonly title: string
  readonly links: readonly { readonly url: string; readonly anchor: string }[]
  readonly depth: number
  /** Its score when it was selected. */
  readonly score: number
  /** The page with the first link to it; undefined for a seed. */
  readonly foundOn: string | undefined
  readonly duplicateOf: string | undefined
  readonly nearDuplicateOf: string | undefined
  readonly noindex: boolean
  readonly fetchedAt: Date
}

/** The current state of a crawl. */
export interface CrawlProgress extends PageTotals, Omissions {
  /** Pages with an HTTP response of any status. */
  readonly responded: number
  readonly known: number
  readonly waiting: number
  readonly bytes: number
  readonly seconds: number
  /** Open connections, and sites with waiting pages. */
  readonly connections: number
  readonly sites: number
  /**
   * The share of the obtainable RankMass that is certain so far; undefined if the strategy guarantees
   * nothing.
   */
  readonly guaranteed: number | undefined
  /** The largest share that can still be reached; set once it is below the requested coverage. */
  readonly reach?: number | undefined
  readonly duplicates: number
  readonly nearDuplicates: number
  /** Undefined if every page is fetched once. */
  readonly freshness?: CrawlFreshness | undefined
  readonly errors: Readonly<Record<string, number>>
  /** Seconds until the next request may be sent; 0 for at once. */
  readonly nextDueSeconds: number
  /** Set while the crawl waits for unreachable sites or for the network. */
  readonly outage?:
    | {
        readonly kind: 'sites' | 'network'
        readonly sites: number
        readonly pages: number
        /** Seconds until the next attempt, and until the crawl ends if no site responds. */
        readonly nextTrySeconds: number
        readonly endsInSeconds: number
      }
    | undefined
  /** True while the crawl is paused: it sends no requests. */
  readonly isPaused?: boolean | undefined
  /** Phases before the first page: reading the record, sitemaps. */
  readonly phase: 'opening' | 'resuming' | 'sitemaps' | 'crawling' | 'ending'
}

/**
 * The distribution of the RankMass of a crawl: docs/coverage.md. The first five are parts of it; they sum to
 * 1.
 */
export interface CrawlCoverage {
  /** Certainly held by fetched pages. */
  readonly guaranteed: number
  /** On pages that robots.txt forbids. */
  readonly robots: number
  /** Out of scope; 0 if links out of scope do not count (`coverageOf: 'scope'`). */
  readonly scope: number
  /** On pages that failed for good. */
  readonly failed: number
  /** The rest: on pages that wait, that a limit excludes, or that failed for a temporary reason. */
  readonly budget: number
  /** 1 - robots - failed. */
  readonly obtainable: number
  /** guaranteed / obtainable: the coverage, a lower bound of the true share. */
  readonly share: number
  /**
   * Informational: the mass that would leave the scope if links out of scope counted. Absent if not computed.
   */
  readonly left?: number | undefined
}

/** The result of a crawl; also in crawl.json, under `totals`. */
export interface CrawlTotals extends PageTotals, Omissions {
  /** Pages with an HTTP response of any status. */
  readonly responded: number
  readonly known: number
  readonly bytes: number
  readonly coverage: CrawlCoverage
  /** The result of the crawl in one sentence. */
  readonly headline: string
  /** Whether every page found in scope was fetched, except those that robots.txt forbids or that failed for good. */
  readonly isComplete: boolean
  readonly stoppedBecause: StopReason
  readonly errors: Readonly<Record<string, number>>
  readonly seconds: number
  readonly peakRssBytes: number
  readonly strategy: string
  readonly sites: number
  readonly links: number
  readonly duplicates: number
  readonly nearDuplicates: number
  /** If pages are fetched again: how often, and how many of these looks found a change or that the page is gone. */
  readonly looks?: { readonly count: number; readonly changes: number } | undefined
  /** Pages discovered and not requested yet. */
  readonly waiting: number
  /** Sites that could not be reached for a temporary reason, and their pages, waiting or failed. */
  readonly outage: { readonly sites: number; readonly pages: number }
  /** Share of pages that were not the best waiting page that politeness and trap detection allowed; undefined if unknown. */
  readonly outOfOrder: number | undefined
  readonly folder: string | undefined
  readonly warcFiles: readonly string[]
}

export interface StopOptions {
  /** Abort requests in flight; default false. */
  readonly now?: boolean | undefined
}

/** A running crawl. Either iterate over its pages or call `run`, not both. */
export interface Crawl extends AsyncIterable<CrawledPage> {
  /** Crawls to the end without yielding pages. */
  run(): Promise<CrawlTotals>
  /** Stops sending requests and waits for those in flight; `now` aborts them, and a resume repeats them. */
  stop(options?: StopOptions): void
  progress(): CrawlProgress
  /** Resolves when the crawl has ended. */
  readonly totals: Promise<CrawlTotals>
}
