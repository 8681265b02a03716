import { hashLetter, nameSeed } from './tags.ts'

/** Evidence of words: the log-odds that text with this word is main content, by the word's hash. Open addressing. */
export class WordWeights {
  readonly #mask: number
  readonly #keys: Int32Array
  readonly #weights: Float32Array

  /** `weights[i]` belongs to the word whose hash is `keys[i]`. */
  constructor(keys: ArrayLike<number>, weights: ArrayLike<number>) {
    let size = 16
    while (size < keys.length * 3) size *= 2
    this.#mask = size - 1
    this.#keys = new Int32Array(size)
    this.#weights = new Float32Array(size)
    for (let i = 0; i < keys.length; i++) {
      let at = mixed(keys[i]) & this.#mask
      while (this.#keys[at] !== 0) at = (at + 1) & this.#mask
      this.#keys[at] = keys[i]
      this.#weights[at] = weights[i]
    }
  }

  /** 0 for a word without evidence. */
  of(hash: number): number {
    const keys = this.#keys
    for (let at = mixed(hash) & this.#mask; ; at = (at + 1) & this.#mask) {
      const key = keys[at]
      if (key === hash) return this.#weights[at]
      if (key === 0) return 0
    }
  }
}

function mixed(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1)
  return product ^ (product >>> 15)
}

/** Evidence of words in a block's text, and of the words that class and id names are made of. */
export interface Evidence {
  readonly words: WordWeights
  readonly classes: WordWeights
}

/** Longer names are cut: utility classes can fill a page. */
const nameCharsMax = 400

/** Calls back with the hash of each word of class or id names: `postBody-main` has post, body and main. */
export function eachNameWord(names: string, word: (hash: number, start: number, end: number) => void): void {
  const length = Math.min(names.length, nameCharsMax)
  let hash = nameSeed
  let start = 0
  let wasLower = false
  for (let at = 0; at <= length; at++) {
    const code = at < length ? names.charCodeAt(at) : 32
    const isUpper = code >= 65 && code <= 90
    const isLetter = isUpper || (code >= 97 && code <= 122)
    if ((!isLetter || (isUpper && wasLower)) && at > start) {
      if (at - start > 1) word(hash, start, at)
      hash = nameSeed
      start = at
    }
    if (isLetter) hash = hashLetter(hash, code)
    else start = at + 1
    wasLower = isLetter && !isUpper
  }
}

export function classScoreOf(names: string, weights: WordWeights): number {
  let score = 0
  eachNameWord(names, (hash) => {
    score += weights.of(hash)
  })
  return score
}
