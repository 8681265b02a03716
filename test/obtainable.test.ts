/**
 * The coverage that a strategy shows is a lower bound of the true share of what can be had, at every moment of a crawl in which
 * pages are forbidden, fail and are excluded. The truth is computed here by solving linear systems over the whole web, in which
 * unobtainable pages link to themselves alone, apart from everything that the strategies do.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { crawl } from '../src/engine/loop.ts'
import { KnownLinks } from '../src/engine/known-links.ts'
import type { FailureCause, World, WorldListener } from '../src/engine/world.ts'
import { heldMass } from '../src/crawler/read/held-mass.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../src/webgraph/web.ts'
import { simulate } from '../src/simulator/simulator.ts'
import { strategies, strategyOf } from '../src/engine/strategies/index.ts'
import { cleanLists, seeded } from './arbitrary-graph.ts'
import { denseRank, trustOf, type NaiveWeb } from './naive-strategies.ts'

type Fate = 'fetched' | 'later' | Exclude<FailureCause, 'scope'>

interface Case {
  readonly web: NaiveWeb
  readonly fates: readonly Fate[]
  readonly damping: number
  readonly trust: readonly number[] | undefined
  readonly window: number
  readonly robots: number
}

const isUnobtainable = (fate: Fate): boolean => fate === 'robots' || fate === 'failed'
const isExcluded = (fate: Fate): boolean => fate === 'limit'

/** Answers at once; each page meets its fate, and one that comes `later` is postponed once. */
class FatedWorld implements World {
  readonly nodes: number[] = []
  readonly links = new KnownLinks()
  readonly #example: Case
  readonly #queue: { page: number; site: number }[] = []
  readonly #postponed = new Set<number>()
  readonly #pageOf = new Map<number, number>()

  constructor(example: Case) {
    this.#example = example
    for (const seed of example.web.seeds) this.#page(seed)
  }

  #page(node: number): number {
    const known = this.#pageOf.get(node)
    if (known !== undefined) return known
    this.#pageOf.set(node, this.nodes.length)
    return this.nodes.push(node) - 1
  }

  now(): number {
    return 0
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#queue.push({ page: pages[i], site })
  }

  deliver(listener: WorldListener): void {
    const { web, fates } = this.#example
    for (const { page, site } of this.#queue.splice(0)) {
      const node = this.nodes[page]
      const fate = fates[node]
      if (fate === 'later' && !this.#postponed.has(page)) {
        this.#postponed.add(page)
        listener.postponed(page)
      } else if (fate === 'fetched' || fate === 'later') {
        const before = this.nodes.length
        const targets = Uint32Array.from(web.lists[node], (to) => this.#page(to))
        const newSites = Uint32Array.from(this.nodes.slice(before), (to) => web.sites[to])
        this.links.append(page, targets, targets.length)
        listener.fetched(page, targets, targets.length, newSites)
      } else listener.failed(page, fate)
      listener.closed(site, 0)
    }
  }

  wait(): undefined {
    return undefined
  }
}

const fate = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Fate>('fetched') },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Fate>(
      'robots',
      'failed',
      'failed',
      'limit',
      'unreachable',
      'temporary',
      'later',
    ),
  },
)

const arbitraryCase: fc.Arbitrary<Case> = cleanLists(14, 4).chain((lists) => {
  const pages = lists.length
  const each = { minLength: pages, maxLength: pages }
  return fc
    .record({
      seeds: fc.uniqueArray(fc.nat(pages - 1), { minLength: 1, maxLength: 4 }),
      sites: fc.array(fc.nat(4), each),
      fates: fc.array(fate, each),
      damping: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      window: fc.constantFrom(1, 10, 50, 100),
      robots: fc.constantFrom(1, 3),
      weights: fc.option(
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
      ),
    })
    .map(({ seeds, sites, weights, ...rest }) => ({
      ...rest,
      web: { lists, seeds, sites },
      trust: weights?.slice(0, seeds.length),
    }))
})

/** RankMass of every page where the surfer who meets one of `absorbing` stays there. */
function trueRank({ web, damping, trust }: Case, absorbing: ReadonlySet<number>): number[] {
  const jumps = web.lists.map((_, page) => trustOf(web, trust, page))
  const lists = web.lists.map((list, page) => (absorbing.has(page) ? [page] : list))
  return denseRank(lists.length, (page) => lists[page], damping, jumps)
}

const sumOf = (pages: Iterable<number>, ranks: readonly number[]): number =>
  [...pages].reduce((sum, page) => sum + ranks[page], 0)

interface Moment {
  readonly held: ReadonlySet<number>
  /** Known to be unobtainable by now. */
  readonly unobtainable: ReadonlySet<number>
  readonly coverage: number
  readonly reach: number | undefined
  /** What the walk over the crawl says, for any strategy. */
  readonly walked: number
}

async function momentsOf(name: string, example: Case, coverage?: number): Promise<Moment[]> {
  const { web, damping, trust, window, robots, fates } = example
  const world = new FatedWorld(example)
  const strategy = strategyOf(name, {
    damping,
    window,
    webPages: web.lists.length,
    seed: 1,
    trust: trust === undefined ? undefined : (i) => trust[i],
    coverage,
  })
  const moments: Moment[] = []
  const weights = Float64Array.from(web.seeds, (_, i) => trust?.[i] ?? 1)
  const look = (): void => {
    const settled = world.nodes.flatMap((node, page) =>
      engine.pages.isCrawled(page) || engine.pages.failureOf(page) !== undefined ? [{ node, page }] : [],
    )
    moments.push({
      held: new Set(settled.filter(({ page }) => engine.pages.isCrawled(page)).map(({ node }) => node)),
      unobtainable: new Set(settled.map(({ node }) => node).filter((node) => isUnobtainable(fates[node]))),
      coverage: strategy.coverage?.() ?? 0,
      reach: strategy.reach?.(),
      walked: heldMass(engine.pages, world.links, { damping, weights }).share,
    })
  }
  const engine: Engine = new Engine({
    strategy,
    connections: robots,
    frontier: new TwoLevelFrontier({ ranksSites: false }),
    ...(coverage === undefined ? {} : { coverage }),
    onTaken: () => look(),
    onCrawled: () => look(),
  })
  for (const seed of web.seeds) engine.seed(web.sites[seed])
  await crawl(engine, world)
  look()
  return moments
}

const guaranteeing = strategies.filter(({ guarantees }) => guarantees === true).map(({ name }) => name)

describe.each([...guaranteeing, 'breadth-first'])(
  'with forbidden and failed pages, the coverage of %s',
  (name) => {
    it('never exceeds the true share of what can be had, whether of the pages known to be lost or of all that will be', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryCase, async (example) => {
          const all = new Set(example.fates.flatMap((each, node) => (isUnobtainable(each) ? [node] : [])))
          const inTheEnd = trueRank(example, all)
          let before = 0
          for (const { held, unobtainable, coverage, walked } of await momentsOf(name, example)) {
            const byNow = trueRank(example, unobtainable)
            for (const [lost, ranks] of [
              [unobtainable, byNow],
              [all, inTheEnd],
            ] as const) {
              const obtainable = 1 - sumOf(lost, ranks)
              const truth = obtainable < 1e-12 ? 0 : sumOf(held, ranks) / obtainable
              expect(coverage).toBeLessThanOrEqual(truth + 1e-9)
              expect(walked).toBeLessThanOrEqual(truth + 1e-8)
            }
            expect(coverage).toBeGreaterThanOrEqual(before - 1e-9)
            before = coverage
          }
        }),
        seeded(150),
      )
    })

    it('is all, by the walk, once every page that can be had is held', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryCase, async (example) => {
          const fates = example.fates.map((each) => (isUnobtainable(each) ? each : 'fetched'))
          const end = (await momentsOf(name, { ...example, fates })).at(-1)!
          expect(end.walked).toBeCloseTo(end.held.size === 0 ? 0 : 1, 6)
          // The strategy itself stops pushing within 1e-6 of the whole.
          if (name === 'exact-rankmass') expect(end.coverage).toBeCloseTo(end.held.size === 0 ? 0 : 1, 5)
        }),
        seeded(60),
      )
    })

    it('never exceeds the reported reach', async () => {
      await fc.assert(
        fc.asyncProperty(arbitraryCase, async (example) => {
          const moments = await momentsOf(name, example)
          const all = new Set(example.fates.flatMap((each, node) => (isUnobtainable(each) ? [node] : [])))
          // Excluded pages lead nowhere either: no crawl under these limits can hold more than this.
          const excluded = new Set(example.fates.flatMap((each, node) => (isExcluded(each) ? [node] : [])))
          const ranks = trueRank(example, new Set([...all, ...excluded]))
          const obtainable = 1 - sumOf(all, ranks)
          const most = obtainable < 1e-12 ? 0 : 1 - sumOf(excluded, ranks) / obtainable
          for (const { reach } of moments)
            if (reach !== undefined) expect(reach).toBeGreaterThanOrEqual(most - 1e-9)
          for (const { walked } of moments)
            expect(walked).toBeLessThanOrEqual((moments.at(-1)!.reach ?? 1) + 1e-8)
        }),
        seeded(100),
      )
    })
  },
)

describe('a coverage goal', () => {
  it('stops a crawl at that share of what can be had, though robots.txt forbids most of the importance', async () => {
    // Half of what the seed passes on meets a forbidden page.
    const web: NaiveWeb = { lists: [[1, 2], [], [0]], seeds: [0], sites: [0, 0, 0] }
    const example: Case = {
      web,
      fates: ['fetched', 'robots', 'fetched'],
      damping: 0.85,
      trust: undefined,
      window: 10,
      robots: 1,
    }
    const end = (await momentsOf('exact-rankmass', example, 0.99)).at(-1)!
    expect(end.coverage).toBeGreaterThan(0.99)
    expect(sumOf(end.held, trueRank(example, new Set([1])))).toBeLessThan(0.4)
  })

  it('that limits put out of reach is reported once, as soon as it is certain, and the crawl continues', async () => {
    const web: NaiveWeb = { lists: [[1, 2, 3], [0], [0], [0], []], seeds: [0], sites: [0, 0, 0, 0, 0] }
    const example: Case = {
      web,
      fates: ['fetched', 'limit', 'fetched', 'fetched', 'fetched'],
      damping: 0.85,
      trust: undefined,
      window: 10,
      robots: 1,
    }
    const world = new FatedWorld(example)
    const said: { reach: number; crawled: number }[] = []
    const engine: Engine = new Engine({
      strategy: strategyOf('exact-rankmass', { damping: 0.85, webPages: 5, seed: 1, coverage: 0.9 }),
      frontier: new TwoLevelFrontier({ ranksSites: false }),
      coverage: 0.9,
      onOutOfReach: (reach) => said.push({ reach, crawled: engine.pages.crawledCount }),
    })
    engine.seed(0)
    await crawl(engine, world)
    expect(said).toHaveLength(1)
    // 0.85 / 3 of all walks meet the excluded page at their first step.
    expect(said[0].reach).toBeCloseTo(1 - 0.85 / 3, 9)
    expect(said[0].crawled).toBe(1)
    expect(engine.pages.crawledCount).toBe(3)
    expect(engine.stopReason).toBe('finished')
  })
})

describe('a simulated crawl with servers that fail', () => {
  it.each(['exact-rankmass', 'rankmass', 'windowed-rankmass', 'fractional-pagerank', 'l-neighbor'])(
    'by %s is judged by the true share of what can be had, and its guarantee is below that',
    async (strategy) => {
      const { graph, sites } = syntheticGraph({ pages: 600, sites: 12, seed: 4 })
      const web = webOf({ graph, givenSites: sites })
      const { seed } = bestSeed(graph)
      const time = { connections: 4, wait: 0, failureRate: 0.2 }
      const { runs } = await simulate(web, { strategies: [strategy], seeds: [seed], time, threads: 1 })
      const { guaranteed, trueCoverage, obtainable } = runs[0].rankMass!
      expect(obtainable).toBeLessThan(0.9)
      // Every page that can be had is held.
      expect(trueCoverage).toBeCloseTo(1, 6)
      expect(guaranteed.at(-1)![1]).toBeLessThanOrEqual(trueCoverage + 1e-9)
      const stopped = (
        await simulate(web, { strategies: [strategy], seeds: [seed], time, threads: 1, coverage: 0.3 })
      ).runs[0]
      expect(stopped.rankMass!.trueCoverage).toBeGreaterThanOrEqual(stopped.rankMass!.guaranteed.at(-1)![1])
      if (strategy === 'exact-rankmass') {
        expect(stopped.stoppedBecause).toBe('coverage')
        expect(guaranteed.at(-1)![1]).toBeCloseTo(1, 5)
      }
    },
  )
})
