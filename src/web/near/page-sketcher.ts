/** Computes the sketch of a page from its bytes; memory is reused for the next page. */
import { ShingleReader } from './shingles.ts'
import { Sketcher } from './sketch.ts'

export class PageSketcher {
  readonly #shingles = new ShingleReader()
  readonly #sketcher: Sketcher

  constructor(threshold: number) {
    this.#sketcher = new Sketcher(threshold)
  }

  /**
   * The sketch of the text in these ranges, given as alternating starts and ends; undefined if there is too
   * little text.
   */
  sketch(bytes: Uint8Array, ranges: Int32Array, rangesLength: number): Uint32Array | undefined {
    this.#shingles.read(bytes, ranges, rangesLength)
    return this.#sketcher.sketch(this.#shingles.hashes, this.#shingles.count)
  }
}
