/**
 * How many waiting pages have which key, in quarters of an octave: 256 buckets from 2^-55 to 2^9. Keys outside of that range are
 * in the first or the last bucket. One byte per known page.
 */
import { GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

export const bucketCount = 256
const perOctave = 4
/** The exponent of the first bucket. */
const lowest = -55

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** Index of the word with the exponent: 1, or 0 on a big-endian machine. */
const high = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0
/** The exponent and the first two bits of the mantissa are the upper bits of this word. */
const mantissaBits = 18
const offset = (1023 + lowest) * perOctave

/** The bucket of a key. Read from the bits of the number, so that every machine finds the same. */
export function bucketOf(key: number): number {
  if (!(key > 0)) return 0
  double[0] = key
  return Math.min(bucketCount - 1, Math.max(0, (words[high] >>> mantissaBits) - offset))
}

/** The smallest key of a bucket; -Infinity for the first one. */
export function bucketFloor(bucket: number): number {
  if (bucket === 0) return -Infinity
  const octave = Math.floor(bucket / perOctave)
  return 2 ** (lowest + octave) * (1 + (bucket % perOctave) / perOctave)
}

export class KeyHistogram {
  /** Number of waiting pages by bucket. */
  readonly counts = new Uint32Array(bucketCount)
  readonly #bucketOf = new GrowingUint8(0)

  add(page: number, key: number): void {
    const bucket = bucketOf(key)
    this.#bucketOf.ensure(page)
    this.#bucketOf.array[page] = bucket
    this.counts[bucket]++
  }

  update(page: number, key: number): void {
    this.remove(page)
    this.add(page, key)
  }

  remove(page: number): void {
    this.counts[this.#bucketOf.array[page]]--
  }

  transfer(state: StateCodec): void {
    state.section('key histogram', 1)
    state.fixed(this.counts)
    state.growing(this.#bucketOf)
  }

  get byteLength(): number {
    return this.#bucketOf.array.byteLength
  }
}
