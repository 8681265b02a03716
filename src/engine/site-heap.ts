/**
 * A heap of sites by (rank, tie): the highest rank first, the lowest tie on equal ranks. Four children to a
 * node keep it flat and its nodes in few cache lines; the position of each site is stored, so that a change
 * of rank moves only that site.
 */
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'

const absent = 0xffff_ffff

export class SiteHeap {
  readonly #heap = new GrowingUint32(64)
  readonly #places = new GrowingUint32(64)
  readonly #ranks = new GrowingFloat64(64)
  readonly #ties = new GrowingUint32(64)
  #known = 0
  length = 0

  has(site: number): boolean {
    return site < this.#known && this.#places.array[site] !== absent
  }

  /** The first site. The heap must not be empty. */
  first(): number {
    return this.#heap.array[0]
  }

  rank(site: number): number {
    return this.#ranks.array[site]
  }

  /** True if the first site of this heap comes before the first of another. False if this heap is empty. */
  precedes(other: SiteHeap): boolean {
    if (this.length === 0 || other.length === 0) return this.length > 0
    const own = this.first()
    const others = other.first()
    const rank = this.rank(own)
    const othersRank = other.rank(others)
    return rank > othersRank || (rank === othersRank && this.#ties.array[own] < other.#ties.array[others])
  }

  /** Adds the site, or moves it to the position of its current rank. */
  set(site: number, rank: number, tie: number): void {
    this.#admit(site)
    this.#ranks.array[site] = rank
    this.#ties.array[site] = tie
    let place = this.#places.array[site]
    if (place === absent) {
      this.#heap.ensure(this.length)
      place = this.length++
      this.#put(place, site)
    }
    this.#siftUp(place)
    this.#siftDown(this.#places.array[site])
  }

  delete(site: number): void {
    if (!this.has(site)) return
    const place = this.#places.array[site]
    this.#places.array[site] = absent
    const last = this.#heap.array[--this.length]
    if (last === site) return
    this.#put(place, last)
    this.#siftUp(place)
    this.#siftDown(this.#places.array[last])
  }

  clear(): void {
    this.#places.array.fill(absent, 0, this.#known)
    this.length = 0
  }

  #admit(site: number): void {
    if (site < this.#known) return
    this.#places.ensure(site)
    this.#ranks.ensure(site)
    this.#ties.ensure(site)
    this.#places.array.fill(absent, this.#known, site + 1)
    this.#known = site + 1
  }

  #put(place: number, site: number): void {
    this.#heap.array[place] = site
    this.#places.array[site] = place
  }

  #precedes(a: number, b: number): boolean {
    const ranks = this.#ranks.array
    const ties = this.#ties.array
    return ranks[a] > ranks[b] || (ranks[a] === ranks[b] && ties[a] < ties[b])
  }

  #siftUp(from: number): void {
    const heap = this.#heap.array
    const site = heap[from]
    let place = from
    while (place > 0) {
      const parent = (place - 1) >>> 2
      if (!this.#precedes(site, heap[parent])) break
      this.#put(place, heap[parent])
      place = parent
    }
    this.#put(place, site)
  }

  #siftDown(from: number): void {
    const heap = this.#heap.array
    const site = heap[from]
    let place = from
    for (;;) {
      const eldest = place * 4 + 1
      if (eldest >= this.length) break
      let best = eldest
      const end = Math.min(eldest + 4, this.length)
      for (let child = eldest + 1; child < end; child++)
        if (this.#precedes(heap[child], heap[best])) best = child
      if (!this.#precedes(heap[best], site)) break
      this.#put(place, heap[best])
      place = best
    }
    this.#put(place, site)
  }

  get byteLength(): number {
    return (
      this.#heap.array.byteLength +
      this.#places.array.byteLength +
      this.#ranks.array.byteLength +
      this.#ties.array.byteLength
    )
  }
}
