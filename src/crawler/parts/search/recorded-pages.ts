/** The searchable pages of a crawl from its record. */
import { bodyPlace } from '../../read/body-place.ts'
import { originalOf } from '../../read/duplicate-clusters.ts'
import { ranksOf } from '../../read/export/page-ranks.ts'
import { FileNumbers } from '../../read/page-archive.ts'
import type { PagesRecord, ReadCrawl } from '../../read/whole-crawl.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { warcName, type WarcNaming } from '../../record/warc-name.ts'
import { essence } from '../../../web/http/html-type.ts'
import { copyRows, GrowingColumns, newColumns, type Columns } from './columns.ts'
import { pageColumns, versionColumns, type PageTable } from './page-table.ts'

const recordedColumns = { ...versionColumns, page: Uint32Array, noindex: Uint8Array } as const

/** Without what only the texts say: kind and words. PageRanks and depths are added on request. */
export class RecordedPages implements PageTable {
  readonly count: number
  readonly columns: Columns<typeof pageColumns>
  readonly files: readonly string[]
  lowest = Infinity
  highest = 0
  /** Number of pages with text, and of those in the archive; copies included. */
  fetched = 0
  archived = 0
  readonly #crawl: ReadCrawl

  /** `files`: the names of WARC files that have their numbers already. */
  constructor(crawl: ReadCrawl, naming: WarcNaming, files: readonly string[] = []) {
    this.#crawl = crawl
    const { record } = crawl
    const numbers = new FileNumbers(files)
    this.files = numbers.names
    const rows = new GrowingColumns(recordedColumns)
    const steps = new Map<number, { readonly to: number }>()
    const texts = new Texts(record)
    for (const [page, outcome] of record.outcomes()) {
      const copied = texts.copiedBy(page, outcome)
      const original = copied ?? outcome.nearDuplicateOf
      if (original !== undefined) steps.set(page, { to: original })
      if (!isReadable(outcome)) continue
      this.fetched++
      const place = bodyPlace(record, outcome)
      if (place === undefined) continue
      this.archived++
      if (copied !== undefined) continue
      const file = numbers.of(warcName(place, naming))
      rows.add({ page, file, offset: place.offset, noindex: outcome.noindex === true ? 1 : 0 })
    }
    this.count = rows.count
    this.columns = newColumns(pageColumns, rows.count)
    copyRows(recordedColumns, rows.columns, archiveOrder(rows), this.columns)
    this.#addCopies(steps)
  }

  url(row: number): string {
    return this.#crawl.record.found(this.columns.page[row]).url
  }

  async addRanks(damping: number): Promise<void> {
    const ranks = await ranksOf((await this.#crawl.source()).crawl, damping)
    for (const score of ranks.scores) {
      if (score < this.lowest) this.lowest = score
      if (score > this.highest) this.highest = score
    }
    const { page, pageRank, depth } = this.columns
    for (let row = 0; row < this.count; row++) {
      pageRank[row] = ranks.of(page[row])
      depth[row] = this.#crawl.record.found(page[row]).depth
    }
  }

  #addCopies(steps: ReadonlyMap<number, { readonly to: number }>): void {
    const copiesOf = new Map<number, number>()
    for (const page of steps.keys()) {
      const original = originalOf(page, steps)
      copiesOf.set(original, (copiesOf.get(original) ?? 0) + 1)
    }
    const { page, original, copies } = this.columns
    for (let row = 0; row < this.count; row++) {
      original[row] = originalOf(page[row], steps)
      copies[row] = copiesOf.get(original[row]) ?? 0
    }
  }
}

/** Which page has the text of a copy. Its original may have changed since, in a crawl that fetches pages again. */
class Texts {
  readonly #record: PagesRecord
  /** By original and text that it has no more: the first copy. */
  readonly #firstCopies = new Map<string, number>()

  constructor(record: PagesRecord) {
    this.#record = record
  }

  /** The page with the text of this copy; undefined if the page is none, or the first that still has the text. */
  copiedBy(page: number, { duplicateOf, prints }: OutcomeRecord): number | undefined {
    if (duplicateOf === undefined) return undefined
    const text = textOf(prints)
    const now = this.#record.outcome(duplicateOf)
    if (text === undefined || textOf(now?.prints) === text) return duplicateOf
    const key = `${duplicateOf} ${text}`
    const first = this.#firstCopies.get(key)
    if (first === undefined) this.#firstCopies.set(key, page)
    return first
  }
}

/** The fingerprint of a text. */
function textOf(prints: Uint32Array | undefined): string | undefined {
  return prints && `${prints[2]} ${prints[3]}`
}

/** File by file, each from start to end. */
function archiveOrder({ count, columns }: GrowingColumns<typeof recordedColumns>): Uint32Array {
  const { file, offset } = columns
  return Uint32Array.from({ length: count }, (_, row) => row).sort(
    (a, b) => file[a] - file[b] || offset[a] - offset[b],
  )
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
