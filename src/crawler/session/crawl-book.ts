/**
 * Records the course of a crawl: counts, outcomes, events, and pages for a program that iterates over them.
 * It only observes.
 */
import type { FailureCause } from '../../engine/world.ts'
import type { FetchResult, PageOutcome } from '../world/fetch-result.ts'
import type { PageLook } from '../world/looks/page-looks.ts'
import type { Kept } from '../world/messages.ts'
import type { PageTable } from '../world/page-table.ts'
import type { WorldWatch } from '../world/real-world-options.ts'
import type { CrawlEvent } from '../options/crawl-options.ts'
import type { PageStream } from './page-stream.ts'
import { pageView } from './page-view.ts'
import { outcomeOf, type OutcomeRecord } from '../record/outcome-record.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import { countError, countUnfollowed, type Counts } from '../record/tally.ts'
import { isTrap } from '../world/outcome-policy.ts'
import type { TakenPages } from './taken-pages.ts'
import type { TemporaryFailure } from './temporary-failures.ts'

export interface CrawlBookOptions {
  readonly record: RecordWriter
  readonly pages: PageTable
  readonly taken: TakenPages
  readonly counts: Counts
  readonly stream: PageStream | undefined
  readonly onEvent: ((event: CrawlEvent) => void) | undefined
  /** The worker that writes the archive, in a crawl on several machines. */
  readonly worker?: string | undefined
  readonly onSent?: (() => void) | undefined
  readonly onOutcome?: ((page: number) => void) | undefined
  /** A page was fetched for the first time, in a crawl that fetches pages again. */
  readonly onFirst?: ((url: string, startMs: number) => void) | undefined
}

const noResponse = { startMs: 0, durationMs: 0, status: 0, bytes: 0 }

export class CrawlBook implements WorldWatch {
  readonly #options: CrawlBookOptions

  constructor(options: CrawlBookOptions) {
    this.#options = options
  }

  sent(page: number): void {
    this.#options.taken.sent(page, ++this.#options.counts.sent)
    this.#options.onSent?.()
  }

  kept(page: number, { serial, offset, length, recordId, payloadDigest }: Kept, thread: number): void {
    if (serial < 0) return
    const { record, worker } = this.#options
    record.complete(page, { worker, thread, serial, offset, length, id: recordId, payloadDigest })
  }

  settled(page: number, result: FetchResult, outcome: PageOutcome): void {
    const { counts, record, onEvent, taken } = this.#options
    const { error } = outcome
    if (result.status > 0) counts.responded++
    counts.bytes += result.bytes
    counts.links += outcome.links ?? 0
    counts.linksOutOfScope += result.outside
    countUnfollowed(counts.linksNotFollowed, result, outcome.unfollowed)
    if (outcome.duplicateOf !== undefined) counts.duplicates++
    if (outcome.nearDuplicateOf !== undefined) counts.nearDuplicates++
    if (error !== undefined) countError(counts, error)
    const takenAs = taken.remove(page)
    record.putOutcome(page, outcomeOf(result, outcome, takenAs))
    const { url } = this.#options.pages.found(page)
    const { status, bytes, location } = result
    if (error !== undefined) onEvent?.({ kind: 'failed', url, error })
    else if (location !== undefined) onEvent?.({ kind: 'redirect', url, status, location })
    else {
      onEvent?.({ kind: 'page', url, status, bytes })
      this.#handOut(page, result, takenAs.score, outcome)
    }
  }

  looked(page: number, look: PageLook, result?: FetchResult, outcome?: PageOutcome): void {
    const { counts, record, onEvent, taken, pages } = this.#options
    const { score = 0, order: firstOrder = 0 } = record.outcome(page) ?? {}
    const response = result ?? { ...noResponse, startMs: Date.now() }
    if (look.verdict === 'first') {
      this.#putLook(page, look, response, firstOrder)
      this.#options.onFirst?.(pages.url(page), response.startMs)
      return
    }
    const { order } = taken.remove(page)
    const isVersion = result !== undefined && outcome !== undefined
    if (isVersion) record.putOutcome(page, outcomeOf(result, outcome, { score, order }))
    this.#putLook(page, look, response, order)
    counts.bytes += response.bytes
    onEvent?.({ kind: 'look', url: pages.url(page), verdict: look.verdict, status: response.status })
    if (isVersion && result.location === undefined) this.#handOut(page, result, score, outcome)
  }

  #putLook(page: number, look: PageLook, response: typeof noResponse, order: number): void {
    const { record, onOutcome } = this.#options
    const { startMs, durationMs, status, bytes } = response
    const time = { startMs, durationMs: Math.round(durationMs), status, bytes, order }
    record.putLook(page, { ...withoutSame(look, record.outcome(page)), ...time })
    onOutcome?.(page)
  }

  #handOut(page: number, result: FetchResult, score: number, outcome: PageOutcome): void {
    const { stream, pages } = this.#options
    if (stream === undefined) return
    const { url, depth, parent } = pages.found(page)
    const urlOf = (other: number | undefined): string | undefined =>
      other === undefined ? undefined : pages.url(other)
    stream.push(
      pageView(result, {
        url,
        depth,
        score,
        foundOn: urlOf(parent),
        duplicateOf: urlOf(outcome.duplicateOf),
        nearDuplicateOf: urlOf(outcome.nearDuplicateOf),
      }),
    )
  }

  refused(page: number, cause: FailureCause, error: string, failureText?: string): void {
    const { counts, record, pages, onEvent, taken } = this.#options
    // Pages excluded by robots.txt or by a limit of the user are not errors; a site with a prohibitive
    // crawl-delay is.
    if (cause === 'unreachable' || error === 'crawl-delay') countError(counts, error)
    if (isTrap(error)) counts.refusedAsTraps++
    this.#options.onOutcome?.(page)
    record.putOutcome(page, { ...noResponse, startMs: Date.now(), ...taken.remove(page), error, failureText })
    onEvent?.({ kind: 'failed', url: pages.url(page), error })
  }

  /** A page that an earlier session refused waits again. */
  readmitted(error: string): void {
    if (isTrap(error)) this.#options.counts.refusedAsTraps--
  }

  /** A page that failed in an earlier session waits again: its failure counts as an attempt. */
  retried({ record: { error = '' } }: TemporaryFailure): void {
    const { counts } = this.#options
    counts.errors[error] = (counts.errors[error] ?? 1) - 1
    if (counts.errors[error] === 0) delete counts.errors[error]
    this.missed(error)
  }

  postponed(page: number): void {
    this.#options.taken.remove(page)
  }

  missed(error: string): void {
    countError(this.#options.counts, `retried-${error}`)
  }
}

/** Validators are recorded with a look only if they differ from those of the version. */
function withoutSame(look: PageLook, version: OutcomeRecord | undefined): PageLook {
  const { etag, lastModified } = look
  return {
    ...look,
    etag: etag === version?.etag ? undefined : etag,
    lastModified: lastModified === version?.lastModified ? undefined : lastModified,
  }
}
