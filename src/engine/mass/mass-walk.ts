/**
 * A random walk over a crawl: it starts at the trusted pages and follows the links of held pages, or jumps
 * back. At a page that was not fetched, or that is gone or forbidden since, the rest of the walk is unknown, so it stops there. Valid for any
 * fetch order.
 *
 * Each round passes the mass of all fetched pages on, in order of discovery. Most links lead to pages that were
 * discovered later, so mass moves along several links in one round. Very small masses are not passed on.
 * 8 bytes per known page.
 */
import type { KnownLinks } from '../known-links.ts'
import type { PageStates } from '../page-states.ts'

/** Mass on fetched pages, in all, that may remain unmoved at the end. */
const restMax = 1e-9

/** The trust of a crawl: weights of the first pages, which are the seeds. They need not sum to 1. */
export interface Trust {
  readonly damping: number
  readonly weights: Float64Array
}

/** What the folder of a crawl says about trust. */
interface TrustFolder {
  readonly file: {
    readonly options: { readonly seeds: readonly string[]; readonly damping: number }
    readonly shard?: { readonly weights: readonly number[] } | undefined
  }
  readScores(name: 'trust'): ReadonlyMap<string, number> | undefined
}

/** The seeds of the crawl in this folder, weighted equally or by its trust file. */
export function trustOf(folder: TrustFolder): Trust {
  const { seeds, damping } = folder.file.options
  const { shard } = folder.file
  if (shard !== undefined) return { damping, weights: Float64Array.from(shard.weights) }
  const trust = folder.readScores('trust')
  return {
    damping,
    weights: Float64Array.from(seeds, (url) => (trust === undefined ? 1 : (trust.get(url) ?? 0))),
  }
}

/**
 * Calls `met` for every page that receives mass, with that mass (1 in total at the start): for fetched pages whenever
 * mass is passed on, and at the end for the mass that rests on other pages or was not passed on. `leaving`: for every
 * page, the number of further links that lead to no known page; the mass that they carry is returned.
 */
export function walkMass(
  pages: Pick<PageStates, 'known' | 'isHeld'>,
  links: KnownLinks,
  { damping, weights }: Trust,
  met: (page: number, mass: number) => void,
  leaving?: Uint32Array,
): number {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const fetched = Uint32Array.from(fetchedPages(pages))
  /** By page: mass that was not passed on yet. */
  const resting = new Float64Array(pages.known)
  weights.forEach((weight, page) => (resting[page] = weight / sum))
  const movedMin = restMax / Math.max(1, fetched.length)
  let left = 0
  for (let isMoving = true; isMoving;) {
    isMoving = false
    let returned = 0
    for (const page of fetched) {
      const mass = resting[page]
      if (mass <= movedMin) continue
      isMoving = true
      resting[page] = 0
      met(page, mass)
      const passed = damping * mass
      links.seek(page)
      const { targets, start, end } = links
      const away = leaving?.[page] ?? 0
      const count = end - start + away
      if (count === 0) returned += passed
      const share = passed / count
      if (away > 0) left += away * share
      for (let i = start; i < end; i++) resting[targets[i]] += share
    }
    if (returned > 0) weights.forEach((weight, page) => (resting[page] += (returned * weight) / sum))
  }
  for (let page = 0; page < pages.known; page++) if (resting[page] > 0) met(page, resting[page])
  return left
}

function* fetchedPages(pages: Pick<PageStates, 'known' | 'isHeld'>): Generator<number> {
  for (let page = 0; page < pages.known; page++) if (pages.isHeld(page)) yield page
}

/**
 * The RankMass that each fetched page of a crawl certainly holds: (1 - d) of all mass that ever reaches it.
 * The values sum to the guaranteed coverage.
 */

export function certainMass(
  pages: Pick<PageStates, 'known' | 'isHeld'>,
  links: KnownLinks,
  trust: Trust,
): Float64Array<ArrayBuffer> {
  const certain = new Float64Array(pages.known)
  walkMass(pages, links, trust, (page, mass) => {
    if (pages.isHeld(page)) certain[page] += (1 - trust.damping) * mass
  })
  return certain
}
