/**
 * The first page with each body and with each text, in the crawl and on each site. Two 64-bit fingerprints
 * per fetched page: of the decoded body, and of its text alone. Copies of pages of other sites have one more,
 * for the first page of each site.
 *
 * Each site also has an allowance for copies found on copies (copies.ts): it grows with every new body of the
 * site.
 */
import { fmix32 } from '../../../lib/hash.ts'
import { FingerprintTable } from '../../../lib/fingerprint-table.ts'
import { GrowingUint32 } from '../../../lib/growing-array.ts'
import type { StateCodec } from '../../../lib/state.ts'

/** The allowance of a site without any new body. */
const allowanceAtFirst = 8

export class ContentSeen {
  readonly #bodies = new FirstPages()
  readonly #siteBodies = new FirstPages()
  readonly #texts = new FirstPages()
  /** By site: new bodies, and the used part of the allowance. */
  readonly #earned = new GrowingUint32(64)
  readonly #spent = new GrowingUint32(64)

  /** The first page with this body; -1 if the body is new, and this page is the first. */
  body(page: number, site: number, low: number, high: number): number {
    const first = this.#bodies.first(page, low, high)
    if (first >= 0) return first
    this.#earned.ensure(site)
    this.#earned.array[site]++
    return -1
  }

  /** For a body that another site had first: the first page of this site with it; -1 if it is this page. */
  siteBody(page: number, site: number, low: number, high: number): number {
    const mixed = fmix32(site + 1)
    return this.#siteBodies.first(page, (low ^ mixed) >>> 0, (high + mixed) >>> 0)
  }

  /** Uses the allowance for one more copy on a copy; false if it is used up. */
  spendAllowance(site: number): boolean {
    this.#earned.ensure(site)
    this.#spent.ensure(site)
    if (this.#spent.array[site] >= allowanceAtFirst + this.#earned.array[site]) return false
    this.#spent.array[site]++
    return true
  }

  /**
   * The first page with this text; -1 if the text is new, or too short to be compared (text-fingerprint.ts).
   */
  text(page: number, low: number, high: number): number {
    return low === 0 ? -1 : this.#texts.first(page, low, high)
  }

  transfer(state: StateCodec): void {
    state.section('content seen', 1)
    this.#bodies.transfer(state)
    this.#siteBodies.transfer(state)
    this.#texts.transfer(state)
    state.growing(this.#earned)
    state.growing(this.#spent)
  }

  get byteLength(): number {
    return this.#bodies.byteLength + this.#siteBodies.byteLength + this.#texts.byteLength
  }
}

class FirstPages {
  readonly #table = new FingerprintTable()
  readonly #pages = new GrowingUint32()

  first(page: number, low: number, high: number): number {
    // Nothing to compare.
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
