/**
 * Ranks pages for a query by BM25+ (Lv and Zhai, 2011), with titles and texts as separate fields, and by PageRank.
 * Formula and order of additions are those of MiniSearch 7, down to the running average of field lengths.
 */
import { notText, type PageTable } from './page-table.ts'
import type { Query } from './query.ts'

/** Weight of a word in the title relative to one in the text. */
const titleBoost = 2
const k = 1.2
const b = 0.7
const d = 0.5

/** The rows that have a unit of the query, ascending, with its counts in title and text. */
export interface UnitCounts {
  readonly rows: Uint32Array
  readonly titles: Uint32Array
  readonly texts: Uint32Array
}

interface RankedRow {
  readonly row: number
  readonly score: number
}

interface Ranked {
  /** Number of matching pages; near-duplicates count once. */
  readonly matches: number
  /** The best pages first; ties in discovery order. */
  readonly best: readonly RankedRow[]
}

interface Field {
  readonly lengths: Uint32Array
  readonly average: number
}

export class Ranking {
  /** Number of searched pages with text. */
  readonly pages: number
  readonly #table: PageTable
  readonly #rows: Uint32Array
  readonly #units: readonly UnitCounts[]
  readonly #rankWeight: number
  readonly #title: Field
  readonly #text: Field

  /** `rows`: those that are searched. `units`: the counts of each unit of the query in them. */
  constructor(
    table: PageTable,
    rows: Uint32Array,
    query: Query,
    units: readonly UnitCounts[],
    rankWeight: number,
  ) {
    this.#table = table
    this.#rows = rows.filter((row) => table.columns.kind[row] !== notText)
    this.#units = units
    this.#rankWeight = rankWeight
    this.pages = this.#rows.length
    const phrases = units.filter((_, i) => query.units[i].words.length > 1)
    this.#title = this.#field(table.columns.titleWords, phrases, 'titles')
    this.#text = this.#field(table.columns.textWords, phrases, 'texts')
  }

  /** 1 for the lowest PageRank of all known pages, up to 1 + the weight of PageRank for the highest. */
  boost(row: number): number {
    const { lowest, highest, columns } = this.#table
    const spread = Math.log(highest / lowest)
    return spread > 0 ? 1 + this.#rankWeight * (Math.log(columns.pageRank[row] / lowest) / spread) : 1
  }

  /** The pages with all units, or with any. */
  ranked(match: 'all' | 'any', limit: number): Ranked {
    const { count, columns } = this.#table
    const scores = new Float64Array(count)
    const found = new Uint8Array(count)
    for (const unit of this.#units) this.#addScores(unit, scores, found)
    const needed = match === 'all' ? this.#units.length : 1
    const matching = this.#rows.filter((row) => found[row] >= needed)
    for (const row of matching) scores[row] *= found[row]
    const order = (one: number, other: number): number =>
      scores[other] - scores[one] || columns.page[one] - columns.page[other]
    const rows = this.#folded(matching, order)
    const lowest = lowestOf(rows, scores, limit)
    const best = rows
      .filter((row) => scores[row] >= lowest)
      .sort(order)
      .subarray(0, limit)
    return { matches: rows.length, best: Array.from(best, (row) => ({ row, score: scores[row] })) }
  }

  #addScores({ rows, titles, texts }: UnitCounts, scores: Float64Array, found: Uint8Array): void {
    const titleRarity = this.#rarity(titles)
    const textRarity = this.#rarity(texts)
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]
      const boost = this.boost(row)
      let score = 0
      if (titles[i] > 0) score = titleBoost * boost * bm25(titles[i], titleRarity, row, this.#title)
      if (texts[i] > 0) score += boost * bm25(texts[i], textRarity, row, this.#text)
      scores[row] += score
      found[row]++
    }
  }

  /** Lengths of a field: the number of distinct words, and of distinct phrases of the query. */
  #field(words: Uint32Array, phrases: readonly UnitCounts[], counts: 'titles' | 'texts'): Field {
    const lengths = words.slice()
    for (const phrase of phrases)
      phrase.rows.forEach((row, i) => (lengths[row] += phrase[counts][i] > 0 ? 1 : 0))
    let average = 0
    this.#rows.forEach((row, i) => (average = (average * i + lengths[row]) / (i + 1)))
    return { lengths, average }
  }

  /** Of near-duplicates, keeps only the best. */
  #folded(rows: Uint32Array, order: (one: number, other: number) => number): Uint32Array {
    const { copies, original } = this.#table.columns
    const best = new Map<number, number>()
    for (const row of rows) {
      if (copies[row] === 0) continue
      const other = best.get(original[row])
      if (other === undefined || order(row, other) < 0) best.set(original[row], row)
    }
    return rows.filter((row) => copies[row] === 0 || best.get(original[row]) === row)
  }

  /** The logarithm by which rare words count more, from the counts in a field. */
  #rarity(counts: Uint32Array): number {
    let having = 0
    for (const count of counts) if (count > 0) having++
    return Math.log(1 + (this.pages - having + 0.5) / (having + 0.5))
  }
}

/** The score of the last row that can be among the best. */
function lowestOf(rows: Uint32Array, scores: Float64Array, limit: number): number {
  if (rows.length <= limit) return -Infinity
  const sorted = Float64Array.from(rows, (row) => scores[row]).sort()
  return sorted[sorted.length - limit]
}

function bm25(count: number, rarity: number, row: number, { lengths, average }: Field): number {
  return rarity * (d + (count * (k + 1)) / (count + k * (1 - b + (b * lengths[row]) / average)))
}
