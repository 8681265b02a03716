/** What a crawl is told by its user. The command line, the config file and the library give the same options. */
import type { CanonicalRules } from '../worlds/real/url/canonical-rules.ts'
import type { ScopeKind } from '../worlds/real/url/scope.ts'
import type { FrontierChoice, InlineCode, ScorerChoice, StrategyChoice } from '../user-code/inline-code.ts'
import type { PageTotals } from '../record/page-totals.ts'

export interface CrawlOptions {
  /** http(s) URLs to start from. */
  readonly seeds: readonly string[]
  /** The crawl's folder; without it the crawl leaves nothing behind. */
  readonly out?: string | undefined
  /** Let a later crawl into the same folder replace this one, pages and all. Without it only a crawl without pages is replaced. */
  readonly replaceable?: boolean | undefined
  /** Seeds from the sitemaps of the seeds' sites too; they are not trusted for themselves. */
  readonly sitemap?: boolean | undefined

  /** A name, a weighted sum, the path of a module, or code; exact-rankmass unless given. */
  readonly strategy?: StrategyChoice | undefined
  /** two-level unless given. */
  readonly frontier?: FrontierChoice | undefined
  readonly damping?: number | undefined
  /** Pages between two recomputations, for the strategies that recompute. */
  readonly every?: number | undefined
  /** Sites with more spam mass than this, from 0 to 1, wait until the last; none unless given. */
  readonly demoteSpam?: number | undefined
  /** Of the random strategy. */
  readonly seed?: number | undefined
  /** Weights of the seeds, by URL. */
  readonly trust?: ReadonlyMap<string, number> | undefined
  /** Scores of an earlier crawl, by URL. */
  readonly historicalScores?: ReadonlyMap<string, number> | undefined

  /** What the crawl looks for, such as "solar energy"; the strategies that follow a topic need it. */
  readonly topic?: string | undefined
  /** Which pages are hot; a word of the topic in the title, or ten in the body, unless given. */
  readonly topicHot?: string | undefined
  /** cosine unless given. */
  readonly likeness?: 'cosine' | 'inner' | undefined
  /** A word in the title counts so many times; 4 unless given. */
  readonly titleWeight?: number | undefined
  /** Words are compared by their stems in this language. */
  readonly language?: string | undefined
  /** How rare words are: of how many documents, and how many have each; as seen so far unless given. */
  readonly wordFrequencies?: { readonly documents: number; readonly counts: Uint32Array } | undefined
  /** Gives each page a number, in place of its likeness to the topic. A module runs in a thread of its own, code in this one. */
  readonly scorer?: ScorerChoice | undefined
  /** A scorer that takes longer for a page is stopped; 10 unless given. */
  readonly scorerSeconds?: number | undefined

  /** Budgets. The first that is reached ends the crawl. `pages` counts pages fetched with content, `failures` failed requests. */
  readonly pages?: number | undefined
  /** Ten times `pages` and at least 10,000 unless given; no limit without `pages`. */
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined

  /** Of which web coverage is a share: what the scope admits, or all that links lead to; scope unless given. */
  readonly coverageOf?: 'scope' | 'web' | undefined

  /** host unless given. */
  readonly scope?: ScopeKind | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly maxDepth?: number | undefined
  readonly maxPagesPerSite?: number | undefined
  readonly canonicalRules?: CanonicalRules | undefined
  /** Watch for traps: kinds of pages that lead to ever more of themselves; true unless given. */
  readonly traps?: boolean | undefined
  /** How similar the texts of two pages are that are near-duplicates; 0.9 unless given. False: nobody looks. */
  readonly nearDuplicates?: number | false | undefined

  /** Seconds between two accesses to a site; 1 unless given. A longer crawl-delay counts. */
  readonly wait?: number | undefined
  /** The gap is at least this many times the last download's duration; 1 unless given. */
  readonly waitFactor?: number | undefined
  /** Seconds between two accesses to an address that sites share; half a second, or `wait` where that is less. */
  readonly waitPerAddress?: number | undefined
  /** Pages on one connection, without a gap between them; 1 unless given. */
  readonly perConnection?: number | undefined
  /** Connections at a time, never two to a site; 64 unless given. */
  readonly connections?: number | undefined
  /** An alias of `connections`. */
  readonly robots?: number | undefined
  /** Obey robots.txt; true unless given. */
  readonly robotsTxt?: boolean | undefined
  /** Obey rel=nofollow, robots meta elements and X-Robots-Tag; true unless given. */
  readonly obeyNofollow?: boolean | undefined

  readonly userAgent?: string | undefined
  /** Who to write to: a URL or an e-mail address, named in the User-Agent. */
  readonly contact?: string | undefined
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined
  readonly proxy?: string | undefined
  /** `HOST1:PORT1:HOST2:PORT2` as in curl: connect to the second where the URL has the first; empty parts match any. */
  readonly connectTo?: readonly string[] | undefined
  /** DNS servers to ask, `ADDRESS` or `ADDRESS:PORT`; the system's unless given. */
  readonly dnsServers?: readonly string[] | undefined
  /** Allow private, local and loopback addresses. */
  readonly allowPrivate?: boolean | undefined
  /** Accept certificates that are wrong. */
  readonly insecure?: boolean | undefined
  readonly http2?: boolean | undefined
  /** Bytes of a body that are looked at and kept; 10 MB unless given. */
  readonly limitBytes?: number | undefined
  /** Seconds for one exchange; 30 unless given. */
  readonly limitSeconds?: number | undefined
  /**
   * After this long a connection that brings less than 1 KiB a second counts as slow: it goes on, and does not count as one
   * of `robots`. 3 unless given.
   */
  readonly slowSeconds?: number | undefined
  /** Requests for a page that fails, and for a site that never responded; 3 unless given. */
  readonly attempts?: number | undefined
  /** Seconds before the second try; each further wait is about twice as long. 1 unless given. */
  readonly retrySeconds?: number | undefined
  /** The longest of these waits, in seconds; 3600 unless given. */
  readonly retrySecondsMax?: number | undefined
  /** Seconds to wait when only sites are left that responded before and cannot be reached; 600 unless given. */
  readonly waitUnreachableSeconds?: number | undefined

  /** Write WARC files; true unless given, and false without a folder. */
  readonly warc?: boolean | undefined
  readonly warcBytesMax?: number | undefined
  /** Of gzip, 0 (none) to 9; 1 unless given. */
  readonly warcLevel?: number | undefined
  /** Fetch threads; one for each core but one unless given. */
  readonly threads?: number | undefined

  readonly signal?: AbortSignal | undefined
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
}

/**
 * What may be changed when a crawl is resumed, and the code that it was started with, which its folder does not contain. An option that is
 * not given stays as it was.
 */
export interface ResumeOptions
  extends
    Pick<
      CrawlOptions,
      | 'pages'
      | 'failures'
      | 'coverage'
      | 'seconds'
      | 'bytes'
      | 'retrySecondsMax'
      | 'waitUnreachableSeconds'
      | 'threads'
      | 'wait'
      | 'waitFactor'
      | 'waitPerAddress'
      | 'connections'
      | 'headers'
      | 'userAgent'
      | 'contact'
      | 'scope'
      | 'include'
      | 'exclude'
      | 'maxDepth'
      | 'maxPagesPerSite'
      | 'signal'
      | 'onEvent'
    >,
    InlineCode {
  readonly out: string
}

export type CrawlEvent =
  | { readonly kind: 'page'; readonly url: string; readonly status: number; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly url: string; readonly status: number; readonly location: string }
  | { readonly kind: 'failed'; readonly url: string; readonly error: string }
  /** A snapshot could not be written: the crawl goes on, and a resume has more to replay. */
  | { readonly kind: 'no-snapshot'; readonly why: string }
  /** The user's scorer gave no number. */
  | { readonly kind: 'unscored'; readonly url: string; readonly why: string }
  /** The coverage that was asked for can no longer be reached: the limits given exclude too much. The crawl goes on. */
  | { readonly kind: 'out-of-reach'; readonly coverage: number; readonly reach: number }
  /** Only unreachable sites are left (`sites`), or no site responds (`network`). The crawl ends at `endsAt` unless one does. */
  | {
      readonly kind: 'waiting'
      readonly for: 'sites' | 'network'
      readonly sites: number
      readonly pages: number
      readonly nextTry: string
      readonly endsAt: string
    }
  /** A site responded, and the crawl goes on. */
  | { readonly kind: 'reachable' }
  | { readonly kind: 'stopping'; readonly because: StoppedBecause }

/** `unreachable`: the pages left are on sites that could not be reached. */
export type StoppedBecause =
  | 'pages'
  | 'failures'
  | 'coverage'
  | 'time'
  | 'bytes'
  | 'finished'
  | 'unreachable'
  | 'interrupted'

/** A page fetched with content, as the library hands it out. */
export interface CrawledPage {
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly contentType: string
  /** The body as the server meant it: content encodings undone. */
  readonly body: Uint8Array
  /** The source of an HTML page, decoded by the rules of HTML; empty for other types. */
  readonly html: string
  /** The visible text of an HTML page, up to 1,048,576 characters; the whole of other text such as JSON; empty for binary types. */
  readonly text: string
  readonly title: string
  readonly links: readonly { readonly url: string; readonly anchor: string }[]
  readonly depth: number
  /** What the strategy gave it when it was taken. */
  readonly score: number
  /** Where it was found; undefined: a seed. */
  readonly foundOn: string | undefined
  readonly duplicateOf: string | undefined
  readonly nearDuplicateOf: string | undefined
  readonly noindex: boolean
  readonly fetchedAt: Date
}

/** How a crawl stands, at any moment. */
export interface CrawlProgress extends PageTotals {
  /** Pages that got an HTTP response, whatever its status. */
  readonly responded: number
  readonly known: number
  readonly waiting: number
  readonly bytes: number
  readonly seconds: number
  /** Connections under way, and sites with pages that wait. */
  readonly connections: number
  readonly sites: number
  /** The share of the obtainable RankMass that is certain so far; undefined where the strategy guarantees nothing. */
  readonly guaranteed: number | undefined
  /** The largest such share that can still be reached, once that is less than the coverage that was asked for. */
  readonly reach?: number | undefined
  readonly duplicates: number
  readonly nearDuplicates: number
  /** Hot pages fetched; undefined where the crawl has no topic. */
  readonly hot: number | undefined
  readonly errors: Readonly<Record<string, number>>
  /** Seconds until the next page may be asked for; 0: at once. */
  readonly nextDueSeconds: number
  /** Set while the crawl waits for sites that cannot be reached, or for the network. */
  readonly outage?:
    | {
        readonly kind: 'sites' | 'network'
        readonly sites: number
        readonly pages: number
        /** Seconds until the next try, and until the crawl ends if no site has responded. */
        readonly nextTrySeconds: number
        readonly endsInSeconds: number
      }
    | undefined
  /** What is being done before the first page: reading the journal, sitemaps. */
  readonly phase: 'opening' | 'resuming' | 'sitemaps' | 'crawling' | 'ending'
}

/** Where the RankMass of a crawl lies: docs/coverage.md. The first five are parts of it; they sum to 1. */
export interface CrawlCoverage {
  /** Certainly held by fetched pages. */
  readonly guaranteed: number
  /** Rests on pages that robots.txt forbids. */
  readonly robots: number
  /** Rests out of scope; 0 where links out of scope do not count (`coverageOf: 'scope'`). */
  readonly scope: number
  /** Rests on pages that failed for good. */
  readonly failed: number
  /** The rest: pages that wait, that a limit excludes, or that failed for a reason that may pass. */
  readonly budget: number
  /** 1 - robots - failed. */
  readonly obtainable: number
  /** guaranteed / obtainable: the coverage, a lower bound of the true share. */
  readonly share: number
  /** Information only: what would have left the scope, if links out of it counted. Absent: not computed. */
  readonly left?: number | undefined
}

/** What a crawl has come to: also in crawl.json, under `totals`. */
export interface CrawlTotals extends PageTotals {
  /** Pages that got an HTTP response, whatever its status. */
  readonly responded: number
  readonly known: number
  readonly bytes: number
  readonly coverage: CrawlCoverage
  /** What the crawl is worth, in a sentence. */
  readonly headline: string
  /** Was every page in scope fetched, but for those that robots.txt forbids or that failed for good? */
  readonly isComplete: boolean
  readonly stoppedBecause: StoppedBecause
  readonly errors: Readonly<Record<string, number>>
  readonly seconds: number
  readonly peakRssBytes: number
  readonly strategy: string
  readonly sites: number
  readonly links: number
  readonly duplicates: number
  readonly nearDuplicates: number
  /** Where the crawl has a topic: hot pages; where it has a scorer: pages that this gave no number. */
  readonly hot?: number | undefined
  readonly scorerFailures?: number | undefined
  readonly linksOutOfScope: number
  /** Pages known and not requested yet. */
  readonly waiting: number
  /** Sites that could not be reached for a temporary reason, and their pages, waiting or failed. */
  readonly outage: { readonly sites: number; readonly pages: number }
  /** Share of pages that were not the best waiting one that politeness allowed; undefined: nobody could tell. */
  readonly outOfOrder: number | undefined
  readonly folder: string | undefined
  readonly warcFiles: readonly string[]
}

export interface StopOptions {
  /** Abort the requests under way; false unless given. */
  readonly now?: boolean | undefined
}

/** A crawl under way. Iterate it for its pages, or run it to its end: not both. */
export interface Crawl extends AsyncIterable<CrawledPage> {
  /** Crawls to the end without handing out pages. */
  run(): Promise<CrawlTotals>
  /** Takes no further page and finishes the requests under way; `now` aborts those too, to be repeated after a resume. */
  stop(options?: StopOptions): void
  progress(): CrawlProgress
  /** Settles when the crawl has ended. */
  readonly totals: Promise<CrawlTotals>
}
