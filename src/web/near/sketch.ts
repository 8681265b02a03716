/**
 * A sketch of a page's shingles, used to find similar pages; 10 words in total:
 *
 *   ┌──────── 192 bits ────────┬───────── 4 keys ─────────┐
 *   │ in which all values meet │ each of `rows` values    │
 *   └──────────────────────────┴──────────────────────────┘
 *
 * One permutation instead of many (Li, Owen and Zhang, "One Permutation Hashing", 2012): a shingle's hash
 * gives one of k bins and a value, and each bin keeps its minimum. An empty bin copies the value of another,
 * chosen by a sequence of hashes that is the same for all pages (Shrivastava, "Optimal Densification", 2017).
 * So two pages agree in a bin with probability equal to their Jaccard coefficient J, even if they are short.
 *
 * Each value then flips one of the bits (Mitzenmacher, Pagh and Pham, "Odd Sketches", 2014): shared values
 * flip the same bits in both pages, and the number of differing bits estimates the number of differing
 * values. For similar pages this is more precise than the same number of bits of single values: at J = 0.9,
 * the error is 0.021 with 192 bits, and 0.031 with one bit of each of 192 values. Below about J = 0.7 all
 * bits are noise, and the pages only count as different.
 *
 * Keys find candidates (banded LSH): pages with similarity J share a key with probability 1 − (1 − J^rows)^4.
 */
import { fmix32 } from '../../lib/hash.ts'
import type { WordHashes } from '../text/word-hashes.ts'
import { ShingleReader } from './shingles.ts'

const sketchBits = 192
const bitWords = sketchBits / 32
export const sketchKeys = 4
export const sketchWords = bitWords + sketchKeys

/** Above all values, which have 24 bits at most. */
const noValue = 0x7fffffff
/** Pages with fewer distinct shingles have no sketch: most of their text is the template. */
const filledBinsMin = 32

/** Parameters of sketches that find pages of at least this similarity. */
interface SketchForm {
  /** There are 2^binBits bins: as many as flip half of the bits between pages at the threshold. */
  readonly binBits: number
  /** Values per key: as many as find pages at the threshold with probability 0.97. */
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
  /** The value of each bin, its own or copied, mixed. */
  readonly #values: Uint32Array

  constructor(threshold: number) {
    const { binBits, rows } = formFor(threshold)
    this.#valueBits = 32 - binBits
    this.#rows = rows
    this.#least = new Int32Array(1 << binBits)
    this.#values = new Uint32Array(1 << binBits)
  }

  /** The sketch of these hashes of shingles; undefined if there are too few to distinguish pages. */
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

  /** Gives every bin a value; false if too few have one of their own. */
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
      // The source bin is part of the value: values of two bins are equal only by chance.
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

/** The number of bits in which two sketches differ; `one` starts at a position, as in an index. */
export function differingBits(one: Uint32Array, at: number, other: Uint32Array): number {
  let different = 0
  for (let word = 0; word < bitWords; word++) different += ones(one[at + word] ^ other[word])
  return different
}

/** The estimated Jaccard coefficient, by the number of differing bits: 1 for none, 0 for half and more. */
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

/** A key of the sketch at this position. */
export function keyAt(sketches: Uint32Array, at: number, key: number): number {
  return sketches[at + bitWords + key]
}

/** Makes the sketch of a page; memory is reused for the next page. */
export class PageSketcher {
  readonly #shingles = new ShingleReader()
  readonly #sketcher: Sketcher

  constructor(threshold: number) {
    this.#sketcher = new Sketcher(threshold)
  }

  /** Undefined if there is too little text. */
  sketch(words: WordHashes): Uint32Array | undefined {
    this.#shingles.read(words)
    return this.#sketcher.sketch(this.#shingles.hashes, this.#shingles.count)
  }
}
