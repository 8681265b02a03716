/**
 * Faulty links by target: which pages have them, with anchor and place. 16 bytes for each, since a broken link of a footer is on
 * every page of a site.
 */
import { GrowingUint32 } from '../../lib/growing-array.ts'

/** Further ones are counted and not listed. */
const listedMax = 8_000_000

export interface Occurrence {
  readonly source: number
  readonly anchor: string
  readonly place: string
}

export class Occurrences {
  readonly #targets = new GrowingUint32()
  readonly #sources = new GrowingUint32()
  readonly #anchors = new GrowingUint32()
  readonly #places = new GrowingUint32()
  readonly #words = new Words()
  count = 0
  /** Number of those that are not listed. */
  unlisted = 0

  add(target: number, source: number, anchor: string, place: string): void {
    if (this.count === listedMax) {
      this.unlisted++
      return
    }
    const at = this.count++
    for (const column of [this.#targets, this.#sources, this.#anchors, this.#places]) column.ensure(at)
    this.#targets.array[at] = target
    this.#sources.array[at] = source
    this.#anchors.array[at] = this.#words.numberOf(anchor)
    this.#places.array[at] = this.#words.numberOf(place)
  }

  /** By target, in their order. */
  *groups(): Generator<readonly [target: number, occurrences: Occurrence[]]> {
    const targets = this.#targets.array
    const rows = Uint32Array.from({ length: this.count }, (_, row) => row)
    rows.sort((a, b) => targets[a] - targets[b] || a - b)
    for (let start = 0, end = 0; start < rows.length; start = end) {
      const target = targets[rows[start]]
      while (end < rows.length && targets[rows[end]] === target) end++
      yield [target, Array.from(rows.subarray(start, end), (row) => this.#at(row))]
    }
  }

  #at(row: number): Occurrence {
    return {
      source: this.#sources.array[row],
      anchor: this.#words.word(this.#anchors.array[row]),
      place: this.#words.word(this.#places.array[row]),
    }
  }
}

/** Texts by number: the same anchor stands on many pages. */
class Words {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []

  numberOf(word: string): number {
    let number = this.#numbers.get(word)
    if (number === undefined) {
      number = this.#words.push(word) - 1
      this.#numbers.set(word, number)
    }
    return number
  }

  word(number: number): string {
    return this.#words[number]
  }
}
