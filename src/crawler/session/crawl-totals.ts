/** The totals of a crawl at the end of a session. */
import { waitedShare } from '../../engine/connection-time.ts'
import type { Engine } from '../../engine/engine.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import { omissionsOf } from '../options/omissions.ts'
import { heldMass, linksOf, massOutOfScope } from '../read/held-mass.ts'
import { trustOf } from '../../engine/mass/mass-walk.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { isArchived } from '../parts/all-parts.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { headlineOf, isComplete } from '../wording/headline.ts'
import { hostsWithPages, pageTotals } from '../../engine/page-totals.ts'
import type { Counts } from '../record/tally.ts'
import { isModulePath } from '../../engine/user-code/strategy-module.ts'
import type { SessionParts } from './session-parts.ts'
import { outageOf } from './temporary-failures.ts'

/** Looks at held pages that observed them. */
function looksOf({ recrawl }: Engine): Pick<CrawlTotals, 'looks'> {
  if (recrawl === undefined) return {}
  return { looks: { count: recrawl.held.refreshes, changes: recrawl.held.changes } }
}

/** Why no page is left. */
function endOf(unreachableSites: number, refusedAsTraps: number): StopReason {
  if (unreachableSites > 0) return 'unreachable'
  return refusedAsTraps > 0 ? 'traps' : 'finished'
}

export async function totalsOf(
  { engine, record, pages, sites, audit, reachability, parts }: SessionParts,
  folder: CrawlFolder,
  settings: CrawlSettings,
  counts: Counts,
): Promise<CrawlTotals> {
  const outage = outageOf(engine.pages, sites, record, reachability.isNetworkDown)
  const because = parts.stopped ?? engine.stopReason ?? 'finished'
  const links = await linksOf(record.record)
  const trust = trustOf(folder)
  const held = heldMass(engine.pages, links, trust, engine.strategy.coverage?.())
  // Reading all outcomes takes longer than the rest of the totals. Links of changed pages and links that are too deep are not counted.
  const mayLeave =
    counts.linksOutOfScope > 0 || settings.maxDepth !== undefined || engine.recrawl !== undefined
  const outcomes = mayLeave ? record.record.outcomes() : []
  const left =
    settings.coverageOf === 'scope' ? massOutOfScope(engine.pages, links, trust, outcomes) : held.scope
  const totals = { ...pageTotals(engine.pages), waiting: engine.waitingCount }
  return {
    ...totals,
    responded: counts.responded,
    known: pages.known - (pages.outside < 0 ? 0 : 1),
    bytes: counts.bytes,
    coverage: { ...held, left },
    headline: headlineOf({ ...totals, ...omissionsOf([counts]) }, held),
    isComplete: isComplete(totals),
    stoppedBecause: because === 'finished' ? endOf(outage.sites, counts.refusedAsTraps) : because,
    errors: counts.errors,
    seconds: counts.seconds,
    waitedForBetter: waitedShare(counts.connectionTime),
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    strategy: isModulePath(settings.strategy) ? engine.strategy.name : settings.strategy,
    sites: hostsWithPages(engine.pages, (site) => sites.first(site)),
    links: counts.links,
    duplicates: counts.duplicates,
    nearDuplicates: counts.nearDuplicates,
    ...looksOf(engine),
    ...parts.totals(),
    ...omissionsOf([counts]),
    outage,
    outOfOrder: audit.outOfOrder,
    folder: folder.path,
    warcFiles: isArchived(settings) ? folder.warcFiles(record.record) : [],
  }
}
