/**
 * Kendall's rank correlation between the order of a crawl and the order of importance (docs/theory/semantics.md
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
import { hashId } from '../../lib/hash.ts'

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

/**
 * Sorts numbers in descending order, in place, and counts the inversions: pairs with the smaller number
 * first. Equal numbers do not count. O(n log n) and exact: a hundred million numbers have at most 5·10^15 pairs,
 * below 2^53.
 *
 * The sorted numbers are known, only the inversions are not. So each part is split at its median into higher and lower
 * numbers, which keep their order: a loop without branches, 2.5 times as fast as merging, whose branches no
 * processor can predict.
 */

/** Parts of this length are sorted by insertion, which is cheaper than splitting. */
const partLength = 32

/** `sortedAt` returns the i-th largest of the values. */
export function sortCountingInversions(values: Float64Array, sortedAt: (i: number) => number): number {
  const lower = new Float64Array(values.length > partLength ? values.length : 0)
  const sort = (start: number, end: number): number => {
    if (end - start <= partLength) return insertionSort(values, start, end)
    const split = splitOf(start, end, sortedAt)
    if (split === end) return 0
    const inversions = divide(values, lower, start, end, sortedAt(split - 1))
    return inversions + sort(start, split) + sort(split, end)
  }
  return sort(0, values.length)
}

/** A place near the middle between two different sorted numbers; the end if all are equal. */
function splitOf(start: number, end: number, sortedAt: (i: number) => number): number {
  let split = (start + end) >>> 1
  const median = sortedAt(split)
  while (split > start && sortedAt(split - 1) === median) split--
  if (split === start) while (split < end && sortedAt(split) === median) split++
  return split
}

/** Moves the numbers below the threshold behind the others. */
function divide(
  values: Float64Array,
  lower: Float64Array,
  start: number,
  end: number,
  threshold: number,
): number {
  let inversions = 0
  let low = 0
  let high = start
  for (let i = start; i < end; i++) {
    const value = values[i]
    const isLow = +(value < threshold)
    values[high] = value
    lower[low] = value
    // All lower numbers so far came before a higher one.
    inversions += low & (isLow - 1)
    low += isLow
    high += 1 - isLow
  }
  values.set(lower.subarray(0, low), high)
  return inversions
}

function insertionSort(values: Float64Array, start: number, end: number): number {
  let inversions = 0
  for (let i = start + 1; i < end; i++) {
    const value = values[i]
    let j = i
    for (; j > start && values[j - 1] < value; j--) values[j] = values[j - 1]
    values[j] = value
    inversions += i - j
  }
  return inversions
}

/**
 * The pages on which Kendall's tau is estimated: those with the smallest h(id, 5), ties by id
 * (docs/theory/semantics.md S25). They depend on the ids alone, so every strategy and every implementation uses the
 * same pages.
 *
 * Two passes over the hashes: the first counts them by their upper half, which bounds the range of the
 * second.
 */

const salt = 5

export const sampleSize = 5000

/** Page numbers, ascending; all pages if there are no more than `size`. */
export function samplePages(pages: number, idOf: (page: number) => number, size = sampleSize): Uint32Array {
  if (pages <= size) return Uint32Array.from({ length: pages }, (_, page) => page)

  const counts = new Uint32Array(0x1_0000)
  for (let page = 0; page < pages; page++) counts[hashId(idOf(page), salt) >>> 16]++
  let last = 0
  for (let within = counts[0]; within < size; within += counts[last]) last++

  const candidates: { hash: number; id: number; page: number }[] = []
  for (let page = 0; page < pages; page++) {
    const id = idOf(page)
    const hash = hashId(id, salt)
    if (hash >>> 16 <= last) candidates.push({ hash, id, page })
  }
  candidates.sort((a, b) => a.hash - b.hash || a.id - b.id)
  return Uint32Array.from(candidates.slice(0, size), ({ page }) => page).sort()
}
