/**
 * What is kept of a page's shingles to find the pages that are like it, 10 words in all:
 *
 *   ┌──────── 192 bits ────────┬───────── 4 keys ─────────┐
 *   │ in which all values meet │ each of `rows` values    │
 *   └──────────────────────────┴──────────────────────────┘
 *
 * One permutation instead of many (Li, Owen and Zhang, "One Permutation Hashing", 2012): a shingle's hash names one of
 * k bins and a value, and each bin keeps its least. A bin without any takes that of another, chosen by a row of hashes
 * that is the same for all pages (Shrivastava, "Optimal Densification", 2017), so that two pages agree in a bin with
 * the chance that is their Jaccard coefficient J, however short they are.
 *
 * Each value then flips one of the bits (Mitzenmacher, Pagh and Pham, "Odd Sketches", 2014): what two pages share flips
 * the same bits in both, and the bits that differ tell how many values do. For pages that are similar this says more
 * than as many bits of single values: at J = 0.9, 192 bits are off by 0.021, and one bit of each of 192 values by 0.031.
 * Below J = 0.7 or so all bits are noise, and pages are just told apart.
 *
 * Keys find candidates (banded LSH): pages with J share a key with the chance 1 − (1 − J^rows)^4.
 */
import { fmix32 } from '../lib/hash.ts'

export const sketchBits = 192
const bitWords = sketchBits / 32
export const sketchKeys = 4
export const sketchWords = bitWords + sketchKeys

/** Above all values, which have 24 bits at most. */
const noValue = 0x7fffffff
/** Pages with fewer different shingles have no sketch: their template is most of what they say. */
const filledBinsMin = 32

/** How sketches are made by which pages of at least this similarity are found. */
interface SketchForm {
  /** There are 2^binBits bins: as many as flip half of the bits between pages at the threshold. */
  readonly binBits: number
  /** Values that go into a key: as many as leave pages at the threshold a chance of 0.97 to be found. */
  readonly rows: number
}

export function formFor(threshold: number): SketchForm {
  const binBits = Math.round(Math.log2(sketchBits / (4 * (1 - threshold))))
  const perKey = 1 - 0.03 ** (1 / sketchKeys)
  const rows = Math.floor(Math.log(perKey) / Math.log(threshold))
  return { binBits: Math.max(8, Math.min(10, binBits)), rows: Math.max(2, Math.min(8, rows)) }
}

export class Sketcher {
  readonly #valueBits: number
  readonly #rows: number
  readonly #least: Int32Array
  /** Of each bin, its own or another's, mixed. */
  readonly #values: Uint32Array

  constructor(threshold: number) {
    const { binBits, rows } = formFor(threshold)
    this.#valueBits = 32 - binBits
    this.#rows = rows
    this.#least = new Int32Array(1 << binBits)
    this.#values = new Uint32Array(1 << binBits)
  }

  /** The sketch of these hashes of shingles; undefined: there are too few to tell pages apart. */
  sketch(hashes: Uint32Array, count: number): Uint32Array | undefined {
    const least = this.#least.fill(noValue)
    const valueBits = this.#valueBits
    const mask = (1 << valueBits) - 1
    for (let i = 0; i < count; i++) {
      const hash = hashes[i]
      const bin = hash >>> valueBits
      const value = hash & mask
      const before = least[bin]
      least[bin] = value < before ? value : before
    }
    if (!this.#fill()) return undefined
    const sketch = new Uint32Array(sketchWords)
    this.#writeBits(sketch)
    this.#writeKeys(sketch)
    return sketch
  }

  /** Gives every bin a value; false: too few have one of their own. */
  #fill(): boolean {
    const least = this.#least
    const values = this.#values
    const last = values.length - 1
    let filled = 0
    for (let bin = 0; bin <= last; bin++) if (least[bin] !== noValue) filled++
    if (filled < filledBinsMin) return false
    for (let bin = 0; bin <= last; bin++) {
      let from = bin
      for (let turn = 1; least[from] === noValue; turn++) from = fmix32((bin << 16) ^ turn) & last
      // Where it came from is part of the value: those of two bins are the same by chance alone.
      values[bin] = fmix32((from << this.#valueBits) | least[from])
    }
    return true
  }

  #writeBits(sketch: Uint32Array): void {
    const values = this.#values
    for (let bin = 0; bin < values.length; bin++) {
      // The same value in two bins flips two bits.
      const bit = ((Math.imul(values[bin] ^ bin, 0x9e3779b1) >>> 16) * sketchBits) >>> 16
      sketch[bit >>> 5] ^= 1 << (bit & 31)
    }
  }

  #writeKeys(sketch: Uint32Array): void {
    let bin = 0
    for (let key = 0; key < sketchKeys; key++) {
      let mixed = key
      for (let row = 0; row < this.#rows; row++) mixed = fmix32(Math.imul(mixed, 31) ^ this.#values[bin++])
      sketch[bitWords + key] = mixed
    }
  }
}

/** In how many bits two sketches differ; `one` from a place on, as an index has it. */
export function differingBits(one: Uint32Array, at: number, other: Uint32Array): number {
  let different = 0
  for (let word = 0; word < bitWords; word++) different += ones(one[at + word] ^ other[word])
  return different
}

/** By the number of bits that differ, the Jaccard coefficient that it speaks for: 1 for none, 0 for half and more. */
export function similarities(threshold: number): Float64Array {
  const values = 2 * 2 ** formFor(threshold).binBits
  return Float64Array.from({ length: sketchBits + 1 }, (_, different) => {
    const even = 1 - (2 * different) / sketchBits
    return even <= 0 ? 0 : Math.max(0, 1 + (sketchBits * Math.log(even)) / 2 / values)
  })
}

/** The bits of a word that are set. */
function ones(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** A key of the sketch that stands from this place on. */
export function keyAt(sketches: Uint32Array, at: number, key: number): number {
  return sketches[at + bitWords + key]
}
