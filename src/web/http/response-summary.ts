/** A response without its bytes. */
import type { Truncation } from '../warc/record.ts'
import type { Miscoding } from './content-coding.ts'
import type { HttpFault } from './http-fault.ts'

export interface ResponseSummary {
  /** When the request was sent, in milliseconds of the epoch, and how long it took to the end of the body. */
  readonly startMs: number
  readonly durationMs: number
  /** HTTP status; 0: there was no response. */
  readonly status: number
  /** Body bytes as transferred. */
  readonly bytes: number
  /** Why it failed, in a few words, for people. */
  readonly failureText?: string | undefined
  readonly truncated?: Truncation | undefined
  /** How the response violates HTTP/1.1, if it was read in spite of that: `bare-lf`, `repeated-length`, … */
  readonly faults?: readonly HttpFault[] | undefined
  /** What is wrong with its content encoding: `not-coded`, `damaged`, … */
  readonly miscoded?: Miscoding | undefined
  readonly contentType?: string | undefined
  /** Target of a redirect: absolute, and http(s). */
  readonly location?: string | undefined
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}
