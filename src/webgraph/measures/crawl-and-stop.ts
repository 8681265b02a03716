/**
 * The share of hot pages found after 1%, 2% … 100% of the web (docs/theory/semantics.md S26).
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, section 3. Crawl & Stop: the
 * hot pages are the k most important ones, where k is the number of pages crawled; ties with the k-th are hot
 * too. Crawl & Stop with Threshold: the hot pages are those of a rule (`hot-rule.ts`). A random crawler has
 * k/N in both.
 *
 * Linear in the pages: each page is counted at the first checkpoint at which it counts, then the counts are
 * summed.
 */
import { assert } from '../../lib/assert.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import type { HotPages } from './hot-rule.ts'
import { type Importance, largestFirst } from './importance-ranking.ts'
import { checkpoints } from './percent.ts'

/**
 * P_CS at 1% … 100%: of k pages, the share that was crawled by then and is at least as important as the k-th
 * largest. A crawl that stopped before k pages is still compared with k.
 */
export function crawlAndStop(
  order: Uint32Array,
  importance: Importance,
  ranked = largestFirst(importance),
): number[] {
  assert(order.length <= importance.length, 'a crawl order holds more pages than its web')
  const crawled = checkpoints(importance.length)
  // The k-th largest value falls as k grows: a page that is hot at one checkpoint stays hot.
  const thresholds = Float64Array.from(crawled, (k) => roundScore(ranked[k - 1]))
  const found = new Float64Array(crawled.length)
  let checkpoint = 0
  for (let place = 0; place < order.length; place++) {
    while (crawled[checkpoint] <= place) checkpoint++
    found[Math.max(checkpoint, firstAtMost(thresholds, roundScore(importance[order[place]])))]++
  }
  return shares(found, (i) => crawled[i])
}

/** A rule and the share of its hot pages that a crawl found. */
export interface HotShare {
  readonly rule: string
  readonly threshold: number
  /** The number of hot pages. */
  readonly hot: number
  /** P_ST at 1% … 100%: the share of the hot pages crawled by then; 0 if there are none. */
  readonly pst: number[]
}

/** P_ST. A crawl that stopped early keeps its share. */
export function crawlAndStopWithThreshold(order: Uint32Array, hot: HotPages): HotShare {
  const crawled = checkpoints(hot.of)
  const found = new Float64Array(crawled.length)
  let checkpoint = 0
  for (let place = 0; place < order.length; place++) {
    while (crawled[checkpoint] <= place) checkpoint++
    if (hot.pages.has(order[place])) found[checkpoint]++
  }
  return { rule: hot.rule, threshold: hot.threshold, hot: hot.count, pst: shares(found, () => hot.count) }
}

/**
 * The first of the falling thresholds that this value reaches. All values reach the last, the smallest
 * importance.
 */
function firstAtMost(thresholds: Float64Array, value: number): number {
  let low = 0
  let high = thresholds.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (thresholds[middle] <= value) high = middle
    else low = middle + 1
  }
  return low
}

/** Cumulative counts, as shares. */
function shares(counts: Float64Array, of: (checkpoint: number) => number): number[] {
  let total = 0
  return Array.from(counts, (count, checkpoint) => {
    total += count
    return total === 0 ? 0 : total / of(checkpoint)
  })
}
