/** Continuous crawls on a simulated cluster: as fresh as one engine at the same rate, which is never exceeded, under all faults. */
import { describe, expect, it } from 'vitest'
import { rateShares } from '../src/cluster/protocol/rate-shares.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { jumpShare } from '../src/engine/recrawl/key-masses.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'
import { savedState } from '../src/lib/state.ts'
import { ChangingShards } from '../src/simulator/cluster/changing-shards.ts'
import { VirtualCluster } from '../src/simulator/cluster/virtual-cluster.ts'
import { changesOf, linksOverTime } from '../src/simulator/changing-web.ts'
import type { RecrawlRecord } from '../src/simulator/look-log.ts'
import type { ClusterFaults } from '../src/simulator/options/cluster-options.ts'
import { runRecrawl } from '../src/simulator/recrawl-run.ts'
import { kindOf } from '../src/simulator/run-kind.ts'
import type { RunOptions } from '../src/simulator/run.ts'
import { graphOfSimulated, prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../src/webgraph/web.ts'
import { faults } from './small-cluster.ts'

const daySeconds = 86_400
const pages = 240
const perSecond = 4
const roundSeconds = pages / perSecond

async function changingWeb(): Promise<SimulatedWeb> {
  const web = webOf(syntheticGraph({ pages, sites: 40, seed: 3, linksPerPage: 6 }))
  return prepareWeb(web, {
    seeds: [bestSeed(web.graph).seed],
    damping: 0.85,
    needsHistory: false,
    // From once in eight rounds to twice a round.
    changeRates: Float64Array.from(
      { length: pages },
      (_, page) => (2 ** ((page * 7) % 5) / 8 / roundSeconds) * daySeconds,
    ),
  })
}

/** The most of these times within so many seconds. */
function mostWithin(times: readonly number[], span: number): number {
  let most = 0
  for (let end = 0, start = 0; end < times.length; end++) {
    while (times[start] <= times[end] - span) start++
    most = Math.max(most, end - start + 1)
  }
  return most
}

describe.each(['opic', 'exact-rankmass'])('a continuous crawl by %s on a cluster', (strategy) => {
  it('is as fresh as one engine with the same rate', async () => {
    const web = await changingWeb()
    const days = (6 * roundSeconds) / daySeconds
    const options: RunOptions = {
      strategy,
      recrawl: 'greedy',
      recrawlOptions: { rate: perSecond * daySeconds, days, from: days / 2, rest: 0 },
    }
    const alone = await runRecrawl(web, options)
    const cluster = { shards: 8, workers: 3 }
    const shared = (await kindOf('cluster').run(web, { ...options, cluster }, {})) as RecrawlRecord
    expect(shared.order.length).toBe(alone.order.length)
    expect(shared.freshness.weighted / alone.freshness.weighted).toBeGreaterThan(0.97)
    expect(alone.freshness.weighted).toBeGreaterThan(0.5)
  })

  it('exceeds its rate at no time, and is replayed byte for byte, under any faults', async () => {
    const web = await changingWeb()
    let kills = 0
    for (let seed = 1; seed <= 2; seed++) {
      const { cluster, times } = clusterOf(web, strategy, seed, { ...faults, kills: 0.004 })
      await cluster.runWhile(() => cluster.queue.now < 4 * roundSeconds)
      expect(cluster.end).toBeUndefined()
      kills += cluster.counts.kills
      expect(times.length).toBeGreaterThan(pages / 2)
      // A token for each worker, and those that were killed, may be saved.
      for (const span of [1, 10, 60])
        expect(mostWithin(times, span)).toBeLessThanOrEqual(perSecond * (span + 1) + workers)
      for (const [number, journal] of cluster.store.journals.entries()) {
        const [one, other] = [cluster.emptyShard(number), cluster.emptyShard(number)]
        for (const { bytes } of journal.records) for (const shard of [one, other]) shard.replay(bytes)
        expect(Buffer.concat(savedState([one])).equals(Buffer.concat(savedState([other])))).toBe(true)
      }
      const shares = cluster.store.heads().map((head) => head!.sharesGranted - head!.sharesReturned)
      expect(shares.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(rateShares(shards))
    }
    expect(kills).toBeGreaterThan(0)
  })

  it('pauses and goes on', async () => {
    const web = await changingWeb()
    const { cluster, times } = clusterOf(web, strategy, 1)
    await cluster.runWhile(() => times.length < pages)
    cluster.command({ kind: 'pause' })
    const pausedAt = cluster.queue.now
    await cluster.runWhile(() => cluster.queue.now < pausedAt + 60)
    // Workers read the command at their next look.
    const during = times.filter((time) => time > pausedAt + 5)
    expect(during).toEqual([])
    cluster.command({ kind: 'resume' })
    await cluster.runWhile(() => cluster.queue.now < pausedAt + 90)
    expect(times.filter((time) => time > pausedAt + 60).length).toBeGreaterThan(10 * perSecond)
  })
})

const shards = 6
const workers = 3

function clusterOf(
  web: SimulatedWeb,
  strategy: string,
  seed: number,
  given?: ClusterFaults,
): { readonly cluster: VirtualCluster; readonly times: number[] } {
  const graph = graphOfSimulated(web)
  const changes = changesOf(web)
  const times: number[] = []
  const cluster = new VirtualCluster({
    graph,
    siteOf: web.siteOf,
    siteHashes: web.siteKeys,
    seeds: web.seeds,
    trust: web.trust,
    damping: web.damping,
    shards,
    workers,
    faults: given,
    seed,
    makeStrategy: (trust, shard) =>
      strategyOf(strategy, { damping: web.damping, webPages: pages, seed: shard, trust: (i) => trust[i] }),
    makeFrontier: () => new TwoLevelFrontier(),
    changing: new ChangingShards({
      nodes: graph.pages,
      changes,
      links: linksOverTime(web, graph, changes),
      perDay: perSecond * daySeconds,
      recrawl: () => ({
        policy: recrawlPolicyOf('greedy'),
        frontier: new TwoLevelFrontier(),
        restSeconds: 0,
        jump: jumpShare,
      }),
      onLook: () => {},
    }),
    watch: { requested: (_node, _score, _worker, seconds) => times.push(seconds) },
  })
  return { cluster, times }
}
