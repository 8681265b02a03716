/** What a search can be asked, and what it answers. */
import { callback, checkOptions, flag, ofKind, type OptionChecks } from '../lib/option-checks.ts'
import type { Progress } from '../lib/progress.ts'
import { anyText, atLeast, oneOf, whole } from '../lib/value-kinds.ts'

export const resultsShown = 10
export const defaultRankWeight = 0.5

export interface SearchOptions {
  /** Results at most; default 10. */
  readonly limit?: number | undefined
  /** Pages with all that is searched for, or with any of it. Default: all, and any where no page has all. */
  readonly match?: 'all' | 'any' | undefined
  /** Whose stems are compared; `none`: words as they are. Default: the language that most pages declare. */
  readonly language?: string | undefined
  /** What PageRank counts beside the text: 0 nothing, 1 up to as much again. Default 0.5. */
  readonly rankWeight?: number | undefined
  /** Search pages too that ask not to be indexed? */
  readonly noindex?: boolean | undefined
  readonly progress?: Progress | undefined
}

export interface SearchResult {
  readonly url: string
  /** Title and snippet are the page's own: control characters are left in. */
  readonly title: string
  readonly snippet: string
  /** Starts and ends in the snippet of what was found. */
  readonly found: readonly (readonly [start: number, end: number])[]
  readonly score: number
  /** What the text alone is worth: BM25+ as MiniSearch has it. */
  readonly bm25: number
  /** Of all known pages it sums up to 1. */
  readonly pageRank: number
  /** Links from a seed. */
  readonly depth: number
  /** Other pages of the crawl that say the same, or nearly. */
  readonly copies: number
}

export interface SearchResults {
  readonly query: string
  /** What was searched for: words and rows of words. */
  readonly units: readonly string[]
  /** Pages that were searched; copies of another are not. */
  readonly pages: number
  /** Those that have what was searched for, of several that say nearly the same only one. */
  readonly matches: number
  readonly match: 'all' | 'any'
  /** Whose stems were compared. */
  readonly language: string | undefined
  readonly results: readonly SearchResult[]
}

const checks: OptionChecks<SearchOptions> = {
  limit: ofKind(whole(1)),
  match: ofKind(oneOf(['all', 'any'])),
  language: ofKind(anyText('a language code such as en, or none')),
  rankWeight: ofKind(atLeast(0)),
  noindex: flag,
  progress: callback,
}

export function checkSearchOptions(options: SearchOptions): void {
  checkOptions('search', options, checks)
}
