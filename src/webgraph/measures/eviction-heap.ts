/**
 * The pages of a full buffer, with the next one to evict on top: a binary min-heap by key, the last crawled
 * first on a tie. It holds positions in the crawl order. The keys belong to the pages and may rise while a
 * page is in the heap, if `raised` is called after each rise. O(log B) per operation.
 */
export class EvictionHeap {
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
