/**
 * How often each page has a unit of a query, in title and text, from the postings of all segments. A unit of
 * several words is found by their positions.
 */
import type { Stemmer } from '../../../../web/text/stem.ts'
import type { Columns } from '../columns.ts'
import type { pageColumns } from '../page-table.ts'
import type { Query, Unit } from '../query.ts'
import type { UnitCounts } from '../ranking.ts'
import type { Postings } from './postings.ts'
import { readPostings, type SegmentReader, type TermEntry } from './segment.ts'
import type { TermStems } from './term-stems.ts'

/** A segment as a query uses it. */
interface SearchedSegment {
  /** The row of each document; -1: it is not searched. */
  readonly rowOf: Int32Array
  /** The postings of a word of the query, by its number: one for each of its forms. */
  readonly postings: (word: number, withPositions: boolean) => readonly Postings[]
}

/** The postings of a term, read document by document. */
interface Cursor {
  readonly postings: Postings
  at: number
  positionAt: number
}

/** Counts the units of a query in these rows. `stems`: by segment; undefined if words are compared as written. */
export function countUnits(
  { units, words, stem }: Query,
  segments: readonly SegmentReader[],
  stems: readonly TermStems[] | undefined,
  { document }: Pick<Columns<typeof pageColumns>, 'document'>,
  rows: Uint32Array,
): UnitCounts[] {
  const documents = segments.reduce((sum, { end }) => sum + end.documents, 0)
  const rowOf = new Int32Array(documents).fill(-1)
  for (const row of rows) rowOf[document[row]] = row
  let base = 0
  const searched = segments.map((segment, i): SearchedSegment => {
    const entries = words.map((word) => termsOf(word, segment, stem, stems?.[i]))
    return {
      rowOf: rowOf.subarray(base, (base += segment.end.documents)),
      postings: (word, withPositions) => entries[word].map((entry) => readPostings(entry, withPositions)),
    }
  })
  return units.map((unit) => countUnit(unit, searched, document.length))
}

function termsOf(
  word: string,
  segment: SegmentReader,
  stem: Stemmer | undefined,
  stems: TermStems | undefined,
): readonly TermEntry[] {
  if (stem !== undefined && stems !== undefined) return [...stems.terms(word, segment, stem)]
  const entry = segment.find(word)
  return entry === undefined ? [] : [entry]
}

function countUnit(unit: Unit, segments: readonly SearchedSegment[], rowCount: number): UnitCounts {
  const titles = new Uint32Array(rowCount)
  const texts = new Uint32Array(rowCount)
  for (const segment of segments) {
    if (unit.words.length === 1) countWord(unit.words[0], segment, titles, texts)
    else countPhrase(unit.words, segment, titles, texts)
  }
  const rows = Uint32Array.from({ length: rowCount }, (_, row) => row).filter(
    (row) => titles[row] + texts[row] > 0,
  )
  return { rows, titles: rows.map((row) => titles[row]), texts: rows.map((row) => texts[row]) }
}

function countWord(
  word: number,
  { rowOf, postings }: SearchedSegment,
  titles: Uint32Array,
  texts: Uint32Array,
): void {
  for (const { count, documents, titleCounts, textCounts } of postings(word, false)) {
    for (let i = 0; i < count; i++) {
      const row = rowOf[documents.array[i]]
      if (row < 0) continue
      titles[row] += titleCounts.array[i]
      texts[row] += textCounts.array[i]
    }
  }
}

/** Where positions in a text begin, after those in the title: no phrase spans the gap. */
const textStart = 2 ** 30

function countPhrase(
  words: readonly number[],
  { rowOf, postings }: SearchedSegment,
  titles: Uint32Array,
  texts: Uint32Array,
): void {
  const distinct = [...new Set(words)]
  const cursors = distinct.map((word) =>
    postings(word, true).map((each): Cursor => ({ postings: each, at: 0, positionAt: 0 })),
  )
  const places = distinct.map((): number[] => [])
  const lists = words.map((word) => places[distinct.indexOf(word)])
  for (const document of documentsWithAll(cursors, rowOf)) {
    cursors.forEach((ofWord, i) => gatherPlaces(ofWord, document, places[i]))
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
function gatherPlaces(cursors: readonly Cursor[], document: number, into: number[]): void {
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
