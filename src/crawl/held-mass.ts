/**
 * Where the RankMass of a crawl lies: what the fetched pages certainly hold, and what lies behind pages that were not
 * fetched, by the reason why not. True for any order of fetching: a surfer starts at the trusted pages and follows links
 * of fetched pages, or jumps back; where it first meets a page that was not fetched, nothing is known of its way on.
 *
 * Each round moves all mass on fetched pages one link on; after n rounds at most d^n of it is still on its way.
 */
import type { PageStates } from '../engine/page-states.ts'
import { readFacts, type FactListener } from '../engine/fact.ts'
import { KnownLinks } from '../engine/known-links.ts'
import type { CrawlTotals } from './options.ts'

/** Mass that may be left on its way; it counts as not held. */
const restMax = 1e-7

/** Reads the links of fetched pages back from the facts. */
export async function linksOf(facts: AsyncIterable<Uint8Array>): Promise<KnownLinks> {
  const links = new KnownLinks()
  const nothing = (): void => {}
  const listener: FactListener = {
    seed: nothing,
    failed: nothing,
    postponed: nothing,
    closed: nothing,
    dispatchAt: nothing,
    budget: nothing,
    fetched: (page, targets, count) => links.append(page, targets, count),
  }
  for await (const bytes of facts) readFacts(bytes, listener)
  return links
}

export function heldMass(
  pages: PageStates,
  links: KnownLinks,
  { damping, weights }: { damping: number; weights: Float64Array },
): CrawlTotals['coverage'] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const coverage = { guaranteed: 0, robots: 0, scope: 0, failed: 0, budget: 0 }
  let now = new Float64Array(pages.known)
  let next = new Float64Array(pages.known)
  // Seeds are the first pages of a crawl.
  weights.forEach((weight, page) => (now[page] = weight / sum))
  let rest = 1
  while (rest > restMax) {
    next.fill(0)
    rest = 0
    let returned = 0
    for (let page = 0; page < pages.known; page++) {
      const mass = now[page]
      if (mass === 0) continue
      if (!pages.isCrawled(page)) {
        coverage[causeOf(pages, page)] += mass
        continue
      }
      coverage.guaranteed += (1 - damping) * mass
      const passed = damping * mass
      rest += passed
      links.seek(page)
      const { targets, start, end } = links
      if (start === end) returned += passed
      const share = passed / (end - start)
      for (let i = start; i < end; i++) next[targets[i]] += share
    }
    if (returned > 0) weights.forEach((weight, page) => (next[page] += (returned * weight) / sum))
    ;[now, next] = [next, now]
  }
  const { guaranteed, robots, scope, failed } = coverage
  return { ...coverage, budget: Math.max(0, 1 - guaranteed - robots - scope - failed) }
}

function causeOf(pages: PageStates, page: number): 'robots' | 'scope' | 'failed' | 'budget' {
  const cause = pages.failureOf(page)
  if (cause === undefined || cause === 'limit') return 'budget'
  return cause === 'unreachable' ? 'failed' : cause
}
