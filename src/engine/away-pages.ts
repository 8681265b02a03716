/**
 * Pages that another shard of the crawl owns. They have a number here, so that link lists contain them, but they are never
 * fetched here. Whatever reaches them rests on them until the next cut takes it to the owner (exchange.ts).
 */
import { GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

const isListed = 1
const isSent = 2

export class AwayPages {
  /** Pages that have changed since they were last cut, in order of the change. */
  readonly #changed = new GrowingUint32(0)
  readonly #flags = new GrowingUint8(0)
  /** Number of away pages. */
  count = 0

  add(page: number): void {
    this.count++
    this.mark(page)
  }

  /** Something has reached this page. */
  mark(page: number): void {
    this.#flags.ensure(page)
    if ((this.#flags.array[page] & isListed) !== 0) return
    this.#flags.array[page] |= isListed
    const at = this.#changed.length
    this.#changed.ensure(at)
    this.#changed.array[at] = page
  }

  get changedCount(): number {
    return this.#changed.length
  }

  /** True once a cut has named the page to its owner. */
  isSent(page: number): boolean {
    return (this.#flags.array[page] & isSent) !== 0
  }

  /** Calls `take` with every changed page, in order. A page for which it returns true has been sent; the others stay listed. */
  sweep(take: (page: number) => boolean): void {
    const { array, length } = this.#changed
    let kept = 0
    for (let i = 0; i < length; i++) {
      const page = array[i]
      if (take(page)) this.#flags.array[page] = isSent
      else array[kept++] = page
    }
    this.#changed.replace(array, kept)
  }

  transfer(state: StateCodec): void {
    state.section('away pages', 1)
    this.count = state.number(this.count)
    state.growing(this.#changed)
    state.growing(this.#flags)
  }

  get byteLength(): number {
    return this.#changed.array.byteLength + this.#flags.array.byteLength
  }
}
