/**
 * Pages by day, the earliest first: a heap with four children to a node and the place of each page. 16 bytes per page. The order of
 * pages with equal days is not defined.
 */
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'

export class PageCalendar {
  readonly #heap = new GrowingUint32()
  /** The place of each page in the heap plus 1; 0 if it has no entry. */
  readonly #places = new GrowingUint32()
  readonly #days = new GrowingFloat64()
  length = 0

  /** The page with the earliest day. There must be one. */
  first(): number {
    return this.#heap.array[0]
  }

  /** The earliest day; Infinity if there is no entry. */
  firstDay(): number {
    return this.length === 0 ? Infinity : this.#days.array[this.#heap.array[0]]
  }

  /** Adds an entry, or moves it. */
  set(page: number, day: number): void {
    this.#places.ensure(page)
    this.#days.ensure(page)
    const place = this.#places.array[page]
    const before = this.#days.array[page]
    this.#days.array[page] = day
    if (place === 0) {
      this.#heap.ensure(this.length)
      this.#rise(this.length++, page, day)
    } else if (day > before) this.#sink(place - 1, page, day)
    else this.#rise(place - 1, page, day)
  }

  delete(page: number): void {
    const place = page < this.#places.length ? this.#places.array[page] : 0
    if (place === 0) return
    this.#places.array[page] = 0
    const last = this.#heap.array[--this.length]
    if (last === page) return
    const day = this.#days.array[last]
    this.#rise(place - 1, last, day)
    if (this.#places.array[last] === place) this.#sink(place - 1, last, day)
  }

  #rise(from: number, page: number, day: number): void {
    const heap = this.#heap.array
    const places = this.#places.array
    const days = this.#days.array
    let at = from
    while (at > 0) {
      const above = (at - 1) >>> 2
      const other = heap[above]
      if (days[other] <= day) break
      heap[at] = other
      places[other] = at + 1
      at = above
    }
    heap[at] = page
    places[page] = at + 1
  }

  #sink(from: number, page: number, day: number): void {
    const heap = this.#heap.array
    const places = this.#places.array
    const days = this.#days.array
    let at = from
    for (;;) {
      const first = 4 * at + 1
      if (first >= this.length) break
      const end = Math.min(first + 4, this.length)
      let best = first
      for (let child = first + 1; child < end; child++) if (days[heap[child]] < days[heap[best]]) best = child
      const other = heap[best]
      if (days[other] >= day) break
      heap[at] = other
      places[other] = at + 1
      at = best
    }
    heap[at] = page
    places[page] = at + 1
  }

  get byteLength(): number {
    return this.#heap.array.byteLength + this.#places.array.byteLength + this.#days.array.byteLength
  }
}
