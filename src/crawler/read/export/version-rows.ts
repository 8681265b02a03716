/**
 * The versions of pages as rows: every content that a page had when it was fetched, with the time over which it
 * was seen. In a crawl that fetches every page once, each fetched page has one version.
 */
import { silent, type Progress } from '../../../lib/progress.ts'
import { isAbsent, type LookRecord } from '../../record/look-record.ts'
import { isVersion, type OutcomeRecord } from '../../record/outcome-record.ts'
import type { WarcNaming } from '../../record/warc-name.ts'
import { noPage, type CrawlPart } from './export-source.ts'
import { fieldColumns, warcColumns, type OutcomeRow } from './field-columns.ts'
import type { KnownCrawl } from '../model/known-crawl.ts'
import type { Batch, Column, Value } from './table.ts'

/** A version, and the looks at the page while it was the newest one. */
interface Row extends OutcomeRow {
  readonly number: number
  readonly url: string
  /** From 1. */
  readonly version: number
  readonly outcome: OutcomeRecord
  /** The oldest first, the look that found the version included. */
  readonly looks: readonly LookRecord[]
}

interface VersionColumn extends Column {
  of(row: Row): Value
}

const { fetched_at, ...otherFields } = fieldColumns('versions')

export const versionColumns: readonly VersionColumn[] = [
  { name: 'page', type: 'int', isFull: true, of: ({ number }) => number },
  { name: 'url', type: 'text', isFull: true, of: ({ url }) => url },
  { name: 'version', type: 'int', isFull: true, of: ({ version }) => version },
  fetched_at,
  { name: 'last_seen_at', type: 'time', isFull: true, of: lastSeenMs },
  { name: 'gone_at', type: 'time', of: ({ looks }) => looks.find(isAbsent)?.startMs },
  { name: 'looks', type: 'int', isFull: true, of: ({ looks }) => Math.max(1, looks.length) },
  ...Object.values(otherFields),
  ...warcColumns,
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
  const urlOf = (page: number): string => record.found(page).url
  for (let recorded = 0; recorded < record.known; recorded++) {
    const page = pageOf(recorded)
    if (page === noPage) continue
    const number = crawl.numberOf(page)
    const outcomes = [...record.versions(recorded)].filter(isVersion).toReversed()
    if (outcomes.length === 0) continue
    const looks = [...record.looks(recorded)].toReversed()
    const url = urlOf(recorded)
    let at = firstFrom(looks, 0, outcomes[0].startMs)
    for (const [i, outcome] of outcomes.entries()) {
      const end = firstFrom(looks, at, outcomes[i + 1]?.startMs ?? Infinity)
      const during = looks.slice(at, end)
      at = end
      yield { number, url, version: i + 1, outcome, looks: during, isRequested: true, urlOf, naming }
    }
  }
}

/** The first of these looks, from this one on, that is not before this time. */
function firstFrom(looks: readonly LookRecord[], at: number, ms: number): number {
  let first = at
  while (first < looks.length && looks[first].startMs < ms) first++
  return first
}
