/**
 * First in, first out: many queues of pages over one set of arrays. Each page is in at most one queue, so one
 * pointer per page chains them all, and a million sites can each have a queue without one object per site.
 *
 *   first[queue] ─▶ page ─next▶ page ─next▶ page ◀─ last[queue]
 *
 * 4 bytes per page and 12 per queue, plus 4 bytes per page for a back pointer if pages may be removed from
 * the middle (`leavable`). All operations take constant time except `clear`, which is one pass over the
 * queues.
 */
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { none } from '../page-forest.ts'
import type { StateCodec } from '../../lib/state.ts'

interface PageFifosOptions {
  /** Expected number of pages, to preallocate. */
  readonly pagesHint?: number | undefined
  /** Support `remove`. */
  readonly leavable?: boolean
}

export class PageFifos {
  readonly #next: GrowingUint32
  readonly #before: GrowingUint32 | undefined
  readonly #first = new GrowingUint32(64)
  readonly #last = new GrowingUint32(64)
  readonly #lengths = new GrowingUint32(64)
  #pages = 0
  #queues = 0

  constructor(options: PageFifosOptions = {}) {
    this.#next = new GrowingUint32(options.pagesHint)
    this.#before = options.leavable === true ? new GrowingUint32(options.pagesHint) : undefined
  }

  /** Number of pages in this queue. */
  length(queue: number): number {
    return queue < this.#queues ? this.#lengths.array[queue] : 0
  }

  /** The first page, or `none`. */
  first(queue: number): number {
    return queue < this.#queues ? this.#first.array[queue] : none
  }

  /** Appends a page. It must not be in any queue. */
  append(queue: number, page: number): void {
    this.#admit(queue, page)
    const last = this.#last.array[queue]
    this.#next.array[page] = none
    if (this.#before !== undefined) this.#before.array[page] = last
    if (last === none) this.#first.array[queue] = page
    else this.#next.array[last] = page
    this.#last.array[queue] = page
    this.#lengths.array[queue]++
  }

  /** Removes the first page. There must be one. */
  shift(queue: number): number {
    const page = this.#first.array[queue]
    const next = this.#next.array[page]
    this.#first.array[queue] = next
    if (next === none) this.#last.array[queue] = none
    else if (this.#before !== undefined) this.#before.array[next] = none
    this.#lengths.array[queue]--
    return page
  }

  /** Removes a page of this queue from any position. */
  remove(queue: number, page: number): void {
    const before = this.#before!.array
    const previous = before[page]
    const next = this.#next.array[page]
    if (previous === none) this.#first.array[queue] = next
    else this.#next.array[previous] = next
    if (next === none) this.#last.array[queue] = previous
    else before[next] = previous
    this.#lengths.array[queue]--
  }

  /** Empties all queues. */
  clear(): void {
    this.#first.array.fill(none, 0, this.#queues)
    this.#last.array.fill(none, 0, this.#queues)
    this.#lengths.array.fill(0, 0, this.#queues)
  }

  #admit(queue: number, page: number): void {
    if (page >= this.#pages) {
      this.#next.ensure(page)
      this.#before?.ensure(page)
      this.#pages = page + 1
    }
    if (queue < this.#queues) return
    this.#first.ensure(queue)
    this.#last.ensure(queue)
    this.#lengths.ensure(queue)
    this.#first.array.fill(none, this.#queues, queue + 1)
    this.#last.array.fill(none, this.#queues, queue + 1)
    this.#queues = queue + 1
  }

  transfer(state: StateCodec): void {
    state.section('queues of pages', 1)
    this.#pages = state.number(this.#pages)
    this.#queues = state.number(this.#queues)
    state.growing(this.#next)
    if (this.#before !== undefined) state.growing(this.#before)
    state.growing(this.#first)
    state.growing(this.#last)
    state.growing(this.#lengths)
  }

  get byteLength(): number {
    const queues = this.#first.array.byteLength + this.#last.array.byteLength + this.#lengths.array.byteLength
    return this.#next.array.byteLength + (this.#before?.array.byteLength ?? 0) + queues
  }
}
