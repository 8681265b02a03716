/**
 * The RankMass that each fetched page of a crawl certainly holds: (1 - d) of all mass that ever reaches it.
 * The values sum to the guaranteed coverage.
 */
import type { KnownLinks } from '../known-links.ts'
import type { PageStates } from '../page-states.ts'
import { walkMass, type Trust } from './mass-walk.ts'

export { trustOf, type Trust } from './mass-walk.ts'

export function certainMass(
  pages: Pick<PageStates, 'known' | 'isCrawled'>,
  links: KnownLinks,
  trust: Trust,
): Float64Array<ArrayBuffer> {
  const certain = new Float64Array(pages.known)
  walkMass(pages, links, trust, (page, mass) => {
    if (pages.isCrawled(page)) certain[page] += (1 - trust.damping) * mass
  })
  return certain
}
