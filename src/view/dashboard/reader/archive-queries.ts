/** Archived pages: response headers and text. */
import type { OutcomeRecord, WarcPlace } from '../../../crawler/record/outcome-record.ts'
import { PageArchive } from '../../../crawler/read/page-archive.ts'
import { PageTextReader } from '../../../web/html/page-text.ts'
import { readWarcAt } from '../../../web/warc/reader.ts'
import type { PageHeaders } from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { CrawlTables } from './crawl-tables.ts'

const textCharsMax = 1_048_576
const copiesMax = 10

export interface ArchivedText {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly atMs: number
}

const reader = new PageTextReader()

/** The newest version has number 0. */
function versionOf({ record }: CrawlTables, page: number, version: number): OutcomeRecord {
  let number = 0
  for (const outcome of record.versions(page)) if (number++ === version) return outcome
  throw new ApiFailure('not-found', 'The page has no such version.')
}

function placeOf(outcome: OutcomeRecord): WarcPlace {
  if (outcome.warc === undefined) throw new ApiFailure('not-found', 'This version is not in the archive.')
  return outcome.warc
}

export function archivedHeaders(tables: CrawlTables, page: number, version: number): PageHeaders {
  const warc = placeOf(versionOf(tables, page, version))
  const [warcRecord] = readWarcAt(new PageArchive(tables.folder).pathOf(warc), [warc.offset])
  const http = warcRecord.http()
  if (!http) throw new ApiFailure('not-found', 'The archive has no HTTP response of this version.')
  return { statusLine: http.startLine, headers: http.headers }
}

/** The text of a page. A copy is archived as a reference: its text is that of the original. */
export function archivedText(tables: CrawlTables, page: number, version: number): ArchivedText {
  const { folder, record } = tables
  const shown = versionOf(tables, page, version)
  let outcome = shown
  for (
    let copies = 0;
    outcome.duplicateOf !== undefined && outcome.sameText !== true && copies < copiesMax;
    copies++
  ) {
    const original = record.outcome(outcome.duplicateOf)
    if (original === undefined) break
    outcome = original
  }
  const read = reader.read(new PageArchive(folder).body(placeOf(outcome)))
  if (read === undefined) throw new ApiFailure('unavailable', 'The page is not text.')
  const { title, text } = read
  return { url: record.found(page).url, title, text: text.slice(0, textCharsMax), atMs: shown.startMs }
}
