/** Orders that count links or levels, on the shards of a simulated cluster: they are those of one engine. */
import { describe, expect, it } from 'vitest'
import { lastOnly } from '../src/engine/patience.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf, toCsr } from '../src/webgraph/csr-graph.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../src/webgraph/web.ts'
import { seededRandom } from '../src/lib/random.ts'
import '../src/simulator/run-kinds.ts'
import { runSimulation, type RunOptions } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { VirtualCluster } from '../src/simulator/cluster/virtual-cluster.ts'
import { strategyOf, type StrategySetting } from '../src/engine/strategies/index.ts'
import { countByDepth, hubWeb } from './support/hub-web.ts'
import { simulatedCrawl } from './simulated-crawl.ts'

const homes = 40
const web = hubWeb({ homes, pagesMax: 49, down: 7, across: 3 })
const shards = 16
const pages = 500
const damping = 0.85
const setting: StrategySetting = { damping, webPages: web.lists.length, seed: 1, trust: () => 1 }

interface ClusterSetting {
  readonly workers: number
  readonly patience: number
  /** Undefined: the crawl is interrupted after the last page. */
  readonly budget?: number
}

/** The first pages of a crawl on shards. */
async function onShards(strategy: string, { workers, patience, budget }: ClusterSetting): Promise<number[]> {
  const taken: number[] = []
  const cluster = new VirtualCluster({
    graph: graphOf(web.lists),
    siteOf: Uint32Array.from(web.sites),
    siteHashes: Array.from({ length: homes + 1 }, (_, site) => seededRandom(site, 3).uint32()),
    seeds: [0],
    trust: [1],
    damping,
    shards,
    workers,
    patience,
    pages: budget,
    seed: 1,
    makeStrategy: (trust) => strategyOf(strategy, { ...setting, trust: (seed) => trust[seed] }),
    makeFrontier: () => new TwoLevelFrontier({ ranksSites: false }),
    watch: { requested: (node) => void taken.push(node) },
  })
  await cluster.runWhile(() => taken.length < pages)
  return taken
}

async function onOneEngine(strategy: string): Promise<number[]> {
  const { lists, sites } = web
  const one = { lists, sites, seeds: [0], pagesMax: pages }
  return (await simulatedCrawl(one, () => strategyOf(strategy, setting))).order
}

/** Links of the web to these pages. */
function linksTo(taken: readonly number[]): number {
  const set = new Set(taken)
  return web.lists.flat().filter((page) => set.has(page)).length
}

const oneWorker: ClusterSetting[] = [
  { workers: 1, patience: 0 },
  { workers: 1, patience: lastOnly },
  { workers: 1, patience: lastOnly, budget: pages },
]
const fourWorkers: ClusterSetting[] = [
  { workers: 4, patience: lastOnly },
  { workers: 4, patience: lastOnly, budget: pages },
]

describe('the order of many shards', () => {
  it.each([...oneWorker, ...fourWorkers])(
    'is breadth first, with $workers workers with patience $patience and a budget of $budget',
    async (given) => {
      const wanted = countByDepth(web, await onOneEngine('breadth-first'))
      expect(wanted).toEqual([1, homes, pages - homes - 1, 0])
      expect(countByDepth(web, await onShards('breadth-first', given))).toEqual(wanted)
    },
  )

  it.each(oneWorker)(
    'counts backlinks as one engine does, with one worker with patience $patience and a budget of $budget',
    async (given) => {
      const one = countByDepth(web, await onOneEngine('backlink-count'))
      expect(countByDepth(web, await onShards('backlink-count', given))).toEqual(one)
    },
  )

  it.each([
    ['backlink-count', 0.97],
    ['opic', 0.9],
    ['fractional-pagerank', 0.97],
  ])('by %s is worth at least %d of that of one engine', async (strategy, share) => {
    const one = linksTo(await onOneEngine(strategy))
    const shares: number[] = []
    for (const given of [...oneWorker, ...fourWorkers])
      shares.push(linksTo(await onShards(strategy, given)) / one)
    expect(shares.filter((each) => each < share)).toEqual([])
  })
})

describe('patience on shards', () => {
  it('saves about as many downloads as on one machine, where sites rest longer than workers wait for one another', async () => {
    const graph = syntheticGraph({ pages: 1500, linksPerPage: 10 })
    const stored = webOf({ graph: toCsr(graph.graph), givenSites: graph.sites })
    const simulated = await prepareWeb(stored, { seeds: [bestSeed(stored.graph).seed], damping })
    const downloads = async (more: Pick<RunOptions, 'time' | 'cluster' | 'patience'>): Promise<number> => {
      const options = { strategy: 'exact-rankmass', coverage: 0.9, ...more }
      return (await runSimulation(simulated, options)).order.length
    }
    const onCluster = (workers: number, patience: number): Promise<number> =>
      downloads({ patience, cluster: { shards: 8, workers, gapSeconds: 15 } })
    const one = await downloads({ patience: 0.1, time: { connections: 3, wait: 15 } })
    const without = await onCluster(1, 0)
    expect(one).toBeLessThan(0.6 * without)
    expect(await onCluster(1, 0.1)).toBeLessThan(1.2 * one)
    expect(await onCluster(3, 0.1)).toBeLessThan(0.8 * without)
  })
})
