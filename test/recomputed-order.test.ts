/**
 * Strategies that recompute keep PageRank to a tolerance on webs of more than 4096 pages (S12). Their orders against those of
 * PageRank as exact as doubles allow, on a generated web and on a real one.
 */
import { describe, expect, it } from 'vitest'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { webOf, type Web } from '../src/webgraph/web.ts'
import { absent, sharedPath } from './shared-data.ts'

const prepared = (web: Web): Promise<SimulatedWeb> =>
  prepareWeb(web, { seeds: [bestSeed(web.graph).seed], damping: 0.85 })

/** The mean, over all prefixes of the order, of the PageRank they hold. */
function areaUnder(order: Uint32Array, rank: ArrayLike<number>): number {
  let [held, area] = [0, 0]
  for (const page of order) {
    held += rank[page]
    area += held
  }
  return area / order.length
}

/** Spearman's correlation of the places of all pages in two orders. */
function correlation(a: Uint32Array, b: Uint32Array): number {
  const place = new Float64Array(a.length)
  a.forEach((page, i) => (place[page] = i))
  const squares = b.reduce((sum, page, i) => sum + (place[page] - i) ** 2, 0)
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1))
}

async function compare(web: SimulatedWeb, strategy: string): Promise<void> {
  const { order } = await runSimulation(web, { strategy })
  const exact = await runSimulation(web, { strategy, tolerance: 1e-12 })
  expect(order).not.toEqual(exact.order)
  expect(correlation(order, exact.order)).toBeGreaterThan(0.999)
  expect(Math.abs(areaUnder(order, web.pageRank) - areaUnder(exact.order, web.pageRank))).toBeLessThan(1e-3)
}

describe('the order by scores within the tolerance is nearly that by exact ones', () => {
  it.each(['pagerank', 'batch-pagerank', 'partial-pagerank', 'trustrank'])(
    '%s, on a generated web',
    async (strategy) => {
      const { graph, sites } = syntheticGraph({ pages: 12_000, linksPerPage: 10 })
      await compare(await prepared(webOf({ graph, givenSites: sites })), strategy)
    },
    120_000,
  )

  it.skipIf(absent('data/uci-ics.edges.tsv.gz')).each(['pagerank', 'partial-pagerank'])(
    '%s, on uci-ics (skipped where ../shared is absent)',
    async (strategy) => {
      await compare(await prepared(await readGraph(sharedPath('data/uci-ics.edges.tsv.gz'))), strategy)
    },
    120_000,
  )
})
