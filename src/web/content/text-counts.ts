/** Counts of the text of a block, taken while the page is read; nothing is decoded. */
import { charClasses, commaChar, digitChar, ideograph, spaceChar, stopChar } from './characters.ts'
import { upperChar, wordChar } from './characters.ts'
import { hashLetter, nameSeed } from './tags.ts'
import type { WordWeights } from './word-weights.ts'

export class TextState {
  readonly weights: WordWeights
  words = 0
  linkWords = 0
  /** Without white space. */
  chars = 0
  stops = 0
  commas = 0
  upperWords = 0
  digitWords = 0
  /** Of all words, in order, ignoring case. */
  hash = 0
  lastChar = 0
  /** Sum of the evidence of its words. */
  score = 0

  constructor(weights: WordWeights) {
    this.weights = weights
  }

  clear(): void {
    this.words = this.linkWords = this.chars = this.stops = this.commas = 0
    this.upperWords = this.digitWords = this.hash = this.lastChar = this.score = 0
  }
}

/** Running text: sentences that are not mostly links. */
export function isProse(text: {
  readonly words: number
  readonly linkWords: number
  readonly stops: number
  readonly commas: number
}): boolean {
  return text.words >= 10 && text.stops + text.commas > 0 && text.linkWords * 3 < text.words
}

const ampersand = 38
const semicolon = 59
const referenceCharsMax = 10

/** Adds a piece of a page. Returns whether it has anything but white space. */
export function countText(
  state: TextState,
  html: string,
  start: number,
  end: number,
  inLink: boolean,
): boolean {
  const { weights } = state
  let { words, chars, stops, commas, upperWords, digitWords, hash, lastChar, score } = state
  let word = nameSeed
  let inWord = false
  for (let at = start; at < end; at++) {
    const code = html.charCodeAt(at)
    const kind = charClasses[code]
    if ((kind & wordChar) !== 0) {
      chars++
      if (!inWord || (kind & ideograph) !== 0) {
        inWord = true
        words++
        if ((kind & upperChar) !== 0) upperWords++
        if ((kind & digitChar) !== 0) digitWords++
      }
      word = hashLetter(word, code)
      lastChar = code
      continue
    }
    if (inWord) {
      score += weights.of(word)
      hash = (Math.imul(hash, 33) + word) | 0
      word = nameSeed
      inWord = false
    }
    if ((kind & spaceChar) !== 0) continue
    if (code === ampersand) {
      const to = referenceEnd(html, at + 1, Math.min(end, at + referenceCharsMax))
      if (to !== -1) {
        if (!isSpaceReference(html, at)) chars++
        at = to
        continue
      }
    }
    chars++
    lastChar = code
    if ((kind & stopChar) !== 0) stops++
    else if ((kind & commaChar) !== 0) commas++
  }
  if (inWord) {
    score += weights.of(word)
    hash = (Math.imul(hash, 33) + word) | 0
  }
  if (inLink) state.linkWords += words - state.words
  const hasText = chars > state.chars
  state.words = words
  state.chars = chars
  state.stops = stops
  state.commas = commas
  state.upperWords = upperWords
  state.digitWords = digitWords
  state.hash = hash
  state.lastChar = lastChar
  state.score = score
  return hasText
}

function isSpaceReference(html: string, at: number): boolean {
  return html.startsWith('nbsp;', at + 1) || html.startsWith('#160;', at + 1)
}

/** The position of the semicolon of a character reference; -1 if there is none. */
function referenceEnd(html: string, start: number, end: number): number {
  for (let at = start; at < end; at++) if (html.charCodeAt(at) === semicolon) return at
  return -1
}
