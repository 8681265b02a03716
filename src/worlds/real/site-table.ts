/**
 * The sites of a crawl by number, with what politeness needs to know of each. Names are hosts with their ports, in the
 * order they were found.
 */
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

export class SiteTable {
  readonly #names: string[] = []
  readonly #numbers = new Map<string, number>()
  /** From when on each may be asked again. */
  readonly #freeAt = new GrowingFloat64(64)
  /** Pages asked for, and pages that wait. */
  readonly #asked = new GrowingUint32(64)
  readonly #waiting = new GrowingUint32(64)
  /** Failures in a row to reach it at all; 255: it is given up. */
  readonly #failures = new GrowingUint8(64)
  /** Sites with pages that wait. */
  withWaiting = 0

  get count(): number {
    return this.#names.length
  }

  /** The number of this site; a new one where it has none. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.#names.length
    this.#names.push(name)
    this.#numbers.set(name, number)
    this.#freeAt.ensure(number)
    this.#asked.ensure(number)
    this.#waiting.ensure(number)
    this.#failures.ensure(number)
    return number
  }

  name(site: number): string {
    return this.#names[site]
  }

  freeAt(site: number): number {
    return this.#freeAt.array[site]
  }

  rest(site: number, until: number): void {
    this.#freeAt.array[site] = until
  }

  asked(site: number): number {
    return this.#asked.array[site]
  }

  ask(site: number): void {
    this.#asked.array[site]++
  }

  addWaiting(site: number): void {
    if (this.#waiting.array[site]++ === 0) this.withWaiting++
  }

  removeWaiting(site: number): void {
    if (--this.#waiting.array[site] === 0) this.withWaiting--
  }

  reached(site: number): void {
    this.#failures.array[site] = 0
  }

  /** Could not be reached; gives how often in a row. */
  missed(site: number): number {
    if (this.#failures.array[site] < 254) this.#failures.array[site]++
    return this.#failures.array[site]
  }

  giveUp(site: number): void {
    this.#failures.array[site] = 255
  }

  isGivenUp(site: number): boolean {
    return this.#failures.array[site] === 255
  }

  /** Pages that wait are left out: they are counted again when a crawl is resumed. */
  transfer(state: StateCodec): void {
    state.section('site table', 1)
    const names = state.texts(this.#names)
    state.growing(this.#freeAt)
    state.growing(this.#asked)
    state.growing(this.#failures)
    if (!state.isReading) return
    names.forEach((name, site) => {
      this.#names.push(name)
      this.#numbers.set(name, site)
    })
    if (names.length > 0) this.#waiting.ensure(names.length - 1)
  }
}
