/** Writes down what happens in a crawl: counts, records of outcomes, events, and pages for whoever iterates. */
import type { FailureCause } from '../engine/world.ts'
import { linkPrint, type LinkPrint } from '../worlds/real/copies.ts'
import type { Came, Kept } from '../worlds/real/messages.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import type { PageOutcome, WorldWatch } from '../worlds/real/real-world-options.ts'
import type { CrawlEvent } from '../options/crawl-options.ts'
import type { PageStream } from './page-stream.ts'
import { pageView } from './page-view.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import { countError, type Counts } from '../record/tally.ts'
import type { TemporaryFailure } from './temporary-failures.ts'

export interface CrawlBookOptions {
  readonly record: RecordWriter
  readonly pages: PageTable
  readonly counts: Counts
  readonly stream: PageStream | undefined
  readonly onEvent: ((event: CrawlEvent) => void) | undefined
}

export class CrawlBook implements WorldWatch {
  readonly #options: CrawlBookOptions
  readonly #taken = new Map<number, { score: number; order: number }>()

  constructor(options: CrawlBookOptions) {
    this.#options = options
  }

  taken(page: number, score: number): void {
    this.#taken.set(page, { score, order: 0 })
  }

  sent(page: number): void {
    const taken = this.#taken.get(page)
    if (taken !== undefined) taken.order = ++this.#options.counts.sent
  }

  kept({ id, serial, offset, length, recordId }: Kept, thread: number): void {
    if (serial >= 0)
      this.#options.record.completeOutcome(id, { warc: { thread, serial, offset, length, id: recordId } })
  }

  settled(page: number, came: Came, outcome: PageOutcome): void {
    const { counts, record, onEvent } = this.#options
    const { error, duplicateOf, nearDuplicateOf } = outcome
    if (came.status > 0) counts.responded++
    counts.bytes += came.bytes
    counts.links += outcome.links
    counts.linksOutOfScope += came.outside
    if (duplicateOf >= 0) counts.duplicates++
    if (nearDuplicateOf >= 0) counts.nearDuplicates++
    if (outcome.reading?.isHot === true) counts.hot++
    if (error !== undefined) countError(counts, error)
    const { score, order } = this.#takenAs(page)
    record.putOutcome(page, outcomeRecord(came, outcome, score, order))
    const { url } = this.#options.pages.found(page)
    const { status, bytes, location } = came
    if (error !== undefined) onEvent?.({ kind: 'failed', url, error })
    else if (location !== undefined) onEvent?.({ kind: 'redirect', url, status, location })
    else {
      onEvent?.({ kind: 'page', url, status, bytes })
      this.#handOut(page, came, score, outcome)
    }
  }

  #handOut(page: number, came: Came, score: number, outcome: PageOutcome): void {
    const { stream, pages } = this.#options
    const { duplicateOf, nearDuplicateOf } = outcome
    if (stream === undefined) return
    const { url, depth, parent } = pages.found(page)
    stream.push(
      pageView(came, {
        url,
        depth,
        score,
        foundOn: parent === undefined ? undefined : pages.url(parent),
        duplicateOf: duplicateOf < 0 ? undefined : pages.url(duplicateOf),
        nearDuplicateOf: nearDuplicateOf < 0 ? undefined : pages.url(nearDuplicateOf),
      }),
    )
  }

  refused(page: number, cause: FailureCause, error: string, errorText?: string): void {
    const { counts, record, pages, onEvent } = this.#options
    // Pages that robots.txt or a limit of the user's keeps out are no errors; a site that cannot be crawled at this pace is.
    if (cause === 'unreachable' || error === 'crawl-delay') countError(counts, error)
    const { score, order } = this.#takenAs(page)
    record.putOutcome(page, { at: Date.now(), ms: 0, status: 0, score, order, bytes: 0, error, errorText })
    onEvent?.({ kind: 'failed', url: pages.url(page), error })
  }

  /** A page that failed in an earlier session waits again: its failure counts as an attempt. */
  retried({ record: { error = '' } }: TemporaryFailure): void {
    const { counts } = this.#options
    counts.errors[error] = (counts.errors[error] ?? 1) - 1
    if (counts.errors[error] === 0) delete counts.errors[error]
    this.missed(error)
  }

  missed(error: string): void {
    countError(this.#options.counts, `retried-${error}`)
  }

  archived(page: number): { id: string; url: string; dateMs: number } | undefined {
    const record = this.#options.record.outcome(page)
    if (record?.warc === undefined) return undefined
    return { id: record.warc.id, url: this.#options.pages.url(page), dateMs: record.at }
  }

  isRedirect(page: number): boolean {
    return this.#options.record.outcome(page)?.location !== undefined
  }

  isSiteCopy(page: number): boolean {
    return this.#options.record.outcome(page)?.siteOriginal !== undefined
  }

  linkPrint(page: number): LinkPrint | undefined {
    const prints = this.#options.record.outcome(page)?.prints
    return prints?.length === 6 ? [prints[4], prints[5]] : undefined
  }

  #takenAs(page: number): { score: number; order: number } {
    const taken = this.#taken.get(page)
    this.#taken.delete(page)
    return taken ?? { score: 0, order: 0 }
  }
}

function outcomeRecord(came: Came, outcome: PageOutcome, score: number, order: number): OutcomeRecord {
  const { bodyLow, bodyHigh, textLow, textHigh, sketch } = came
  const { duplicateOf, nearDuplicateOf, similarity } = outcome
  const isOriginal = duplicateOf < 0 && nearDuplicateOf < 0
  const hasPrints = came.location === undefined && (bodyLow !== 0 || bodyHigh !== 0)
  return {
    at: Math.round(came.startMs),
    ms: Math.round(came.durationMs),
    status: came.status,
    score,
    order,
    bytes: came.bytes,
    attempts: outcome.attempts === 1 ? undefined : outcome.attempts,
    type: came.contentType,
    title: came.title,
    error: outcome.error,
    errorText: came.failureText,
    truncated: came.truncated,
    faults: came.faults,
    miscoded: came.miscoded,
    noindex: came.noindex === true ? true : undefined,
    nofollow: came.nofollow === true ? true : undefined,
    canonical: came.canonical,
    location: came.location,
    etag: came.etag,
    lastModified: came.lastModified,
    duplicateOf: duplicateOf < 0 ? undefined : duplicateOf,
    sameText: outcome.isSameText ? true : undefined,
    sameLinks: outcome.isSameLinks ? true : undefined,
    siteOriginal: outcome.siteOriginal < 0 ? undefined : outcome.siteOriginal,
    copyOnCopy: outcome.copyOnCopy,
    unfollowed: outcome.unfollowed === 0 ? undefined : outcome.unfollowed,
    nearDuplicateOf: nearDuplicateOf < 0 ? undefined : nearDuplicateOf,
    similarity: nearDuplicateOf < 0 ? undefined : Number(similarity.toFixed(3)),
    sketch: isOriginal && sketch !== undefined ? Uint32Array.from(sketch) : undefined,
    relevance: outcome.reading && Number(outcome.reading.relevance.toPrecision(6)),
    hot: outcome.reading?.isHot === true ? true : undefined,
    links: outcome.links,
    outside: came.outside === 0 ? undefined : came.outside,
    tooDeep: came.tooDeep === 0 ? undefined : came.tooDeep,
    shape: came.shape,
    prints: hasPrints ? Uint32Array.of(bodyLow, bodyHigh, textLow, textHigh, ...linkPrint(came)) : undefined,
  }
}
