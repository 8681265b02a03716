/**
 * Which 64-bit fingerprints were seen, each with its number: 0, 1, 2 … in the order they came. Open addressing over
 * numbers, the fingerprints beside it in the order of their numbers: 8 bytes each, and 4 for a slot, of which at most
 * two thirds are used.
 */
import { GrowingUint32 } from './growing-array.ts'
import type { StateCodec } from './state.ts'

/** In place of a number: not seen. */
export const unseen = -1

export class FingerprintTable {
  readonly #low = new GrowingUint32()
  readonly #high = new GrowingUint32()
  /** Numbers plus one; 0: free. Its length is a power of two. */
  #slots = new Uint32Array(2048)
  count = 0

  find(low: number, high: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let at = low & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const number = slots[at] - 1
      if (this.#low.array[number] === low && this.#high.array[number] === high) return number
    }
    return unseen
  }

  /** Adds one that was not seen; gives its number. */
  add(low: number, high: number): number {
    if (3 * (this.count + 1) > 2 * this.#slots.length) this.#grow()
    const number = this.count++
    this.#low.ensure(number)
    this.#high.ensure(number)
    this.#low.array[number] = low
    this.#high.array[number] = high
    this.#place(number)
    return number
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1
    let at = this.#low.array[number] & mask
    while (this.#slots[at] !== 0) at = (at + 1) & mask
    this.#slots[at] = number + 1
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    for (let number = 0; number < this.count; number++) this.#place(number)
  }

  /** Slots included: to place millions of fingerprints again takes longer than to read where they stand. */
  transfer(state: StateCodec): void {
    state.section('fingerprints', 1)
    this.count = state.number(this.count)
    state.appended(this.#low)
    state.appended(this.#high)
    this.#slots = state.array(this.#slots)
  }

  get byteLength(): number {
    return this.#low.array.byteLength + this.#high.array.byteLength + this.#slots.byteLength
  }
}
