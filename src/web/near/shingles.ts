/**
 * The shingles of a text: every four consecutive words, each as a 32-bit hash (Broder et al., "Syntactic
 * Clustering of the Web", 1997; IIR 19.6). The similarity of two pages is the overlap of their sets of
 * shingles.
 *
 * Hashes of shingles are rolling polynomials of the hashes of words (web/text/word-hashes.ts), mixed at the end. Two
 * different shingles collide with probability 2^-32, far below the precision of a sketch.
 */
import type { WordHashes } from '../text/word-hashes.ts'

/** Words per shingle. */
export const shingleWords = 4

/** Factor of the polynomial; odd, so that no information is lost. */
const factor = 0x9e3779b1

/** Factor to the power of the words of a shingle: the coefficient of the first word when it leaves. */
let leaving = 1
for (let i = 0; i < shingleWords; i++) leaving = Math.imul(leaving, factor)

export class ShingleReader {
  /** `hashes[0] … hashes[count - 1]`, in text order, with repeats; valid until the next page is read. */
  hashes = new Uint32Array(1024)
  count = 0

  read({ hashes: words, count }: WordHashes): void {
    if (this.hashes.length < count) this.hashes = new Uint32Array(2 * count)
    this.count = rollOver(words, count, this.hashes)
  }
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
