/**
 * One crawl of a simulated web by one strategy: the order in which pages were taken, and the guarantees along
 * the way.
 */
import { Engine } from '../engine/engine.ts'
import type { StopReason } from '../engine/engine-options.ts'
import { crawl } from '../engine/loop.ts'
import { none } from '../engine/page-forest.ts'
import { unobtainable } from '../engine/page-states.ts'
import type { World } from '../engine/world.ts'
import { RankwardError } from '../lib/errors.ts'
import { sharedFloat64, sharedUint32 } from '../lib/shared-memory.ts'
import { roundScore } from '../lib/score-rounding.ts'
import { StateViews } from '../lib/state-views.ts'
import { ideal } from '../engine/strategies/index.ts'
import { TrapWatch } from '../web/traps/trap-watch.ts'
import { InstantWorld } from './worlds/instant-world.ts'
import { pageTableOf } from './worlds/page-links.ts'
import type { VirtualPageTable } from './worlds/page-table.ts'
import type { TimeSummary } from './worlds/time-summary.ts'
import { TimedWorld } from './worlds/timed-world.ts'
import { TrapWatchedWorld } from './worlds/trap-watched-world.ts'
import type { ClusterSummary } from './options/cluster-options.ts'
import type { RecrawlRunOptions } from './options/recrawl-options.ts'
import type { EachRunOptions } from './options/simulate-options.ts'
import { kindOf } from './run-kind.ts'
import { type SimulatedWeb, graphOfSimulated, urlAt } from './simulated-web.ts'
import type { StrategyChoice } from '../engine/user-code/inline-code.ts'
import { engineOptions, inOrderOfArrival, makeFrontier, makeStrategy, namesIn } from './run-parts.ts'
import { timedWorld } from './time.ts'
import { readingsOf } from './topic-run.ts'

export interface RunOptions extends EachRunOptions {
  /** A name, a weighted sum, the path of a module, or code. */
  readonly strategy: StrategyChoice
  readonly patience?: number | undefined
  /** A recrawl policy: pages change and are fetched again (recrawl-run.ts). */
  readonly recrawl?: string | undefined
  readonly recrawlOptions?: RecrawlRunOptions | undefined
}

export interface RunRecord {
  /** Pages of the scope in the order they were taken; in a timed run, in the order they were fetched. */
  readonly order: Uint32Array
  /** Each one's score when it was taken. */
  readonly scores: Float64Array
  /**
   * Guaranteed coverage after 0, 1, 2 … downloads, as a share of the obtainable importance; empty if the
   * strategy guarantees nothing.
   */
  readonly guaranteed: Float64Array
  /** Pages of the scope that failed permanently. */
  readonly unobtainable: Uint32Array
  readonly stopReason: StopReason
  /** What the strategy calls itself. */
  readonly strategyName?: string | undefined
  /** Memory of the engine with its frontier, and of the strategy. */
  readonly engineBytes: number
  /** When each page of the order was fetched, and a summary; only in a timed run. */
  readonly time?: { readonly seconds: Float64Array; readonly summary: TimeSummary } | undefined
  /** Only in a run on several shards. */
  readonly cluster?: ClusterSummary | undefined
}

export interface RunWatch {
  /** Called from time to time with the number of pages crawled. */
  readonly progress?: (crawled: number) => void
  /** Called as often; returns true to end the crawl. */
  readonly stopped?: () => boolean
}

/** Pages between two checks whether to stop, and between two progress reports. */
const stopCheckEvery = 64
const progressEvery = 2048

export async function runSimulation(
  web: SimulatedWeb,
  options: RunOptions,
  watch: RunWatch = {},
): Promise<RunRecord> {
  if (options.strategy === ideal.name) return idealRun(web, options)
  if (options.cluster !== undefined) return kindOf('cluster').run(web, options, watch)
  const graph = graphOfSimulated(web)
  const table = pageTableOf(graph, web.siteOf, web.siteCount)
  const strategy = await makeStrategy(web, options, table)
  // Shared, so that they are not copied to the main thread.
  const order = sharedUint32(graph.pages)
  const scores = sharedFloat64(graph.pages)
  const guaranteed = new Float64Array(strategy.coverage === undefined ? 0 : graph.pages + 1)
  let taken = 0
  const noteCoverage = (): void => {
    if (strategy.coverage !== undefined) guaranteed[taken] = strategy.coverage()
  }
  const record = (page: number, score: number): void => {
    order[taken] = page
    scores[taken] = score
    taken++
    if (taken % stopCheckEvery === 0 && watch.stopped?.() === true) engine.stop()
    if (taken % progressEvery === 0) watch.progress?.(taken)
  }
  // Pages that trap detection defers or refuses are taken but not requested: only those that are crawled count.
  const scoresTaken = options.traps === true ? new Float64Array(graph.pages) : undefined
  const { time } = options
  const engine: Engine = new Engine({
    strategy,
    frontier: makeFrontier(options, strategy, graph.pages),
    ...engineOptions(options),
    names: namesIn(web, table),
    onTaken(page, score) {
      noteCoverage()
      if (scoresTaken === undefined) record(table.nodeOf(page), score)
      else scoresTaken[page] = score
    },
    onCrawled(page) {
      if (scoresTaken === undefined) return
      record(table.nodeOf(page), scoresTaken[page])
      noteCoverage()
    },
  })
  for (const seed of web.seeds) engine.seed(table.siteOf(table.pageOf(seed)))
  const readingOf = strategy.read === undefined ? undefined : await readingsOf(web)
  const world =
    time === undefined
      ? new InstantWorld(graph, table, readingOf)
      : timedWorld(web, graph, table, time, { readingOf })
  await crawl(engine, options.traps === true ? trapWatched(world, web, table, engine) : world)
  if (engine.stopReason === 'pages') advanceToNext(engine)
  noteCoverage()
  const result = {
    order: order.subarray(0, taken),
    scores: scores.subarray(0, taken),
    guaranteed: guaranteed.subarray(0, strategy.coverage === undefined ? 0 : taken + 1),
    unobtainable: unobtainablePages(engine, table),
    stopReason: engine.stopReason ?? 'finished',
    strategyName: strategy.name,
    engineBytes: engine.byteLength + new StateViews(strategy).byteLength,
  }
  return world instanceof TimedWorld
    ? inOrderOfArrival(web, result, world, table, engine.patience?.time)
    : result
}

/** What is guaranteed after n pages is what is certain just before page n + 1 is taken (S19). */
function advanceToNext({ strategy, frontier }: Engine): void {
  for (;;) {
    const best = frontier.best(Infinity)
    if (best === none || strategy.advance?.(best) !== true) return
  }
}

function unobtainablePages({ pages }: Engine, table: VirtualPageTable): Uint32Array {
  const found: number[] = []
  for (let page = 0; page < pages.known; page++)
    if (pages.lossOf(page) === unobtainable) found.push(table.nodeOf(page))
  return Uint32Array.from(found)
}

function trapWatched(world: World, web: SimulatedWeb, table: VirtualPageTable, { pages }: Engine): World {
  const { urls, seeds } = web
  if (urls === undefined) {
    throw new RankwardError(
      'USAGE',
      'Traps are recognised by their URLs, and this web has none: read it with the option urls (--urls FILE).',
    )
  }
  const url = (page: number): string => urlAt(urls, table.nodeOf(page))
  const mayDemote = (page: number): boolean => pages.mayDemote(page)
  return new TrapWatchedWorld({ world, traps: new TrapWatch(), url, seeds: seeds.length, mayDemote })
}

/** Not a crawl: all pages of the web by true importance, ties by id. The upper bound of every curve. */
function idealRun(web: SimulatedWeb, { pages = Infinity }: RunOptions): RunRecord {
  const rounded = web.pageRank.map(roundScore)
  const order = Uint32Array.from({ length: web.pages }, (_, page) => page)
  order.sort((a, b) => rounded[b] - rounded[a] || a - b)
  const taken = order.subarray(0, Math.min(web.pages, pages))
  return {
    order: taken,
    scores: Float64Array.from(taken, (page) => web.pageRank[page]),
    guaranteed: new Float64Array(0),
    unobtainable: new Uint32Array(0),
    stopReason: taken.length < web.pages ? 'pages' : 'finished',
    engineBytes: 0,
  }
}
