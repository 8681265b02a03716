/**
 * A web of some pages of another. They keep their ids and sites, so that the same sizes and speeds are drawn.
 */
import { CsrGraph } from '../webgraph/csr-graph.ts'
import type { Sites } from '../webgraph/sites.ts'
import { type Web, webOf } from '../webgraph/web.ts'
import { sharedUint32 } from '../lib/shared-memory.ts'
import { subgraph } from '../simulator/scope.ts'
import { graphOfSimulated, type SimulatedWeb } from '../simulator/simulated-web.ts'

/** These pages, with or without the links among them. */
export function webOfPages(truth: SimulatedWeb, chosen: Uint32Array, { links }: { links: boolean }): Web {
  const pages = chosen.slice().sort()
  const graph = links
    ? subgraph(graphOfSimulated(truth), pages)
    : new CsrGraph(sharedUint32(pages.length + 1), sharedUint32(0))
  return webOf({ graph, ids: pages.map((page) => truth.ids[page]), givenSites: sitesOf(truth, pages) })
}

function sitesOf(truth: SimulatedWeb, pages: Uint32Array): Sites {
  const numbers = new Map<number, number>()
  const ofPage = sharedUint32(pages.length)
  pages.forEach((page, i) => {
    const site = truth.siteOf[page]
    const number = numbers.get(site) ?? numbers.size
    numbers.set(site, number)
    ofPage[i] = number
  })
  const keys = Uint32Array.from(numbers.keys(), (site) => truth.siteKeys[site])
  return { count: numbers.size, ofPage, keys }
}

/** The first `pagesMax` pages of each site, in this order. */
export function firstOfEachSite(truth: SimulatedWeb, order: Uint32Array, pagesMax: number): Uint32Array {
  const taken = new Uint32Array(truth.siteCount)
  return order.filter((page) => taken[truth.siteOf[page]]++ < pagesMax)
}

/** The number of pages of each site, in descending order. */
export function pagesBySite(truth: SimulatedWeb, pages: Iterable<number>): number[] {
  const counts = new Map<number, number>()
  for (const page of pages) counts.set(truth.siteOf[page], (counts.get(truth.siteOf[page]) ?? 0) + 1)
  return [...counts.values()].sort((a, b) => b - a)
}
