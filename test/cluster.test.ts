/**
 * Crawls on several shards: whatever happens to workers and messages, no mass is lost or counted twice, every page is journaled
 * once, and the coverage that the journals prove is true.
 */
import { describe, expect, it } from 'vitest'
import { protocolRules, type ProtocolRules } from '../src/cluster/protocol/rules.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import type { ClusterFaults } from '../src/simulator/options/cluster-options.ts'
import { VirtualCluster } from '../src/simulator/cluster/virtual-cluster.ts'
import { shardedStrategies, strategyOf, type StrategySetting } from '../src/engine/strategies/index.ts'
import { Violation } from './cluster-checker.ts'
import { simulatedCrawl } from './simulated-crawl.ts'
import {
  blockRuns,
  clusterOf,
  faults,
  firstSeed,
  reachable,
  run,
  runs,
  smallWeb,
  type Setting,
  type SmallWeb,
} from './small-cluster.ts'

/** Crawls with many seeds, to the end, and expects every invariant to hold after every step. */
async function expectSound(
  count: number,
  settingOf: (seed: number) => Omit<Setting, 'seed'>,
  first = firstSeed,
): Promise<Totals> {
  const totals: Totals = { exact: 0, checks: 0, states: 0, counts: {} }
  for (let i = 0; i < count; i++) {
    const seed = first + i
    const { web, cluster, checker, end } = await run({ seed, ...settingOf(seed) })
    expect(end, `seed ${seed}`).toBe('finished')
    expect(checker.fetched, `seed ${seed}`).toEqual(reachable(web))
    totals.states += checker.states
    totals.exact += checker.exactChecks
    totals.checks += checker.checks
    for (const [name, value] of Object.entries(cluster.counts))
      totals.counts[name] = (totals.counts[name] ?? 0) + Number(value)
  }
  return totals
}

interface Totals {
  exact: number
  checks: number
  states: number
  readonly counts: Record<string, number>
}

const strategyNames = ['exact-rankmass', 'rankmass'] as const

describe('a crawl on several shards', () => {
  const blocks = Array.from({ length: runs / blockRuns }, (_, block) => firstSeed + block * blockRuns)
  it.each(blocks)(
    `conserves mass to the last bit, journals every page once, replays byte for byte and never claims more than the truth, whatever happens to workers and messages (${blockRuns} seeds from %i)`,
    async (first) => {
      const totals = await expectSound(
        blockRuns,
        (seed) => ({ faults, strategy: strategyNames[seed & 1] }),
        first,
      )
      // The faults did occur, and a part of the sums was exact.
      const wanted = ['kills', 'freezes', 'fenced', 'released', 'lost', 'duplicates', 'dropped']
      expect(wanted.filter((fault) => totals.counts[fault] < blockRuns / 10)).toEqual([])
      expect(totals.exact).toBeGreaterThan(totals.checks / 8)
      expect(totals.states).toBeGreaterThan(blockRuns / 2)
    },
  )

  it('is the same again with the same seed', async () => {
    const history = async (seed: number): Promise<unknown[]> => {
      const { cluster } = await run({ seed, faults, workers: 3, shards: 3, isUnchecked: true })
      const journals = cluster.store.journals.map(({ records }) => records)
      return [cluster.queue.now, cluster.counts, cluster.store.control.records, ...journals]
    }
    for (let seed = firstSeed; seed < firstSeed + 5; seed++)
      expect(await history(seed)).toEqual(await history(seed))
    expect(await history(firstSeed)).not.toEqual(await history(firstSeed + 1))
  })

  it('is taken over by workers whose clocks are behind those of the owners before', async () => {
    const totals = await expectSound(runs / 5, () => ({ faults: { ...faults, clockSkew: 60 }, workers: 4 }))
    expect(totals.counts.kills).toBeGreaterThan(runs / 50)
  })

  it('holds where workers die twice as often and messages take twice as long', async () => {
    const harsh = { ...faults, kills: 0.02, delay: 1 }
    const totals = await expectSound(runs / 20, (seed) => ({
      faults: harsh,
      strategy: strategyNames[seed & 1],
    }))
    expect(totals.counts.kills).toBeGreaterThan(runs / 100)
  })

  it('recovers messages that the links log has lost', async () => {
    const totals = await expectSound(runs / 10, () => ({
      faults: { ...faults, linksLosses: 0.1 },
      shards: 4,
    }))
    expect(totals.counts.linksLosses).toBeGreaterThan(runs / 10)
    expect(totals.counts.gaps).toBeGreaterThan(0)
  })

  it('fetches no page twice and fences no worker where nothing fails', async () => {
    const { counts } = await expectSound(runs / 20, () => ({ shards: 4, workers: 3 }))
    expect(counts).toMatchObject({ kills: 0, lost: 0, gaps: 0 })
    const pages = Array.from({ length: runs / 20 }, (_, i) => smallWeb(firstSeed + i))
    const requested = pages.reduce((sum, web) => sum + requestable(web), 0)
    expect(counts.fetches).toBe(requested)
  })

  // A worker that was frozen may go on for as long as the answer to its next append takes.
  it.each([
    ['with equal clocks', 0],
    ['with clocks that differ by up to a minute', 60],
  ])(
    'requests no site within its gap, by any worker, unless a worker was frozen: %s',
    async (_, clockSkew) => {
      const gapSeconds = 3
      let moved = 0
      for (let i = 0; i < runs / 10; i++) {
        const seed = firstSeed + i
        const web = smallWeb(seed)
        const last = new Map<number, { seconds: number; worker: string }>()
        const { end } = await run({
          seed,
          faults: { ...faults, freezes: 0, clockSkew },
          timing: { gapSeconds },
          requested(node, worker, seconds) {
            const before = last.get(web.sites[node])
            if (before !== undefined) {
              expect(seconds - before.seconds, `seed ${seed}`).toBeGreaterThanOrEqual(gapSeconds)
              if (before.worker !== worker) moved++
            }
            last.set(web.sites[node], { seconds, worker })
          },
        })
        expect(end).toBe('finished')
      }
      expect(moved).toBeGreaterThan(0)
    },
  )

  it('stops where a journal has lost groups that other shards build on', async () => {
    let found = 0
    for (let i = 0; i < 50; i++) {
      const { cluster } = clusterOf({ seed: firstSeed + i, shards: 3, workers: 2, isUnchecked: true })
      const source = await runUntilApplied(cluster)
      if (source === undefined) continue
      const journal = cluster.store.journals[source]
      journal.lose(journal.heads.length - journal.heads.findIndex(({ cut }) => cut > 0))
      const failed = { message: expect.stringMatching(lostEnd(source)) as string }
      expect(await cluster.run(), `seed ${firstSeed + i}`).toMatchObject({ failed })
      found++
    }
    expect(found).toBeGreaterThan(10)
  })
})

function lostEnd(source: number): RegExp {
  return new RegExp(
    `^The journal of shard ${source} has lost its end: shard \\d has applied .*, the journal has 0`,
  )
}

/** Runs until some shard has applied a message. Returns its source. */
async function runUntilApplied(cluster: VirtualCluster): Promise<number | undefined> {
  let source: number | undefined
  await cluster.runWhile(() => {
    const numbers = cluster.store.heads().flatMap((head) => [...(head?.applied.entries() ?? [])])
    source = numbers.find(([, applied]) => applied > 0)?.[0]
    return source === undefined
  })
  return source
}

/** Pages that a crawl requests, those that fail included. */
function requestable(web: SmallWeb): number {
  const found = new Set<number>()
  for (const page of reachable(web)) {
    found.add(page)
    for (const link of web.lists[page]) found.add(link)
  }
  return found.size
}

describe('the invariants find a protocol that', () => {
  const sabotages: { what: string; rules: ProtocolRules }[] = [
    {
      what: 'publishes a cut before its group is journaled',
      rules: { ...protocolRules, publishUpTo: (_acknowledged, cut) => cut },
    },
    {
      what: 'applies messages without looking at their numbers',
      rules: { ...protocolRules, onMessage: () => 'apply' },
    },
  ]
  it.each(sabotages)('$what', async ({ rules }) => {
    let caught = 0
    for (let i = 0; i < 40; i++) {
      try {
        await run({ seed: firstSeed + i, shards: 4, faults, rules })
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        caught++
      }
    }
    expect(caught).toBeGreaterThan(5)
  })
})

describe('every strategy that works on shards', () => {
  const { graph, sites } = syntheticGraph({ pages: 300, sites: 20, seed: 7, linksPerPage: 6 })
  const seeds = [0, 75, 76]
  const setting = (trust: readonly number[]): StrategySetting => ({
    damping: 0.85,
    webPages: graph.pages,
    seed: 5,
    trust: (seedIndex) => trust[seedIndex],
  })
  const trust = [0.5, 0.25, 0.25]
  const names = shardedStrategies(setting(trust))

  /** Nodes in the order of their first request, with their scores. */
  async function crawled(
    name: string,
    shards: number,
    workers: number,
    faults?: ClusterFaults,
  ): Promise<[number, number][]> {
    const taken = new Map<number, number>()
    const cluster = new VirtualCluster({
      graph,
      siteOf: sites.ofPage,
      siteHashes: sites.keys,
      seeds,
      trust,
      damping: 0.85,
      shards,
      workers,
      faults,
      seed: 1,
      makeStrategy: (weights) => strategyOf(name, setting(weights)),
      makeFrontier: () => new TwoLevelFrontier({}),
      watch: { requested: (node, score) => void (taken.has(node) || taken.set(node, score)) },
    })
    expect(await cluster.run()).toBe('finished')
    return [...taken]
  }

  async function single(name: string): Promise<[number, number][]> {
    const web = { lists: graph, seeds, sites: [...sites.ofPage] }
    const { order, scores } = await simulatedCrawl(web, () => strategyOf(name, setting(trust)))
    return order.map((node, i) => [node, scores[i]])
  }

  it('is one of these', () => {
    expect(names).toEqual([
      'random',
      'breadth-first',
      'depth-first',
      'backlink-count',
      'opic',
      'rankmass',
      'exact-rankmass',
      'fractional-pagerank',
    ])
  })

  it.each(names)('%s decides on one shard exactly as the single engine', async (name) => {
    const expected = await single(name)
    expect(expected.length).toBeGreaterThan(200)
    expect(await crawled(name, 1, 1)).toEqual(expected)
  })

  it.each(names)('%s fetches the same pages on eight shards, whatever happens', async (name) => {
    const expected = (await single(name)).map(([node]) => node).toSorted((a, b) => a - b)
    const pages = await crawled(name, 8, 3, { kills: 0.05, loss: 0.02, duplicates: 0.05, delay: 0.3 })
    expect(pages.map(([node]) => node).toSorted((a, b) => a - b)).toEqual(expected)
  })
})
