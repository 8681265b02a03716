/** Exports the archive of a crawl as a WACZ file: what is recorded, in a crawl that runs as well. */
import { ArchivedFiles } from '../../read/archived-file.ts'
import { bodyPlace } from '../../read/body-place.ts'
import { sizeOfFile } from '../../../web/store/byte-ranges.ts'
import { indexPathOf } from '../../../web/warc/cdxj.ts'
import { PageArchive } from '../../read/page-archive.ts'
import { PageTextReader } from '../../../web/html/page-text.ts'
import { writeWacz, type WaczPage, type WaczWarc } from './wacz.ts'
import type { ExportedArchive } from '../archiving.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { version } from '../../options/version.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { isFetched, type OutcomeRecord, type WarcPlace } from '../../record/outcome-record.ts'
import { recordedWarcs, warcName, warcNaming } from '../../record/warc-name.ts'
import { essence } from '../../../web/http/html-type.ts'

/** Returns the number of pages in the list of pages. */
export async function exportWacz(
  path: string,
  { folder, records, hasText }: ExportedArchive,
): Promise<number> {
  const warcs = folder.file.shard === undefined ? warcsOf(folder, records[0]) : namedWarcs(folder, records)
  if (warcs.length === 0)
    throw new RankwardError(
      'NO_ARCHIVE',
      `The crawl in ${folder.path} has archived nothing yet: there is nothing to export.`,
    )
  const listed = new ListedPages(records)
  const pages = pageList(folder, listed, hasText)
  const { seeds, collection, description } = folder.file.options
  await writeWacz(path, {
    warcs,
    pages,
    title: collection ?? `Crawl of ${new URL(seeds[0]).host}`,
    description,
    software: `Rankward/${version}`,
    mainPage: listed.count === 0 ? undefined : listed.page(0),
    nowMs: Date.now(),
  })
  return listed.count
}

/** The recorded part of each WARC file, with its index. */
function warcsOf(folder: CrawlFolder, record: CrawlRecord): WaczWarc[] {
  const files = new ArchivedFiles(folder)
  return recordedWarcs(record, warcNaming(folder.file.options)).map(({ name, length, indexBytes }) => ({
    warc: files.pathOf(name),
    path: files.pathOf(indexPathOf(name)),
    warcLength: length,
    indexBytes,
  }))
}

/** The WARC files of all workers, which the outcomes of pages name. In the archive, they are closed. */
function namedWarcs(folder: CrawlFolder, records: readonly CrawlRecord[]): WaczWarc[] {
  const naming = warcNaming(folder.file.options)
  const files = new ArchivedFiles(folder)
  const names = new Set<string>()
  for (const record of records)
    for (const [, { warc }] of record.outcomes()) if (warc !== undefined) names.add(warcName(warc, naming))
  return [...names].toSorted().map((name) => {
    const warc = files.pathOf(name)
    const warcLength = sizeOfFile(warc)
    if (warcLength === undefined) throw files.missing(name)
    return { warc, path: files.pathOf(indexPathOf(name)), warcLength, indexBytes: undefined }
  })
}

function isListed(outcome: OutcomeRecord | undefined): outcome is OutcomeRecord {
  if (outcome?.warc === undefined || !isFetched(outcome)) return false
  const type = essence(outcome.contentType)
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml'
}

/** The fetched HTML pages, in the order in which they were fetched. */
class ListedPages {
  readonly #records: readonly CrawlRecord[]
  /** By place in the list: number of the record, and page there. */
  readonly #record: Uint32Array
  readonly #page: Uint32Array
  readonly #order: Uint32Array

  constructor(records: readonly CrawlRecord[]) {
    const known = records.reduce((sum, record) => sum + record.known, 0)
    const keys = new Float64Array(known)
    this.#records = records
    this.#record = new Uint32Array(known)
    this.#page = new Uint32Array(known)
    let count = 0
    for (const [number, record] of records.entries()) {
      for (const [page, outcome] of record.outcomes()) {
        if (!isListed(outcome)) continue
        this.#record[count] = number
        this.#page[count] = page
        // Each shard counts its own fetches.
        keys[count++] = records.length === 1 ? outcome.order : outcome.startMs
      }
    }
    this.#order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => keys[a] - keys[b])
  }

  get count(): number {
    return this.#order.length
  }

  page(place: number): WaczPage & { readonly place: WarcPlace | undefined } {
    const number = this.#record[this.#order[place]]
    const page = this.#page[this.#order[place]]
    const record = this.#records[number]
    const { url } = record.found(page)
    const outcome = record.outcome(page)!
    const { startMs, title } = outcome
    const id = this.#records.length === 1 ? String(page) : `${number}-${page}`
    return {
      id,
      url,
      ts: new Date(startMs).toISOString(),
      title: title ?? url,
      place: bodyPlace(record, outcome),
    }
  }
}

function* pageList(folder: CrawlFolder, listed: ListedPages, hasText: boolean): Generator<WaczPage> {
  const archive = new PageArchive(folder)
  const reader = new PageTextReader()
  for (let number = 0; number < listed.count; number++) {
    const { place, ...page } = listed.page(number)
    if (!hasText) {
      yield page
      continue
    }
    yield { ...page, text: place && reader.read(archive.at(place))?.text }
  }
}
