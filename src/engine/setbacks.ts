/** Held pages that were missing (404) or failed at their last looks. Only such pages take memory. */
import type { StateCodec } from '../lib/state.ts'

const daySeconds = 86_400
/** A page is gone after this many 404s in a row with a day between each. */
const missesMax = 3

export class Setbacks {
  /** 404s in a row. */
  readonly #misses = new Map<number, number>()
  /** Of these, the number with a day between each, and the time of the last one counted. */
  readonly #spaced = new Map<number, number>()
  readonly #spacedAt = new Map<number, number>()
  /** Failures in a row. */
  readonly #failures = new Map<number, number>()

  /** The page responded with its content. */
  clear(page: number): void {
    if (this.#failures.size > 0) this.#failures.delete(page)
    if (this.#misses.size === 0) return
    for (const map of [this.#misses, this.#spaced, this.#spacedAt]) map.delete(page)
  }

  /** A 404. Returns true if the page is gone. */
  miss(page: number, seconds: number): boolean {
    this.#failures.delete(page)
    this.#misses.set(page, this.misses(page) + 1)
    const isSpaced = seconds >= (this.#spacedAt.get(page) ?? -Infinity) + daySeconds
    if (!isSpaced) return false
    const spaced = (this.#spaced.get(page) ?? 0) + 1
    this.#spaced.set(page, spaced)
    this.#spacedAt.set(page, seconds)
    return spaced >= missesMax
  }

  /** 404s in a row: the mass of the page is halved for each. */
  misses(page: number): number {
    return this.#misses.size === 0 ? 0 : (this.#misses.get(page) ?? 0)
  }

  /** A temporary failure. Returns how many there were in a row. */
  fail(page: number): number {
    const failures = this.failures(page) + 1
    this.#failures.set(page, failures)
    return failures
  }

  failures(page: number): number {
    return this.#failures.get(page) ?? 0
  }

  transfer(state: StateCodec): void {
    for (const map of [this.#misses, this.#spaced, this.#spacedAt, this.#failures]) transferMap(state, map)
  }
}

function transferMap(state: StateCodec, map: Map<number, number>): void {
  const keys = state.array(Float64Array.from(map.keys()))
  const values = state.array(Float64Array.from(map.values()))
  if (!state.isReading) return
  map.clear()
  for (let i = 0; i < keys.length; i++) map.set(keys[i], values[i])
}
