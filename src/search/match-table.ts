/**
 * How often what is searched for stands in each page, and what that is worth: BM25 (IIR 11.4.3), with titles as in BM25F: a word there
 * counts as several in the text.
 *
 * A search reads every page anyway, and then needs the counts of a few words, not an index of all: this takes 8 bytes a page
 * that has any of them, and 4 more for each.
 */
import { GrowingUint32 } from '../lib/growing-array.ts'

/** BM25's k1 and b: how soon repeats stop to count, and how much of a page's length is held against it. */
const saturation = 1.2
const lengthShare = 0.75

export class MatchTable {
  readonly #units: number
  /** Rows of: page, words, and for each unit how often it was found. */
  readonly #rows = new GrowingUint32()
  readonly #width: number
  /** For each unit, the pages that have it. */
  readonly #having: Float64Array
  #words = 0
  pages = 0
  rows = 0
  /** Rows that have every unit. */
  complete = 0

  constructor(units: number) {
    this.#units = units
    this.#width = 2 + units
    this.#having = new Float64Array(units)
  }

  /** A page of so many words; `counts` is by unit. */
  add(page: number, words: number, counts: Uint32Array): void {
    this.pages++
    this.#words += words
    let found = 0
    for (let unit = 0; unit < this.#units; unit++) {
      if (counts[unit] === 0) continue
      found++
      this.#having[unit]++
    }
    if (found === 0) return
    const start = this.rows++ * this.#width
    this.#rows.ensure(start + this.#width - 1)
    this.#rows.array[start] = page
    this.#rows.array[start + 1] = words
    this.#rows.array.set(counts, start + 2)
    if (found === this.#units) this.complete++
  }

  pageOf(row: number): number {
    return this.#rows.array[row * this.#width]
  }

  isComplete(row: number): boolean {
    const start = row * this.#width
    return this.#rows.array.subarray(start + 2, start + this.#width).every((count) => count > 0)
  }

  /** When all pages are added. */
  bm25(row: number): number {
    const start = row * this.#width
    const length = this.#rows.array[start + 1] / (this.#words / this.pages || 1)
    const rest = saturation * (1 - lengthShare + lengthShare * length)
    let score = 0
    for (let unit = 0; unit < this.#units; unit++) {
      const count = this.#rows.array[start + 2 + unit]
      const having = this.#having[unit]
      const rarity = Math.log(1 + (this.pages - having + 0.5) / (having + 0.5))
      score += (rarity * count * (saturation + 1)) / (count + rest)
    }
    return score
  }
}
