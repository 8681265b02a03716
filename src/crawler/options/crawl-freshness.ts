/** How fresh the copies of a continuous crawl are. The counts are current, the estimates up to some seconds old. */
export interface CrawlFreshness {
  /** Looks at held pages that observed them, how many of these found a change, and the share; undefined without looks. */
  readonly refreshes: number
  readonly changes: number
  readonly yield: number | undefined
  /** Held pages; those that are gone, and those that robots.txt now disallows, do not count. */
  readonly held: number
  readonly gone: number
  readonly forbidden: number
  /** The share of the importance of all known pages that is expected to be fresh; undefined if the policy estimates none, or if it is not known yet. */
  readonly freshCoverage: number | undefined
  /** True if it is not known yet: held pages were looked at less than twice on average. */
  readonly isFreshnessPending: boolean
  /** The average value at which pages were fetched lately. */
  readonly price: number
  /** Held pages by the time between their last two looks, or since the last one if that is longer. Undefined before any second look. */
  readonly intervals: readonly { readonly daysMax: number | undefined; readonly pages: number }[] | undefined
  /** The other held pages: there was no second look yet. */
  readonly lookedOnce: number
  /** The pages that were fetched for the first time last, the newest first. */
  readonly newest: readonly { readonly url: string; readonly at: string }[]
}

/** Looks at new and held pages that observed them. */
export function looksOf(progress: {
  readonly pages: number
  readonly freshness?: CrawlFreshness | undefined
}): number {
  return progress.pages + (progress.freshness?.refreshes ?? 0)
}
