/** The outcome of a request for a page, or why it was never requested. A page has one record for each time that was decided. */
import type { PageSummary, PageOutcome, ResponseSummary } from '../worlds/real/fetch-result.ts'

export interface OutcomeRecord extends ResponseSummary, PageSummary, PageOutcome {
  /** Number of links out of scope, and of links too deep. */
  readonly outside?: number | undefined
  readonly tooDeep?: number | undefined
  /** Of the strategy, when the page was taken. */
  readonly score: number
  /** The position of its last request among all requests for pages, from 1; 0: it was never requested. */
  readonly order: number
  /** Fingerprints of body, text and set of links: six words. */
  readonly prints?: Uint32Array | undefined
  /** Where it is archived. */
  readonly warc?: WarcPlace | undefined
}

export interface WarcPlace {
  readonly thread: number
  /** Of the thread's files. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** Of the record, without `<urn:uuid:` and `>`. */
  readonly id: string
}
