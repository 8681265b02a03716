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
  /** Whether parts request a page again that they refused with this error. */
  readonly isReadmitted: (error: string) => boolean
  readonly onReadmit: (error: string) => void
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
 * Pages that an earlier session refused because of its scope, its limit of pages per site or a part wait again if the
 * current settings admit them.
 */
function readmit(resumption: Resumption): void {
  const { engine, pages, record, isInScope, isReadmitted, onReadmit } = resumption
  for (let page = 0; page < engine.known; page++) {
    const cause = engine.pages.failureOf(page)
    const site = engine.pages.siteOf(page)
    if (site === noSite || (cause !== 'scope' && cause !== 'limit')) continue
    const error = record.outcome(page)?.error ?? ''
    const isOfPart = cause === 'limit' && isReadmitted(error)
    const isAdmitted =
      cause === 'scope' ? isInScope(page, pages.url(page)) : isOfPart || hasRoom(resumption, site, error)
    if (isAdmitted) engine.retry(page)
    if (isOfPart) onReadmit(error)
  }
}

function hasRoom({ sites, maxPagesPerSite }: Resumption, site: number, error: string): boolean {
  return error === 'site-limit' && sites.asked(site) < maxPagesPerSite
}
