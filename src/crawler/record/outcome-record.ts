/**
 * The outcome of a request for a page, or the reason why it was never requested. A page has one record for
 * each outcome.
 */
import type { ResponseSummary } from '../../web/http/response-summary.ts'
import type { LeftOutLinks, PageSummary, PageOutcome } from '../world/fetch-result.ts'

export interface OutcomeRecord extends ResponseSummary, PageSummary, PageOutcome, LeftOutLinks {
  /** Number of links out of scope, and of links too deep. */
  readonly outside?: number | undefined
  readonly tooDeep?: number | undefined
  /** The strategy's score when the page was selected. */
  readonly score: number
  /** The position of its last request among all page requests, from 1; 0 if it was never requested. */
  readonly order: number
  /** Fingerprints of body, text and set of links: six words. */
  readonly prints?: Uint32Array | undefined
  /** Its position in the archive. */
  readonly warc?: WarcPlace | undefined
}

/** True if the outcome is content or a redirect: a version of the page. */
export function isVersion({ status, error }: OutcomeRecord): boolean {
  return error === undefined && status > 0
}

export interface WarcPlace {
  /** The worker that wrote the file, in a crawl on several machines; its archive stays there. */
  readonly worker?: string | undefined
  readonly thread: number
  /** Serial number of the thread's file. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** Id of the WARC record, without `<urn:uuid:` and `>`. */
  readonly id: string
  /** `sha1:` of the payload, in base32. Absent in the records of earlier versions. */
  readonly payloadDigest?: string | undefined
}

/** Whether the page was fetched with content. */
export function isFetched({ status, error, location }: OutcomeRecord): boolean {
  return status > 0 && error === undefined && location === undefined
}
