/** Pages that failed for a temporary reason: a resume requests them again, and totals name those that are out of reach. */
import type { PageStates } from '../engine/page-states.ts'
import type { FailureCause } from '../engine/world.ts'
import { isTemporary } from '../worlds/real/outcome-policy.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'
import type { OutcomeRecord } from './records.ts'
import type { CrawlStore } from './store.ts'

export interface TemporaryFailure {
  readonly page: number
  readonly cause: FailureCause
  readonly record: OutcomeRecord
}

export function* temporaryFailures(pages: PageStates, store: CrawlStore): Generator<TemporaryFailure> {
  for (let page = 0; page < pages.known; page++) {
    const cause = pages.failureOf(page)
    if (cause !== 'temporary' && cause !== 'unreachable') continue
    const record = store.outcome(page)
    if (record !== undefined && isTemporary(record.error)) yield { page, cause, record }
  }
}

/** Sites that could not be reached for a temporary reason, and their pages, waiting or failed. `isNetworkDown`: all that waits is out of reach. */
export function outageOf(
  pages: PageStates,
  sites: SiteTable,
  store: CrawlStore,
  isNetworkDown: boolean,
): { sites: number; pages: number } {
  const unreachable = new Set<number>()
  let count = 0
  const add = (page: number): void => {
    unreachable.add(pages.siteOf(page))
    count++
  }
  for (const { page, cause } of temporaryFailures(pages, store)) if (cause === 'unreachable') add(page)
  for (let page = 0; page < pages.known; page++) {
    if (pages.isWaiting(page) && (isNetworkDown || sites.isMissing(pages.siteOf(page)))) add(page)
  }
  return { sites: unreachable.size, pages: count }
}
