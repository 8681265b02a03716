/** Exports the archive of a crawl as a WACZ file: what is recorded, in a crawl that runs as well. */
import { join } from 'node:path'
import { ArchivedFiles } from '../../read/archived-file.ts'
import { indexPathOf } from '../../../web/warc/cdxj.ts'
import { PageArchive } from '../../read/page-archive.ts'
import { PageTextReader } from '../../../web/html/page-text.ts'
import { writeWacz, type WaczPage, type WaczWarc } from './wacz.ts'
import type { ExportedArchive } from '../archiving.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { version } from '../../options/version.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import { isFetched, type OutcomeRecord } from '../../record/outcome-record.ts'
import { recordedWarcs, warcName, warcNaming } from '../../record/warc-name.ts'
import { essence } from '../../../web/http/html-type.ts'

/** Returns the number of pages in the list of pages. */
export async function exportWacz(
  path: string,
  { folder, record, hasText }: ExportedArchive,
): Promise<number> {
  const warcs = warcsOf(folder, record)
  if (warcs.length === 0)
    throw new RankwardError(
      'NO_ARCHIVE',
      `The crawl in ${folder.path} has archived nothing yet: there is nothing to export.`,
    )
  const order = listedPages(record)
  const pages = pageList(folder, record, order, hasText)
  const { seeds, collection, description } = folder.file.options
  const first = order.length === 0 ? undefined : pageOf(record, order[0])
  await writeWacz(path, {
    warcs,
    pages,
    title: collection ?? `Crawl of ${new URL(seeds[0]).host}`,
    description,
    software: `Rankward/${version}`,
    mainPage: first,
    nowMs: Date.now(),
  })
  return order.length
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

function isListed(outcome: OutcomeRecord | undefined): outcome is OutcomeRecord {
  if (outcome?.warc === undefined || !isFetched(outcome)) return false
  const type = essence(outcome.contentType)
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml'
}

/** The fetched HTML pages, in the order in which they were fetched. */
function listedPages(record: CrawlRecord): Uint32Array {
  const pages = new Uint32Array(record.known)
  const orders = new Float64Array(record.known)
  let count = 0
  for (const [page, outcome] of record.outcomes()) {
    if (!isListed(outcome)) continue
    pages[count++] = page
    orders[page] = outcome.order
  }
  return pages.subarray(0, count).sort((a, b) => orders[a] - orders[b])
}

function pageOf(record: CrawlRecord, page: number): WaczPage {
  const { url } = record.found(page)
  const { startMs, title } = record.outcome(page)!
  return { id: String(page), url, ts: new Date(startMs).toISOString(), title: title ?? url }
}

function* pageList(
  folder: CrawlFolder,
  record: CrawlRecord,
  order: Uint32Array,
  hasText: boolean,
): Generator<WaczPage> {
  const archive = new PageArchive(folder)
  const reader = new PageTextReader()
  const naming = warcNaming(folder.file.options)
  for (const page of order) {
    const listed = pageOf(record, page)
    if (!hasText) {
      yield listed
      continue
    }
    const warc = record.outcome(page)!.warc!
    const response = archive.response(join(folder.warc, warcName(warc, naming)), warc.offset)
    yield { ...listed, text: response && reader.read(response)?.text }
  }
}
