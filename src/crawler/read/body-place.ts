/** Where the body of a recorded version is archived. */
import type { OutcomeRecord, WarcPlace } from '../record/outcome-record.ts'
import { isSameBody } from '../world/copy.ts'
import type { PagesRecord } from './whole-crawl.ts'

/**
 * The archive has a copy with the same body as a reference to its original, so the body is where that version of the original is.
 * Undefined if it is not archived.
 */
export function bodyPlace(
  record: Pick<PagesRecord, 'versions'>,
  outcome: OutcomeRecord,
): WarcPlace | undefined {
  const { warc: own, duplicateOf } = outcome
  if (own === undefined || !isSameBody(outcome)) return own
  for (const { warc, ...version } of record.versions(duplicateOf!))
    if (warc !== undefined && warc.payloadDigest === own.payloadDigest && !isSameBody(version)) return warc
  return undefined
}
