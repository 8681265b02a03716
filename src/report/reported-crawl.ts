/** The input of a crawl report, as plain values. */

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
    readonly duplicates: number
    /** Number of relevant pages in a crawl with a topic. */
    readonly hot?: number | undefined
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
  /** Undefined if the crawl was interrupted. */
  readonly end:
    | { readonly stoppedBecause: keyof typeof stopReasons; readonly outOfOrder: number | undefined }
    | undefined
  readonly known: number
  readonly waiting: number
  readonly sites: number
  readonly sitesVisited: number
  readonly coverage: Coverage
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
  /** In bytes. */
  readonly sizes: ReportedHistogram | undefined
  /** In milliseconds. */
  readonly durations: ReportedHistogram | undefined
  readonly particulars: {
    readonly duplicateBodies: number
    readonly duplicateTexts: number
    readonly duplicateBytes: number
    readonly redirects: number
    readonly empty: number
    readonly truncated: number
    readonly noindex: number
    readonly retried: number
  }
  readonly topSites: readonly ReportedSite[]
  readonly topPages: readonly ReportedPage[]
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

export interface ReportedOptions {
  readonly seeds: readonly string[]
  readonly sitemap: boolean
  readonly strategy: string
  readonly frontier: string
  readonly damping: number
  readonly topic?: { readonly query: string } | undefined
  readonly scorer?: string | undefined
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
  readonly wait: number
  readonly perConnection: number
  readonly robots: number
  readonly robotsTxt: boolean
  readonly obeyNofollow: boolean
  readonly userAgent: string
}

/** The first five are parts of the RankMass; they sum to 1. */
export interface Coverage {
  readonly guaranteed: number
  readonly robots: number
  readonly scope: number
  readonly failed: number
  readonly budget: number
  /** 1 - robots - failed, and guaranteed as a share of it. */
  readonly obtainable: number
  readonly share: number
  /** The share that would have left the scope if links out of it counted. */
  readonly left?: number | undefined
}

export interface ReportedAnswer {
  readonly answer: string
  readonly isError: boolean
  readonly wasAsked: boolean
  readonly pages: number
}

export interface ReportedHistogram {
  readonly count: number
  readonly mean: number
  readonly median: number
  readonly p90: number
  readonly p99: number
  readonly max: number
  /** Adjacent bins of equal width on a logarithmic scale. */
  readonly bins: readonly { readonly low: number; readonly high: number; readonly count: number }[]
}

export interface ReportedSite {
  readonly site: string
  readonly fetched: number
  readonly waiting: number
  readonly failed: number
  readonly refused: number
  readonly bytes: number
  readonly meanMs: number
}

export interface ReportedPage {
  readonly url: string
  readonly title: string
  readonly mass: number
  readonly order: number
  readonly depth: number
}

export const stopReasons = {
  pages: 'at the page budget',
  failures: 'because too many requests failed',
  coverage: 'at the coverage goal',
  time: 'at the time limit',
  bytes: 'at the byte budget',
  finished: 'because no page was left to fetch',
  unreachable: 'because the remaining sites could not be reached',
  interrupted: 'because it was interrupted',
} as const
