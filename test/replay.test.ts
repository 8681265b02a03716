/**
 * A crawl is a function of its journal: replayed, the same pages are taken in the same order with the same scores and the
 * engine remembers the same; and a crawl that was cut off anywhere goes on as if it had not been.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import type { EngineOptions } from '../src/engine/engine-options.ts'
import { FactWriter, readFacts, type FactListener } from '../src/engine/fact.ts'
import type { Journal } from '../src/engine/journal.ts'
import { crawl } from '../src/engine/loop.ts'
import type { FailureCause, World, WorldListener } from '../src/engine/world.ts'
import { TwoLevelFrontier } from '../src/frontiers/two-level.ts'
import { syntheticGraph } from '../src/graph/synthetic/synthetic-graph.ts'
import { openEmbeddedJournal } from '../src/journals/embedded.ts'
import { MemoryJournal } from '../src/journals/memory.ts'
import { assert } from '../src/lib/assert.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { savedState } from '../src/lib/state.ts'
import { strategies, strategyOf } from '../src/strategies/index.ts'
import { InstantWorld } from '../src/worlds/virtual/instant-world.ts'
import { networkModel } from '../src/worlds/virtual/network-model.ts'
import { VirtualPageTable } from '../src/worlds/virtual/page-table.ts'
import { TimedWorld } from '../src/worlds/virtual/timed-world.ts'
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

/** Crawls to the end; every fact becomes a batch of the journal. */
async function recorded(
  spec: string,
  options: Options,
  journal: Journal,
  worldOf: (table: VirtualPageTable) => World,
): Promise<Crawl> {
  const facts = new FactWriter()
  const live = new Crawl(spec, { ...options, facts }, newTable())
  const { engine, table } = live
  const note = (): void => {
    if (facts.length > 0) journal.append(facts.takeBytes())
  }
  for (const seed of seeds) {
    engine.seed(table.siteOf(table.pageOf(seed)))
    note()
  }
  await crawl(engine, noting(worldOf(table), note))
  // The decision to stop, where nothing was under way any more.
  note()
  await journal.flushed()
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

async function batchesOf(journal: Journal): Promise<Uint8Array[]> {
  const batches: Uint8Array[] = []
  for await (const batch of journal.read()) batches.push(Uint8Array.from(batch))
  return batches
}

/** A new engine that was told the journal, and nothing else. Oracles look into the live crawl's page table. */
async function replayed(spec: string, options: Options, journal: Journal, live: Crawl): Promise<Crawl> {
  const again = new Crawl(spec, options, live.table)
  for await (const batch of journal.read()) readFacts(batch, again.engine)
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

const journals = [
  { kind: 'memory', open: (): Promise<Journal> => Promise.resolve(new MemoryJournal()) },
  { kind: 'embedded', open: (): Promise<Journal> => openEmbeddedJournal(join(folder, String(folders++))) },
]

describe.each(journals)('a crawl replayed from the $kind journal is the same crawl', ({ open }) => {
  it.each(specs)('%s', async (spec) => {
    for (const robots of [1, 5]) {
      for (const perConnection of [1, 3]) {
        const options = { robots, perConnection }
        const journal = await open()
        const live = await recorded(spec, options, journal, instant)
        expect(live.taken.length).toBeGreaterThan(100)
        expectSame(await replayed(spec, options, journal, live), live)
        await journal.close()
      }
    }
  })
})

describe('a crawl with latencies, rests and failures is the same when it is replayed', () => {
  const variations: (Options & { what: string })[] = [
    { what: 'to its end' },
    { what: 'up to a number of pages', pagesMax: 60 },
    { what: 'up to a coverage', coverage: 0.6 },
    { what: 'in batches', batchSize: 25 },
    { what: 'in batches that end early', batchSize: 25, batchEndBelow: 2 },
    { what: 'in batches that overlap', batchSize: 25, batchOverlap: true },
  ]

  it.each(variations)('$what', async ({ what: _, ...variation }) => {
    for (const spec of specs) {
      const options = { robots: 4, perConnection: 2, ...variation }
      const journal = new MemoryJournal()
      const network = networkModel({ siteKeys: sites.keys, failureRate: 0.1 })
      const live = await recorded(spec, options, journal, (table) => {
        return new TimedWorld({
          graph,
          table,
          network,
          robots: 4,
          perConnection: 2,
          waitSeconds: 1,
          bandwidth: 50_000,
        })
      })
      expect(live.taken.length).toBeGreaterThan(5)
      expectSame(await replayed(spec, options, journal, live), live)
    }
  })
})

/** Told the facts of a journal, brings a crawl to where it was: page table, engine and what was under way. */
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

describe('a crawl that was cut off goes on as if it had not been', () => {
  it.each(specs)('%s', async (spec) => {
    for (const options of [
      { robots: 1, perConnection: 1 },
      { robots: 5, perConnection: 3 },
    ]) {
      const journal = new MemoryJournal()
      const live = await recorded(spec, options, journal, instant)
      const batches = await batchesOf(journal)
      // Before the first page, within a connection, near the end, …
      const cuts = [seeds.length, 50, 51, 52, 53, batches.length >> 1, batches.length]
      for (const cut of cuts) {
        const facts = new FactWriter()
        const resumed = new Crawl(spec, { ...options, facts }, newTable())
        const resumption = new Resumption(resumed)
        for (const batch of batches.slice(0, cut)) readFacts(batch, resumption)
        facts.takeBytes()
        const world = instant(resumed.table)
        for (const { site, pages } of resumption.open)
          world.fetch(site, Uint32Array.from(pages), pages.length)
        await crawl(resumed.engine, world)
        expectSame(resumed, live)
        expect(Buffer.compare(facts.takeBytes(), Buffer.concat(batches.slice(cut)))).toBe(0)
      }
    }
  })
})
