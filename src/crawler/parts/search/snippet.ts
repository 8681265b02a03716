/** The part of a text that shows the matches best, with their positions. */
import { segmentsOf, wordsOf } from '../../../web/text/words.ts'
import type { Query } from './query.ts'

export interface Snippet {
  readonly text: string
  /** Starts and ends of the matches. */
  readonly found: readonly (readonly [start: number, end: number])[]
}

/** Maximum length; the context of the matches uses what remains. */
const snippetChars = 180
/** A snippet may begin and end this many characters off, to align with a word. */
const slackChars = 24

/** As in words.ts, but for text that is not in compatibility form. */
const run = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\u{AD}]*/gu

interface Places {
  readonly words: string[]
  readonly starts: number[]
  readonly ends: number[]
}

export function snippetOf(pageText: string, query: Query): Snippet {
  // Private-use glyphs are meaningless outside their font; a tag before a comma leaves a space.
  const text = pageText
    .replaceAll(/[\s\p{Co}]+/gu, ' ')
    .replaceAll(/ (?=[,.)])/g, '')
    .trim()
  const { words, starts, ends } = placesOf(text)
  const found: { unit: number; first: number; last: number }[] = []
  query.find(words, (unit, at) => {
    found.push({ unit, first: at, last: at + query.units[unit].words.length - 1 })
  })
  const best = bestStretch(
    found.map(({ unit, first, last }) => ({ unit, start: starts[first], end: ends[last] })),
  )
  const [start, end] = widened(text, best)
  const before = start > 0 ? '… ' : ''
  const marks = new Map<number, number>()
  for (const { first, last } of found) {
    for (let at = first; at <= last; at++) {
      if (starts[at] >= start && ends[at] <= end) marks.set(starts[at], ends[at])
    }
  }
  const shift = before.length - start
  return {
    text: `${before}${text.slice(start, end)}${end < text.length ? ' …' : ''}`,
    found: [...marks].toSorted(([a], [b]) => a - b).map(([from, to]) => [from + shift, to + shift]),
  }
}

/** That of a page's main content, unless its whole text shows more of the query's words: menus have many words. */
export function pageSnippet(main: string, whole: string, query: Query): Snippet {
  const ofWhole = snippetOf(whole, query)
  if (main === '') return ofWhole
  const ofMain = snippetOf(main, query)
  return wordsMarked(ofMain) >= wordsMarked(ofWhole) ? ofMain : ofWhole
}

/** Number of different words of the query in a snippet. */
export function wordsMarked({ text, found }: Snippet): number {
  return new Set(found.map(([start, end]) => text.slice(start, end).toLowerCase())).size
}

interface Found {
  readonly unit: number
  readonly start: number
  readonly end: number
}

/** The first range with the most distinct units and, among these, the most matches. */
function bestStretch(found: readonly Found[]): { start: number; end: number } {
  let best = { start: 0, end: 0 }
  let bestWorth = 0
  let last = 0
  const inside = new Map<number, number>()
  for (let first = 0; first < found.length; first++) {
    const { start } = found[first]
    while (last < found.length && (last === first || found[last].end - start <= snippetChars)) {
      const { unit } = found[last++]
      inside.set(unit, (inside.get(unit) ?? 0) + 1)
    }
    const worth = 100 * inside.size + Math.min(99, last - first)
    if (worth > bestWorth) {
      best = { start, end: found[last - 1].end }
      bestWorth = worth
    }
    const { unit } = found[first]
    const left = inside.get(unit)! - 1
    if (left === 0) inside.delete(unit)
    else inside.set(unit, left)
  }
  return best
}

/** Adds context, a third of it before the range, aligned with words. */
function widened(text: string, { start, end }: { start: number; end: number }): [number, number] {
  const room = Math.max(0, snippetChars - (end - start))
  let from = Math.max(0, start - Math.floor(room / 3))
  let to = Math.min(text.length, from + Math.max(snippetChars, end - start))
  from = Math.max(0, Math.min(from, to - snippetChars))
  if (from > 0) {
    const space = text.indexOf(' ', from - 1)
    if (space !== -1 && space < Math.min(start, from + slackChars)) from = space + 1
    else if (isLowSurrogate(text, from)) from++
  }
  if (to < text.length) {
    const space = text.lastIndexOf(' ', to)
    if (space >= Math.max(end, to - slackChars)) to = space
    else if (isLowSurrogate(text, to)) to--
  }
  return [from, to]
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00

function placesOf(text: string): Places {
  const places: Places = { words: [], starts: [], ends: [] }
  for (const match of text.matchAll(run)) {
    const words = wordsOf(match[0])
    if (words.length > 1) addSegments(places, match[0], match.index)
    else if (words.length === 1) add(places, words[0], match.index, match.index + match[0].length)
  }
  return places
}

/** Segments a run without spaces; each word has its own position. */
function addSegments(places: Places, text: string, offset: number): void {
  for (const { segment, index, isWordLike } of segmentsOf(text)) {
    if (!isWordLike) continue
    for (const word of wordsOf(segment)) add(places, word, offset + index, offset + index + segment.length)
  }
}

function add({ words, starts, ends }: Places, word: string, start: number, end: number): void {
  words.push(word)
  starts.push(start)
  ends.push(end)
}
