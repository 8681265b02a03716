/** Recorded outcomes for users: the lines of `tail` and `--events`. */
import type { ArchivePlace, RecordedPage } from '../options/recorded-page.ts'
import { keptRows, type TailFields } from '../page-fields.ts'
import type { FoundRecord } from './found-record.ts'
import { shownFields, type OutcomeRecord, type WarcPlace } from './outcome-record.ts'
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
  const { error, location, warc } = outcome
  const urlOf = (other: number): string => record.found(other).url
  return {
    kind: error !== undefined ? 'failed' : location !== undefined ? 'redirect' : 'page',
    url,
    at: endOf(outcome),
    ...(shownFields(tailRows, outcome, urlOf) as unknown as TailFields),
    depth,
    foundOn: parent === undefined ? undefined : urlOf(parent),
    ...fields,
    digest: warc?.payloadDigest,
    warc: archivePlace(warc, naming),
  }
}

const tailRows = keptRows
  .filter(([, { tail }]) => tail !== undefined)
  .toSorted(([, a], [, b]) => a.tail! - b.tail!)
