/**
 * A crawler that can keep only B pages (docs/semantics.md S27): if the buffer overflows, the page with the
 * lowest estimate is evicted, the last crawled on a tie, and never refetched. The final buffer is compared
 * with the B most important pages of the web.
 *
 * Cho, Garcia-Molina and Page, 1998, section 3. Evictions do not affect the crawl order, so this is computed
 * from any finished order, in O((N + L) log B). A page's links count from the moment it is crawled (S9),
 * including for the eviction that the page itself causes, and still count after its own eviction.
 */
import type { Graph } from '../graph.ts'
import { assert } from '../../lib/assert.ts'
import { FirstMentions } from '../../lib/first-mentions.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { EvictionHeap } from './eviction-heap.ts'
import { type Importance, largestFirst } from './importance-ranking.ts'

export interface LimitedBufferOptions {
  readonly order: Uint32Array
  readonly graph: Graph
  /** B. */
  readonly capacity: number
  /** Links seen so far, or a score per page: the strategy's own, or the true importance. */
  readonly estimate: 'backlinks' | Float64Array
}

/** The capacity of a buffer of this percentage of the web: ⌈p·N/100⌉. */
export function bufferCapacity(percent: number, pages: number): number {
  // 1.1% of 1,000 pages are 11, not 11.000000000000002.
  return Math.ceil(Number(((percent * pages) / 100).toPrecision(12)))
}

/** The pages in the final buffer, in crawl order. */
export function limitedBuffer({ order, graph, capacity, estimate }: LimitedBufferOptions): Uint32Array {
  assert(Number.isInteger(capacity) && capacity >= 0, 'a buffer holds a whole number of pages')
  const counting = estimate === 'backlinks'
  const keys = counting ? new Uint32Array(graph.pages) : estimate.map(roundScore)
  const heap = new EvictionHeap(order, keys, Math.min(capacity, order.length) + 1)
  const mentions = new FirstMentions()
  const cursor = graph.cursor()
  for (let place = 0; place < order.length; place++) {
    if (counting) {
      cursor.seek(order[place])
      mentions.next()
      for (let i = cursor.start; i < cursor.end; i++) {
        if (!mentions.isFirst(cursor.targets[i])) continue
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
 * P_BC: the share of the buffer's B slots with a page at least as important as the B-th largest. Empty slots
 * of a short crawl count as misses; a buffer larger than the web counts as the size of the web.
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
