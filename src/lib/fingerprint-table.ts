/**
 * A set of 64-bit fingerprints that numbers them 0, 1, 2 … in order of insertion. Open addressing over the
 * numbers, with the fingerprints in a second array by number: 8 bytes per fingerprint and 4 per slot. At most
 * two thirds of the slots are used.
 */
import { GrowingUint32 } from './growing-array.ts'
import { freeMemory, newMemory } from './large-memory.ts'
import type { StateCodec } from './state.ts'

/** Returned in place of a number if the fingerprint is not in the table. */
export const unseen = -1

const slotsMin = 128

export class FingerprintTable {
  readonly #low = new GrowingUint32(64)
  readonly #high = new GrowingUint32(64)
  /** Number + 1 of each slot's fingerprint, 0 if the slot is free. The length is a power of two. */
  #slots = new Uint32Array(slotsMin)
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

  low(number: number): number {
    return this.#low.array[number]
  }

  high(number: number): number {
    return this.#high.array[number]
  }

  /** Adds a fingerprint that is not in the table and returns its number. */
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
    this.#placeAll(this.#slots.length * 2)
  }

  #placeAll(slots: number): void {
    freeMemory(this.#slots)
    this.#slots = new Uint32Array(newMemory(4 * slots), 0, slots)
    for (let number = 0; number < this.count; number++) this.#place(number)
  }

  /** The slots follow from the fingerprints. Placing a million of them again takes a tenth of a second. */
  transfer(state: StateCodec): void {
    state.section('fingerprints', 2)
    this.count = state.number(this.count)
    state.appended(this.#low)
    state.appended(this.#high)
    if (!state.isReading) return
    let slots = slotsMin
    while (3 * this.count > 2 * slots) slots *= 2
    this.#placeAll(slots)
  }

  get byteLength(): number {
    return this.#low.array.byteLength + this.#high.array.byteLength + this.#slots.byteLength
  }
}
