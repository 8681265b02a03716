/** The outcome of every page of a crawl as it is recorded: for pipelines that work on pages while the crawl runs. */
import type { WarcNaming } from '../record/warc-name.ts'
import { checkOptions } from '../lib/option-checks.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { archivePlace, endOf, followChecks, followed } from './followed-record.ts'
import type { ArchivePlace, FollowOptions } from './followed-record.ts'

export interface RecordedPage {
  readonly url: string
  /** When the response was complete, in ISO format. */
  readonly at: string
  /** 0 if there was no response. */
  readonly status: number
  readonly error?: string | undefined
  /** Target of a redirect: a page of its own. */
  readonly location?: string | undefined
  readonly contentType?: string | undefined
  readonly title?: string | undefined
  readonly bytes?: number | undefined
  /** The strategy's score when the page was selected. */
  readonly score: number
  readonly depth: number
  /** The page with the first link to it; undefined for a seed. */
  readonly foundOn?: string | undefined
  readonly duplicateOf?: string | undefined
  /** `sha1:` of the payload, in base32. */
  readonly digest?: string | undefined
  readonly warc?: ArchivePlace | undefined
}

export type TailOptions = FollowOptions

/** The pages of the crawl in this folder, which may be running, in the order in which they were recorded. */
export async function* tail(path: string, options: TailOptions = {}): AsyncGenerator<RecordedPage> {
  checkOptions('tail', options, followChecks)
  yield* followed(
    path,
    options,
    (record, naming) =>
      ({ outcomes }) =>
        outcomes.map(([page, outcome]) => recordedPage(record, page, outcome, naming)),
  )
}

function recordedPage(
  record: CrawlRecord,
  page: number,
  outcome: OutcomeRecord,
  naming: WarcNaming,
): RecordedPage {
  const { url, depth, parent } = record.found(page)
  const { status, error, location, contentType, title, bytes, score, duplicateOf, warc } = outcome
  const urlOf = (other: number | undefined): string | undefined =>
    other === undefined ? undefined : record.found(other).url
  return {
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
    digest: warc?.payloadDigest,
    warc: archivePlace(warc, naming),
  }
}
