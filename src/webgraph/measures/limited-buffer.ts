/**
 * A crawler that can keep only B pages (docs/theory/semantics.md S27): if the buffer overflows, the page with the
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

/**
 * The pages of a full buffer, with the next one to evict on top: a binary min-heap by key, the last crawled
 * first on a tie. It holds positions in the crawl order. The keys belong to the pages and may rise while a
 * page is in the heap, if `raised` is called after each rise. O(log B) per operation.
 */
class EvictionHeap {
  readonly #order: Uint32Array
  readonly #keys: Float64Array | Uint32Array
  /** Positions in the crawl order, in heap order: a slot is evicted before its children. */
  readonly #heap: Uint32Array
  /** For each page 1 + its slot in the heap, or 0 if it is not in the heap. */
  readonly #slots: Uint32Array
  #length = 0

  constructor(order: Uint32Array, keys: Float64Array | Uint32Array, capacity: number) {
    this.#order = order
    this.#keys = keys
    this.#heap = new Uint32Array(capacity)
    this.#slots = new Uint32Array(keys.length)
  }

  get length(): number {
    return this.#length
  }

  /** The positions in the heap, unordered. */
  get places(): Uint32Array {
    return this.#heap.subarray(0, this.#length)
  }

  push(place: number): void {
    let slot = this.#length++
    while (slot > 0) {
      const parent = (slot - 1) >>> 1
      if (this.#goesBefore(this.#heap[parent], place)) break
      this.#put(slot, this.#heap[parent])
      slot = parent
    }
    this.#put(slot, place)
  }

  /** Removes the page with the smallest key. The heap must not be empty. */
  drop(): void {
    this.#slots[this.#order[this.#heap[0]]] = 0
    const last = this.#heap[--this.#length]
    if (this.#length > 0) this.#sink(0, last)
  }

  /** Call this after a page's key has risen. No effect if the page is not in the heap. */
  raised(page: number): void {
    const slot = this.#slots[page] - 1
    if (slot >= 0) this.#sink(slot, this.#heap[slot])
  }

  #sink(from: number, place: number): void {
    let slot = from
    for (;;) {
      let child = 2 * slot + 1
      if (child >= this.#length) break
      if (child + 1 < this.#length && this.#goesBefore(this.#heap[child + 1], this.#heap[child])) child++
      if (this.#goesBefore(place, this.#heap[child])) break
      this.#put(slot, this.#heap[child])
      slot = child
    }
    this.#put(slot, place)
  }

  #put(slot: number, place: number): void {
    this.#heap[slot] = place
    this.#slots[this.#order[place]] = slot + 1
  }

  #goesBefore(a: number, b: number): boolean {
    const difference = this.#keys[this.#order[a]] - this.#keys[this.#order[b]]
    return difference === 0 ? a > b : difference < 0
  }
}
