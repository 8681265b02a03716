/**
 * Document frequencies of words, for the inverse document frequency. They either grow with the crawl (IS' of
 * Cho et al.) or come from a fixed reference. 256 KiB, regardless of the number of words.
 */
import type { StateCodec } from '../../lib/state.ts'
import { cellCount } from './cells.ts'

export class DocumentFrequencies {
  documents = 0
  readonly counts: Uint32Array
  /** True for a fixed reference. */
  readonly isFixed: boolean

  /** Empty, or from known frequencies. */
  constructor(
    known?: { readonly documents: number; readonly counts: Uint32Array },
    isFixed = known !== undefined,
  ) {
    this.counts = known?.counts ?? new Uint32Array(cellCount)
    this.documents = known?.documents ?? 0
    this.isFixed = isFixed
  }

  /** Adds a fetched page, given its distinct cells. */
  add(cells: ArrayLike<number>): void {
    if (this.isFixed) return
    this.documents++
    for (let i = 0; i < cells.length; i++) this.counts[cells[i]]++
  }

  /** A reference is part of the options, so it is not transferred. */
  transfer(state: StateCodec): void {
    state.section('document frequencies', 1)
    state.option('isFixed', this.isFixed)
    if (this.isFixed) return
    this.documents = state.number(this.documents)
    state.fixed(this.counts)
  }

  /** ln(1 + (N + 1) / (n + 1)) for a word in n of N pages: never 0, and defined for a word in no page. */
  idf(cell: number): number {
    return Math.log(1 + (this.documents + 1) / (this.counts[cell] + 1))
  }
}
