import type { EstimatorName } from '../estimators.ts'

/** The settings of recrawl policies. Times are days. */
export interface RecrawlSetting {
  /** Days; at least three rounds of all known pages unless given, and it grows with them. */
  readonly horizon?: number | undefined
  /** Shape and rate (days) of the Gamma distribution of change rates before any look; 1 and a quarter of the horizon unless given. */
  readonly prior?: { readonly a: number; readonly b: number } | undefined
  /** How `greedy` estimates change rates. Default: `bayes`; the others are for comparison. */
  readonly estimator?: EstimatorName | undefined
  /** Learn the prior of each site from the first looks at its pages. Default: false. */
  readonly sitePrior?: boolean | undefined
  /** Learn how the prior depends on the importance of a page. Default: true, unless `prior` or `sitePrior` is given. */
  readonly massPrior?: boolean | undefined
  /** Measure time by what each site does; true unless given. */
  readonly siteClock?: boolean | undefined
  /** Held pages from which a site has a clock; 16 unless given. */
  readonly clockPagesMin?: number | undefined
  /** The change rate of a page, a day, where it is known. */
  readonly rateOf?: ((page: number) => number) | undefined
  /** For the oracle: how often to fetch a page, a day, and when it is first due. */
  readonly fetchesOf?: ((page: number) => number) | undefined
  readonly firstDueOf?: ((page: number) => number) | undefined
  /** How the interval of `adaptive` moves. */
  readonly adaptive?: 'nutch' | 'storm' | undefined
}
