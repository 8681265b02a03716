/** A search without an index: every archived page is read, and only its counts of the query's words are kept. */
import { setImmediate as turn } from 'node:timers/promises'
import { RankwardError } from '../../../lib/errors.ts'
import type { Progress } from '../../../lib/progress.ts'
import { wordsOf } from '../../../web/text/words.ts'
import { PageArchive } from '../../read/page-archive.ts'
import type { WholeCrawl } from '../../read/whole-crawl.ts'
import { warcNaming } from '../../record/warc-name.ts'
import { languageOf, PageTextReader, type PageText } from '../../../web/html/page-text.ts'
import { isArchived } from '../all-parts.ts'
import { kindOf, notText, otherText, type PageTable, type SearchedPages } from './page-table.ts'
import type { Query } from './query.ts'
import { RecordedPages } from './recorded-pages.ts'
import type { UnitCounts } from './ranking.ts'

/** Number of pages between yields to other work, such as cancellation. */
const pagesAtOnce = 32

export async function withScan<Found>(
  crawl: WholeCrawl,
  progress: Progress,
  use: (pages: SearchedPages) => Promise<Found>,
): Promise<Found> {
  const { options } = crawl.folder.file
  const read = await crawl.read()
  try {
    const table = new RecordedPages(read, warcNaming(options))
    if (table.archived === 0 && (table.fetched > 0 || !isArchived(options))) throw notArchived(crawl.path)
    await table.addRanks(options.damping)
    return await use(new ScannedPages(new PageArchive(crawl.folder), table, progress))
  } finally {
    read.close()
  }
}

class ScannedPages implements SearchedPages {
  readonly table: RecordedPages
  readonly #archive: PageArchive
  readonly #progress: Progress

  constructor(archive: PageArchive, table: RecordedPages, progress: Progress) {
    this.table = table
    this.#archive = archive
    this.#progress = progress
  }

  readKinds(rows: Uint32Array): void {
    const { columns, files } = this.table
    for (const [row, body] of this.#archive.responses(columns, files, rows))
      columns.kind[row] = kindOf(languageOf(body))
  }

  async count(query: Query, _: string | undefined, rows: Uint32Array): Promise<UnitCounts[]> {
    const counter = new UnitCounter(query, this.table)
    const reader = new PageTextReader()
    let done = 0
    const { columns, files } = this.table
    for (const [row, body] of this.#archive.responses(columns, files, rows)) {
      if (++done % pagesAtOnce === 0) await turn()
      this.#progress(done, rows.length)
      counter.add(row, reader.read(body))
    }
    return counter.counts()
  }
}

/** Counts the units of a query page by page, and adds what the texts say to the table. */
export class UnitCounter {
  readonly #query: Query
  readonly #table: Pick<PageTable, 'columns'>
  readonly #units: { readonly rows: number[]; readonly titles: number[]; readonly texts: number[] }[]

  constructor(query: Query, table: Pick<PageTable, 'columns'>) {
    this.#query = query
    this.#table = table
    this.#units = query.units.map(() => ({ rows: [], titles: [], texts: [] }))
  }

  /** Rows are added in ascending order. `read`: undefined if the page is not text. */
  add(row: number, read: PageText | undefined): void {
    const { kind, titleWords, textWords } = this.#table.columns
    kind[row] = read === undefined ? notText : otherText
    if (read === undefined) return
    const title = wordsOf(read.title)
    const text = wordsOf(read.text)
    titleWords[row] = new Set(title).size
    textWords[row] = new Set(text).size
    const inTitle = this.#countsIn(title)
    const inText = this.#countsIn(text)
    this.#units.forEach(({ rows, titles, texts }, unit) => {
      if (inTitle[unit] + inText[unit] === 0) return
      rows.push(row)
      titles.push(inTitle[unit])
      texts.push(inText[unit])
    })
  }

  counts(): UnitCounts[] {
    return this.#units.map(({ rows, titles, texts }) => ({
      rows: Uint32Array.from(rows),
      titles: Uint32Array.from(titles),
      texts: Uint32Array.from(texts),
    }))
  }

  #countsIn(words: readonly string[]): Uint32Array {
    const counts = new Uint32Array(this.#query.units.length)
    this.#query.find(words, (unit) => counts[unit]++)
    return counts
  }
}

function notArchived(path: string): RankwardError {
  return new RankwardError(
    'NO_ARCHIVE',
    `The crawl in ${path} has no archived pages to search (warc is off). Crawl again with WARC files.`,
  )
}
