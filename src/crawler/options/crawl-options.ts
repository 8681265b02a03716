/**
 * The types of a crawl: its options, settings, events and results. Options and settings follow from the rows of option tables; parts add
 * their own.
 */
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import type { PageTotals } from '../../engine/page-totals.ts'
import type { PageMetadata } from '../../engine/user-code/page-handler.ts'
import type { InlineCode } from '../../engine/user-code/inline-code.ts'
import type { CrawlFreshness } from './crawl-freshness.ts'
import type { Omissions } from './omissions.ts'
import type { CliOf, LaterOf, OptionsOf, SettingsOf } from './option-row.ts'
import type { politenessRows, requestRows } from './request-options.ts'
import type { againRows, RecrawlSettings, runningCliRows, runningRows, watchRows } from './running-options.ts'
import type { orderRows, OrderSettings, scopeCliRows, scopeRows } from './scope-options.ts'
import type { stopRows, urlCliRows, urlRows } from './scope-options.ts'

type Rows = typeof scopeRows &
  typeof urlRows &
  typeof stopRows &
  typeof orderRows &
  typeof politenessRows &
  typeof requestRows &
  typeof againRows &
  typeof watchRows &
  typeof runningRows
type CliRows = typeof scopeCliRows & typeof urlCliRows & typeof runningCliRows

export interface CrawlOptions extends OptionsOf<Rows> {
  /** http(s) URLs to start from. */
  readonly seeds: readonly string[]
}

/** Options with all defaults: plain data, written to crawl.json as JSON and used by a resume. Absent budgets are unlimited. */
export interface CrawlSettings extends SettingsOf<Rows>, OrderSettings {
  readonly seeds: readonly string[]
  readonly userAgent: string
  /** Absent if every page is fetched once. */
  readonly recrawl?: RecrawlSettings | undefined
  /** A resume has changed the scope: pages discovered before may be out of scope. */
  readonly scopeChanged?: boolean | undefined
}

/**
 * The options that a resume may change, and the code that the crawl was started with, which its folder does
 * not contain. Omitted options keep their values.
 */
export interface ResumeOptions extends Omit<LaterOf<Rows, 'resume'>, 'out'>, InlineCode {
  readonly out: string
}

type ResumeOnly = Exclude<keyof LaterOf<Rows, 'resume'>, keyof LaterOf<Rows, 'recrawl'>>

/** A refresh of the pages that a crawl holds. */
export interface RecrawlOptions
  extends
    Omit<ResumeOptions, ResumeOnly | 'pages' | 'seconds'>,
    Omit<LaterOf<Rows, 'recrawl'>, keyof LaterOf<Rows, 'resume'>> {
  /** End after this many fetches in this run, instead of when every page has been fetched once. */
  readonly pages?: number | undefined
  /** End after this many seconds in this run. */
  readonly seconds?: number | undefined
}

/** Options from the command line or a config file. */
export interface CrawlCliOptions extends CliOf<Rows>, CliOf<CliRows> {}

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
  /** Something does not work as it should, or does again; the crawl continues. One line for people. */
  | { readonly kind: 'notice'; readonly text: string }
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
  /** The source of an HTML page, decoded by the rules of HTML; empty for other types. Of a rendered page: the document that its scripts made. */
  readonly html: string
  /** The source of an HTML page as received, also if it was rendered. */
  readonly source: string
  /**
   * The visible text of an HTML page, up to 1,048,576 characters; the whole of other text such as JSON; empty
   * for binary types.
   */
  readonly text: string
  /** The main content of an HTML page, without menus, footers and other frames. Computed on first access, as the next two. */
  readonly main: string
  /** The main content as CommonMark with GFM tables; empty for other types than HTML. */
  readonly markdown: string
  readonly metadata: PageMetadata
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
  /** With patience: share of the connection time in which it kept connections free. Undefined if it was not measured. */
  readonly waitedForBetter?: number | undefined
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
 * The distribution of the RankMass of a crawl: docs/theory/coverage.md. The first five are parts of it; they sum to
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
  /** Work beside the crawl that could not be completed, in one line. */
  readonly givenUp?: string | undefined
  readonly errors: Readonly<Record<string, number>>
  readonly seconds: number
  /**
   * With patience: share of the connection time in which connections stayed free although a page could have been requested (S73).
   * Undefined if it was not measured.
   */
  readonly waitedForBetter?: number | undefined
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
