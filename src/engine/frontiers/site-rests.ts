/**
 * Which sites may be requested: a site is busy while a connection to it is open, and rests until its gap is
 * over; then it is free.
 *
 *   free ──occupy──▶ busy ──release──▶ resting ──time──▶ free
 *
 * A busy site can become proven or unproven. 10 bytes per site. Resting and free differ only by the clock, so
 * the end of a rest needs no action, and the state does not depend on when it is read.
 */
import { assert } from '../../lib/assert.ts'
import { GrowingFloat64, GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

export class SiteRests {
  readonly #busy = new GrowingUint8(64)
  readonly #freeAt = new GrowingFloat64(64)
  readonly #proven = new GrowingUint8(64)
  #sites = 0

  /** Adds a site, if new. A site that was never requested is free since time 0. */
  admit(site: number): void {
    if (site < this.#sites) return
    this.#busy.ensure(site)
    this.#freeAt.ensure(site)
    this.#proven.ensure(site)
    this.#sites = site + 1
  }

  /** Number of known sites. */
  get sites(): number {
    return this.#sites
  }

  isBusy(site: number): boolean {
    return this.#busy.array[site] === 1
  }

  /** The time at which the rest of a site that is not busy ends or ended. */
  freeAt(site: number): number {
    return this.#freeAt.array[site]
  }

  occupy(site: number, now: number): void {
    assert(
      this.#busy.array[site] === 0 && this.#freeAt.array[site] <= now,
      'cannot occupy a site that is busy or resting',
    )
    this.#busy.array[site] = 1
  }

  release(site: number, freeAt: number): void {
    assert(this.#busy.array[site] === 1, 'cannot release a site that is not busy')
    this.#busy.array[site] = 0
    this.#freeAt.array[site] = freeAt
  }

  prove(site: number, isProven: boolean): void {
    assert(this.#busy.array[site] === 1, 'cannot mark a site that is not busy as proven or unproven')
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
