/** The numbers of the view Now. */
import { shownRows } from '../../crawler/parts/all-parts.ts'
import { openingProgress } from '../../crawler/session/opening-progress.ts'
import { budgetLeft, type Budgets } from '../../crawler/read/budget-left.ts'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import type { ImportanceBar, Now } from './api/index.ts'

const errorsShown = 40

interface NowContext {
  readonly asOfMs: number
  readonly hasEnded: boolean
  readonly connectionsMax?: number | undefined
  readonly pagesPerSecond: number
  readonly looksPerSecond?: number | undefined
  readonly bytesPerSecond: number
  /** Those that end the crawl. */
  readonly budgets: Budgets
  readonly gain?: number | undefined
  readonly importance?: ImportanceBar | undefined
  readonly process?: Now['process']
}

export function nowOf(progress: CrawlProgress = openingProgress, context: NowContext): Now {
  const { hasEnded, budgets, ...rest } = context
  const { phase, isPaused, guaranteed } = progress
  return {
    ...rest,
    phase: hasEnded ? 'ended' : isPaused === true ? 'paused' : phase,
    coverage: guaranteed,
    left: hasEnded ? undefined : budgetLeft(progress, budgets, context),
    pages: progress.pages,
    bytes: progress.bytes,
    seconds: progress.seconds,
    known: progress.known,
    waiting: progress.waiting,
    redirects: progress.redirects,
    failed: progress.failed,
    temporary: progress.temporary,
    unreachable: progress.unreachable,
    refusedByRobots: progress.refusedByRobots,
    refusedByLimits: progress.refusedByLimits,
    refusedAsTraps: progress.refusedAsTraps,
    linksOutOfScope: progress.linksOutOfScope,
    linksNotFollowed: progress.linksNotFollowed,
    duplicates: progress.duplicates,
    nearDuplicates: progress.nearDuplicates,
    sites: progress.sites,
    connections: hasEnded ? 0 : progress.connections,
    waitedForBetter: progress.waitedForBetter,
    errors: Object.entries(progress.errors)
      .map(([error, count]) => ({ error, count }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, errorsShown),
    rows: shownRows(progress),
    outage: hasEnded ? undefined : progress.outage,
    // JSON has no Infinity.
    nextDueSeconds: Number.isFinite(progress.nextDueSeconds) ? progress.nextDueSeconds : 0,
  }
}
