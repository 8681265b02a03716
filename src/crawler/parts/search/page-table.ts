/**
 * The pages of a crawl that can be searched: those whose newest version is text, as columns in the order of the
 * archive, which is the fastest to read. It depends on the whole record, and is made anew when that has grown.
 */
import { stemmedLanguage, stemmedLanguages } from '../../../web/text/stem.ts'
import type { Columns } from './columns.ts'
import type { Query } from './query.ts'
import type { UnitCounts } from './ranking.ts'

/** What identifies a version of a page: its position in the archive never changes. */
export const versionColumns = {
  offset: Float64Array,
  /** The number of the file in `files` of the table. */
  file: Uint32Array,
} as const

export const pageColumns = {
  pageRank: Float64Array,
  /** Where the URL begins in the file of a table. */
  urlStart: Float64Array,
  ...versionColumns,
  page: Uint32Array,
  /** In the index; numbered through all segments. */
  document: Uint32Array,
  /** The page that was fetched first of those with nearly the same text, and how many others there are. */
  original: Uint32Array,
  copies: Uint32Array,
  depth: Uint32Array,
  /** Number of distinct words. */
  titleWords: Uint32Array,
  textWords: Uint32Array,
  kind: Uint8Array,
  noindex: Uint8Array,
} as const

/** Kinds of pages: not text, text, and from 2 on text in a language that has a stemmer. */
export const notText = 0
export const otherText = 1
export const firstLanguage = 2

export function kindOf(language: string | undefined): number {
  const code = stemmedLanguage(language ?? '')
  return code === undefined ? otherText : firstLanguage + stemmedLanguages.indexOf(code)
}

export interface PageTable {
  readonly count: number
  readonly columns: Columns<typeof pageColumns>
  /** The names of WARC files. */
  readonly files: readonly string[]
  /** PageRanks of the lowest and the highest of all known pages. */
  readonly lowest: number
  readonly highest: number
  url(row: number): string
}

/** The pages that a search looks at: by the index, or one by one. */
export interface SearchedPages {
  readonly table: PageTable
  /** Reads the kinds of these rows, if the table does not have them yet. */
  readKinds?(rows: Uint32Array): void
  /** How often these rows have each unit of the query, whose stems are of this language. */
  count(query: Query, language: string | undefined, rows: Uint32Array): Promise<UnitCounts[]>
}
