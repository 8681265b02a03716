/** Compares the lines of a file with those that it should have, in any order: 8 bytes a line. */
import { hash } from 'node:crypto'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'

export class LineSet {
  readonly #sums = new GrowingFloat64()
  count = 0

  add(line: Uint8Array | string): void {
    this.#sums.ensure(this.count)
    this.#sums.array[this.count++] = hash('sha1', line, 'buffer').readUIntBE(0, 6)
  }

  /** How many lines only this one has, and how many only the other. */
  differences(other: LineSet): { readonly own: number; readonly others: number } {
    const [a, b] = [this.#sorted(), other.#sorted()]
    let [i, j, own, others] = [0, 0, 0, 0]
    while (i < a.length || j < b.length) {
      if (j === b.length || a[i] < b[j]) {
        own++
        i++
      } else if (i === a.length || b[j] < a[i]) {
        others++
        j++
      } else {
        i++
        j++
      }
    }
    return { own, others }
  }

  #sorted(): Float64Array {
    return this.#sums.array.slice(0, this.count).toSorted()
  }
}
