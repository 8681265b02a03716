/**
 * Full-text search in a crawl; the best pages first.
 *
 *   WARC files ─▶ text ─▶ words ─▶ index of all words (index/) ─▶ BM25+ ─┐
 *   record ──▶ links of fetched pages ─▶ PageRank ─────────────────────────┴▶ score = text × (1 + w · r)
 *
 * r is a page's PageRank on a logarithmic scale, from 0 for the lowest of the known pages to 1 for the
 * highest: PageRanks span orders of magnitude, and the home page should not come first for every query.
 *
 * The index is kept in the crawl's folder. Where it cannot be, every page is read once per search
 * (scanned-search.ts), with the same results.
 */
import { CrawlFolder } from '../../record/crawl-folder.ts'
import { indexedSearch } from './indexed-search.ts'
import { checkSearchOptions } from './options.ts'
import type { SearchOptions, SearchResults } from './options.ts'
import { checkQuery } from './query.ts'

export type { SearchOptions, SearchResult, SearchResults } from './options.ts'

/** Searches the crawl in this folder, which may be running. */
export async function search(
  path: string,
  words: string | readonly string[],
  options: SearchOptions = {},
): Promise<SearchResults> {
  const query = typeof words === 'string' ? words : words.join(' ')
  checkQuery(query)
  checkSearchOptions(options)
  const folder = CrawlFolder.open(path)
  let notice: string | undefined
  if (options.index !== false && folder.file.options.warc) {
    const found = await indexedSearch(folder, query, options)
    if ('results' in found) return found
    notice = found.notice
  }
  const { scannedSearch } = await import('./scanned-search.ts')
  const found = await scannedSearch(folder, query, options)
  return notice === undefined ? found : { ...found, notice }
}
