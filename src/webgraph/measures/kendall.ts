/**
 * Kendall's rank correlation between the order of a crawl and the order of importance (docs/semantics.md
 * S25): +1 if the most important pages were crawled first, -1 if they were crawled last.
 *
 * A pair of pages is concordant if the more important one was crawled earlier, discordant if later, and tied
 * if their importance is equal after S8's rounding. Pages that were never crawled come after all others and
 * are tied with one another. Counted by Knight's algorithm ("A computer method for calculating Kendall's tau
 * with ungrouped data", 1966): the discordant pairs are the inversions of a sort, the ties are runs of
 * equal values. O(n log n), exact counts.
 */
import { assert } from '../../lib/assert.ts'
import { Bitset } from '../../lib/bitset.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { largestFirst, type Importance } from './importance-ranking.ts'
import { sortCountingInversions } from './inversions.ts'
import { samplePages } from './page-sample.ts'

export interface Kendall {
  /** The number of pages compared. */
  readonly pages: number
  readonly concordant: number
  readonly discordant: number
  /** (concordant - discordant) / all pairs. NaN, which JSON writes as null, if there are no pairs. */
  readonly tauA: number
  /**
   * As tau-a, but over the pairs that are not tied, as the geometric mean of both orders. NaN if all are tied
   * in one order.
   */
  readonly tauB: number
  /** Over the pairs tied in neither order (Goodman and Kruskal). NaN if there are none. */
  readonly gamma: number
}

/** Over all pages of the web. `ranked`: their importance, the largest first. */
export function kendall(
  order: Uint32Array,
  importance: Importance,
  ranked: ArrayLike<number> = largestFirst(importance),
): Kendall {
  const all = new Bitset(importance.length)
  for (let page = 0; page < importance.length; page++) all.add(page)
  return correlate(...importanceAlong(order, importance, all, importance.length), ranked)
}

/** Over S25's sample of the pages. `idOf` returns a page's original id. */
export function kendallOfSample(
  order: Uint32Array,
  importance: Importance,
  idOf: (page: number) => number,
  sample = samplePages(importance.length, idOf),
): Kendall {
  const chosen = new Bitset(importance.length)
  for (const page of sample) chosen.add(page)
  const ranked = largestFirst(Float64Array.from(sample, (page) => importance[page]))
  return correlate(...importanceAlong(order, importance, chosen, sample.length), ranked)
}

/**
 * The rounded importance of the selected pages in crawl order, followed by those never crawled; and the
 * number crawled.
 */
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

/**
 * The values are in crawl order; those from `crawled` on are tied in it. Sorts them as a side effect. `ranked` are the
 * values before rounding, the largest first: rounding keeps their order.
 */
function correlate(values: Float64Array, crawled: number, ranked: ArrayLike<number>): Kendall {
  const pages = values.length
  // Once sorted, the pages that are tied in the crawl order have no inversions among themselves.
  const neverCrawled = values.subarray(crawled).sort()
  neverCrawled.reverse()
  const tiedInBoth = tiedPairs(neverCrawled)
  const discordant = sortCountingInversions(values, (i) => roundScore(ranked[i]))

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

/** n·(n-1)/2. The even factor is halved first: for a hundred million the product would exceed 2^53. */
function pairs(n: number): number {
  return n % 2 === 0 ? (n / 2) * (n - 1) : n * ((n - 1) / 2)
}
