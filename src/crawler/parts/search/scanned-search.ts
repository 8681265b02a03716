/**
 * A search without an index: reads every archived page once, and keeps only its counts of the query's words.
 * It defines what a search with the index returns.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { silent } from '../../../lib/progress.ts'
import { loadStemmer, stemmedLanguage } from '../../../web/text/stem.ts'
import { defaultRankWeight, resultsShown } from './options.ts'
import type { SearchOptions, SearchResult, SearchResults } from './options.ts'
import { PageArchive } from '../archive/page-archive.ts'
import { PageIndex, type RankedPage } from './page-index.ts'
import { pageRanksOf } from './page-ranks.ts'
import { languageOf, PageTextReader } from '../archive/page-text.ts'
import { Query } from './query.ts'
import { relativeRank } from './relative-rank.ts'
import { SearchablePages } from './searchable-pages.ts'
import { snippetOf } from './snippet.ts'

/** Number of pages used to detect the language. */
const languageSample = 100
/** Number of pages between yields to other work, such as cancellation. */
const pagesAtOnce = 32

export async function scannedSearch(
  folder: CrawlFolder,
  query: string,
  options: SearchOptions,
): Promise<SearchResults> {
  const record = await folder.readRecord()
  try {
    return await new ScannedSearch(folder, record, options).run(query)
  } finally {
    record.close()
  }
}

class ScannedSearch {
  readonly #folder: CrawlFolder
  readonly #record: CrawlRecord
  readonly #options: SearchOptions
  readonly #pages: SearchablePages
  readonly #archive: PageArchive
  /** The rows of the pages that are searched. */
  readonly #rows: Uint32Array
  readonly #reader = new PageTextReader()

  constructor(folder: CrawlFolder, record: CrawlRecord, options: SearchOptions) {
    this.#folder = folder
    this.#record = record
    this.#options = options
    this.#pages = new SearchablePages(record)
    this.#archive = new PageArchive(folder)
    this.#rows = this.#pages.order(options.noindex === true)
    if (this.#pages.isUnarchived || (this.#pages.archived === 0 && !folder.file.options.warc))
      throw notArchived(folder.path)
  }

  async run(text: string): Promise<SearchResults> {
    const { limit = resultsShown, rankWeight = defaultRankWeight } = this.#options
    const language = this.#language()
    const query = new Query(text, language === undefined ? undefined : await loadStemmer(language))
    const index = await this.#read(query)
    const ranks = await pageRanksOf(this.#record, this.#folder.file.options.damping)
    const boost = (page: number): number => 1 + rankWeight * relativeRank(ranks.of(page), ranks)
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

  #language(): string | undefined {
    const { language } = this.#options
    if (language === 'none') return undefined
    return language === undefined ? this.#declaredLanguage() : (stemmedLanguage(language) ?? language)
  }

  /** The most frequent declared language of the first pages that has a stemmer. */
  #declaredLanguage(): string | undefined {
    const declared = new Map<string | undefined, number>()
    const sample = this.#rows.subarray(0, languageSample)
    for (const [, body] of this.#archive.bodies(this.#pages, sample)) {
      const language = stemmedLanguage(languageOf(body) ?? '')
      declared.set(language, (declared.get(language) ?? 0) + 1)
    }
    return [...declared].find(([, pages]) => pages > sample.length / 2)?.[0]
  }

  async #read(query: Query): Promise<PageIndex> {
    const { progress = silent } = this.#options
    const index = new PageIndex(query)
    let done = 0
    for (const [row, body] of this.#archive.bodies(this.#pages, this.#rows)) {
      if (++done % pagesAtOnce === 0) await turn()
      progress(done, this.#rows.length)
      const read = this.#reader.read(body)
      if (read !== undefined) index.add(this.#pages.pages[row], read)
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
      const original = this.#pages.originalOf(page)
      if (this.#pages.copiesOf(original) === 0) return true
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
    const copies = this.#pages.copiesOf(this.#pages.originalOf(page))
    return { url, title, snippet: snippet.text, found: snippet.found, ...figures, depth, copies }
  }
}

export function notArchived(path: string): RankwardError {
  return new RankwardError(
    'NO_ARCHIVE',
    `The crawl in ${path} has no archived pages to search (warc is off). Crawl again with WARC files.`,
  )
}
