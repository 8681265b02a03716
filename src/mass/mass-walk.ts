/**
 * A random walk over a crawl: it starts at the trusted pages and follows the links of fetched pages, or jumps
 * back. At a page that was not fetched the rest of the walk is unknown, so it stops there. Valid for any
 * fetch order.
 *
 * Each round moves all mass on fetched pages by one link; after n rounds at most d^n of it is still moving.
 * 33 bytes per known page; each round reads the links of fetched pages once.
 */
import type { KnownLinks } from '../engine/known-links.ts'
import type { PageStates } from '../engine/page-states.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'

/** Mass that may still be moving at the end; it counts as not held. */
const restMax = 1e-9

/** The trust of a crawl: weights of the first pages, which are the seeds. They need not sum to 1. */
export interface Trust {
  readonly damping: number
  readonly weights: Float64Array
}

/** The seeds of the crawl in this folder, weighted equally or by its trust file. */
export function trustOf(folder: CrawlFolder): Trust {
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
 * Calls `met` for every fetched page that receives mass, once per round, with that mass (1 in total at the
 * start); and at the end once for every other page, with its total. `leaving`: for every page, the number of
 * further links that lead to no known page; the mass that they carry is returned.
 */
export function walkMass(
  pages: Pick<PageStates, 'known' | 'isCrawled'>,
  links: KnownLinks,
  { damping, weights }: Trust,
  met: (page: number, mass: number) => void,
  leaving?: Uint32Array,
): number {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const fetched = Uint32Array.from(fetchedPages(pages))
  let now = new Float64Array(pages.known)
  let next = new Float64Array(pages.known)
  const stopped = new Float64Array(pages.known)
  weights.forEach((weight, page) => (now[page] = weight / sum))
  for (let page = 0; page < weights.length; page++) if (!pages.isCrawled(page)) stopped[page] += now[page]
  const isFetched = new Uint8Array(pages.known)
  for (const page of fetched) isFetched[page] = 1
  let left = 0
  for (let rest = 1; rest > restMax;) {
    rest = 0
    let returned = 0
    for (const page of fetched) {
      const mass = now[page]
      if (mass === 0) continue
      now[page] = 0
      met(page, mass)
      const passed = damping * mass
      rest += passed
      links.seek(page)
      const { targets, start, end } = links
      const away = leaving?.[page] ?? 0
      const count = end - start + away
      if (count === 0) returned += passed
      const share = passed / count
      if (away > 0) left += away * share
      for (let i = start; i < end; i++) {
        const to = targets[i]
        if (isFetched[to] === 1) next[to] += share
        else stopped[to] += share
      }
    }
    if (returned > 0) {
      weights.forEach((weight, page) => {
        const arrives = isFetched[page] === 1 ? next : stopped
        arrives[page] += (returned * weight) / sum
      })
    }
    ;[now, next] = [next, now]
  }
  for (let page = 0; page < pages.known; page++) if (stopped[page] > 0) met(page, stopped[page])
  return left
}

function* fetchedPages(pages: Pick<PageStates, 'known' | 'isCrawled'>): Generator<number> {
  for (let page = 0; page < pages.known; page++) if (pages.isCrawled(page)) yield page
}
