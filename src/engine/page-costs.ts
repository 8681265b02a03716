/**
 * The expected size of a fetch, if values are weighed against bytes: of a held page the average of its looks, recent
 * ones weighted more; of a new page the average of all first looks. 4 bytes per page.
 */
import { GrowingFloat32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

/** The weight of the last look. */
const newest = 1 / 4
/** Headers of a request and its response, which every look costs. */
const bytesMin = 512

export class PageCosts {
  readonly #bytes = new GrowingFloat32()
  #firstBytes = 0
  #firstLooks = 0

  looked(page: number, bytes: number): void {
    const cost = bytesMin + bytes
    this.#bytes.ensure(page)
    const before = this.#bytes.array[page]
    this.#bytes.array[page] = before === 0 ? cost : before + newest * (cost - before)
    if (before !== 0) return
    this.#firstBytes += cost
    this.#firstLooks++
  }

  /** Bytes. */
  of(page: number): number {
    const own = page < this.#bytes.length ? this.#bytes.array[page] : 0
    if (own > 0) return own
    return this.#firstLooks === 0 ? bytesMin : this.#firstBytes / this.#firstLooks
  }

  transfer(state: StateCodec): void {
    state.section('page costs', 1)
    state.growing(this.#bytes)
    this.#firstBytes = state.number(this.#firstBytes)
    this.#firstLooks = state.number(this.#firstLooks)
  }

  get byteLength(): number {
    return this.#bytes.array.byteLength
  }
}
