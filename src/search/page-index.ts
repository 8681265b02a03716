/**
 * What a search has of the pages: an index by MiniSearch, which ranks them by BM25+ (Lv and Zhai, 2011), titles and texts apart.
 *
 * A search reads every page anyway and wants a few words, not all. MiniSearch takes a page's length from its tokens and only then asks
 * what term each stands for; one that is not searched for stands for none, and is counted but not kept. So the scores are those of an
 * index of all words, and the memory is that of a few: about 300 bytes a page.
 */
import MiniSearch from 'minisearch'
import { wordsOf } from '../text/words.ts'
import type { PageText } from './page-text.ts'
import { none, type Query } from './query.ts'

/** What a word in the title counts beside one in the text. */
const titleBoost = 2
/** Begins a token that is a row of words; no word begins with it. */
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

  /** Kept, whatever the pages say: units at most. */
  get terms(): number {
    return this.#index.termCount
  }

  /** A page is added once. */
  add(page: number, { title, text }: PageText): void {
    this.#index.add({ id: page, title, text })
  }

  /** Pages with all units, or with any; the best first, of equals the one that was found first. `boost`, above 0, is a factor to the score. */
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

  /** The words, and for each place where several of them are a unit one token more. */
  #tokens(text: string): string[] {
    const words = wordsOf(text)
    const rows: string[] = []
    this.#query.findRows(words, (unit) => rows.push(rowMark + unit))
    return rows.length === 0 ? words : words.concat(rows)
  }

  /** The unit that a token is; null: none. */
  #term(token: string): string | null {
    if (token.startsWith(rowMark)) return token.slice(rowMark.length)
    const unit = this.#query.unitOf(token)
    return unit === none ? null : String(unit)
  }
}
