/**
 * Full-text search in a crawl; the best pages first.
 *
 *   WARC files ─▶ text ─▶ words ─▶ index of the query's words ─▶ BM25+ ─┐
 *   record ──▶ links of fetched pages ─▶ PageRank ────────────────────────┴▶ score = text × (1 + w · r)
 *
 * r is a page's PageRank on a logarithmic scale, from 0 for the lowest of the known pages to 1 for the
 * highest: PageRanks span orders of magnitude, and the home page should not come first for every query. Every
 * page is read once; only its counts of the query's words are kept.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { originalOf } from '../inspect/duplicate-clusters.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { RankwardError } from '../lib/errors.ts'
import { silent } from '../lib/progress.ts'
import { loadStemmer, stemmedLanguage } from '../text/stem.ts'
import { essence } from '../worlds/real/fetch/html-type.ts'
import { checkSearchOptions, defaultRankWeight, resultsShown } from './options.ts'
import type { SearchOptions, SearchResult, SearchResults } from './options.ts'
import { PageArchive } from './page-archive.ts'
import { PageIndex, type RankedPage } from './page-index.ts'
import { pageRanksOf } from './page-ranks.ts'
import { languageOf, PageTextReader } from './page-text.ts'
import { checkQuery, Query } from './query.ts'
import { snippetOf } from './snippet.ts'

/** Number of pages used to detect the language. */
const languageSample = 100
/** Number of pages between yields to other work, such as cancellation. */
const pagesAtOnce = 32

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
  const record = await folder.readRecord()
  try {
    return await new Search(folder, record, options).run(query)
  } finally {
    record.close()
  }
}

class Search {
  readonly #folder: CrawlFolder
  readonly #record: CrawlRecord
  readonly #options: SearchOptions
  readonly #archive: PageArchive
  readonly #reader = new PageTextReader()
  /** From a copy to its original. */
  readonly #steps = new Map<number, { readonly to: number }>()
  /** Number of copies per final page. */
  readonly #copies = new Map<number, number>()

  constructor(folder: CrawlFolder, record: CrawlRecord, options: SearchOptions) {
    this.#folder = folder
    this.#record = record
    this.#options = options
    this.#archive = new PageArchive(folder)
  }

  async run(text: string): Promise<SearchResults> {
    const { limit = resultsShown, rankWeight = defaultRankWeight } = this.#options
    this.#gather()
    const language = this.#language()
    const query = new Query(text, language === undefined ? undefined : await loadStemmer(language))
    const index = await this.#read(query)
    const ranks = await pageRanksOf(this.#record, this.#folder.file.options.damping)
    const boost = (page: number): number => 1 + rankWeight * ranks.relative(page)
    const { match, ranked } = this.#ranked(index, boost)
    const pages = this.#folded(ranked)
    return {
      query: text,
      units: query.units.map((unit) => unit.text),
      pages: index.pages,
      matches: pages.length,
      match,
      language,
      results: pages.slice(0, limit).map(({ page, score }) => {
        const figures = { score, bm25: score / boost(page), pageRank: ranks.of(page) }
        return this.#result(page, query, figures)
      }),
    }
  }

  /** Finds the pages to search, and which pages are copies. */
  #gather(): void {
    let fetched = 0
    let archived = 0
    for (const [page, outcome] of this.#record.outcomes()) {
      const { duplicateOf, nearDuplicateOf, warc } = outcome
      const original = duplicateOf ?? nearDuplicateOf
      if (original !== undefined) this.#steps.set(page, { to: original })
      if (!isReadable(outcome)) continue
      fetched++
      if (warc === undefined) continue
      archived++
      if (duplicateOf === undefined && (outcome.noindex !== true || this.#options.noindex === true)) {
        this.#archive.add(page, warc)
      }
    }
    for (const page of this.#steps.keys()) {
      const original = originalOf(page, this.#steps)
      this.#copies.set(original, (this.#copies.get(original) ?? 0) + 1)
    }
    if (archived === 0 && (fetched > 0 || !this.#folder.file.options.warc))
      throw notArchived(this.#folder.path)
  }

  #language(): string | undefined {
    const { language } = this.#options
    if (language === 'none') return undefined
    return language === undefined ? this.#declaredLanguage() : (stemmedLanguage(language) ?? language)
  }

  /** The most frequent declared language of the first pages that has a stemmer. */
  #declaredLanguage(): string | undefined {
    const declared = new Map<string | undefined, number>()
    let asked = 0
    for (const [, body] of this.#archive.pages()) {
      if (asked++ === languageSample) break
      const language = stemmedLanguage(languageOf(body) ?? '')
      declared.set(language, (declared.get(language) ?? 0) + 1)
    }
    const half = Math.min(asked, languageSample) / 2
    return [...declared].find(([, pages]) => pages > half)?.[0]
  }

  async #read(query: Query): Promise<PageIndex> {
    const { progress = silent } = this.#options
    const index = new PageIndex(query)
    let done = 0
    for (const [page, body] of this.#archive.pages()) {
      if (++done % pagesAtOnce === 0) await turn()
      progress(done, this.#archive.count)
      const read = this.#reader.read(body)
      if (read !== undefined) index.add(page, read)
    }
    return index
  }

  /** Pages with all units; if there are none and the option was not set, pages with any. */
  #ranked(index: PageIndex, boost: (page: number) => number): { match: 'all' | 'any'; ranked: RankedPage[] } {
    const { match: asked } = this.#options
    if (asked !== 'any') {
      const ranked = index.ranked('all', boost)
      if (asked === 'all' || ranked.length > 0) return { match: 'all', ranked }
    }
    return { match: 'any', ranked: index.ranked('any', boost) }
  }

  /** Of near-duplicates, keeps only the best. */
  #folded(ranked: readonly RankedPage[]): RankedPage[] {
    const seen = new Set<number>()
    return ranked.filter(({ page }) => {
      const original = originalOf(page, this.#steps)
      if (!this.#copies.has(original)) return true
      if (seen.has(original)) return false
      seen.add(original)
      return true
    })
  }

  #result(
    page: number,
    query: Query,
    figures: Pick<SearchResult, 'score' | 'bm25' | 'pageRank'>,
  ): SearchResult {
    const { url, depth } = this.#record.found(page)
    const { warc } = this.#record.outcome(page)!
    const { title, text } = this.#reader.read(this.#archive.body(warc!))!
    const snippet = snippetOf(text, query)
    const copies = this.#copies.get(originalOf(page, this.#steps)) ?? 0
    return { url, title, snippet: snippet.text, found: snippet.found, ...figures, depth, copies }
  }
}

const readableTypes = new Set([
  '',
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'unknown/unknown',
  'application/unknown',
  '*/*',
])

/** True if this may be a page with text. The body decides. */
function isReadable({ status, error, contentType }: OutcomeRecord): boolean {
  return status >= 200 && status < 300 && error === undefined && readableTypes.has(essence(contentType))
}

function notArchived(path: string): RankwardError {
  return new RankwardError(
    'NO_ARCHIVE',
    `The crawl in ${path} has no archived pages to search (warc is off). Crawl again with WARC files.`,
  )
}
