/**
 * How often each page has a unit of a query, in title and text, from the postings of all segments. A unit of
 * several words is found by their positions.
 */
import type { Unit } from '../query.ts'
import { Postings } from './postings.ts'
import type { SegmentReader, TermEntry } from './segment-reader.ts'

/** The rows that have a unit, ascending, with its counts. */
export interface UnitCounts {
  readonly rows: Uint32Array
  readonly titles: Uint32Array
  readonly texts: Uint32Array
}

/** A segment as a query uses it. */
export interface SearchedSegment {
  readonly reader: SegmentReader
  /** The row of each document; -1: it is not searched. */
  readonly rowOf: Int32Array
  /** The terms for a word of the query, by its number. */
  readonly terms: (word: number) => readonly TermEntry[]
}

/** The postings of a term, read document by document. */
interface Cursor {
  readonly postings: Postings
  at: number
  positionAt: number
}

export function countUnit(unit: Unit, segments: readonly SearchedSegment[], rowCount: number): UnitCounts {
  const titles = new Uint32Array(rowCount)
  const texts = new Uint32Array(rowCount)
  for (const segment of segments) {
    if (unit.words.length === 1) countWord(unit.words[0], segment, titles, texts)
    else countPhrase(unit.words, segment, titles, texts)
  }
  let count = 0
  for (let row = 0; row < rowCount; row++) if (titles[row] + texts[row] > 0) count++
  const counts = {
    rows: new Uint32Array(count),
    titles: new Uint32Array(count),
    texts: new Uint32Array(count),
  }
  for (let row = 0, at = 0; at < count; row++) {
    if (titles[row] + texts[row] === 0) continue
    counts.rows[at] = row
    counts.titles[at] = titles[row]
    counts.texts[at++] = texts[row]
  }
  return counts
}

function countWord(word: number, segment: SearchedSegment, titles: Uint32Array, texts: Uint32Array): void {
  const postings = new Postings()
  for (const entry of segment.terms(word)) {
    segment.reader.read(entry, false, postings)
    for (let i = 0; i < postings.count; i++) {
      const row = segment.rowOf[postings.documents.array[i]]
      if (row < 0) continue
      titles[row] += postings.titleCounts.array[i]
      texts[row] += postings.textCounts.array[i]
    }
  }
}

function countPhrase(
  words: readonly number[],
  { reader, rowOf, terms }: SearchedSegment,
  titles: Uint32Array,
  texts: Uint32Array,
): void {
  const distinct = [...new Set(words)]
  const entries = distinct.map((word) => terms(word))
  if (entries.some((ofWord) => ofWord.length === 0)) return
  const cursors = entries.map((ofWord) =>
    ofWord.map((entry): Cursor => {
      const postings = new Postings()
      reader.read(entry, true, postings)
      return { postings, at: 0, positionAt: 0 }
    }),
  )
  const { titleTokens } = reader.documents
  const places = distinct.map((): number[] => [])
  const lists = words.map((word) => places[distinct.indexOf(word)])
  for (const document of documentsWithAll(cursors, rowOf)) {
    // Positions in the text follow those in the title, with a gap that no phrase can span.
    const textStart = titleTokens[document] + words.length
    cursors.forEach((ofWord, i) => gatherPlaces(ofWord, document, textStart, places[i]))
    const row = rowOf[document]
    countRuns(lists, (start) => {
      if (start < textStart) titles[row]++
      else texts[row]++
    })
  }
}

/** The searched documents that have all words, ascending. */
function documentsWithAll(cursors: readonly Cursor[][], rowOf: Int32Array): number[] {
  const seen = new Uint8Array(rowOf.length)
  cursors.forEach((ofWord, i) => {
    for (const { postings } of ofWord) {
      for (let at = 0; at < postings.count; at++) {
        const document = postings.documents.array[at]
        if (seen[document] === i) seen[document] = i + 1
      }
    }
  })
  const all: number[] = []
  for (let document = 0; document < seen.length; document++)
    if (seen[document] === cursors.length && rowOf[document] >= 0) all.push(document)
  return all
}

/** The positions of a word, under any of its forms, in a document that is not before the last one. */
function gatherPlaces(cursors: readonly Cursor[], document: number, textStart: number, into: number[]): void {
  into.length = 0
  let forms = 0
  for (const cursor of cursors) {
    const { documents, titleCounts, textCounts, positions } = cursor.postings
    while (cursor.at < cursor.postings.count && documents.array[cursor.at] < document) {
      cursor.positionAt += titleCounts.array[cursor.at] + textCounts.array[cursor.at]
      cursor.at++
    }
    if (cursor.at === cursor.postings.count || documents.array[cursor.at] !== document) continue
    forms++
    const inTitle = titleCounts.array[cursor.at]
    const count = inTitle + textCounts.array[cursor.at]
    for (let i = 0; i < count; i++)
      into.push(positions.array[cursor.positionAt + i] + (i < inTitle ? 0 : textStart))
  }
  if (forms > 1) into.sort((a, b) => a - b)
}

/** Calls `found` for each number in the first list whose successors are in the other lists. */
function countRuns(lists: readonly (readonly number[])[], found: (start: number) => void): void {
  const at = lists.map(() => 0)
  for (const start of lists[0]) {
    let isRun = true
    for (let i = 1; i < lists.length && isRun; i++) {
      const list = lists[i]
      while (at[i] < list.length && list[at[i]] < start + i) at[i]++
      isRun = list[at[i]] === start + i
    }
    if (isRun) found(start)
  }
}
