/**
 * The versions of pages as rows: every content that a page had when it was fetched, with the time over which it
 * was seen. In a crawl that fetches every page once, each fetched page has one version.
 */
import { silent, type Progress } from '../../../lib/progress.ts'
import { isAbsent, type LookRecord } from '../../record/look-record.ts'
import { isVersion, type OutcomeRecord } from '../../record/outcome-record.ts'
import { warcName, type WarcNaming } from '../../record/warc-name.ts'
import { noPage, type CrawlPart } from './export-source.ts'
import type { KnownCrawl } from './known-crawl.ts'
import type { Batch, Column, Value } from './table.ts'

/** A version, and the looks at the page while it was the newest one. */
interface Row {
  readonly number: number
  readonly url: string
  /** From 1. */
  readonly version: number
  readonly outcome: OutcomeRecord
  /** The oldest first, the look that found the version included. */
  readonly looks: readonly LookRecord[]
  readonly naming: WarcNaming
}

interface VersionColumn extends Column {
  of(row: Row): Value
}

export const versionColumns: readonly VersionColumn[] = [
  { name: 'page', type: 'int', isFull: true, of: ({ number }) => number },
  { name: 'url', type: 'text', isFull: true, of: ({ url }) => url },
  { name: 'version', type: 'int', isFull: true, of: ({ version }) => version },
  { name: 'fetched_at', type: 'time', isFull: true, of: ({ outcome }) => outcome.startMs },
  { name: 'last_seen_at', type: 'time', isFull: true, of: lastSeenMs },
  { name: 'gone_at', type: 'time', of: ({ looks }) => looks.find(isAbsent)?.startMs },
  { name: 'looks', type: 'int', isFull: true, of: ({ looks }) => Math.max(1, looks.length) },
  { name: 'status', type: 'int', isFull: true, of: ({ outcome }) => outcome.status },
  { name: 'title', type: 'text', of: ({ outcome }) => outcome.title },
  { name: 'content_type', type: 'text', of: ({ outcome }) => outcome.contentType },
  { name: 'bytes', type: 'long', isFull: true, of: ({ outcome }) => outcome.bytes },
  { name: 'location', type: 'text', of: ({ outcome }) => outcome.location },
  { name: 'etag', type: 'text', of: ({ outcome }) => outcome.etag },
  { name: 'last_modified', type: 'text', of: ({ outcome }) => outcome.lastModified },
  {
    name: 'warc_file',
    type: 'text',
    of: ({ outcome, naming }) => outcome.warc && warcName(outcome.warc, naming),
  },
  { name: 'warc_offset', type: 'long', of: ({ outcome }) => outcome.warc?.offset },
  { name: 'warc_length', type: 'long', of: ({ outcome }) => outcome.warc?.length },
]

/** The last look that found this version. */
function lastSeenMs({ looks, outcome }: Row): number {
  const seen = looks.findLast(({ verdict }) => verdict === 'same')
  return seen?.startMs ?? outcome.startMs
}

interface VersionRowsOptions {
  readonly part: CrawlPart
  readonly crawl: KnownCrawl
  readonly naming: WarcNaming
  readonly batchRows: number
  readonly progress?: Progress
}

export function* versionBatches(options: VersionRowsOptions): Generator<Batch> {
  const { crawl, batchRows, progress = silent } = options
  let batch: Value[][] = versionColumns.map(() => [])
  for (const row of rows(options)) {
    versionColumns.forEach((column, i) => batch[i].push(column.of(row)))
    if (batch[0].length < batchRows) continue
    yield batch
    batch = versionColumns.map(() => [])
    progress(row.number, crawl.count)
  }
  if (batch[0].length > 0) yield batch
}

function* rows({ part: { record, pageOf }, crawl, naming }: VersionRowsOptions): Generator<Row> {
  for (let recorded = 0; recorded < record.known; recorded++) {
    const page = pageOf(recorded)
    if (page === noPage) continue
    const number = crawl.numberOf(page)
    const outcomes = [...record.versions(recorded)].filter(isVersion).toReversed()
    if (outcomes.length === 0) continue
    const looks = [...record.looks(recorded)].toReversed()
    const { url } = record.found(recorded)
    for (const [i, outcome] of outcomes.entries()) {
      const endMs = outcomes[i + 1]?.startMs ?? Infinity
      const during = looks.filter(({ startMs }) => startMs >= outcome.startMs && startMs < endMs)
      yield { number, url, version: i + 1, outcome, looks: during, naming }
    }
  }
}
