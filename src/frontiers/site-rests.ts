/**
 * Which sites may be asked: none that is busy, one connection being open to it, and none that rests, its gap not being over.
 *
 *   free ──occupy──▶ busy ──release──▶ resting ──time──▶ free
 *
 * A busy site can become proven or unproven. 10 bytes a site. Resting and free differ only by the clock, so nothing needs to be done when a rest ends, and what is
 * remembered does not depend on when anybody looked.
 */
import { assert } from '../lib/assert.ts'
import { GrowingFloat64, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

export class SiteRests {
  readonly #busy = new GrowingUint8(64)
  readonly #freeAt = new GrowingFloat64(64)
  readonly #proven = new GrowingUint8(64)
  #sites = 0

  /** A site is heard of, perhaps again. One that was never asked is free since time 0. */
  admit(site: number): void {
    if (site < this.#sites) return
    this.#busy.ensure(site)
    this.#freeAt.ensure(site)
    this.#proven.ensure(site)
    this.#sites = site + 1
  }

  /** Sites heard of: numbers 0 to sites - 1. */
  get sites(): number {
    return this.#sites
  }

  isBusy(site: number): boolean {
    return this.#busy.array[site] === 1
  }

  /** When the rest of a site that is not busy ends, or ended. */
  freeAt(site: number): number {
    return this.#freeAt.array[site]
  }

  occupy(site: number, now: number): void {
    assert(
      this.#busy.array[site] === 0 && this.#freeAt.array[site] <= now,
      'a site is asked that is busy or rests',
    )
    this.#busy.array[site] = 1
  }

  release(site: number, freeAt: number): void {
    assert(this.#busy.array[site] === 1, 'a site is released that was not busy')
    this.#busy.array[site] = 0
    this.#freeAt.array[site] = freeAt
  }

  prove(site: number, isProven: boolean): void {
    assert(this.#busy.array[site] === 1, 'a site is proven or doubted that was not busy')
    this.#proven.array[site] = isProven ? 1 : 0
  }

  isProven(site: number): boolean {
    return this.#proven.array[site] === 1
  }

  transfer(state: StateCodec): void {
    state.section('site rests', 1)
    this.#sites = state.number(this.#sites)
    state.growing(this.#busy)
    state.growing(this.#freeAt)
    state.growing(this.#proven)
  }

  get byteLength(): number {
    return this.#busy.array.byteLength + this.#freeAt.array.byteLength + this.#proven.array.byteLength
  }
}
