/**
 * Maps keys of any scale to priorities 1 to n by the rank of a key among recent keys. Keys may be counts,
 * masses that shrink as the crawl grows, or negated depths. Only the order of the keys matters: doubling them
 * all, or taking their logarithm, gives the same priorities.
 *
 * A sample of 1,024 keys is kept as in reservoir sampling, with the number of waiting pages in place of the
 * number of keys seen: it goes back about as many keys as pages wait, so that old scales fade out. Its
 * distinct values, the highest first, are cut into bands, each √2 times as wide as the one above:
 *
 *   priority  16 15  14   13     12        11 …                                                    1
 *            ├──┼──┼───┼────┼───────┼──────────┼ … ┼────────────────────────────────────────────────┤
 *            0.2% of the values                                                                   29%
 *
 * Repeated values count once: with link counts, most pages have the same few scores, and the rare ones must
 * be distinguished. The cost per key is one draw and one binary search. The cuts are recomputed when a
 * quarter of the sample has changed, which happens less and less often as the crawl grows.
 */
import { seededRandom, type Random } from '../../lib/random.ts'
import type { StateCodec } from '../../lib/state.ts'

const sampleSize = 1024
const widening = Math.SQRT2

export class PriorityBands {
  readonly #sample = new Float64Array(sampleSize)
  readonly #sorted = new Float64Array(sampleSize)
  #sampled = 0
  /** Keys added to the sample since the cuts were computed. */
  #changed = 0
  readonly #random: Random
  /**
   * tooLow[p - 1] is the highest key below priority p. Non-decreasing in p; the lowest key seen has priority
   * 1.
   */
  readonly #tooLow: Float64Array
  /** For the same indices: the share of the values, from the top, with priority p or more. */
  readonly #parts: Float64Array

  constructor(priorities: number, seed: number) {
    this.#random = seededRandom(seed, 1)
    this.#tooLow = new Float64Array(priorities).fill(-Infinity)
    this.#parts = new Float64Array(priorities)
    // Uses multiplication, which gives the same bits on every machine; powers do not.
    let width = 1
    let sum = 0
    for (let i = priorities - 1; i >= 0; i--) {
      this.#parts[i] = sum += width
      width *= widening
    }
    for (let i = 0; i < priorities; i++) this.#parts[i] /= sum
  }

  /** The priority of this key. */
  priorityOf(key: number): number {
    const tooLow = this.#tooLow
    let low = 1
    let high = tooLow.length
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (key > tooLow[middle - 1]) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Adds a key to the sample; `waiting` is the number of pages with a key. */
  observe(key: number, waiting: number): void {
    if (this.#sampled < sampleSize) this.#sample[this.#sampled++] = key
    else {
      const place = this.#random.below(Math.max(sampleSize, waiting))
      if (place >= sampleSize) return
      this.#sample[place] = key
    }
    if (++this.#changed * 4 >= this.#sampled) this.#cut()
  }

  #cut(): void {
    this.#changed = 0
    const sorted = this.#sorted.subarray(0, this.#sampled)
    sorted.set(this.#sample.subarray(0, this.#sampled))
    sorted.sort()
    let values = 0
    for (let i = 0; i < sorted.length; i++)
      if (i === 0 || sorted[i] !== sorted[values - 1]) sorted[values++] = sorted[i]
    const tooLow = this.#tooLow
    for (let i = 1; i < tooLow.length; i++) {
      tooLow[i] = sorted[Math.max(0, values - 1 - Math.ceil(this.#parts[i] * values))]
    }
  }

  transfer(state: StateCodec): void {
    state.section('priority bands', 1)
    this.#sampled = state.number(this.#sampled)
    this.#changed = state.number(this.#changed)
    this.#random.transfer(state)
    state.fixed(this.#sample)
    state.fixed(this.#tooLow)
  }

  get byteLength(): number {
    return (
      this.#sample.byteLength + this.#sorted.byteLength + this.#tooLow.byteLength + this.#parts.byteLength
    )
  }
}
