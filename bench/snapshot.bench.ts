/**
 * Time to save and restore the state of a crawl, and its size. The state is that of a crawl of half of a
 * generated web. The crawl is paused while its state is saved; a restore replaces a replay of all facts.
 *
 *   npm run bench -- snapshot [--pages 1000000] [--strategy opic,rankmass] [--all]
 *
 * Strategies that recompute PageRank run only with --all.
 */
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import { crawl } from '../src/engine/loop.ts'
import { frontierOf } from '../src/engine/frontiers/index.ts'
import { SyntheticWeb } from '../src/webgraph/synthetic/synthetic-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import type { Web } from '../src/webgraph/web.ts'
import { fingerprint } from '../src/lib/fingerprint.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState, type Stateful } from '../src/lib/state.ts'
import { sketchWords } from '../src/web/near/sketch.ts'
import { strategies, strategyOf } from '../src/engine/strategies/index.ts'
import { TrapWatch } from '../src/web/traps/trap-watch.ts'
import { InstantWorld } from '../src/simulator/worlds/instant-world.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { ContentSeen } from '../src/crawler/parts/duplicates/content-seen.ts'
import { NearSeen } from '../src/crawler/parts/duplicates/near-seen.ts'
import { PageTable } from '../src/crawler/world/page-table.ts'
import { SiteTable } from '../src/crawler/world/site-table.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { flag, generatedWeb, numberOption, short, tell, textOption, timed } from './webs.ts'

const recomputing = ['pagerank', 'batch-pagerank', 'partial-pagerank', 'trustrank']

export const snapshotBenchmark: Benchmark = async (size) => {
  const pages = size === 'small' ? 2_000 : numberOption('pages', 1_000_000)
  const { web } = generatedWeb(pages)
  const seed = bestSeed(web.graph).seed
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  const add = (row: BenchmarkResult['rows'][number]): void => {
    if (size === 'full') tell(JSON.stringify(row))
    rows.push(row)
    check += Number(row['bytes'])
  }
  for (const [strategy, frontier] of runs(size)) add(await engineRow(web, seed, strategy, frontier))
  for (const table of await tables(pages)) add(await row(table.name, table.parts, table.make))
  return { rows, check }
}

function runs(size: 'small' | 'full'): (readonly [strategy: string, frontier: string])[] {
  const names =
    textOption('strategy')?.split(',') ??
    strategies.filter(({ needs }) => needs?.includes('topic') !== true).map(({ name }) => name)
  const wanted = names.filter(
    (name) =>
      size === 'small' || flag('all') || textOption('strategy') !== undefined || !recomputing.includes(name),
  )
  return [
    ...wanted.map((name) => [name, 'two-level'] as const),
    ...(['mercator', 'webbase'] as const).map((frontier) => ['opic', frontier] as const),
  ]
}

async function engineRow(
  web: Web,
  seed: number,
  strategy: string,
  frontier: string,
): Promise<BenchmarkResult['rows'][number]> {
  const { graph, sites } = web
  const table = new VirtualPageTable(graph.pages, sites.ofPage, sites.count)
  const newEngine = (facts?: FactWriter): Engine =>
    engineOf(strategy, frontier, { table, webPages: graph.pages, facts })
  const writer = new FactWriter()
  const engine = newEngine(writer)
  const facts: Uint8Array[] = []
  engine.seed(table.siteOf(table.pageOf(seed)))
  const world = new InstantWorld(graph, table)
  await crawl(engine, {
    now: () => 0,
    fetch(site, pages, count) {
      world.fetch(site, pages, count)
      // Half of the web: the crawl is paused there, as it is for a snapshot, and has not ended.
      if (engine.pages.crawledCount > graph.pages / 2) engine.stop()
    },
    deliver: () => world.deliver(engine),
    wait() {
      if (writer.length > 1 << 20) facts.push(Uint8Array.from(writer.takeBytes()))
      return undefined
    },
  })
  facts.push(Uint8Array.from(writer.takeBytes()))
  const replay = await timed(() => {
    const again = newEngine()
    for (const bytes of facts) readFacts(bytes, again)
    return again.pages.crawledCount
  })
  const name = frontier === 'two-level' ? strategy : `${strategy}, ${frontier}`
  return {
    ...(await row(name, [engine], () => [newEngine()])),
    'full replay, s': short(replay.seconds),
    crawled: replay.result,
    known: engine.known,
  }
}

function engineOf(
  spec: string,
  frontierName: string,
  { table, webPages, facts }: { table: VirtualPageTable; webPages: number; facts: FactWriter | undefined },
): Engine {
  const value = (page: number, salt: number): number => unit(hashId(table.nodeOf(page), salt))
  const strategy = strategyOf(spec, {
    damping: 0.85,
    webPages,
    seed: 5,
    truth: (page) => value(page, 20),
    earlier: (page) => (value(page, 21) < 0.5 ? value(page, 22) : undefined),
    drawn: (page) => value(page, 23),
    location: (page) => Math.floor(4 * value(page, 24)),
  })
  const frontier = frontierOf(frontierName, { ranksSites: strategy.ranksSites === true, connections: 64 })
  return new Engine({ strategy, frontier, connections: 64, ...(facts === undefined ? {} : { facts }) })
}

/** Saves and restores three times; returns the best of each. */
async function row(
  name: string,
  parts: readonly Stateful[],
  make: () => readonly Stateful[],
): Promise<BenchmarkResult['rows'][number]> {
  let save = Infinity
  let restore = Infinity
  let bytes = 0
  for (let round = 0; round < 3; round++) {
    const saved = await timed(() => savedState(parts))
    const again = make()
    const restored = await timed(() => restoreState(again, saved.result))
    save = Math.min(save, saved.seconds)
    restore = Math.min(restore, restored.seconds)
    bytes = saved.result.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    const resaved = savedState(again).reduce((sum, chunk) => sum + chunk.byteLength, 0)
    if (resaved !== bytes) throw new Error(`${name} is ${resaved} bytes after a restore, and was ${bytes}.`)
  }
  return {
    state: name,
    bytes,
    MB: short(bytes / 1e6),
    'save, ms': short(1e3 * save),
    'restore, ms': short(1e3 * restore),
  }
}

interface TableState {
  readonly name: string
  readonly parts: readonly Stateful[]
  readonly make: () => readonly Stateful[]
}

/** The tables of a crawl with this many known pages, half of them fetched. */
async function tables(pages: number): Promise<TableState[]> {
  const shelf = {
    putFound: () => {},
    putSite: () => {},
    found: () => ({ url: '', site: 0, parent: undefined, depth: 0 }),
  }
  const synthetic = new SyntheticWeb({ pages, linksPerPage: 10 })
  const sites = new SiteTable()
  const traps = new TrapWatch()
  const table = new PageTable(sites, shelf)
  table.watchFound((page, url, isSeed) => traps.found(page, url, isSeed))
  const content = new ContentSeen()
  const near = new NearSeen(0.9)
  const random = seededRandom(1)
  const words = new Uint32Array(2)
  const links = new Uint32Array(0)
  for (let page = 0; page < pages; page++) {
    const url = `http://${synthetic.urlOf(page).replace(/^https?:\/\//, '')}`
    fingerprint(url, words, 0)
    table.add(words[0], words[1], url, page === 0 ? undefined : page - 1)
    if (page % 2 === 0) continue
    content.body(page, page % 100, random.uint32(), random.uint32())
    content.text(page, random.uint32(), random.uint32())
    near.add(
      page,
      Uint32Array.from({ length: sketchWords }, () => random.uint32()),
    )
    traps.fetched(page, url, {
      links,
      linkCount: 0,
      knownBefore: page,
      ancestors: [-1, -1],
      isCopy: false,
      isSameText: false,
      isAlike: false,
      text: random.uint32(),
      shape: random.uint32(),
    })
  }
  return [
    {
      name: 'page table and site table',
      parts: [sites, table],
      make: () => {
        const again = new SiteTable()
        return [again, new PageTable(again, shelf)]
      },
    },
    { name: 'contents seen', parts: [content], make: () => [new ContentSeen()] },
    { name: 'near-duplicates seen', parts: [near], make: () => [new NearSeen(0.9)] },
    { name: 'watch for traps', parts: [traps], make: () => [new TrapWatch()] },
  ]
}

await benchmarkMain(import.meta.url, snapshotBenchmark)
