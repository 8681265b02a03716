/**
 * Counts how many pairs of neighbouring words of a page are new to its site. Real text keeps bringing new pairs: of 30 sites
 * of uci-ics, after hundreds of pages, still 2 to 40% of a page's pairs. Views of known pages bring none, and neither does
 * text made by a Markov chain, once the chain has used up the pairs of its source. Numbers are words.
 *
 * A quarter of all pairs is looked at, chosen by hash. Pairs are remembered as one bit each in two generations of a table:
 * when the younger one is full, it becomes the older one, which is forgotten. So a pair may be counted as new again later,
 * and a few are missed. Memory is constant, 4 MiB.
 */
import type { WordHashes } from '../text/word-hashes.ts'

const tableBits = 24
/** The share of a generation's bits that are set when it is full. */
const fullShare = 1 / 8
const factor = 0x9e3779b1

/** Words read per page; the rest is ignored. */
const wordsMax = 1 << 14

export class FreshPairs {
  #young = new Uint32Array(2 ** (tableBits - 5))
  #old = new Uint32Array(2 ** (tableBits - 5))
  #youngCount = 0
  /** The places of the pairs of a page that are looked at. */
  readonly #looked = new Uint32Array(wordsMax)
  /** Of the last page: pairs that were looked at, and those among them that are new. */
  pairs = 0
  fresh = 0

  /** `site`: a number for the page's site. */
  read({ hashes, count }: WordHashes, site: number): void {
    const sited = Math.imul(site, 0x85ebca6b)
    const end = Math.min(count, wordsMax)
    let pairs = 0
    for (let word = 1; word < end; word++) {
      let mixed = Math.imul(hashes[word - 1], factor) + hashes[word] + sited
      mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
      mixed ^= mixed >>> 16
      if ((mixed & 3) === 0) this.#looked[pairs++] = mixed >>> (32 - tableBits)
    }
    this.pairs = pairs
    this.fresh = this.#countFresh(pairs)
  }

  #countFresh(pairs: number): number {
    let fresh = 0
    for (let i = 0; i < pairs; i++) {
      const at = this.#looked[i]
      const bit = 1 << (at & 31)
      const word = at >>> 5
      if ((this.#young[word] & bit) !== 0) continue
      if ((this.#old[word] & bit) === 0) fresh++
      this.#young[word] |= bit
      if (++this.#youngCount >= fullShare * 2 ** tableBits) this.#forget()
    }
    return fresh
  }

  #forget(): void {
    const young = this.#young
    this.#young = this.#old.fill(0)
    this.#old = young
    this.#youngCount = 0
  }
}
