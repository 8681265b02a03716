/**
 * Keys of any scale as priorities 1 to n: by where a key stands among the keys seen lately, whether they are counts, masses
 * that shrink as the crawl grows, or minus the depth. Only the order of the keys matters: doubling them all, or taking their
 * logarithm, gives the same priorities.
 *
 * A sample of 1,024 keys is kept as in reservoir sampling, with the number of waiting pages in place of the number of keys
 * seen: it reaches about as many keys back as pages wait, so that old scales fade. Its different values, the highest first,
 * are cut into bands, each √2 times as wide as the one above:
 *
 *   priority  16 15  14   13     12        11 …                                                    1
 *            ├──┼──┼───┼────┼───────┼──────────┼ … ┼────────────────────────────────────────────────┤
 *            0.2% of the values                                                                   29%
 *
 * Repeated values count once, since most pages of a link-counting order have the same few scores and it is the rare ones
 * that must be told apart. A draw and a binary search a key: the cuts are made anew when a quarter of the sample has changed,
 * which happens ever more rarely as the crawl grows.
 */
import { seededRandom, type Random } from '../lib/random.ts'
import type { StateCodec } from '../lib/state.ts'

const sampleSize = 1024
const widening = Math.SQRT2

export class PriorityBands {
  readonly #sample = new Float64Array(sampleSize)
  readonly #sorted = new Float64Array(sampleSize)
  #sampled = 0
  /** Keys in the sample that the cuts do not know yet. */
  #changed = 0
  readonly #random: Random
  /** tooLow[p - 1] is the highest key that does not reach priority p. Never falls with p; the lowest key seen reaches only 1. */
  readonly #tooLow: Float64Array
  /** Of the values from the top, the part that has priority p or more, for the same places. */
  readonly #parts: Float64Array

  constructor(priorities: number, seed: number) {
    this.#random = seededRandom(seed, 1)
    this.#tooLow = new Float64Array(priorities).fill(-Infinity)
    this.#parts = new Float64Array(priorities)
    // By multiplication, which is exact to the same bit on every machine, as powers are not.
    let width = 1
    let sum = 0
    for (let i = priorities - 1; i >= 0; i--) {
      this.#parts[i] = sum += width
      width *= widening
    }
    for (let i = 0; i < priorities; i++) this.#parts[i] /= sum
  }

  /** The highest priority that this key reaches. */
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

  /** A key was seen; `waiting` is how many pages have one. */
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
