/**
 * How many pages have a word: what the inverse document frequency is estimated from. Either it grows with the crawl (IS' of Cho et
 * al.), or it comes from a reference and stands. 256 KiB, however many words there are.
 */
import type { StateCodec } from '../lib/state.ts'
import { cellCount } from './cells.ts'

export class DocumentFrequencies {
  documents = 0
  readonly counts: Uint32Array
  /** Is it a reference, which does not change? */
  readonly isFixed: boolean

  /** From nothing, or from what is known. */
  constructor(
    known?: { readonly documents: number; readonly counts: Uint32Array },
    isFixed = known !== undefined,
  ) {
    this.counts = known?.counts ?? new Uint32Array(cellCount)
    this.documents = known?.documents ?? 0
    this.isFixed = isFixed
  }

  /** A page came; each of its cells is given once. */
  add(cells: ArrayLike<number>): void {
    if (this.isFixed) return
    this.documents++
    for (let i = 0; i < cells.length; i++) this.counts[cells[i]]++
  }

  /** A reference comes with the options, and is left out. */
  transfer(state: StateCodec): void {
    state.section('document frequencies', 1)
    state.option('isFixed', this.isFixed)
    if (this.isFixed) return
    this.documents = state.number(this.documents)
    state.fixed(this.counts)
  }

  /** ln(1 + (N + 1) / (n + 1)) for a word that n of N pages have: never 0, and known for a word that none has had. */
  idf(cell: number): number {
    return Math.log(1 + (this.documents + 1) / (this.counts[cell] + 1))
  }
}
