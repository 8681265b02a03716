/** Small clusters for tests: webs of a few pages whose masses are sums of powers of two, checked after every group. */
import type { ProtocolRules } from '../src/cluster/protocol/rules.ts'
import { shardOf } from '../src/cluster/protocol/placement.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import type { ClusterFaults } from '../src/simulator/options/cluster-options.ts'
import {
  VirtualCluster,
  type ClusterEnd,
  type ClusterTiming,
} from '../src/simulator/cluster/virtual-cluster.ts'
import { exactRankMass } from '../src/engine/strategies/exact-rankmass.ts'
import { rankMass } from '../src/engine/strategies/rankmass.ts'
import { ClusterChecker, Violation } from './cluster-checker.ts'
import { denseRank } from './naive-strategies.ts'

/** A web whose masses are sums of powers of two: each page has 0, 1, 2 or 4 links. */
export interface SmallWeb {
  readonly lists: number[][]
  readonly sites: number[]
  readonly seeds: number[]
  readonly fails: boolean[]
}

export function smallWeb(seed: number): SmallWeb {
  const random = seededRandom(seed, 7)
  const pages = 5 + random.below(20)
  const sites = Array.from({ length: pages }, () => random.below(1 + pages / 2))
  const lists = Array.from({ length: pages }, () => {
    const links = new Set<number>()
    const count = [0, 1, 2, 2, 4, 4][random.below(6)]
    while (links.size < count) links.add(random.below(pages))
    return [...links]
  })
  const first = random.below(pages)
  const seeds = random.below(2) === 0 ? [first] : [first, (first + 1) % pages]
  const fails = Array.from({ length: pages }, (_, page) => !seeds.includes(page) && random.below(8) === 0)
  return { lists, sites, seeds, fails }
}

/** Pages that a crawl can fetch. */
export function reachable({ lists, seeds, fails }: SmallWeb): Set<number> {
  const found = new Set(seeds)
  for (const page of found) for (const link of lists[page]) if (!fails[link]) found.add(link)
  return found
}

export interface Setting {
  readonly seed: number
  readonly shards?: number
  readonly workers?: number
  readonly faults?: ClusterFaults
  readonly timing?: Partial<ClusterTiming>
  readonly rules?: ProtocolRules
  readonly strategy?: 'exact-rankmass' | 'rankmass'
  readonly requested?: (node: number, worker: string, seconds: number) => void
  readonly pages?: number
  readonly coverage?: number
  readonly patience?: number
  /** Without the invariants. */
  readonly isUnchecked?: boolean
}

const damping = 0.5

export function clusterOf(given: Setting): {
  web: SmallWeb
  cluster: VirtualCluster
  checker: ClusterChecker
} {
  const { seed, strategy = 'exact-rankmass', requested, ...setting } = given
  const web = smallWeb(seed)
  const random = seededRandom(seed, 8)
  const { shards = 1 + random.below(5), workers = 1 + random.below(4) } = setting
  const siteHashes = web.sites.map((_, site) => seededRandom(site, seed).uint32())
  const trust = web.seeds.map(() => 1 / web.seeds.length)
  const trustOfShard = Array.from({ length: shards }, (_, shard) =>
    web.seeds.reduce(
      (sum, page, i) => sum + (shardOf(siteHashes[web.sites[page]], shards) === shard ? trust[i] : 0),
      0,
    ),
  )
  const jumps = web.lists.map((_, page) => (web.seeds.includes(page) ? 1 / web.seeds.length : 0))
  const truth = denseRank(
    web.lists.length,
    (page) => (web.fails[page] ? [page] : web.lists[page]),
    damping,
    jumps,
  )
  const checker = new ClusterChecker({
    damping,
    trustOfShard,
    truth,
    fails: (node) => web.fails[node],
    checksMessages: setting.rules === undefined,
  })
  const cluster = new VirtualCluster({
    graph: graphOf(web.lists),
    siteOf: Uint32Array.from(web.sites),
    siteHashes,
    seeds: web.seeds,
    trust,
    damping,
    shards,
    workers,
    makeStrategy: (weights) => {
      const options = { damping, trust: (i: number) => weights[i], tolerance: 1e-4 }
      return strategy === 'rankmass' ? rankMass(options) : exactRankMass(options)
    },
    makeFrontier: () => new TwoLevelFrontier({}),
    failureOf: (node) => (web.fails[node] ? 'failed' : undefined),
    timing: { speed: 2, ...setting.timing },
    faults: setting.faults,
    seed,
    rules: setting.rules,
    pages: setting.pages,
    coverage: setting.coverage,
    patience: setting.patience,
    watch: {
      ...(setting.isUnchecked === true ? {} : checker.watch),
      requested: (node, _score, worker, seconds) => requested?.(node, worker, seconds),
    },
  })
  checker.watches(cluster)
  return { web, cluster, checker }
}

/** A worker needs several requests for each beat and look. With these, most workers live long enough to take shards over. */
export const faults: ClusterFaults = {
  kills: 0.01,
  freezes: 0.02,
  loss: 0.05,
  duplicates: 0.1,
  delay: 0.5,
}

export const runs = process.env.FULL === '1' ? 50_000 : 500
/** Runs of one test. */
export const blockRuns = 250
/** Steps of a run that will not end. */
const stepsMax = 500_000

export async function run(
  setting: Setting,
): Promise<ReturnType<typeof clusterOf> & { readonly end: ClusterEnd }> {
  const made = clusterOf(setting)
  let left = stepsMax / 1024
  try {
    return { ...made, end: await made.cluster.run(() => --left < 0) }
  } catch (error) {
    if (error instanceof Violation) error.message = `seed ${setting.seed}: ${error.message}`
    throw error
  }
}

export const firstSeed = Number(process.env.SEED ?? 1)
