/**
 * Which page had a body, or a text, first. Two 64-bit fingerprints a page that came: of the body as it was meant, and
 * of its text alone.
 */
import { FingerprintTable } from '../../lib/fingerprint-table.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

export class ContentSeen {
  readonly #bodies = new FirstPages()
  readonly #texts = new FirstPages()

  /** The page that had this body first; -1: it is new, and this page now is the one. */
  body(page: number, low: number, high: number): number {
    return this.#bodies.first(page, low, high)
  }

  text(page: number, low: number, high: number): number {
    return this.#texts.first(page, low, high)
  }

  transfer(state: StateCodec): void {
    state.section('content seen', 1)
    this.#bodies.transfer(state)
    this.#texts.transfer(state)
  }

  get byteLength(): number {
    return this.#bodies.byteLength + this.#texts.byteLength
  }
}

class FirstPages {
  readonly #table = new FingerprintTable()
  readonly #pages = new GrowingUint32()

  first(page: number, low: number, high: number): number {
    // Nothing there to compare.
    if (low === 0 && high === 0) return -1
    const number = this.#table.find(low, high)
    if (number >= 0) return this.#pages.array[number]
    const added = this.#table.add(low, high)
    this.#pages.ensure(added)
    this.#pages.array[added] = page
    return -1
  }

  transfer(state: StateCodec): void {
    this.#table.transfer(state)
    state.appended(this.#pages)
  }

  get byteLength(): number {
    return this.#table.byteLength + this.#pages.array.byteLength
  }
}
