/**
 * Ranks the pages of an index for a query, by BM25+ and a boost per page. The scores equal those of PageIndex,
 * to the last bit: the same formula (that of MiniSearch 7) and the same order of additions, down to the running
 * average of field lengths.
 */
import { stemmedLanguages } from '../../../../web/text/stem.ts'
import type { Query } from '../query.ts'
import { noLanguage, notText } from './documents.ts'
import type { PageColumns } from './page-table.ts'
import type { SegmentReader, TermEntry } from './segment-reader.ts'
import type { TermStems } from './term-stems.ts'
import { countUnit, type SearchedSegment, type UnitCounts } from './unit-counts.ts'

const titleBoost = 2
const k = 1.2
const b = 0.7
const d = 0.5
/** Number of pages used to detect the language. */
const languageSample = 100

interface RankedRow {
  readonly row: number
  readonly score: number
}

interface Ranking {
  /** Number of matching pages; near-duplicates count once. */
  readonly matches: number
  /** The best pages first; ties in discovery order. */
  readonly best: readonly RankedRow[]
}

export class IndexedPages {
  readonly #segments: readonly SegmentReader[]
  readonly #table: PageColumns
  /** By row: the page, the kind of its document, and the numbers of distinct words. */
  readonly #pages: Uint32Array
  /** The rows that are searched, in the order of the archive. */
  readonly #rows: Uint32Array
  readonly #kinds: Uint8Array
  readonly #titleWords: Uint32Array
  readonly #textWords: Uint32Array
  /** Number of searched pages with text. */
  readonly pages: number

  constructor(segments: readonly SegmentReader[], table: PageColumns, withNoindex: boolean) {
    this.#segments = segments
    this.#table = table
    this.#rows = withNoindex ? table.order : firstNumbers(table.indexable)
    this.#pages = new Uint32Array(table.count)
    this.#kinds = new Uint8Array(table.count)
    this.#titleWords = new Uint32Array(table.count)
    this.#textWords = new Uint32Array(table.count)
    const rowOf = this.#rowsOfDocuments()
    let base = 0
    for (const { documents } of segments) {
      for (let document = 0; document < documents.count; document++) {
        const row = rowOf[base + document]
        if (row < 0) continue
        this.#pages[row] = documents.pages[document]
        this.#kinds[row] = documents.kinds[document]
        this.#titleWords[row] = documents.titleWords[document]
        this.#textWords[row] = documents.textWords[document]
      }
      base += documents.count
    }
    let pages = 0
    for (const row of this.#rows) if (this.#kinds[row] !== notText) pages++
    this.pages = pages
  }

  /** The most frequent declared language of the first pages that has a stemmer. */
  language(): string | undefined {
    const declared = new Map<number, number>()
    const sample = this.#rows.subarray(0, languageSample)
    for (const row of sample) {
      const kind = Math.max(this.#kinds[row], noLanguage)
      declared.set(kind, (declared.get(kind) ?? 0) + 1)
    }
    const most = [...declared].find(([, pages]) => pages > sample.length / 2)?.[0] ?? noLanguage
    return most === noLanguage ? undefined : stemmedLanguages[most - noLanguage - 1]
  }

  /** Counts the units of a query. `stems`: by segment; undefined if words are compared as written. */
  count(query: Query, stems: readonly TermStems[] | undefined): CountedQuery {
    const rowOf = this.#rowsOfDocuments()
    const { words, stem } = query
    let base = 0
    const segments = this.#segments.map((reader, i): SearchedSegment => {
      const termsOf = (word: string): readonly TermEntry[] => {
        if (stems !== undefined && stem !== undefined) return [...stems[i].terms(word, reader, stem)]
        const entry = reader.find(Buffer.from(word))
        return entry === undefined ? [] : [entry]
      }
      const found = words.map(termsOf)
      const rows = rowOf.subarray(base, (base += reader.documents.count))
      return { reader, rowOf: rows, terms: (word) => found[word] }
    })
    const units = query.units.map((unit) => countUnit(unit, segments, this.#table.count))
    const isPhrase = query.units.map((unit) => unit.words.length > 1)
    return { units, ...this.#lengths(units.filter((_, i) => isPhrase[i])) }
  }

  /** The row of each document, through all segments; -1: it is not searched. */
  #rowsOfDocuments(): Int32Array {
    const documents = this.#segments.reduce((sum, segment) => sum + segment.documents.count, 0)
    const rowOf = new Int32Array(documents).fill(-1)
    for (const row of this.#rows) rowOf[this.#table.documents[row]] = row
    return rowOf
  }

  /** Lengths of the fields: the number of distinct words, and of distinct phrases of the query. */
  #lengths(phrases: readonly UnitCounts[]): Pick<CountedQuery, 'title' | 'text'> {
    const titleWords = this.#titleWords.slice()
    const textWords = this.#textWords.slice()
    for (const { rows, titles, texts } of phrases) {
      rows.forEach((row, i) => {
        if (titles[i] > 0) titleWords[row]++
        if (texts[i] > 0) textWords[row]++
      })
    }
    let titleAverage = 0
    let textAverage = 0
    let count = 0
    for (const row of this.#rows) {
      if (this.#kinds[row] === notText) continue
      titleAverage = (titleAverage * count + titleWords[row]) / (count + 1)
      textAverage = (textAverage * count + textWords[row]) / (count + 1)
      count++
    }
    return {
      title: { lengths: titleWords, average: titleAverage },
      text: { lengths: textWords, average: textAverage },
    }
  }

  /** The pages with all units, or with any. `boost`, above 0, multiplies the score. */
  ranked(
    { units, title, text }: CountedQuery,
    match: 'all' | 'any',
    boost: (row: number) => number,
    limit: number,
  ): Ranking {
    const scores = new Float64Array(this.#table.count)
    const found = new Uint8Array(this.#table.count)
    for (const { rows, titles, texts } of units) {
      const titleRarity = this.#rarity(titles)
      const textRarity = this.#rarity(texts)
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]
        const boosted = boost(row)
        let score = 0
        if (titles[i] > 0)
          score = titleBoost * boosted * bm25(titles[i], titleRarity, title.lengths[row], title.average)
        if (texts[i] > 0) score += boosted * bm25(texts[i], textRarity, text.lengths[row], text.average)
        scores[row] += score
        found[row]++
      }
    }
    const needed = match === 'all' ? units.length : 1
    const matching = firstNumbers(this.#table.count).filter((row) => found[row] >= needed)
    for (const row of matching) scores[row] *= found[row]
    const order = (a: number, b: number): number => scores[b] - scores[a] || this.#pages[a] - this.#pages[b]
    const rows = this.#folded(matching, order)
    const lowest = lowestOf(rows, scores, limit)
    const best = rows
      .filter((row) => scores[row] >= lowest)
      .sort(order)
      .subarray(0, limit)
    return { matches: rows.length, best: Array.from(best, (row) => ({ row, score: scores[row] })) }
  }

  /** Of near-duplicates, keeps only the best. */
  #folded(rows: Uint32Array, order: (a: number, b: number) => number): Uint32Array {
    const { copies, originals } = this.#table
    const best = new Map<number, number>()
    for (const row of rows) {
      if (copies[row] === 0) continue
      const other = best.get(originals[row])
      if (other === undefined || order(row, other) < 0) best.set(originals[row], row)
    }
    return rows.filter((row) => copies[row] === 0 || best.get(originals[row]) === row)
  }

  /** The logarithm by which rare words count more, from the counts in a field. */
  #rarity(counts: Uint32Array): number {
    let having = 0
    for (const count of counts) if (count > 0) having++
    return Math.log(1 + (this.pages - having + 0.5) / (having + 0.5))
  }
}

interface Field {
  readonly lengths: Uint32Array
  readonly average: number
}

interface CountedQuery {
  readonly units: readonly UnitCounts[]
  readonly title: Field
  readonly text: Field
}

/** The score of the last row that can be among the best. */
function lowestOf(rows: Uint32Array, scores: Float64Array, limit: number): number {
  if (rows.length <= limit) return -Infinity
  const sorted = Float64Array.from(rows, (row) => scores[row]).sort()
  return sorted[sorted.length - limit]
}

function firstNumbers(count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  for (let i = 0; i < count; i++) numbers[i] = i
  return numbers
}

function bm25(count: number, rarity: number, length: number, average: number): number {
  return rarity * (d + (count * (k + 1)) / (count + k * (1 - b + (b * length) / average)))
}
