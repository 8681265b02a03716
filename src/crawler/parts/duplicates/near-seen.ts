/**
 * Finds earlier pages with nearly the same text. Only originals are stored: a page similar to one of them is
 * its copy, and later pages are compared with originals only, so that no chain of small changes connects
 * different pages.
 */
import type { StateCodec } from '../../../lib/state.ts'
import { NearIndex } from '../../../web/near/near-index.ts'

export class NearSeen {
  readonly #index: NearIndex

  constructor(threshold: number) {
    this.#index = new NearIndex({ threshold })
  }

  /** The original that a page is similar to; -1 if there is none, and the page becomes an original. */
  first(page: number, sketch: Uint32Array): number {
    const original = this.#index.find(sketch)
    if (original < 0) this.#index.add(page, sketch)
    return original
  }

  /** The similarity of the last match. */
  get similarity(): number {
    return this.#index.similarity
  }

  /** Restores an original. */
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
