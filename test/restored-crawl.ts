/**
 * A crawl of a stored web with rests, failures, refusals and postponements, whose engine can be replaced at any moment by a new one
 * that was given its saved state.
 */
import type { EngineOptions } from '../src/engine/engine-options.ts'
import { Engine } from '../src/engine/engine.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import { crawl } from '../src/engine/loop.ts'
import type { Reading } from '../src/engine/reading.ts'
import type { World, WorldListener } from '../src/engine/world.ts'
import { frontierOf } from '../src/engine/frontiers/index.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'
import { networkModel } from '../src/simulator/worlds/network-model.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { TimedWorld } from '../src/simulator/worlds/timed-world.ts'

export interface CrawlUnderTest extends Partial<Omit<EngineOptions, 'strategy' | 'frontier'>> {
  readonly strategy: string
  readonly frontier: string
  /** Of the web, and of all that is drawn. */
  readonly seed: number
  readonly pages: number
  readonly every: number
  readonly demoteSpam?: number | undefined
  readonly reprioritise: boolean
  readonly waitSeconds: number
  /** After this many facts the budget is changed; undefined: never. */
  readonly budgetAt?: number | undefined
}

export type Taken = readonly [page: number, score: number, now: number]

export class RestorableCrawl {
  readonly setting: CrawlUnderTest
  readonly table: VirtualPageTable
  readonly taken: Taken[] = []
  /** Facts as bytes, one piece for everything that the engine was told or decided. */
  readonly facts: Uint8Array[] = []
  engine: Engine
  readonly #web
  readonly #seeds: readonly number[]
  readonly #writer = new FactWriter()
  /** Called after each piece of facts. */
  onFacts = (): void => {}

  constructor(setting: CrawlUnderTest, table?: VirtualPageTable) {
    this.setting = setting
    const { pages, seed } = setting
    this.#web = webOf(pages, seed)
    this.#seeds = [0, pages >> 1, pages - 1]
    const { sites } = this.#web
    this.table = table ?? new VirtualPageTable(pages, sites.ofPage, sites.count)
    this.engine = this.newEngine()
  }

  /** An engine with the same options, to which nothing has been told. Its facts and decisions are added to this crawl's. */
  newEngine(): Engine {
    const { setting, table } = this
    const value = (page: number, salt: number): number => unit(hashId(table.nodeOf(page), salt))
    const strategy = strategyOf(setting.strategy, {
      damping: 0.85,
      webPages: setting.pages,
      every: setting.every,
      seed: setting.seed,
      demoteSpam: setting.demoteSpam,
      coverage: setting.coverage,
      truth: (page) => value(page, 20),
      earlier: (page) => (value(page, 21) < 0.5 ? value(page, 22) : undefined),
      drawn: (page) => value(page, 23),
      location: (page) => Math.floor(4 * value(page, 24)),
    })
    const { connections, seed, reprioritise } = setting
    const frontier = frontierOf(setting.frontier, {
      connections,
      seed,
      reprioritise,
      ranksSites: strategy.ranksSites === true,
      queues: 5,
    })
    return new Engine({
      ...setting,
      strategy,
      frontier,
      facts: this.#writer,
      onTaken: (page, score, now) => this.taken.push([page, score, now]),
    })
  }

  /** From now on a new engine, which is given the state of the one before, decides. */
  replaceEngine(): void {
    const chunks = savedState([this.engine])
    const restored = this.newEngine()
    restoreState([restored], chunks)
    this.engine = restored
  }

  bytes(): Buffer {
    return Buffer.concat(savedState([this.engine]))
  }

  async run(): Promise<this> {
    for (const seed of this.#seeds) {
      this.engine.seed(this.table.siteOf(this.table.pageOf(seed)))
      this.#note()
    }
    const world = this.#world()
    // The loop of a crawl, whatever the engine is at the moment.
    const current = (): Engine => this.engine
    await crawl(
      {
        get finished() {
          return current().finished
        },
        dispatch: (to: World) => current().dispatch(to),
        nextDue: () => current().nextDue(),
      } as Engine,
      {
        now: () => world.now(),
        fetch: (site, pages, count) => world.fetch(site, pages, count),
        deliver: () => world.deliver(this.#listener()),
        wait: (due) => {
          this.#note()
          return world.wait(due)
        },
      },
    )
    // The strategy has done its final work: this engine cannot continue with another budget.
    this.#note({ hasEnded: true })
    return this
  }

  #listener(): WorldListener {
    const tell = (what: (engine: Engine) => void): void => {
      what(this.engine)
      this.#note()
    }
    return {
      fetched: (page, links, count, newSites, reading) =>
        tell((engine) => engine.fetched(page, links, count, newSites, reading)),
      failed: (page, cause) => tell((engine) => engine.failed(page, cause)),
      postponed: (page, last) => tell((engine) => engine.postponed(page, last)),
      proven: (site) => tell((engine) => engine.proven(site)),
      slow: (site) => tell((engine) => engine.slow(site)),
      closed: (site, freeAt) => tell((engine) => engine.closed(site, freeAt)),
    }
  }

  #note({ hasEnded = false } = {}): void {
    if (this.#writer.length === 0) return
    this.facts.push(Uint8Array.from(this.#writer.takeBytes()))
    if (this.facts.length === this.setting.budgetAt && !hasEnded) {
      this.engine.budget(this.engine.pages.fetchedCount + 30, Infinity, Infinity)
      this.facts.push(Uint8Array.from(this.#writer.takeBytes()))
    }
    this.onFacts()
  }

  #world(): World {
    const { setting, table } = this
    const { graph, sites } = this.#web
    const { connections = 1, perConnection = 1, waitSeconds, seed } = setting
    const world = new TimedWorld({
      graph,
      table,
      network: networkModel({ siteKeys: sites.keys, failureRate: 0.1 }),
      connections,
      perConnection,
      waitSeconds,
      bandwidth: 50_000,
      readingOf: (node) => readingOf(node, graph.outDegree(node), seed),
    })
    return refusing(world, (page, salt) => unit(hashId(table.nodeOf(page), salt)))
  }
}

/** The same web for all crawls of a test. */
let last: { key: string; web: ReturnType<typeof syntheticGraph> } | undefined

function webOf(pages: number, seed: number): ReturnType<typeof syntheticGraph> {
  const key = `${pages} ${seed}`
  if (last?.key !== key) last = { key, web: syntheticGraph({ pages, sites: 7, seed, linksPerPage: 5 }) }
  return last.web
}

/** What a page might say about a topic. */
function readingOf(node: number, links: number, seed: number): Reading {
  const random = seededRandom(seed, node)
  return {
    relevance: random.fraction(),
    isHot: random.fraction() < 0.3,
    similarity: Float32Array.from({ length: links }, () => random.fraction()),
    mentions: Uint8Array.from({ length: links }, () => random.below(2)),
    ends: Uint32Array.from({ length: links }, (_, i) => 3 * (i + 1)),
    clues: Uint16Array.from({ length: 3 * links }, () => random.below(500)),
  }
}

/** The world, of whose pages some are refused, and some postponed when they are asked for the first time. */
function refusing(world: World, value: (page: number, salt: number) => number): World {
  const postponed = new Set<number>()
  let told: ((listener: WorldListener) => void)[] = []
  const isKept = (page: number): boolean => {
    if (value(page, 40) < 0.05) told.push((listener) => listener.failed(page, 'robots'))
    else if (value(page, 41) < 0.15 && !postponed.has(page)) {
      postponed.add(page)
      told.push((listener) =>
        listener.postponed(page, (['last', 'turn', 'retry'] as const)[Math.floor(3 * value(page, 42))]),
      )
    } else return true
    return false
  }
  return {
    now: () => world.now(),
    fetch(site, pages, count) {
      const kept = pages.slice(0, count).filter(isKept)
      if (kept.length > 0) world.fetch(site, kept, kept.length)
      else told.push((listener) => listener.closed(site, world.now()))
    },
    deliver(listener) {
      const now = told
      told = []
      for (const tell of now) tell(listener)
      world.deliver(listener)
    },
    wait: (due) => (told.length > 0 ? undefined : world.wait(due)),
  }
}
