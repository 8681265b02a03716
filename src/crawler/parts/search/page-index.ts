/**
 * An index of the pages by MiniSearch, which ranks them by BM25+ (Lv and Zhai, 2011), with titles and texts
 * as separate fields.
 *
 * A search reads every page anyway and needs only the words of the query. MiniSearch takes the length of a
 * page from its tokens before it maps each to a term; a token outside the query maps to none, and is counted
 * but not stored. So the scores equal those of a full index, with the memory for a few words: about 300 bytes
 * per page.
 */
import MiniSearch from 'minisearch'
import { wordsOf } from '../../../web/text/words.ts'
import type { PageText } from '../archive/page-text.ts'
import { none, type Query } from './query.ts'

/** Weight of a word in the title relative to one in the text. */
const titleBoost = 2
/** Prefix of a token for a phrase; no word begins with it. */
const rowMark = ' '

interface IndexedPage extends PageText {
  readonly id: number
}

export interface RankedPage {
  readonly page: number
  readonly score: number
}

export class PageIndex {
  readonly #query: Query
  readonly #index: MiniSearch<IndexedPage>

  constructor(query: Query) {
    this.#query = query
    this.#index = new MiniSearch({
      fields: ['title', 'text'],
      tokenize: (text) => this.#tokens(text),
      processTerm: (token) => this.#term(token),
    })
  }

  get pages(): number {
    return this.#index.documentCount
  }

  /** Bounded by the number of units, regardless of the pages. */
  get terms(): number {
    return this.#index.termCount
  }

  /** A page is added once. */
  add(page: number, { title, text }: PageText): void {
    this.#index.add({ id: page, title, text })
  }

  /**
   * Pages with all units, or with any, the best first; ties in discovery order. `boost`, above 0, multiplies
   * the score.
   */
  ranked(match: 'all' | 'any', boost: (page: number) => number): RankedPage[] {
    return this.#index
      .search(
        { queries: this.#query.units.map((_, unit) => String(unit)) },
        {
          tokenize: (unit) => [unit],
          processTerm: (unit) => unit,
          combineWith: match === 'all' ? 'AND' : 'OR',
          boost: { title: titleBoost },
          boostDocument: boost,
        },
      )
      .map(({ id, score }) => ({ page: id as number, score }))
      .toSorted((a, b) => b.score - a.score || a.page - b.page)
  }

  /** The words, and one more token for each occurrence of a unit of several words. */
  #tokens(text: string): string[] {
    const words = wordsOf(text)
    const rows: string[] = []
    this.#query.findRows(words, (unit) => rows.push(rowMark + unit))
    return rows.length === 0 ? words : words.concat(rows)
  }

  /** The unit of a token; null if none. */
  #term(token: string): string | null {
    if (token.startsWith(rowMark)) return token.slice(rowMark.length)
    const unit = this.#query.unitOf(token)
    return unit === none ? null : String(unit)
  }
}
