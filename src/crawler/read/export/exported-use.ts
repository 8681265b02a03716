/** Exports for a purpose leave out the pages that may not be used for it. */
import { RankwardError } from '../../../lib/errors.ts'
import type { UsePurpose } from '../../../web/preferences/known-signals.ts'
import { stateOf } from '../../../engine/page-totals.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { pageUse } from '../../parts/all-parts.ts'
import type { PlannedFile } from './destination.ts'
import type { ExportOptions } from './export.ts'
import { noPage, type ExportSource } from './export-source.ts'
import type { Batch, Column } from './table.ts'

type UseOptions = Pick<ExportOptions, 'purpose' | 'includeOptedOut'>

/** Undefined if no page is left out. */
function purposeOf(
  settings: CrawlSettings,
  { purpose, includeOptedOut }: UseOptions,
): UsePurpose | undefined {
  return includeOptedOut === true ? undefined : (purpose ?? pageUse?.purposeOf(settings))
}

/** Refuses what cannot be exported for a purpose. */
export function checkPurpose(
  settings: CrawlSettings,
  options: UseOptions,
  planned: readonly PlannedFile[],
): void {
  const { purpose, includeOptedOut } = options
  if (purpose !== undefined && includeOptedOut === true)
    throw new RankwardError(
      'USAGE',
      'purpose (--purpose) and includeOptedOut (--include-opted-out) contradict each other: leave one of them out.',
    )
  if (purpose !== undefined && pageUse === undefined)
    throw new RankwardError(
      'USAGE',
      'Rankward was built without preferences, so purpose (--purpose) has no effect.',
    )
  if (purposeOf(settings, options) === undefined || !planned.some(({ format }) => format === 'wacz')) return
  throw new RankwardError(
    'USAGE',
    'WACZ files have the whole archive and leave out no page: export with includeOptedOut (--include-opted-out) and without purpose (--purpose).',
  )
}

interface ExportedUse {
  readonly purpose: UsePurpose
  /** Numbers of the pages that are left out. */
  readonly leftOut: ReadonlySet<number>
  /** Fetched pages about which nothing is said. */
  readonly unknown: number
}

export async function exportedUse(
  { crawl, parts }: ExportSource,
  settings: CrawlSettings,
  options: UseOptions,
): Promise<ExportedUse | undefined> {
  const purpose = purposeOf(settings, options)
  if (purpose === undefined || pageUse === undefined) return undefined
  const leftOut = new Set<number>()
  let unknown = 0
  for (const { record, pageOf } of parts) {
    const answerOf = await pageUse.answerOf({ record, settings }, purpose)
    let recorded = -1
    for (const [{ url }, outcome] of record.pages()) {
      const page = pageOf(++recorded)
      if (page === noPage) continue
      const answer = answerOf(url, outcome)
      if (answer === 'disallowed') leftOut.add(crawl.numberOf(page))
      else if (answer === 'unknown' && stateOf(crawl.pages, page) === 'fetched') unknown++
    }
  }
  return { purpose, leftOut, unknown }
}

/** The rows of tables about pages, without those of some pages. Links are no content of pages: all are exported. */
export function* withoutPages(
  batches: Iterable<Batch>,
  columns: readonly Column[],
  leftOut: ReadonlySet<number>,
): Generator<Batch> {
  const at = columns.findIndex(({ name }) => name === 'page')
  for (const batch of batches) {
    const rows: number[] = []
    for (let row = 0; row < batch[0].length; row++)
      if (at < 0 || !leftOut.has(batch[at][row] as number)) rows.push(row)
    if (rows.length === batch[0].length) yield batch
    else if (rows.length > 0) yield batch.map((values) => rows.map((row) => values[row]))
  }
}
