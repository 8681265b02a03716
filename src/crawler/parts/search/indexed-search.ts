/**
 * A search with the index of a crawl. If nothing was recorded since the index was written, only the index and
 * the pages that are shown are read; otherwise it is brought up to date first.
 */
import { RankwardError } from '../../../lib/errors.ts'
import { silent } from '../../../lib/progress.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { loadStemmer, stemmedLanguage, type Stemmer } from '../../../web/text/stem.ts'
import { DamagedIndex } from './index/index-file.ts'
import {
  indexFolderOf,
  logEndOf,
  type IndexFolder,
  type Manifest,
  type NoIndex,
} from './index/index-folder.ts'
import { IndexedPages } from './index/indexed-pages.ts'
import { PageTable } from './index/page-table.ts'
import { SegmentReader } from './index/segment-reader.ts'
import { TermStems } from './index/term-stems.ts'
import { defaultRankWeight, resultsShown } from './options.ts'
import type { SearchOptions, SearchResult, SearchResults } from './options.ts'
import { PageArchive } from '../archive/page-archive.ts'
import { TextReader, type PageBody, type PageText } from '../archive/text-reader.ts'
import { decodeUtf8Html } from '../../../web/charset/utf8-text.ts'
import { Query } from './query.ts'
import { relativeRank } from './relative-rank.ts'
import { snippetOf } from './snippet.ts'

/** Another process may replace the files of the index while they are opened. */
const attemptsMax = 4

export async function indexedSearch(
  crawl: CrawlFolder,
  text: string,
  options: SearchOptions,
): Promise<SearchResults | NoIndex> {
  const folder = indexFolderOf(crawl)
  let damage: string | undefined
  for (let attempt = 1; ; attempt++) {
    try {
      const current = damage === undefined ? currentManifest(crawl, folder) : undefined
      const manifest = current ?? (await refreshed(crawl, folder, options, damage))
      if (!('segments' in manifest)) return manifest
      const found = await new IndexedSearch(crawl, folder, manifest, options).run(text)
      const notice = damage === undefined ? undefined : 'The search index was damaged and has been rebuilt.'
      return 'results' in found && notice !== undefined ? { ...found, notice } : found
    } catch (error) {
      if (!(error instanceof DamagedIndex || error instanceof RangeError)) throw error
      if (attempt === attemptsMax)
        return { notice: `The search index could not be used (${error.message}), so every page was read.` }
      // Files that another process removed are no damage: its index.json names others.
      if (attempt > 1) damage = error.message
    }
  }
}

/** Undefined if something was recorded since it was written. Throws `DamagedIndex`. */
function currentManifest(crawl: CrawlFolder, folder: IndexFolder): Manifest | undefined {
  const manifest = folder.read()
  const table = manifest?.table
  if (table === undefined || table.damping !== crawl.file.options.damping) return undefined
  const { segment, bytes } = logEndOf(crawl)
  return table.log.segment === segment && table.log.bytes === bytes ? manifest : undefined
}

async function refreshed(
  crawl: CrawlFolder,
  folder: IndexFolder,
  { progress = silent }: SearchOptions,
  damage: string | undefined,
): Promise<Manifest | NoIndex> {
  const { refreshIndex } = await import('./index/index-refresh.ts')
  return refreshIndex(crawl, folder, { progress, isDamaged: damage !== undefined, withTable: true })
}

class IndexedSearch {
  readonly #crawl: CrawlFolder
  readonly #folder: IndexFolder
  readonly #manifest: Manifest
  readonly #options: SearchOptions
  readonly #segments: SegmentReader[] = []

  constructor(crawl: CrawlFolder, folder: IndexFolder, manifest: Manifest, options: SearchOptions) {
    this.#crawl = crawl
    this.#folder = folder
    this.#manifest = manifest
    this.#options = options
  }

  /** Throws `DamagedIndex`. */
  async run(text: string): Promise<SearchResults | NoIndex> {
    const { segments, table: tableFile } = this.#manifest
    const table = new PageTable(this.#folder.pathOf(tableFile!), tableFile!.bytes)
    try {
      // A crawl without archived pages: the search without an index says why.
      if (table.count === 0) return { notice: undefined }
      for (const file of segments)
        this.#segments.push(new SegmentReader(this.#folder.pathOf(file), file.bytes))
      return await this.#search(text, table)
    } finally {
      table.close()
      for (const segment of this.#segments) segment.close()
    }
  }

  async #search(text: string, table: PageTable): Promise<SearchResults> {
    const { limit = resultsShown, rankWeight = defaultRankWeight, noindex = false } = this.#options
    const pages = new IndexedPages(this.#segments, table, noindex)
    const language = this.#language(pages)
    const stem = language === undefined ? undefined : await loadStemmer(language)
    const query = new Query(text, stem)
    const counted = pages.count(query, stem && (await this.#stems(language!, stem)))
    const boost = (row: number): number => 1 + rankWeight * relativeRank(table.pageRanks[row], table)
    const { match: asked } = this.#options
    let match = asked ?? 'all'
    let ranking = pages.ranked(counted, match, boost, limit)
    if (asked === undefined && ranking.matches === 0)
      ranking = pages.ranked(counted, (match = 'any'), boost, limit)
    return {
      query: text,
      units: query.units.map((unit) => unit.text),
      pages: pages.pages,
      matches: ranking.matches,
      match,
      language,
      results: await Promise.all(
        ranking.best.map(({ row, score }) => {
          const figures = { score, bm25: score / boost(row), pageRank: table.pageRanks[row] }
          return this.#result(row, table, query, figures)
        }),
      ),
    }
  }

  #language(pages: IndexedPages): string | undefined {
    const { language } = this.#options
    if (language === 'none') return undefined
    return language === undefined ? pages.language() : (stemmedLanguage(language) ?? language)
  }

  /** Stems by segment; those of a language that is used for the first time are kept. */
  async #stems(language: string, stem: Stemmer): Promise<TermStems[]> {
    const files = this.#manifest.segments.map(({ stems }) => stems[language])
    const made = new Map<string, TermStems>()
    const stems: TermStems[] = []
    for (const [i, segment] of this.#segments.entries()) {
      const file = files[i]
      if (file === undefined) made.set(this.#manifest.segments[i].name, await TermStems.build(segment, stem))
      stems.push(
        file === undefined
          ? made.get(this.#manifest.segments[i].name)!
          : TermStems.read(this.#folder.pathOf(file), file.bytes),
      )
    }
    if (made.size > 0) {
      const { keepStems } = await import('./index/index-refresh.ts')
      keepStems(this.#folder, language, made)
    }
    return stems
  }

  /** The segment of a document that is numbered through all segments, and its number there. */
  #place(document: number): readonly [SegmentReader, number] {
    let at = document
    for (const segment of this.#segments) {
      if (at < segment.documents.count) return [segment, at]
      at -= segment.documents.count
    }
    throw new DamagedIndex('the page table names an unknown document')
  }

  async #result(
    row: number,
    table: PageTable,
    query: Query,
    figures: Pick<SearchResult, 'score' | 'bm25' | 'pageRank'>,
  ): Promise<SearchResult> {
    const [{ documents }, at] = this.#place(table.documents[row])
    const place = {
      thread: documents.threads[at],
      serial: documents.serials[at],
      offset: documents.offsets[at],
    }
    const read = await textOf(new PageArchive(this.#crawl).body(place))
    if (read === undefined) throw unreadable(this.#crawl)
    const { text, found } = snippetOf(read.text, query)
    const { copies, depths } = table
    const facts = { ...figures, depth: depths[row], copies: copies[row] }
    return { url: table.url(row), title: read.title, snippet: text, found, ...facts }
  }
}

/** Most pages are in UTF-8; the tables of other encodings are loaded if they are needed. */
async function textOf(body: PageBody): Promise<PageText | undefined> {
  const text = new TextReader(decodeUtf8Html).read(body)
  if (text !== undefined) return text
  const { PageTextReader } = await import('../archive/page-text.ts')
  return new PageTextReader().read(body)
}

function unreadable(crawl: CrawlFolder): RankwardError {
  return new RankwardError(
    'FILE_UNREADABLE',
    `The archive in ${crawl.warc} has changed since it was indexed.`,
  )
}
