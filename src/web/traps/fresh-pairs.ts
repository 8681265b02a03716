/**
 * Counts how many pairs of neighbouring words of a page are new to its site. Real text keeps bringing new pairs: of 30 sites
 * of uci-ics, after hundreds of pages, still 2 to 40% of a page's pairs. Views of known pages bring none, and neither does
 * text made by a Markov chain, once the chain has used up the pairs of its source. Numbers are words.
 *
 * A quarter of all pairs is looked at, chosen by hash. Pairs are remembered as one bit each in two generations of a table:
 * when the younger one is full, it becomes the older one, which is forgotten. So a pair may be counted as new again later,
 * and a few are missed. Memory is constant, 4 MiB.
 */
const tableBits = 24
/** The share of a generation's bits that are set when it is full. */
const fullShare = 1 / 8
const prime = 0x01000193
const factor = 0x9e3779b1

/** For each byte: the value hashed for it, in lower case; 0 if it is not part of a word. */
const letters = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isCapital = byte >= 0x41 && byte <= 0x5a
  const isSmall = byte >= 0x61 && byte <= 0x7a
  const isDigit = byte >= 0x30 && byte <= 0x39
  if (isCapital || isSmall || isDigit || byte >= 0x80) letters[byte] = isCapital ? byte | 0x20 : byte
}

/** The first bytes of a script without spaces between words (Chinese, Japanese, Korean): each character is a word. */
const ideograph = 0xe3
const ideographMax = 0xed

/** Bytes of text read per page; the rest is ignored. */
const bytesMax = 1 << 16

export class FreshPairs {
  #young = new Uint32Array(2 ** (tableBits - 5))
  #old = new Uint32Array(2 ** (tableBits - 5))
  #youngCount = 0
  /** Of the last page: pairs that were looked at, and those among them that are new. */
  pairs = 0
  fresh = 0

  /** Reads the text in these byte ranges, given as alternating starts and ends. `site`: a number for the page's site. */
  read(bytes: Uint8Array, ranges: Int32Array, rangesLength: number, site: number): void {
    this.pairs = 0
    this.fresh = 0
    let left = bytesMax
    let before = 0
    for (let range = 0; range < rangesLength && left > 0; range += 2) {
      const end = Math.min(ranges[range + 1], ranges[range] + left)
      left -= end - ranges[range]
      before = this.#readRange(bytes, ranges[range], end, before, site)
    }
  }

  /** `before`: the hash of the last word so far, 0 if there is none. Returns that of the last word of the range. */
  #readRange(bytes: Uint8Array, start: number, end: number, before: number, site: number): number {
    let last = before
    let hash = 0
    for (let at = start; at < end; at++) {
      const byte = bytes[at]
      const letter = letters[byte]
      const isWord = letter !== 0 && (byte < ideograph || byte > ideographMax)
      if (!isWord && hash !== 0) {
        this.#pair(last, hash, site)
        last = hash
        hash = 0
      }
      if (letter !== 0) hash = Math.imul(hash ^ letter, prime)
    }
    if (hash === 0) return last
    this.#pair(last, hash, site)
    return hash
  }

  #pair(first: number, second: number, site: number): void {
    if (first === 0) return
    let mixed = Math.imul(first, factor) + second + Math.imul(site, 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    mixed ^= mixed >>> 16
    if ((mixed & 3) !== 0) return
    this.pairs++
    const at = mixed >>> (32 - tableBits)
    const bit = 1 << (at & 31)
    const word = at >>> 5
    if ((this.#young[word] & bit) !== 0) return
    if ((this.#old[word] & bit) === 0) this.fresh++
    this.#young[word] |= bit
    if (++this.#youngCount >= fullShare * 2 ** tableBits) this.#forget()
  }

  #forget(): void {
    const young = this.#young
    this.#young = this.#old.fill(0)
    this.#old = young
    this.#youngCount = 0
  }
}
