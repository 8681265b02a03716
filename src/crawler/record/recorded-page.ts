/** Recorded outcomes for users: the lines of `tail` and `--events`. */
import type { ArchivePlace, RecordedPage } from '../options/recorded-page.ts'
import type { FoundRecord } from './found-record.ts'
import type { OutcomeRecord, WarcPlace } from './outcome-record.ts'
import { warcName, type WarcNaming } from './warc-name.ts'

export function archivePlace(warc: WarcPlace | undefined, naming: WarcNaming): ArchivePlace | undefined {
  return warc && { file: warcName(warc, naming), offset: warc.offset, length: warc.length }
}

/** When the response was complete, in ISO format. */
export function endOf({ startMs, durationMs }: Pick<OutcomeRecord, 'startMs' | 'durationMs'>): string {
  return new Date(startMs + durationMs).toISOString()
}

/** `fields`: those of parts. */
export function recordedPage(
  record: { found(page: number): FoundRecord },
  page: number,
  outcome: OutcomeRecord,
  fields: Partial<RecordedPage> | undefined,
  naming: WarcNaming,
): RecordedPage {
  const { url, depth, parent } = record.found(page)
  const { status, error, location, contentType, title, bytes, score, duplicateOf, warc } = outcome
  const urlOf = (other: number | undefined): string | undefined =>
    other === undefined ? undefined : record.found(other).url
  return {
    kind: error !== undefined ? 'failed' : location !== undefined ? 'redirect' : 'page',
    url,
    at: endOf(outcome),
    status,
    error,
    location,
    contentType,
    title,
    bytes,
    score,
    depth,
    foundOn: urlOf(parent),
    duplicateOf: urlOf(duplicateOf),
    ...fields,
    digest: warc?.payloadDigest,
    warc: archivePlace(warc, naming),
  }
}
