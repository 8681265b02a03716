/** Pages that rest until a given time: a binary heap by (time, page). 12 bytes per resting page. */
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

export class RestingPages {
  readonly #pages = new GrowingUint32(16)
  readonly #until = new GrowingFloat64(16)
  length = 0

  add(page: number, until: number): void {
    this.#pages.ensure(this.length)
    this.#until.ensure(this.length)
    this.#rise(this.length++, page, until)
  }

  /** When the first page has rested; Infinity if none rests. */
  next(): number {
    return this.length === 0 ? Infinity : this.#until.array[0]
  }

  /** Takes the page that has rested first. There must be one. */
  take(): number {
    const page = this.#pages.array[0]
    this.length--
    if (this.length > 0) this.#sink(this.#pages.array[this.length], this.#until.array[this.length])
    return page
  }

  /** When this page has rested; -Infinity if it does not rest. Reads all resting pages. */
  untilOf(page: number): number {
    const at = this.#pages.array.subarray(0, this.length).indexOf(page)
    return at < 0 ? -Infinity : this.#until.array[at]
  }

  moveTo(other: RestingPages): void {
    for (let i = 0; i < this.length; i++) other.add(this.#pages.array[i], this.#until.array[i])
    this.length = 0
  }

  #rise(from: number, page: number, until: number): void {
    const pages = this.#pages.array
    const times = this.#until.array
    let at = from
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (!precedes(until, page, times[above], pages[above])) break
      pages[at] = pages[above]
      times[at] = times[above]
      at = above
    }
    pages[at] = page
    times[at] = until
  }

  #sink(page: number, until: number): void {
    const pages = this.#pages.array
    const times = this.#until.array
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= this.length) break
      const other = below + 1
      if (other < this.length && precedes(times[other], pages[other], times[below], pages[below]))
        below = other
      if (!precedes(times[below], pages[below], until, page)) break
      pages[at] = pages[below]
      times[at] = times[below]
      at = below
    }
    pages[at] = page
    times[at] = until
  }

  transfer(state: StateCodec): void {
    const pages = state.array(this.#pages.array.subarray(0, this.length))
    const until = state.array(this.#until.array.subarray(0, this.length))
    if (!state.isReading) return
    this.#pages.replace(pages, pages.length)
    this.#until.replace(until, until.length)
    this.length = pages.length
  }

  get byteLength(): number {
    return this.#pages.array.byteLength + this.#until.array.byteLength
  }
}

function precedes(until: number, page: number, otherUntil: number, other: number): boolean {
  return until < otherUntil || (until === otherUntil && page < other)
}
