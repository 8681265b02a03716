/**
 * The words of a text, each as a 32-bit hash, in order. Sketches of near-duplicates and the pairs of trap detection are
 * made of them, so a page's text is split into words once.
 *
 * A word is a run of ASCII letters (case-insensitive), digits and non-ASCII bytes. In scripts without spaces
 * between words (Chinese, Japanese and Korean, in UTF-8) each character begins a word. A tag ends a word.
 * References such as &eacute; are not decoded: they are the same on both pages, or the words differ.
 *
 * Words are hashed with FNV-1a starting at 0, which a separator, read as zero, leaves at 0.
 */

const prime = 0x01000193

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

/** Words read per page; the rest is ignored. */
const wordsMax = 1 << 17

export class WordHashes {
  /** `hashes[0] … hashes[count - 1]`; valid until the next text is read. */
  readonly hashes = new Int32Array(wordsMax)
  count = 0

  /** Reads the text in these byte ranges, given as alternating starts and ends. */
  read(bytes: Uint8Array, ranges: Int32Array, rangesLength: number): this {
    this.count = readWords(bytes, ranges, rangesLength, this.hashes)
    return this
  }

  /** Reads a text without markup. */
  readAll(bytes: Uint8Array): this {
    return this.read(bytes, Int32Array.of(0, bytes.length), 2)
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
