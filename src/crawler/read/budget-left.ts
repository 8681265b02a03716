/**
 * What is left of the budgets of a crawl: a fact, and how long it lasts at the rate that is shown beside it: arithmetic.
 *
 * When a crawl will end is not forecast. A budget bounds it, but pages may run out before, sites slow down, and how many
 * pages will be found and what they will be worth does not follow from those fetched so far: extrapolations of both were
 * wrong by factors on small crawls.
 */
import type { CrawlProgress } from '../options/crawl-options.ts'

/** The budgets of a crawl, counted from its start. */
export interface Budgets {
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
}

export interface BudgetLeft {
  readonly budget: 'pages' | 'time' | 'bytes'
  /** Pages, seconds or bytes. */
  readonly amount: number
  /** How long it lasts at the given rate; absent if that is 0. */
  readonly seconds?: number | undefined
}

interface FetchRates {
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
}

/** The budget that is spent first at these rates; undefined if there is none. */
export function budgetLeft(
  progress: Pick<CrawlProgress, 'pages' | 'bytes' | 'seconds' | 'freshness'>,
  budgets: Budgets,
  { pagesPerSecond, bytesPerSecond }: FetchRates,
): BudgetLeft | undefined {
  // A crawl that fetches pages again does not end when it holds as many pages as it may.
  const pagesMax = progress.freshness === undefined ? budgets.pages : undefined
  const lefts = [
    leftOf('pages', pagesMax, progress.pages, pagesPerSecond),
    leftOf('time', budgets.seconds, progress.seconds, 1),
    leftOf('bytes', budgets.bytes, progress.bytes, bytesPerSecond),
  ].filter((left) => left !== undefined)
  return lefts.toSorted((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity) || 0)[0]
}

function leftOf(
  budget: BudgetLeft['budget'],
  max: number | undefined,
  spent: number,
  perSecond: number,
): BudgetLeft | undefined {
  if (max === undefined || max === Infinity) return undefined
  const amount = Math.max(0, max - spent)
  return { budget, amount, ...(amount === 0 || perSecond > 0 ? { seconds: amount / (perSecond || 1) } : {}) }
}
