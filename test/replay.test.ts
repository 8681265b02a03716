/**
 * A crawl is a function of its facts: replayed, the same pages are taken in the same order with the same scores and the
 * engine remembers the same; and a crawl that was cut off anywhere goes on as if it had not been.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import type { EngineOptions } from '../src/engine/engine-options.ts'
import type { FactListener } from '../src/engine/fact.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import { crawl } from '../src/engine/loop.ts'
import type { FailureCause, World, WorldListener } from '../src/engine/world.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import type { GroupLog } from '../src/crawler/record/group-log.ts'
import { MemoryLog } from '../src/crawler/record/memory-log.cases.ts'
import { SegmentLog } from '../src/crawler/record/segment-log.ts'
import { assert } from '../src/lib/assert.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { savedState } from '../src/lib/state.ts'
import { strategies, strategyOf } from '../src/engine/strategies/index.ts'
import { InstantWorld } from '../src/simulator/worlds/instant-world.ts'
import { networkModel } from '../src/simulator/worlds/network-model.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { TimedWorld } from '../src/simulator/worlds/timed-world.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { graph, sites } = syntheticGraph({ pages: 150, sites: 10, seed: 7, linksPerPage: 6 })
const seeds = [0, 75, 76]
const newTable = (): VirtualPageTable => new VirtualPageTable(graph.pages, sites.ofPage, sites.count)

type Options = Partial<Omit<EngineOptions, 'strategy' | 'frontier'>>

class Crawl {
  readonly engine: Engine
  /** Pages in the order they were taken, each with its score. */
  readonly taken: [page: number, score: number][] = []
  readonly table: VirtualPageTable

  constructor(spec: string, options: Options, table: VirtualPageTable) {
    this.table = table
    const value = (page: number, salt: number): number => unit(hashId(table.nodeOf(page), salt))
    const strategy = strategyOf(spec, {
      damping: 0.85,
      webPages: graph.pages,
      every: 20,
      seed: 5,
      coverage: options.coverage,
      truth: (page) => value(page, 20),
      earlier: (page) => (value(page, 21) < 0.5 ? value(page, 22) : undefined),
      drawn: (page) => value(page, 23),
      location: (page) => Math.floor(4 * value(page, 24)),
    })
    this.engine = new Engine({
      ...options,
      strategy,
      frontier: new TwoLevelFrontier({ ranksSites: strategy.ranksSites === true }),
      onTaken: (page, score) => this.taken.push([page, score]),
    })
  }

  /** All that it remembers, as bytes. */
  state(): Buffer {
    return Buffer.concat(savedState([this.engine]))
  }
}

/** Crawls to the end; every fact becomes a group of the log. */
async function recorded(
  spec: string,
  options: Options,
  log: GroupLog,
  worldOf: (table: VirtualPageTable) => World,
): Promise<Crawl> {
  const facts = new FactWriter()
  const groups: Uint8Array[] = []
  const live = new Crawl(spec, { ...options, facts }, newTable())
  const { engine, table } = live
  const note = (): void => {
    if (facts.length > 0) groups.push(facts.takeBytes())
  }
  for (const seed of seeds) {
    engine.seed(table.siteOf(table.pageOf(seed)))
    note()
  }
  await crawl(engine, noting(worldOf(table), note))
  // The decision to stop, where nothing was under way any more.
  note()
  // Each group is synced to disk: not every fact by itself there.
  const atOnce = log instanceof MemoryLog ? 1 : 500
  for (let i = 0; i < groups.length; i += atOnce) await log.append(Buffer.concat(groups.slice(i, i + atOnce)))
  return live
}

/** The same world, which calls `note` after everything that it told and everything that it was asked. */
function noting(world: World, note: () => void): World {
  return {
    now: () => world.now(),
    fetch: (site, pages, count) => world.fetch(site, pages, count),
    deliver(listener: WorldListener) {
      world.deliver({
        fetched(page, links, linkCount, newSites) {
          listener.fetched(page, links, linkCount, newSites)
          note()
        },
        failed(page, cause) {
          listener.failed(page, cause)
          note()
        },
        postponed(page) {
          listener.postponed(page)
          note()
        },
        proven: (site) => listener.proven(site),
        slow: (site) => listener.slow(site),
        closed(site, freeAt) {
          listener.closed(site, freeAt)
          note()
        },
      })
    },
    wait(due) {
      note()
      return world.wait(due)
    },
  }
}

async function groupsOf(log: GroupLog): Promise<Uint8Array[]> {
  const groups: Uint8Array[] = []
  for await (const { bytes } of log.read(0)) groups.push(Uint8Array.from(bytes))
  return groups
}

/** A new engine that was told the facts in the log, and nothing else. Oracles look into the live crawl's page table. */
async function replayed(spec: string, options: Options, log: GroupLog, live: Crawl): Promise<Crawl> {
  const again = new Crawl(spec, options, live.table)
  for await (const { bytes } of log.read(0)) readFacts(bytes, again.engine)
  return again
}

function expectSame(again: Crawl, live: Crawl): void {
  expect(again.taken).toEqual(live.taken)
  expect(again.engine.finished).toBe(true)
  expect(again.engine.stopReason).toBe(live.engine.stopReason)
  expect(again.state().equals(live.state()), 'the state of both is equal').toBe(true)
}

const weighted = 'backlink-count*0.5+pagerank*0.3+location*0.2'
const specs = [...strategies.map(({ name }) => name), weighted, 'rankmass*0.5+opic*0.5']
const instant = (table: VirtualPageTable): World => new InstantWorld(graph, table)
const folder = temporaryFolder()
let folders = 0

const logs = [
  { kind: 'in memory', open: (): Promise<GroupLog> => Promise.resolve(new MemoryLog()) },
  { kind: 'on disk', open: (): Promise<GroupLog> => SegmentLog.open(join(folder, String(folders++))) },
]

describe.each(logs)('a crawl replayed from a log $kind is the same crawl', ({ open }) => {
  it.each(specs)('%s', async (spec) => {
    for (const connections of [1, 5]) {
      for (const perConnection of [1, 3]) {
        const options = { connections, perConnection }
        const log = await open()
        const live = await recorded(spec, options, log, instant)
        expect(live.taken.length).toBeGreaterThan(100)
        expectSame(await replayed(spec, options, log, live), live)
        await log.close()
      }
    }
  })
})

describe('a crawl with latencies, rests and failures is the same when it is replayed', () => {
  const variations: (Options & { what: string })[] = [
    { what: 'to its end' },
    { what: 'up to a number of pages', pagesMax: 60 },
    { what: 'up to a coverage', coverage: 0.6 },
    { what: 'in groups', batchSize: 25 },
    { what: 'in groups that end early', batchSize: 25, batchEndBelow: 2 },
    { what: 'in groups that overlap', batchSize: 25, batchOverlap: true },
  ]

  it.each(variations)('$what', async ({ what: _, ...variation }) => {
    for (const spec of specs) {
      const options = { connections: 4, perConnection: 2, ...variation }
      const log = new MemoryLog()
      const network = networkModel({ siteKeys: sites.keys, failureRate: 0.1 })
      const live = await recorded(spec, options, log, (table) => {
        return new TimedWorld({
          graph,
          table,
          network,
          connections: 4,
          perConnection: 2,
          waitSeconds: 1,
          bandwidth: 50_000,
        })
      })
      expect(live.taken.length).toBeGreaterThan(5)
      expectSame(await replayed(spec, options, log, live), live)
    }
  })
})

/** Told the facts of a log, brings a crawl to where it was: page table, engine and what was under way. */
class Resumption implements FactListener {
  readonly crawl: Crawl
  readonly #cursor = graph.cursor()
  #seeds = 0
  /** Connections that were opened and have not ended, with the pages that have not come. */
  readonly open: { site: number; pages: number[] }[] = []

  constructor(crawl: Crawl) {
    this.crawl = crawl
  }

  seed(site: number): void {
    const { table, engine } = this.crawl
    assert(table.siteOf(table.pageOf(seeds[this.#seeds++])) === site, 'a seed has another site')
    engine.seed(site)
  }

  fetched(page: number, links: Uint32Array, linkCount: number, newSites: Uint32Array): void {
    const { table, engine } = this.crawl
    const known = table.known
    this.#cursor.seek(table.nodeOf(page))
    const { targets, start } = this.#cursor
    for (let i = 0; i < linkCount; i++) {
      assert(table.pageOf(targets[start + i]) === links[i], 'a link leads to another page')
    }
    for (let found = known; found < table.known; found++) {
      assert(table.siteOf(found) === newSites[found - known], 'a page has another site')
    }
    this.#came(page)
    engine.fetched(page, links, linkCount, newSites)
  }

  failed(page: number, cause: FailureCause): void {
    this.#came(page)
    this.crawl.engine.failed(page, cause)
  }

  postponed(page: number): void {
    this.#came(page)
    this.crawl.engine.postponed(page)
  }

  retry(page: number): void {
    this.crawl.engine.retry(page)
  }

  budget(pagesMax: number, coverage: number, failuresMax: number): void {
    this.crawl.engine.budget(pagesMax, coverage, failuresMax)
  }

  connections(max: number, unprovenMax: number): void {
    this.crawl.engine.connections(max, unprovenMax)
  }

  proven(site: number): void {
    this.crawl.engine.proven(site)
  }

  slow(site: number): void {
    this.crawl.engine.slow(site)
  }

  closed(site: number, freeAt: number): void {
    this.open.splice(
      this.open.findIndex((connection) => connection.site === site),
      1,
    )
    this.crawl.engine.closed(site, freeAt)
  }

  dispatchAt(now: number): void {
    this.crawl.engine.dispatch({
      now: () => now,
      fetch: (site, pages, count) => void this.open.push({ site, pages: [...pages.subarray(0, count)] }),
      deliver: () => {},
      wait: () => undefined,
    })
  }

  #came(page: number): void {
    for (const connection of this.open) connection.pages = connection.pages.filter((other) => other !== page)
  }
}

describe('a killed crawl continues as if it had not been killed', () => {
  it.each(specs)('%s', async (spec) => {
    for (const options of [
      { connections: 1, perConnection: 1 },
      { connections: 5, perConnection: 3 },
    ]) {
      const log = new MemoryLog()
      const live = await recorded(spec, options, log, instant)
      const groups = await groupsOf(log)
      // Before the first page, within a connection, near the end, …
      const cuts = [seeds.length, 50, 51, 52, 53, groups.length >> 1, groups.length]
      for (const cut of cuts) {
        const facts = new FactWriter()
        const resumed = new Crawl(spec, { ...options, facts }, newTable())
        const resumption = new Resumption(resumed)
        for (const group of groups.slice(0, cut)) readFacts(group, resumption)
        facts.takeBytes()
        const world = instant(resumed.table)
        for (const { site, pages } of resumption.open)
          world.fetch(site, Uint32Array.from(pages), pages.length)
        await crawl(resumed.engine, world)
        expectSame(resumed, live)
        expect(Buffer.compare(facts.takeBytes(), Buffer.concat(groups.slice(cut)))).toBe(0)
      }
    }
  })
})
