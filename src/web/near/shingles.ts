/**
 * The shingles of a text: every four consecutive words, each as a 32-bit hash (Broder et al., "Syntactic
 * Clustering of the Web", 1997; IIR 19.6). The similarity of two pages is the overlap of their sets of
 * shingles.
 *
 * A word is a run of ASCII letters (case-insensitive), digits and non-ASCII bytes. In scripts without spaces
 * between words (Chinese, Japanese and Korean, in UTF-8) each character begins a word. A tag ends a word.
 * References such as &eacute; are not decoded: they are the same on both pages, or the words differ.
 *
 * Words are hashed with FNV-1a starting at 0, which a separator, read as zero, leaves at 0. Hashes of
 * shingles are rolling polynomials of them, mixed at the end. Two different shingles collide with probability
 * 2^-32, far below the precision of a sketch.
 */

/** Words per shingle. */
export const shingleWords = 4

const prime = 0x01000193
/** Factor of the polynomial; odd, so that no information is lost. */
const factor = 0x9e3779b1

/**
 * For each byte: the value hashed for it, in lower case; whether it always begins a word; and whether it is
 * part of a word at all.
 */
const kinds = new Uint16Array(256)
const beginning = 0x100
const inWord = 0x200
for (let byte = 0; byte < 256; byte++) {
  const isCapital = byte >= 0x41 && byte <= 0x5a
  const isWord = isCapital || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte >= 0x80
  const isCharacter = byte >= 0xe3 && byte <= 0xed
  if (isWord) kinds[byte] = (isCapital ? byte | 0x20 : byte) | (isCharacter ? beginning : 0) | inWord
  else kinds[byte] = beginning
}

/** Factor to the power of the words of a shingle: the coefficient of the first word when it leaves. */
let leaving = 1
for (let i = 0; i < shingleWords; i++) leaving = Math.imul(leaving, factor)

/** Maximum number of bytes read per page; the rest is ignored. */
const wordsMax = 1 << 17

export class ShingleReader {
  /** `hashes[0] … hashes[count - 1]`, in text order, with repeats; valid until the next page is read. */
  readonly hashes = new Uint32Array(wordsMax)
  count = 0
  /** Hashes of words. */
  readonly #words = new Int32Array(wordsMax)

  /** Reads the text in these byte ranges, given as alternating starts and ends. */
  read(bytes: Uint8Array, ranges: Int32Array, rangesLength: number): void {
    const words = readWords(bytes, ranges, rangesLength, this.#words)
    this.count = rollOver(this.#words, words, this.hashes)
  }
}

/** Branch-free with respect to the text: a branch at each end of a word took 50% longer. */
function readWords(bytes: Uint8Array, ranges: Int32Array, rangesLength: number, words: Int32Array): number {
  let count = 0
  for (let range = 0; range < rangesLength; range += 2) {
    const end = ranges[range + 1]
    let hash = 0
    /** 1 within a word, else 0. */
    let within = 0
    for (let at = ranges[range]; at < end; at++) {
      const kind = kinds[bytes[at]]
      const begins = (kind >>> 8) & 1
      // Values written before a word ends are overwritten.
      words[count] = hash
      count += within & begins
      // All ones if the word continues.
      const same = begins - 1
      hash = Math.imul((hash & same) ^ (kind & 0xff), prime)
      within = kind >>> 9
    }
    words[count] = hash
    count += within
    if (count >= wordsMax) return wordsMax
  }
  return count
}

function rollOver(words: Int32Array, wordCount: number, hashes: Uint32Array): number {
  let rolled = 0
  for (let i = 0; i < Math.min(shingleWords - 1, wordCount); i++) {
    rolled = (Math.imul(rolled, factor) + words[i]) | 0
  }
  const count = Math.max(0, wordCount - shingleWords + 1)
  for (let i = 0; i < count; i++) {
    const left = i === 0 ? 0 : Math.imul(words[i - 1], leaving)
    rolled = (Math.imul(rolled, factor) + words[i + shingleWords - 1] - left) | 0
    let mixed = Math.imul(rolled ^ (rolled >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    hashes[i] = mixed ^ (mixed >>> 16)
  }
  return count
}
