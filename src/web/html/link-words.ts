/** The relevant words of rel, name, http-equiv and type, read from bytes, ignoring case. */
import { ascii, classes, lowerCase, whiteSpace } from './bytes.ts'
import { nofollowFlag, sponsoredFlag, ugcFlag } from './marks.ts'

/** Bits of `relWords` beside the three flags of a mark. */
export const relCanonical = 8
export const relNext = 16
export const relPrev = 32
export const relAlternate = 64
export const relFlags = nofollowFlag | ugcFlag | sponsoredFlag

const relWords: [Uint8Array, number][] = [
  [ascii('nofollow'), nofollowFlag],
  [ascii('ugc'), ugcFlag],
  [ascii('sponsored'), sponsoredFlag],
  [ascii('canonical'), relCanonical],
  [ascii('next'), relNext],
  [ascii('prev'), relPrev],
  [ascii('previous'), relPrev],
  [ascii('alternate'), relAlternate],
]

/** The words of a rel attribute, as bits. */
export function relOf(bytes: Uint8Array, start: number, end: number): number {
  let bits = 0
  let at = start
  while (at < end) {
    while (at < end && (classes[bytes[at]] & whiteSpace) !== 0) at++
    const wordStart = at
    while (at < end && (classes[bytes[at]] & whiteSpace) === 0) at++
    if (at > wordStart) bits |= relBit(bytes, wordStart, at)
  }
  return bits
}

function relBit(bytes: Uint8Array, start: number, end: number): number {
  for (const [word, bit] of relWords) if (isWord(bytes, start, end, word)) return bit
  return 0
}

/** Whether this range is the word, ignoring case. */
export function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++)
    if ((bytes[start + i] | lowerCase) !== (word[i] | lowerCase)) return false
  return true
}

/** The same with surrounding white space. */
export function isWordTrimmed(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  let from = start
  let to = end
  while (from < to && (classes[bytes[from]] & whiteSpace) !== 0) from++
  while (to > from && (classes[bytes[to - 1]] & whiteSpace) !== 0) to--
  return isWord(bytes, from, to, word)
}

const feedTypes = ['application/rss+xml', 'application/atom+xml', 'application/feed+json'].map(ascii)
const semicolon = 0x3b

/** Whether this media type, with or without parameters, is that of a feed. */
export function isFeedType(bytes: Uint8Array, start: number, end: number): boolean {
  let to = start
  while (to < end && bytes[to] !== semicolon) to++
  return feedTypes.some((type) => isWordTrimmed(bytes, start, to, type))
}
