/**
 * Kendall's rank correlation between the order of a crawl and the order of importance (docs/semantics.md S25): +1 when the most
 * important pages were crawled first, -1 when they were crawled last.
 *
 * A pair of pages is concordant when the more important one was crawled earlier, discordant when later, and tied when
 * their importance is equal after S8's rounding. Pages never crawled come after all that were, tied with one another.
 * Counted by Knight's algorithm ("A computer method for calculating Kendall's tau with ungrouped data", 1966): the
 * discordant pairs are the inversions of a merge sort, the ties are runs of equal values. O(n log n), counts exact.
 */
import { assert } from '../lib/assert.ts'
import { Bitset } from '../lib/bitset.ts'
import { roundScore } from '../lib/score-rounding.ts'
import type { Importance } from './importance-ranking.ts'
import { sortCountingInversions } from './inversions.ts'
import { samplePages } from './page-sample.ts'

export interface Kendall {
  /** How many pages were compared, each with each. */
  readonly pages: number
  readonly concordant: number
  readonly discordant: number
  /** (concordant - discordant) / all pairs. NaN, which JSON writes as null, where there is no pair. */
  readonly tauA: number
  /** As tau-a, but over the pairs not tied, averaged geometrically over both orders. NaN where all are tied in one. */
  readonly tauB: number
  /** Over the pairs tied in neither order (Goodman and Kruskal). NaN where there is none. */
  readonly gamma: number
}

/** On every page of the web. */
export function kendall(order: Uint32Array, importance: Importance): Kendall {
  const all = new Bitset(importance.length)
  for (let page = 0; page < importance.length; page++) all.add(page)
  return correlate(...importanceAlong(order, importance, all, importance.length))
}

/** On S25's sample of the pages. `idOf` gives a page's original id. */
export function kendallOfSample(
  order: Uint32Array,
  importance: Importance,
  idOf: (page: number) => number,
  sample = samplePages(importance.length, idOf),
): Kendall {
  const chosen = new Bitset(importance.length)
  for (const page of sample) chosen.add(page)
  return correlate(...importanceAlong(order, importance, chosen, sample.length))
}

/** The rounded importance of the chosen pages as they were crawled, then of those never crawled; and how many were. */
function importanceAlong(
  order: Uint32Array,
  importance: Importance,
  chosen: Bitset,
  count: number,
): [values: Float64Array, crawled: number] {
  assert(order.length <= importance.length, 'a crawl order holds more pages than its web')
  const values = new Float64Array(count)
  let filled = 0
  const take = (page: number): void => {
    if (!chosen.has(page)) return
    chosen.delete(page)
    values[filled++] = roundScore(importance[page])
  }
  for (let place = 0; place < order.length; place++) take(order[place])
  const crawled = filled
  for (let page = 0; page < importance.length; page++) take(page)
  return [values, crawled]
}

/** The values stand in crawl order; those from `crawled` on are tied in it. They are sorted in passing. */
function correlate(values: Float64Array, crawled: number): Kendall {
  const pages = values.length
  // Sorted, the pages that are tied in the crawl order have no inversion among themselves.
  const neverCrawled = values.subarray(crawled).sort()
  neverCrawled.reverse()
  const tiedInBoth = tiedPairs(neverCrawled)
  const discordant = sortCountingInversions(values)

  const all = pairs(pages)
  const apartInOrder = all - pairs(pages - crawled)
  const apartInImportance = all - tiedPairs(values)
  const apartInBoth = apartInOrder + apartInImportance - all + tiedInBoth
  const concordant = apartInBoth - discordant
  const excess = concordant - discordant
  return {
    pages,
    concordant,
    discordant,
    tauA: excess / all,
    tauB: excess / Math.sqrt(apartInOrder * apartInImportance),
    gamma: excess / apartInBoth,
  }
}

/** Pairs of equal values among sorted ones. */
function tiedPairs(sorted: Float64Array): number {
  let tied = 0
  for (let start = 0, i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && sorted[i] === sorted[start]) continue
    tied += pairs(i - start)
    start = i
  }
  return tied
}

/** n·(n-1)/2. The even factor is halved first: at a hundred million the product itself would pass 2^53. */
function pairs(n: number): number {
  return n % 2 === 0 ? (n / 2) * (n - 1) : n * ((n - 1) / 2)
}
