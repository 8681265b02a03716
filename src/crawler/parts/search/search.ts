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
 * (scanned-pages.ts), with the same results.
 */
import { decodeUtf8Html } from '../../../web/charset/utf8-text.ts'
import { loadStemmer, stemmedLanguage, stemmedLanguages } from '../../../web/text/stem.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { silent } from '../../../lib/progress.ts'
import { PageArchive } from '../../read/page-archive.ts'
import { WholeCrawl } from '../../read/whole-crawl.ts'
import { isHtml } from '../../../web/http/html-type.ts'
import { TextReader, type PageBody, type PageText } from '../../../web/html/text-reader.ts'
import { isArchived } from '../all-parts.ts'
import { withIndex } from './index/indexed-pages.ts'
import { checkSearchOptions, defaultRankWeight, resultsShown } from './options.ts'
import type { SearchOptions, SearchResult, SearchResults } from './options.ts'
import { firstLanguage, type SearchedPages } from './page-table.ts'
import { checkQuery, Query } from './query.ts'
import { Ranking } from './ranking.ts'
import { rowAt } from './columns.ts'
import { pageSnippet } from './snippet.ts'

export type { SearchOptions, SearchResult, SearchResults } from './options.ts'

/** Number of pages used to detect the language. */
const languageSample = 100
/** Snippets of larger pages are of their whole text. */
const mainCharsMax = 1_000_000

/** Searches the crawl in this folder, which may be running. */
export async function search(
  path: string,
  words: string | readonly string[],
  options: SearchOptions = {},
): Promise<SearchResults> {
  const query = typeof words === 'string' ? words : words.join(' ')
  checkQuery(query)
  checkSearchOptions(options)
  const { index = true, progress = silent } = options
  const crawl = WholeCrawl.open(path)
  const answer = (pages: SearchedPages): Promise<SearchResults> => answered(crawl, pages, query, options)
  let notice: string | undefined
  if (index && isArchived(crawl.folder.file.options)) {
    const indexed = await withIndex(crawl, progress, answer)
    ;({ notice } = indexed)
    if ('found' in indexed) return notice === undefined ? indexed.found : { ...indexed.found, notice }
  }
  const { withScan } = await import('./scanned-pages.ts')
  const found = await withScan(crawl, progress, answer)
  return notice === undefined ? found : { ...found, notice }
}

async function answered(
  crawl: WholeCrawl,
  pages: SearchedPages,
  text: string,
  options: SearchOptions,
): Promise<SearchResults> {
  const { limit = resultsShown, rankWeight = defaultRankWeight, noindex = false, match: asked } = options
  const { noindex: isMarked } = pages.table.columns
  const rows = Uint32Array.from(isMarked.keys()).filter((row) => noindex || isMarked[row] === 0)
  const language = languageOf(pages, rows, options.language)
  const query = new Query(text, language === undefined ? undefined : await loadStemmer(language))
  const counts = await pages.count(query, language, rows)
  const ranking = new Ranking(pages.table, rows, query, counts, rankWeight)
  let match = asked ?? 'all'
  let ranked = ranking.ranked(match, limit)
  if (asked === undefined && ranked.matches === 0) ranked = ranking.ranked((match = 'any'), limit)
  const results = ranked.best.map(({ row, score }) =>
    resultOf(crawl, pages, query, row, { score, bm25: score / ranking.boost(row) }),
  )
  return {
    query: text,
    units: query.units.map((unit) => unit.text),
    pages: ranking.pages,
    matches: ranked.matches,
    match,
    language,
    results: await Promise.all(results),
  }
}

/** As given, or the one that most of the first pages declare, if it has a stemmer. */
function languageOf(pages: SearchedPages, rows: Uint32Array, given: string | undefined): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined) return stemmedLanguage(given) ?? given
  const sample = rows.subarray(0, languageSample)
  pages.readKinds?.(sample)
  const count = new Uint32Array(firstLanguage + stemmedLanguages.length)
  for (const row of sample) count[pages.table.columns.kind[row]]++
  const most = count.subarray(firstLanguage).findIndex((each) => each > sample.length / 2)
  return stemmedLanguages[most]
}

async function resultOf(
  crawl: WholeCrawl,
  { table }: SearchedPages,
  query: Query,
  row: number,
  scores: Pick<SearchResult, 'score' | 'bm25'>,
): Promise<SearchResult> {
  const { pageRank, depth, copies, file, offset } = rowAt(table.columns, row)
  const body = new PageArchive(crawl.folder).response(table.files[file], offset)
  const read = await textOf(body)
  if (read === undefined)
    throw new RankwardError(
      'FILE_UNREADABLE',
      `The archive of the crawl in ${crawl.path} has changed since it was indexed.`,
    )
  const url = table.url(row)
  const { text: snippet, found } = pageSnippet(await mainOf(body, url), read.text, query)
  return { url, title: read.title, snippet, found, ...scores, pageRank, depth, copies }
}

/** The main content of a page; empty if it is not HTML in UTF-8. */
async function mainOf({ body, contentType, isCoded }: PageBody, url: string): Promise<string> {
  const html = isHtml(contentType, body, isCoded) ? decodeUtf8Html(body, contentType)?.text : undefined
  if (html === undefined || html.length > mainCharsMax) return ''
  const { ContentReader } = await import('../../../web/content/content-reader.ts')
  const reader = new ContentReader()
  reader.read(html, url)
  return reader.text()
}

/** Most pages are in UTF-8; the tables of other encodings are loaded if they are needed. */
async function textOf(body: PageBody): Promise<PageText | undefined> {
  const text = new TextReader(decodeUtf8Html).read(body)
  if (text !== undefined) return text
  const { PageTextReader } = await import('../../../web/html/page-text.ts')
  return new PageTextReader().read(body)
}
