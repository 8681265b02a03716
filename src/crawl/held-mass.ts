/**
 * Where the RankMass of a crawl lies: what the fetched pages certainly hold, and what lies behind pages that were not
 * fetched, by the reason why not.
 */
import { KnownLinks } from '../engine/known-links.ts'
import type { PageStates } from '../engine/page-states.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { walkMass, type Trust } from './mass-walk.ts'
import type { CrawlTotals } from './options.ts'

/** Reads the links of fetched pages back from the facts. */
export async function linksOf(record: CrawlRecord): Promise<KnownLinks> {
  const links = new KnownLinks()
  await record.replay({ fetched: (page, targets, count) => links.append(page, targets, count) })
  return links
}

export function heldMass(pages: PageStates, links: KnownLinks, trust: Trust): CrawlTotals['coverage'] {
  const held = { guaranteed: 0, robots: 0, scope: 0, failed: 0, budget: 0 }
  walkMass(pages, links, trust, (page, mass) => {
    if (pages.isCrawled(page)) held.guaranteed += (1 - trust.damping) * mass
    else held[causeOf(pages, page)] += mass
  })
  const { guaranteed, robots, scope, failed } = held
  return { ...held, budget: Math.max(0, 1 - guaranteed - robots - scope - failed) }
}

function causeOf(pages: PageStates, page: number): 'robots' | 'scope' | 'failed' | 'budget' {
  const cause = pages.failureOf(page)
  if (cause === undefined || cause === 'limit') return 'budget'
  return cause === 'unreachable' ? 'failed' : cause
}
