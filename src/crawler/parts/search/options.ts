/** The options and results of a search. */
import { on } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import { callback, checkOptions, flag, ofKind, type OptionChecks } from '../../../lib/option-checks.ts'
import type { Progress } from '../../../lib/progress.ts'
import { anyText, atLeast, oneOf, whole } from '../../../lib/value-kinds.ts'

export const resultsShown = 10
export const defaultRankWeight = 0.5

export interface SearchOptions {
  /** Maximum number of results. Default: 10. */
  readonly limit?: number | undefined
  /** Return pages with all units, or with any. Default: all, or any if no page has all. */
  readonly match?: 'all' | 'any' | undefined
  /**
   * The language of the stemmer; `none`: compare words as written. Default: the language that most pages
   * declare.
   */
  readonly language?: string | undefined
  /** The weight of PageRank relative to the text: 0 none, 1 up to as much again. Default: 0.5. */
  readonly rankWeight?: number | undefined
  /** Include pages marked noindex. */
  readonly noindex?: boolean | undefined
  /** Keep an index in the crawl's folder and use it. `false`: read every archived page. Default: true. */
  readonly index?: boolean | undefined
  readonly progress?: Progress | undefined
}

export interface SearchResult {
  readonly url: string
  /** Title and snippet are taken from the page; control characters are not removed. */
  readonly title: string
  readonly snippet: string
  /** Starts and ends of the matches in the snippet. */
  readonly found: readonly (readonly [start: number, end: number])[]
  readonly score: number
  /** The score of the text alone: BM25+ as in MiniSearch. */
  readonly bm25: number
  /** Sums to 1 over all known pages. */
  readonly pageRank: number
  /** Links from a seed. */
  readonly depth: number
  /** Number of other pages of the crawl with the same or nearly the same text. */
  readonly copies: number
}

export interface SearchResults {
  readonly query: string
  /** The units of the query: words and phrases. */
  readonly units: readonly string[]
  /** Number of pages searched, excluding copies. */
  readonly pages: number
  /** Number of matching pages; near-duplicates count once. */
  readonly matches: number
  readonly match: 'all' | 'any'
  /** Language of the stemmer. */
  readonly language: string | undefined
  readonly results: readonly SearchResult[]
  /** A sentence about the index: why it was not used, or that it was damaged and built again. */
  readonly notice?: string | undefined
}

const checks: OptionChecks<SearchOptions> = {
  limit: ofKind(whole(1)),
  match: ofKind(oneOf(['all', 'any'])),
  language: ofKind(anyText('a language code such as en, or none')),
  rankWeight: ofKind(atLeast(0)),
  noindex: flag,
  index: flag,
  progress: callback,
}

export function checkSearchOptions(options: SearchOptions): void {
  checkOptions('search', options, checks)
}

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

const rows = {
  /** Keep a search index while crawling; otherwise the first search builds it. Default: false. */
  index: on('keep a search index while crawling, so that the first search is fast too', {
    level: 'config',
  }),
} satisfies Rows

export const indexOptions: OptionSet = {
  heading: 'Output:',
  rows,
  contradictions: [{ one: 'warc', other: 'index', why: 'contradict each other: leave one of them out' }],
}
