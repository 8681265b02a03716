/** One crawl of a simulated web by one strategy: the order in which pages were taken, and what was known meanwhile. */
import { Engine, type StopReason } from '../engine/engine.ts'
import { crawl } from '../engine/loop.ts'
import type { Frontier } from '../engine/frontier.ts'
import type { Strategy } from '../engine/strategy.ts'
import { frontierOf } from '../frontiers/index.ts'
import { roundScore } from '../lib/score-rounding.ts'
import { strategyOf } from '../strategies/index.ts'
import { InstantWorld } from '../worlds/virtual/instant-world.ts'
import { VirtualPageTable } from '../worlds/virtual/page-table.ts'
import { drawnScore } from './history.ts'
import { graphOfSimulated, type SimulatedWeb } from './simulated-web.ts'
import { isModulePath, loadStrategyModule } from './strategy-module.ts'

export interface RunOptions {
  /** A name, a weighted sum, or the path of a module. */
  readonly strategy: string
  readonly every?: number | undefined
  readonly window?: number | undefined
  readonly seed?: number
  readonly opicInitial?: 'pages' | 'seeds' | undefined
  readonly tolerance?: number | undefined
  readonly coverage?: number | undefined
  readonly pagesMax?: number | undefined
  /** two-level unless given. */
  readonly frontier?: string | undefined
  /** Mercator's F, B and bias, WebBase's Q. */
  readonly frontQueues?: number | undefined
  readonly backQueues?: number | undefined
  readonly bias?: number | undefined
  readonly queues?: number | undefined
}

export interface RunRecord {
  /** Pages of the scope in the order they were taken. */
  readonly order: Uint32Array
  /** Each one's score when it was taken. */
  readonly scores: Float64Array
  /** Guaranteed coverage after 0, 1, 2 … downloads; empty where the strategy guarantees nothing. */
  readonly guaranteed: Float64Array
  readonly stopReason: StopReason
  readonly engineBytes: number
}

export interface RunWatch {
  /** Told now and then how many pages have been crawled. */
  readonly progress?: (crawled: number) => void
  /** Asked as often; true ends the crawl. */
  readonly stopped?: () => boolean
}

/** Pages between two looks at the watch. */
const watchEvery = 4096

export async function runSimulation(
  web: SimulatedWeb,
  options: RunOptions,
  watch: RunWatch = {},
): Promise<RunRecord> {
  if (options.strategy === 'ideal') return idealRun(web, options)
  const graph = graphOfSimulated(web)
  const table = new VirtualPageTable(graph.pages, web.siteOf, web.siteCount)
  const strategy = await makeStrategy(web, options, table)
  const order = new Uint32Array(graph.pages)
  const scores = new Float64Array(graph.pages)
  const guaranteed = new Float64Array(strategy.coverage === undefined ? 0 : graph.pages + 1)
  let taken = 0
  const engine = new Engine({
    strategy,
    frontier: makeFrontier(options, strategy, graph.pages),
    ...(options.pagesMax === undefined ? {} : { pagesMax: options.pagesMax }),
    ...(options.coverage === undefined ? {} : { coverage: options.coverage }),
    onTaken(page, score) {
      if (strategy.coverage !== undefined) guaranteed[taken] = strategy.coverage()
      order[taken] = table.nodeOf(page)
      scores[taken++] = score
      if (taken % watchEvery !== 0) return
      watch.progress?.(taken)
      if (watch.stopped?.() === true) engine.stop()
    },
  })
  for (const seed of web.seeds) engine.seed(table.siteOf(table.pageOf(seed)))
  await crawl(engine, new InstantWorld(graph, table))
  if (strategy.coverage !== undefined) guaranteed[taken] = strategy.coverage()
  return {
    order: order.subarray(0, taken),
    scores: scores.subarray(0, taken),
    guaranteed: guaranteed.subarray(0, strategy.coverage === undefined ? 0 : taken + 1),
    stopReason: engine.stopReason ?? 'finished',
    engineBytes: engine.byteLength,
  }
}

function makeFrontier(options: RunOptions, strategy: Strategy, pagesHint: number): Frontier {
  const { frontier = 'two-level', frontQueues, backQueues, bias, queues, seed } = options
  const ranksSites = strategy.ranksSites === true
  return frontierOf(frontier, { ranksSites, pagesHint, frontQueues, backQueues, bias, queues, seed })
}

async function makeStrategy(
  web: SimulatedWeb,
  options: RunOptions,
  table: VirtualPageTable,
): Promise<Strategy> {
  const { history, location } = web
  const setting = {
    damping: web.damping,
    webPages: web.pages,
    every: options.every,
    window: options.window,
    seed: options.seed ?? 1,
    opicInitial: options.opicInitial,
    tolerance: options.tolerance,
    coverage: options.coverage,
    trust: (seedIndex: number) => web.trust[seedIndex],
    truth: (page: number) => web.pageRank[table.nodeOf(page)],
    earlier:
      history &&
      ((page: number) => {
        const score = history.scores[table.nodeOf(page)]
        return Number.isNaN(score) ? undefined : score
      }),
    drawn: history && ((page: number) => drawnScore(history, web.ids[table.nodeOf(page)])),
    location: location && ((page: number) => location[table.nodeOf(page)]),
  }
  return isModulePath(options.strategy)
    ? loadStrategyModule(options.strategy, setting)
    : strategyOf(options.strategy, setting)
}

/** Not a crawl: all pages of the web by true importance, ties by id. The upper bound of every curve. */
function idealRun(web: SimulatedWeb, { pagesMax = Infinity }: RunOptions): RunRecord {
  const rounded = web.pageRank.map(roundScore)
  const order = Uint32Array.from({ length: web.pages }, (_, page) => page)
  order.sort((a, b) => rounded[b] - rounded[a] || a - b)
  const taken = order.subarray(0, Math.min(web.pages, pagesMax))
  return {
    order: taken,
    scores: Float64Array.from(taken, (page) => web.pageRank[page]),
    guaranteed: new Float64Array(0),
    stopReason: taken.length < web.pages ? 'pages' : 'finished',
    engineBytes: 0,
  }
}
