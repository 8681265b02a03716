/**
 * A heap of sites by (rank, tie): the highest rank first, the lowest tie on equal ranks. Four children to a
 * node keep it flat, and ranks and ties are stored in heap order, so that the children of a node are in one or two cache
 * lines. The place of each site is stored, so that a change of rank moves only that site.
 *
 * When the first site is deleted, its place stays vacant until `first` or `precedes` needs it: the site of a fetched page mostly
 * returns before that, and sinks from there to its new place. That is one move instead of two, 8% of a simulated crawl.
 */
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'

const absent = 0xffff_ffff

export class SiteHeap {
  /** By place in the heap: site, rank and tie. */
  readonly #heap = new GrowingUint32(64)
  readonly #ranks = new GrowingFloat64(64)
  readonly #ties = new GrowingUint32(64)
  /** By site. */
  readonly #places = new GrowingUint32(64)
  #known = 0
  /** Places, including a vacant one. */
  #size = 0
  /** The site that left the first place vacant, or `absent`. A vacant place has the highest rank, so no site rises to it. */
  #vacatedBy = absent

  /** Number of sites. */
  get length(): number {
    return this.#vacatedBy === absent ? this.#size : this.#size - 1
  }

  has(site: number): boolean {
    return site < this.#known && this.#places.array[site] !== absent
  }

  /** The first site. The heap must not be empty. */
  first(): number {
    this.#fill()
    return this.#heap.array[0]
  }

  /** The rank of a site of the heap. */
  rank(site: number): number {
    return this.#ranks.array[this.#places.array[site]]
  }

  /** True if the first site of this heap comes before the first of another. False if this heap is empty. */
  precedes(other: SiteHeap): boolean {
    if (this.length === 0 || other.length === 0) return this.length > 0
    this.#fill()
    other.#fill()
    const rank = this.#ranks.array[0]
    const others = other.#ranks.array[0]
    return rank > others || (rank === others && this.#ties.array[0] < other.#ties.array[0])
  }

  /** Adds the site, or moves it to the position of its current rank. */
  set(site: number, rank: number, tie: number): void {
    this.#admit(site)
    const place = this.#places.array[site]
    if (site === this.#vacatedBy) {
      this.#vacatedBy = absent
      this.#siftDown(0, site, rank, tie)
    } else if (place === absent) {
      this.#heap.ensure(this.#size)
      this.#ranks.ensure(this.#size)
      this.#ties.ensure(this.#size)
      this.#siftUp(this.#size++, site, rank, tie)
    } else this.#move(place, site, rank, tie)
  }

  delete(site: number): void {
    if (!this.has(site)) return
    const place = this.#places.array[site]
    this.#places.array[site] = absent
    if (place === 0) {
      this.#vacatedBy = site
      this.#ranks.array[0] = Infinity
      this.#ties.array[0] = 0
      return
    }
    const last = --this.#size
    if (place !== last)
      this.#move(place, this.#heap.array[last], this.#ranks.array[last], this.#ties.array[last])
  }

  /** Fills a vacant place with the last site. */
  #fill(): void {
    if (this.#vacatedBy === absent) return
    this.#vacatedBy = absent
    const last = --this.#size
    if (last > 0) this.#siftDown(0, this.#heap.array[last], this.#ranks.array[last], this.#ties.array[last])
  }

  clear(): void {
    this.#places.array.fill(absent, 0, this.#known)
    this.#size = 0
    this.#vacatedBy = absent
  }

  #admit(site: number): void {
    if (site < this.#known) return
    this.#places.ensure(site)
    this.#places.array.fill(absent, this.#known, site + 1)
    this.#known = site + 1
  }

  #put(place: number, site: number, rank: number, tie: number): void {
    this.#heap.array[place] = site
    this.#ranks.array[place] = rank
    this.#ties.array[place] = tie
    this.#places.array[site] = place
  }

  /** Puts a site at this place, which is vacant or its own, or where it belongs above or below. */
  #move(place: number, site: number, rank: number, tie: number): void {
    const parent = (place - 1) >>> 2
    if (place > 0 && this.#isAfter(parent, rank, tie)) this.#siftUp(place, site, rank, tie)
    else this.#siftDown(place, site, rank, tie)
  }

  /** True if the site at this place comes after one with this rank and tie. */
  #isAfter(place: number, rank: number, tie: number): boolean {
    const other = this.#ranks.array[place]
    return other < rank || (other === rank && this.#ties.array[place] > tie)
  }

  #siftUp(from: number, site: number, rank: number, tie: number): void {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >>> 2
      if (!this.#isAfter(parent, rank, tie)) break
      this.#put(place, this.#heap.array[parent], this.#ranks.array[parent], this.#ties.array[parent])
      place = parent
    }
    this.#put(place, site, rank, tie)
  }

  #siftDown(from: number, site: number, rank: number, tie: number): void {
    const ranks = this.#ranks.array
    const ties = this.#ties.array
    const size = this.#size
    let place = from
    for (;;) {
      const eldest = place * 4 + 1
      if (eldest >= size) break
      let best = eldest
      let bestRank = ranks[eldest]
      let bestTie = ties[eldest]
      const end = Math.min(eldest + 4, size)
      for (let child = eldest + 1; child < end; child++) {
        const childRank = ranks[child]
        if (childRank > bestRank || (childRank === bestRank && ties[child] < bestTie)) {
          best = child
          bestRank = childRank
          bestTie = ties[child]
        }
      }
      if (!(bestRank > rank || (bestRank === rank && bestTie < tie))) break
      this.#put(place, this.#heap.array[best], bestRank, bestTie)
      place = best
    }
    this.#put(place, site, rank, tie)
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
