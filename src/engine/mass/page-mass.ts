/**
 * The sources of a page's RankMass, in the unit of the strategies' scores: the mass that the page would hold
 * if it were fetched. A fetched page passes d times its certain mass on over its links, in equal shares; a
 * page without links returns it to the trusted pages.
 */
import type { KnownLinks } from '../known-links.ts'
import type { PageStates } from '../page-states.ts'
import { type Trust, certainMass, walkMass } from './mass-walk.ts'

/** Whether pages were fetched, and the links of those that were. */
interface KnownPages {
  readonly pages: Pick<PageStates, 'known' | 'isHeld'>
  readonly links: KnownLinks
}

interface ReceivedMass {
  /**
   * All mass that has reached the page, including its own trust and what pages without links return to the
   * seeds.
   */
  readonly reached: number
  /** The pages that passed on the most, the largest first. */
  readonly givers: readonly { readonly page: number; readonly mass: number }[]
}

/** The known importance of a page that was not fetched, as a share of all RankMass, as coverage counts it. */
export function restingMass(crawl: KnownPages, page: number, trust: Trust): number {
  let rests = 0
  walkMass(crawl.pages, crawl.links, trust, (at, mass) => {
    if (at === page) rests += mass
  })
  return rests
}

export function receivedMass(crawl: KnownPages, page: number, trust: Trust, giversMax: number): ReceivedMass {
  const { pages, links } = crawl
  const certain = certainMass(pages, links, trust)
  const { damping, weights } = trust
  const givers: { page: number; mass: number }[] = []
  let returned = 0
  for (let from = 0; from < pages.known; from++) {
    if (!pages.isHeld(from)) continue
    const passed = damping * certain[from]
    links.seek(from)
    const { targets, start, end } = links
    if (start === end) returned += passed
    let times = 0
    for (let i = start; i < end; i++) if (targets[i] === page) times++
    if (times > 0) givers.push({ page: from, mass: (passed * times) / (end - start) })
  }
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const own = page < weights.length ? ((1 - damping + returned) * weights[page]) / sum : 0
  return {
    reached: givers.reduce((total, { mass }) => total + mass, own),
    givers: givers.toSorted((a, b) => b.mass - a.mass || a.page - b.page).slice(0, giversMax),
  }
}
