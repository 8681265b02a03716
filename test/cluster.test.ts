/**
 * Crawls on several shards: whatever happens to workers and messages, no mass is lost or counted twice, every page is journaled
 * once, and the coverage that the journals prove is true.
 */
import { describe, expect, it } from 'vitest'
import { protocolRules, type ProtocolRules } from '../src/cluster/rules.ts'
import { shardOf } from '../src/cluster/placement.ts'
import { TwoLevelFrontier } from '../src/frontiers/two-level.ts'
import { graphOf } from '../src/graph/csr-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import type { ClusterFaults } from '../src/simulation/cluster/faults.ts'
import { VirtualCluster, type ClusterTiming } from '../src/simulation/cluster/virtual-cluster.ts'
import { exactRankMass } from '../src/strategies/exact-rankmass.ts'
import { rankMass } from '../src/strategies/rankmass.ts'
import { ClusterChecker, Violation } from './cluster-checker.ts'
import { denseRank } from './naive-strategies.ts'

/** A web whose masses are sums of powers of two: each page has 0, 1, 2 or 4 links. */
interface SmallWeb {
  readonly lists: number[][]
  readonly sites: number[]
  readonly seeds: number[]
  readonly fails: boolean[]
}

function smallWeb(seed: number): SmallWeb {
  const random = seededRandom(seed, 7)
  const pages = 6 + random.below(30)
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
function reachable({ lists, seeds, fails }: SmallWeb): Set<number> {
  const found = new Set(seeds)
  for (const page of found) for (const link of lists[page]) if (!fails[link]) found.add(link)
  return found
}

interface Setting {
  readonly seed: number
  readonly shards?: number
  readonly workers?: number
  readonly faults?: ClusterFaults
  readonly timing?: Partial<ClusterTiming>
  readonly rules?: ProtocolRules
  readonly strategy?: 'exact-rankmass' | 'rankmass'
}

const damping = 0.5

function clusterOf({ seed, strategy = 'exact-rankmass', faults, timing, rules, ...setting }: Setting) {
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
    checksMessages: rules === undefined,
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
      const options = { damping, trust: (i: number) => weights[i], tolerance: 1e-6 }
      return strategy === 'rankmass' ? rankMass(options) : exactRankMass(options)
    },
    makeFrontier: () => new TwoLevelFrontier({}),
    failureOf: (node) => (web.fails[node] ? 'failed' : undefined),
    timing: { speed: 1, ...timing },
    faults,
    seed,
    rules,
    watch: checker.watch,
  })
  checker.watches(cluster)
  return { web, cluster, checker }
}

const faults: ClusterFaults = {
  kills: 0.01,
  freezes: 0.01,
  loss: 0.05,
  duplicates: 0.1,
  delay: 1,
}

const runs = process.env.FULL === '1' ? 20_000 : 400

describe('a crawl on several shards', () => {
  it('works', () => {
    let exact = 0,
      all = 0
    const total: Record<string, number> = {}
    for (let seed = 1; seed <= runs; seed++) {
      const { web, cluster, checker } = clusterOf({ seed, faults })
      let steps = 0
      let end
      try {
        end = cluster.run(() => ++steps > 300)
      } catch (e) {
        ;(e as Error).message = `seed ${seed}: ${(e as Error).message}`
        throw e
      }
      expect(end, `seed ${seed}`).toBe('finished')
      expect(checker.fetched, `seed ${seed}`).toEqual(reachable(web))
      checker.expectSameStates()
      exact += checker.exactChecks
      all += checker.checks
      for (const [name, count] of Object.entries(cluster.counts)) total[name] = (total[name] ?? 0) + count
    }
    console.log(exact, all, total)
  })
})
