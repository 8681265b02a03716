/** Archived pages: response headers and text. */
import type { OutcomeRecord, WarcPlace } from '../../../crawler/record/outcome-record.ts'
import { bodyPlace } from '../../../crawler/read/body-place.ts'
import { PageArchive } from '../../../crawler/read/page-archive.ts'
import { PageTextReader } from '../../../web/html/page-text.ts'
import type { PageHeaders } from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { CrawlTables } from './crawl-tables.ts'

const textCharsMax = 1_048_576

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

function archived(place: WarcPlace | undefined): WarcPlace {
  if (place === undefined) throw new ApiFailure('not-found', 'This version is not in the archive.')
  return place
}

export function archivedHeaders(tables: CrawlTables, page: number, version: number): PageHeaders {
  const { warc } = versionOf(tables, page, version)
  const { statusLine, headers } = new PageArchive(tables.folder).at(archived(warc))
  if (statusLine === '')
    throw new ApiFailure('not-found', 'The archive has no HTTP response of this version.')
  return { statusLine, headers }
}

export function archivedText(tables: CrawlTables, page: number, version: number): ArchivedText {
  const { folder, record } = tables
  const shown = versionOf(tables, page, version)
  const read = reader.read(new PageArchive(folder).at(archived(bodyPlace(record, shown))))
  if (read === undefined) throw new ApiFailure('unavailable', 'The page is not text.')
  const { title, text } = read
  return { url: record.found(page).url, title, text: text.slice(0, textCharsMax), atMs: shown.startMs }
}
