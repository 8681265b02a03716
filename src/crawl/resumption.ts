/** Puts back to the frontier what an earlier session left: pages under way, and pages that failed for a temporary reason. */
import type { Engine } from '../engine/engine.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import { temporaryFailures, type TemporaryFailure } from './temporary-failures.ts'

export interface Resumption {
  readonly engine: Engine
  readonly sites: SiteTable
  readonly record: RecordWriter
  /** Seconds of the epoch. */
  readonly now: () => number
  /** The session before did not end by itself: its last requests are unknown, so that every site gets this gap, in seconds. */
  readonly gapSeconds: number
  readonly onRetry: (failure: TemporaryFailure) => void
}

export async function goOn({ engine, sites, record, now, gapSeconds, onRetry }: Resumption): Promise<void> {
  if (gapSeconds > 0) await new Promise((resolve) => setTimeout(resolve, 1000 * gapSeconds))
  for (const page of engine.pages.underWay()) engine.postponed(page)
  for (const site of engine.busySites) engine.closed(site, now())
  for (const failure of temporaryFailures(engine.pages, record)) {
    engine.retry(failure.page)
    onRetry(failure)
  }
  for (let page = 0; page < engine.known; page++) {
    if (engine.pages.isWaiting(page)) sites.addWaiting(engine.pages.siteOf(page))
  }
}
