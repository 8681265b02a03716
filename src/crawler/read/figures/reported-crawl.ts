/** The input of a crawl report, as plain values. */
import type { CrawlCoverage, CrawlTotals } from '../../options/crawl-options.ts'
import type { ImportanceByTime, ImportancePart } from '../../../webgraph/measures/importance-parts.ts'
import type { ImportanceArea } from './importance-map.ts'
import type { ShownRow, TitledLines } from '../../parts/shown.ts'
import type { UnfollowedLinks } from '../../options/omissions.ts'

type StopReason = CrawlTotals['stoppedBecause']

export interface ReportedCrawl {
  readonly folder: string
  /** In ISO format. */
  readonly startedAt: string
  readonly options: ReportedOptions
  readonly counts: {
    readonly pages: number
    readonly bytes: number
    readonly links: number
    readonly linksOutOfScope: number
    readonly linksNotFollowed: Readonly<UnfollowedLinks>
    /** Part of `refusedByLimits`. */
    readonly refusedAsTraps: number
    readonly duplicates: number
    readonly redirects: number
    readonly refusedByRobots: number
    readonly refusedByLimits: number
    readonly failed: number
    readonly temporary: number
    readonly unreachable: number
    readonly seconds: number
    /** By kind; retried attempts count as `retried-…`. */
    readonly errors: Readonly<Record<string, number>>
  }
  /** Rows of parts: what they have done, and what they do with pages. */
  readonly rows: readonly ShownRow[]
  readonly plans: readonly TitledLines[]
  readonly isRunning: boolean
  /** Undefined if the crawl runs or was interrupted. */
  readonly end: { readonly stoppedBecause: StopReason; readonly outOfOrder: number | undefined } | undefined
  /** With patience: share of the connection time in which it kept connections free; undefined if it was not measured. */
  readonly waitedForBetter?: number | undefined
  readonly known: number
  readonly waiting: number
  readonly sites: number
  readonly sitesVisited: number
  readonly coverage: CrawlCoverage
  /** The result of the crawl, in one sentence. */
  readonly headline: string
  /** [pages fetched, guaranteed share of the obtainable RankMass at that point] */
  readonly curve: readonly (readonly [number, number])[]
  readonly time: {
    readonly binSeconds: number
    readonly pages: readonly number[]
    readonly bytes: readonly number[]
    readonly sessions: number
  }
  readonly answers: readonly ReportedAnswer[]
  readonly types: readonly { readonly type: string; readonly pages: number; readonly bytes: number }[]
  /** By number of links from the seeds. */
  readonly depths: readonly { readonly found: number; readonly fetched: number }[]
  /** In bytes; non-empty fetched pages. */
  readonly sizes: ReportedHistogram | undefined
  /** In milliseconds; all requested pages. */
  readonly durations: ReportedHistogram | undefined
  readonly particulars: Particulars
  readonly topSites: readonly ReportedSite[]
  readonly topPages: readonly ReportedPage[]
  /** The pages with the most importance that were not fetched. */
  readonly missedPages: readonly MissedPage[]
  /** Sites and their directories by importance; the largest first, the rest as one. */
  readonly importance: readonly ImportanceArea[]
  /** Of the fetched pages, by when they were fetched and by number of links from the seeds. */
  readonly importanceByTime: ImportanceByTime
  readonly importanceByDepth: readonly ImportancePart[]
  /** Of a crawl that fetched pages again. */
  readonly freshness?: ReportedFreshness | undefined
}

export interface ReportedFreshness {
  /** Looks at pages fetched before, by result. */
  readonly looks: number
  readonly changes: number
  readonly gone: number
  readonly failed: number
  readonly course: {
    readonly binSeconds: number
    readonly looks: readonly number[]
    readonly changes: readonly number[]
    readonly discoveries: readonly number[]
    /** [seconds since the start, expected fresh share of the importance of all known pages] */
    readonly fresh: readonly (readonly [number, number])[]
  }
  readonly sites: readonly ReportedChanges[]
  readonly kinds: readonly ReportedChanges[]
  readonly pages: readonly ReportedChanges[]
  /** Seconds from the discovery of a page to its first fetch. */
  readonly waits: ReportedHistogram | undefined
}

export interface ReportedChanges {
  readonly name: string
  readonly looks: number
  readonly changes: number
  /** Estimated changes of a page per day; Infinity if every look found one. */
  readonly perDay: number
}

/** Counts of notable pages. */
interface Particulars {
  readonly duplicateBodies: number
  readonly duplicateTexts: number
  readonly duplicateBytes: number
  readonly redirects: number
  readonly empty: number
  readonly truncated: number
  readonly noindex: number
  readonly retried: number
}

export interface ReportedOptions {
  readonly seeds: readonly string[]
  readonly sitemap?: boolean | undefined
  readonly strategy: string
  readonly frontier: string
  readonly damping: number
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
  readonly coverageOf?: 'scope' | 'web' | undefined
  readonly scope: 'host' | 'domain' | 'prefix' | 'any'
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxDepth?: number | undefined
  readonly maxPagesPerSite?: number | undefined
  readonly patience?: number | undefined
  readonly wait: number
  readonly perConnection: number
  readonly connections: number
  readonly robotsTxt: boolean
  readonly obeyNofollow: boolean
  readonly userAgent: string
}

export interface ReportedAnswer {
  /** `200`, or the name of an error: `http-404`, `timeout`, `robots`. */
  readonly answer: string
  readonly isError: boolean
  /** Whether a request was sent. */
  readonly wasAsked: boolean
  readonly pages: number
  /** Of an error: the addresses of some pages. */
  readonly examples: readonly string[]
}

export interface ReportedHistogram {
  readonly count: number
  readonly mean: number
  readonly median: number
  /** The 90th and 99th percentile. */
  readonly p90: number
  readonly p99: number
  readonly max: number
  /** Adjacent bins of equal width on a logarithmic scale, from the first to the last non-empty one. */
  readonly bins: readonly { readonly low: number; readonly high: number; readonly count: number }[]
}

export interface ReportedSite {
  readonly site: string
  /** With content. */
  readonly fetched: number
  readonly waiting: number
  /** Failed or unreachable. */
  readonly failed: number
  /** By robots.txt or a limit. */
  readonly refused: number
  readonly bytes: number
  readonly meanMs: number
}

interface ReportedPage {
  readonly url: string
  readonly title: string
  readonly mass: number
  readonly order: number
  readonly depth: number
}

export interface MissedPage {
  readonly url: string
  /** RankMass that certainly reaches it. */
  readonly mass: number
  readonly depth: number
  readonly state: 'waiting' | 'robots' | 'limit' | 'failed' | 'temporary' | 'unreachable'
  /** The name of the error: `http-404`, `timeout`. */
  readonly error?: string | undefined
}
