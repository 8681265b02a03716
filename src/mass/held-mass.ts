/**
 * Where the RankMass of a crawl lies: what the fetched pages certainly hold, and what rests on pages that were not fetched, by
 * the reason why not. True for any strategy. docs/coverage.md says what the figures mean.
 */
import { heldShare } from '../engine/coverage.ts'
import { KnownLinks } from '../engine/known-links.ts'
import type { PageStates } from '../engine/page-states.ts'
import type { FailureCause } from '../engine/world.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { walkMass, type Trust } from './mass-walk.ts'
import type { CrawlCoverage } from '../options/crawl-options.ts'

/** Reads the links of fetched pages back from the facts. */
export async function linksOf(record: CrawlRecord): Promise<KnownLinks> {
  const links = new KnownLinks()
  await record.replay({ fetched: (page, targets, count) => links.append(page, targets, count) })
  return links
}

/** Parts of the RankMass by where it lies; the rest is `budget`. */
export type MassParts = Pick<CrawlCoverage, 'guaranteed' | 'robots' | 'scope' | 'failed'>

/**
 * The parts with what follows from them. `certain`: the share that the strategy itself guarantees, where it does. It can exceed that
 * of the walk by the mass that the walk leaves on its way, and is what the crawl stopped on.
 */
export function coverageOf(parts: MassParts, certain = 0): CrawlCoverage {
  const { robots, scope, failed } = parts
  const obtainable = Math.max(0, 1 - robots - failed)
  const share = Math.max(certain, heldShare(parts.guaranteed, robots + failed))
  const guaranteed = share * obtainable
  return {
    ...parts,
    guaranteed,
    budget: Math.max(0, obtainable - scope - guaranteed),
    obtainable,
    share,
  }
}

export function heldMass(pages: PageStates, links: KnownLinks, trust: Trust, certain = 0): CrawlCoverage {
  const held = { guaranteed: 0, robots: 0, scope: 0, failed: 0, budget: 0 }
  walkMass(pages, links, trust, (page, mass) => {
    if (pages.isCrawled(page)) held.guaranteed += (1 - trust.damping) * mass
    else held[partOf(pages.failureOf(page))] += mass
  })
  const { budget: _, ...parts } = held
  return coverageOf(parts, certain)
}

/** Where the mass of a page that was not fetched is counted. */
export function partOf(cause: FailureCause | undefined): 'robots' | 'scope' | 'failed' | 'budget' {
  switch (cause) {
    case 'robots':
    case 'scope':
    case 'failed':
      return cause
    default:
      return 'budget'
  }
}

/**
 * The importance that left the scope: the probability that a surfer over the fetched pages takes a link out of scope before it
 * stops, if such links were links like any other. `--coverage-of web` counts the same as `scope`.
 */
export function massOutOfScope(
  pages: PageStates,
  links: KnownLinks,
  trust: Trust,
  outcomes: Iterable<readonly [number, Pick<OutcomeRecord, 'outside' | 'tooDeep'>]>,
): number {
  const leaving = new Uint32Array(pages.known)
  let isAny = false
  for (const [page, { outside = 0, tooDeep = 0 }] of outcomes) {
    leaving[page] = outside + tooDeep
    isAny ||= leaving[page] > 0
  }
  return isAny ? walkMass(pages, links, trust, () => {}, leaving) : 0
}
