/**
 * Which page said nearly the same before. Only originals are kept: a page that is like one of them is its copy, and
 * later pages are compared with the original alone, so that no chain of small changes leads from one page to another.
 */
import { GrowingUint8 } from '../../lib/growing-array.ts'
import { NearIndex } from '../../near/near-index.ts'

/** Where counting ends. */
const copiesMax = 255

export class NearSeen {
  readonly #index: NearIndex
  /** By original: pages that were like it. */
  readonly #copies = new GrowingUint8()

  constructor(threshold: number) {
    this.#index = new NearIndex({ threshold })
  }

  /** The original that a page is like; -1: there is none, and the page now is one. */
  first(page: number, sketch: Uint32Array): number {
    const original = this.#index.find(sketch)
    if (original < 0) this.#index.add(page, sketch)
    else this.addCopy(original)
    return original
  }

  /** Of the page that was last like another. */
  get similarity(): number {
    return this.#index.similarity
  }

  /** Pages that were like this original so far, up to 255. */
  copiesOf(original: number): number {
    return this.#copies.array[original] ?? 0
  }

  /** Known from before: an original. */
  add(page: number, sketch: Uint32Array): void {
    this.#index.add(page, sketch)
  }

  /** Known from before: a page that is like this original. */
  addCopy(original: number): void {
    this.#copies.ensure(original)
    if (this.#copies.array[original] < copiesMax) this.#copies.array[original]++
  }

  get byteLength(): number {
    return this.#index.byteLength + this.#copies.array.byteLength
  }
}
