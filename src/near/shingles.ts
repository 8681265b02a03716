/**
 * The shingles of a text: every four words in a row, each as a 32-bit hash (Broder et al., "Syntactic Clustering of the
 * Web", 1997; IIR 19.6). Two pages are as similar as their sets of shingles overlap.
 *
 * A word is a run of ASCII letters (large or small) and digits and of bytes above them; each of the characters that are
 * written without spaces between words, Chinese, Japanese and Korean ones in UTF-8, begins one. A tag ends a word.
 * References such as &eacute; are not resolved: they are the same on both pages, or the words differ.
 *
 * Hashes of words are FNV-1a's from 0 on, which a separator, read as a zero, leaves at 0; those of shingles are
 * polynomials of them that roll over the text, mixed at the end. Two different shingles meet with a chance of 2^-32,
 * which is far below what a sketch can tell.
 */

/** Words of a shingle. */
export const shingleWords = 4

const prime = 0x01000193
/** Of the polynomial; odd, so that nothing is lost. */
const factor = 0x9e3779b1

/**
 * For each byte: what is hashed of it, letters made small; whether it begins a word, whatever stands before it; and
 * whether it is part of one at all.
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

/** Factor to the power of the words of a shingle: what its first word has become when it leaves. */
let leaving = 1
for (let i = 0; i < shingleWords; i++) leaving = Math.imul(leaving, factor)

/** Of a page: what stands behind them is not looked at. */
const wordsMax = 1 << 17

export class ShingleReader {
  /** `hashes[0] … hashes[count - 1]`, in the order of the text, with repeats; good until the next page is read. */
  readonly hashes = new Uint32Array(wordsMax)
  count = 0
  /** Hashes of words. */
  readonly #words = new Int32Array(wordsMax)

  /** Reads the text that stands in these ranges of bytes: starts and ends in turn. */
  read(bytes: Uint8Array, ranges: Int32Array, rangesLength: number): void {
    const words = readWords(bytes, ranges, rangesLength, this.#words)
    this.count = rollOver(this.#words, words, this.hashes)
  }
}

/** No branch depends on the text: one for each end of a word took half as long again. */
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
      // What is written while no word ends is written over.
      words[count] = hash
      count += within & begins
      // All ones where the word goes on.
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
