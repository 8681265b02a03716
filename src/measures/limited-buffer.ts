/**
 * A crawler that can keep only B pages (docs/semantics.md S27): when the buffer overflows, the page that is estimated to be
 * worth least is dropped, the latest crawled on a tie, and never fetched again. What is left at the end is compared
 * with the B most important pages of the web.
 *
 * Cho, Garcia-Molina and Page, 1998, section 3. Dropping changes nothing in the order of the crawl, so it is computed
 * afterwards from any order, in O((N + L) log B). A page's links count from the moment it is crawled (S9), also for
 * the choice of the page that its coming drives out, and go on counting after it was dropped.
 */
import type { Graph } from '../graph/graph.ts'
import { assert } from '../lib/assert.ts'
import { roundScore } from '../lib/score-rounding.ts'
import { EvictionHeap } from './eviction-heap.ts'
import { type Importance, largestFirst } from './importance-ranking.ts'

export interface LimitedBufferOptions {
  readonly order: Uint32Array
  readonly graph: Graph
  /** B. */
  readonly capacity: number
  /** Links seen so far, or a score for each page: the strategy's own, or the true importance. */
  readonly estimate: 'backlinks' | Float64Array
}

/** Pages that a buffer of so many percent of the web holds: ⌈p·N/100⌉. */
export function bufferCapacity(percent: number, pages: number): number {
  // 1.1% of 1,000 pages are 11, not 11.000000000000002.
  return Math.ceil(Number(((percent * pages) / 100).toPrecision(12)))
}

/** The pages that are left in the buffer, as they were crawled. */
export function limitedBuffer({ order, graph, capacity, estimate }: LimitedBufferOptions): Uint32Array {
  assert(Number.isInteger(capacity) && capacity >= 0, 'a buffer holds a whole number of pages')
  const counting = estimate === 'backlinks'
  const keys = counting ? new Uint32Array(graph.pages) : estimate.map(roundScore)
  const heap = new EvictionHeap(order, keys, Math.min(capacity, order.length) + 1)
  const cursor = graph.cursor()
  for (let place = 0; place < order.length; place++) {
    if (counting) {
      cursor.seek(order[place])
      for (let i = cursor.start; i < cursor.end; i++) {
        keys[cursor.targets[i]]++
        heap.raised(cursor.targets[i])
      }
    }
    heap.push(place)
    if (heap.length > capacity) heap.drop()
  }
  return heap.places.sort().map((place) => order[place])
}

/**
 * P_BC: the share of the buffer's B places that hold a page at least as important as the B-th largest. Places that a
 * short crawl left empty hold none; a buffer larger than the web is as large as the web.
 */
export function bufferShare(
  kept: Uint32Array,
  capacity: number,
  importance: Importance,
  ranked = largestFirst(importance),
): number {
  const size = Math.min(capacity, importance.length)
  if (size === 0) return 0
  const threshold = roundScore(ranked[size - 1])
  let hot = 0
  for (const page of kept) if (roundScore(importance[page]) >= threshold) hot++
  return hot / size
}
