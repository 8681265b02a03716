/**
 * Pages that failed for a temporary reason: a resume requests them again, and totals count those that are
 * unreachable.
 */
import type { PageStates } from '../../engine/page-states.ts'
import type { FailureCause } from '../../engine/world.ts'
import { isTemporary } from '../world/outcome-policy.ts'
import type { SiteTable } from '../world/site-table.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { RecordWriter } from '../record/record-writer.ts'

export interface TemporaryFailure {
  readonly page: number
  readonly cause: FailureCause
  readonly record: OutcomeRecord
}

export function* temporaryFailures(pages: PageStates, records: RecordWriter): Generator<TemporaryFailure> {
  for (let page = 0; page < pages.known; page++) {
    const cause = pages.failureOf(page)
    if (cause !== 'temporary' && cause !== 'unreachable') continue
    const record = records.outcome(page)
    if (record !== undefined && isTemporary(record.error)) yield { page, cause, record }
  }
}

/**
 * Sites that could not be reached for a temporary reason, and their pages, waiting or failed.
 * `isNetworkDown`: all waiting pages are unreachable.
 */
export function outageOf(
  pages: PageStates,
  sites: SiteTable,
  records: RecordWriter,
  isNetworkDown: boolean,
): { sites: number; pages: number } {
  const unreachable = new Set<number>()
  let count = 0
  const add = (page: number): void => {
    unreachable.add(pages.siteOf(page))
    count++
  }
  for (const { page, cause } of temporaryFailures(pages, records)) if (cause === 'unreachable') add(page)
  for (let page = 0; page < pages.known; page++) {
    if (pages.isWaiting(page) && (isNetworkDown || sites.isMissing(pages.siteOf(page)))) add(page)
  }
  return { sites: unreachable.size, pages: count }
}
