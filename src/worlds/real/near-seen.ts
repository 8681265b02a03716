/**
 * Which page said nearly the same before. Only originals are kept: a page that is like one of them is its copy, and
 * later pages are compared with the original alone, so that no chain of small changes leads from one page to another.
 */
import type { StateCodec } from '../../lib/state.ts'
import { NearIndex } from '../../near/near-index.ts'

export class NearSeen {
  readonly #index: NearIndex

  constructor(threshold: number) {
    this.#index = new NearIndex({ threshold })
  }

  /** The original that a page is like; -1: there is none, and the page now is one. */
  first(page: number, sketch: Uint32Array): number {
    const original = this.#index.find(sketch)
    if (original < 0) this.#index.add(page, sketch)
    return original
  }

  /** Of the page that was last like another. */
  get similarity(): number {
    return this.#index.similarity
  }

  /** Known from before: an original. */
  add(page: number, sketch: Uint32Array): void {
    this.#index.add(page, sketch)
  }

  transfer(state: StateCodec): void {
    this.#index.transfer(state)
  }

  get byteLength(): number {
    return this.#index.byteLength
  }
}
