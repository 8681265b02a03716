/**
 * The RankMass that each fetched page certainly holds: what `heldMass` sums up, page by page. A surfer starts at the
 * trusted pages and follows links of fetched pages; each time it stands on one, it stays there for good with
 * probability 1 - d. Where it meets a page that was not fetched, nothing is known of its way on, and nothing is counted.
 *
 * Each round moves all mass on fetched pages one link on; after n rounds at most d^n of it is still on its way, and what
 * then is counts for nobody: the figures are lower bounds. 24 bytes a page.
 */
import type { KnownLinks } from '../../engine/known-links.ts'
import type { PageStates } from '../../engine/page-states.ts'
import type { CrawlFolder } from '../crawl-folder.ts'

/** Mass that may be left on its way. */
const restMax = 1e-9

export interface Trust {
  readonly damping: number
  /** Of the seeds, which are the first pages; of any sum. */
  readonly weights: Float64Array
}

export function certainMass(
  pages: PageStates,
  links: KnownLinks,
  { damping, weights }: Trust,
): Float64Array<ArrayBuffer> {
  const { known } = pages
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const certain = new Float64Array(known)
  let now = new Float64Array(known)
  let next = new Float64Array(known)
  weights.forEach((weight, page) => (now[page] = weight / sum))
  for (let rest = 1; rest > restMax;) {
    next.fill(0)
    rest = 0
    let returned = 0
    for (let page = 0; page < known; page++) {
      const mass = now[page]
      if (mass === 0 || !pages.isCrawled(page)) continue
      certain[page] += (1 - damping) * mass
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
  return certain
}

/** Whom the crawl in this folder trusts: its seeds, all alike or as its trust file says. */
export function trustOf(folder: CrawlFolder): Trust {
  const { seeds, damping } = folder.file.options
  const trust = folder.readScores('trust')
  return {
    damping,
    weights: Float64Array.from(seeds, (url) => (trust === undefined ? 1 : (trust.get(url) ?? 0))),
  }
}
