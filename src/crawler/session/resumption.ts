/**
 * Returns pages of earlier sessions to the frontier: pages in flight, pages that failed for a temporary
 * reason, and pages that the current settings admit.
 */
import type { Engine } from '../../engine/engine.ts'
import { noSite } from '../../engine/world.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { PageTable } from '../world/page-table.ts'
import type { SiteTable } from '../world/site-table.ts'
import { postponeHeld } from './held-again.ts'
import { temporaryFailures, type TemporaryFailure } from './temporary-failures.ts'

interface Resumption {
  readonly engine: Engine
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly record: RecordWriter
  /** Seconds since the epoch. */
  readonly now: () => number
  /**
   * Set if the previous session was killed: its last requests are unknown, so every site gets this gap, in
   * seconds.
   */
  readonly gapSeconds: number
  readonly maxPagesPerSite: number
  readonly isInScope: (page: number, url: string) => boolean
  readonly onRetry: (failure: TemporaryFailure) => void
}

export async function goOn(resumption: Resumption): Promise<void> {
  const { engine, sites, record, now, gapSeconds, onRetry } = resumption
  if (gapSeconds > 0) await new Promise((resolve) => setTimeout(resolve, 1000 * gapSeconds))
  for (const page of engine.pages.underWay()) engine.postponed(page)
  postponeHeld(engine)
  for (const site of engine.busySites) engine.closed(site, now())
  for (const failure of temporaryFailures(engine.pages, record)) {
    engine.retry(failure.page)
    onRetry(failure)
  }
  readmit(resumption)
  for (let page = 0; page < engine.known; page++) {
    if (engine.pages.isWaiting(page)) sites.addWaiting(engine.pages.siteOf(page))
  }
}

/**
 * Pages that an earlier session refused because of its scope or its limit of pages per site wait again if the
 * current settings admit them.
 */
function readmit({ engine, sites, pages, record, maxPagesPerSite, isInScope }: Resumption): void {
  for (let page = 0; page < engine.known; page++) {
    const cause = engine.pages.failureOf(page)
    const site = engine.pages.siteOf(page)
    if (site === noSite || (cause !== 'scope' && cause !== 'limit')) continue
    const isAdmitted =
      cause === 'scope'
        ? isInScope(page, pages.url(page))
        : sites.asked(site) < maxPagesPerSite && record.outcome(page)?.error === 'site-limit'
    if (isAdmitted) engine.retry(page)
  }
}
