/**
 * The distribution of the RankMass of a crawl: the mass that the fetched pages certainly hold, and the mass
 * on pages that were not fetched, by reason. Valid for any strategy. docs/theory/coverage.md explains the figures.
 */
import { heldShare } from '../../engine/coverage.ts'
import { KnownLinks } from '../../engine/known-links.ts'
import type { PageStates } from '../../engine/page-states.ts'
import type { FailureCause } from '../../engine/world.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { walkMass, type Trust } from '../../engine/mass/mass-walk.ts'
import type { CrawlCoverage } from '../options/crawl-options.ts'

const noLinks = new Uint32Array(0)

/** Reads the current links of fetched pages from the facts. */
export async function linksOf(record: CrawlRecord): Promise<KnownLinks> {
  const links = new KnownLinks({ isReplaceable: true })
  await record.replay({
    fetched: (page, targets, count) => links.append(page, targets, count),
    looked: (page, _time, verdict, targets = noLinks, count = 0) => {
      if (verdict === 'changed') links.replace(page, targets, count)
    },
  })
  return links
}

/** Shares of the RankMass by where it rests; the remainder is `budget`. */
export type MassParts = Pick<CrawlCoverage, 'guaranteed' | 'robots' | 'scope' | 'failed'>

/**
 * The shares and the values derived from them. `certain`: the share that the strategy itself guarantees, if
 * any. It can exceed that of the walk by the mass that is still moving, and is the value that the crawl
 * stopped on.
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
    if (pages.isHeld(page)) held.guaranteed += (1 - trust.damping) * mass
    else held[partOf(pages.lossCauseOf(page))] += mass
  })
  const { budget: _, ...parts } = held
  return coverageOf(parts, certain)
}

/** The category that counts the mass of a page that is not held. */
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
 * The importance that left the scope: the probability that a surfer over the fetched pages follows a link out
 * of scope before stopping, if such links counted as ordinary links. With `coverageOf: 'web'`, this equals
 * `scope`.
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
