/** Orders that count links or levels, on the shards of a simulated cluster: they are those of one engine. */
import { describe, expect, it } from 'vitest'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
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
  readonly order: 'strict' | 'fast'
  /** Undefined: the crawl is interrupted after the last page. */
  readonly budget?: number
}

/** The first pages of a crawl on shards. */
async function onShards(strategy: string, { workers, order, budget }: ClusterSetting): Promise<number[]> {
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
    order,
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
  { workers: 1, order: 'fast' },
  { workers: 1, order: 'strict' },
  { workers: 1, order: 'strict', budget: pages },
]
const fourWorkers: ClusterSetting[] = [
  { workers: 4, order: 'strict' },
  { workers: 4, order: 'strict', budget: pages },
]

describe('the order of many shards', () => {
  it.each([...oneWorker, ...fourWorkers])(
    'is breadth first, with $workers workers that are $order and a budget of $budget',
    async (given) => {
      const wanted = countByDepth(web, await onOneEngine('breadth-first'))
      expect(wanted).toEqual([1, homes, pages - homes - 1, 0])
      expect(countByDepth(web, await onShards('breadth-first', given))).toEqual(wanted)
    },
  )

  it.each(oneWorker)(
    'counts backlinks as one engine does, with one worker that is $order and a budget of $budget',
    async (given) => {
      const one = countByDepth(web, await onOneEngine('backlink-count'))
      expect(countByDepth(web, await onShards('backlink-count', given))).toEqual(one)
    },
  )

  it.each([
    ['backlink-count', 0.97],
    ['opic', 0.9],
  ])('by %s is worth at least %d of that of one engine', async (strategy, share) => {
    const one = linksTo(await onOneEngine(strategy))
    const shares: number[] = []
    for (const given of [...oneWorker, ...fourWorkers])
      shares.push(linksTo(await onShards(strategy, given)) / one)
    expect(shares.filter((each) => each < share)).toEqual([])
  })
})
