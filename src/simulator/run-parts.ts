/** The parts of a run: strategy, frontier and limits as its options say, and the order of a timed run. */
import type { ConnectionTime } from '../engine/connection-time.ts'
import type { EngineOptions, PageNames } from '../engine/engine-options.ts'
import type { Frontier } from '../engine/frontier.ts'
import type { Strategy } from '../engine/strategy.ts'
import { frontierOf } from '../engine/frontiers/index.ts'
import { strategyOf, withSpamDemoted } from '../engine/strategies/index.ts'
import { inlineName, inlineFrontier } from '../engine/user-code/inline-code.ts'
import { inlineStrategy, isModulePath, loadStrategyModule } from '../engine/user-code/strategy-module.ts'
import type { VirtualPageTable } from './worlds/page-table.ts'
import { timeSummary } from './worlds/time-summary.ts'
import type { TimedWorld } from './worlds/timed-world.ts'
import { drawnScore } from './history.ts'
import type { RunOptions, RunRecord } from './run.ts'
import { type SimulatedWeb, urlAt } from './simulated-web.ts'
import { timedEngineOptions } from './time.ts'

/**
 * A timed run is evaluated by when pages were fetched, not by when they were requested; failed pages do not
 * count.
 */
export function inOrderOfArrival(
  web: SimulatedWeb,
  run: RunRecord,
  world: TimedWorld,
  table: VirtualPageTable,
  connectionTime?: ConnectionTime,
): RunRecord {
  const { log } = world
  const scoreOf = new Float64Array(web.pages)
  run.order.forEach((page, i) => {
    scoreOf[page] = run.scores[i]
  })
  const order = Uint32Array.from({ length: log.pages }, (_, i) => table.nodeOf(log.pageAt(i)))
  return {
    ...run,
    order,
    scores: Float64Array.from(order, (page) => scoreOf[page]),
    time: {
      seconds: Float64Array.from(order, (_, i) => log.secondsAt(i)),
      summary: timeSummary(log, {
        bandwidth: world.bandwidth,
        importance: (page) => web.pageRank[table.nodeOf(page)],
        connectionTime,
      }),
    },
  }
}

export function engineOptions(options: RunOptions): Partial<EngineOptions> {
  const { pages, failures, coverage, batchSize, batchEndBelow, batchOverlap, patience, time } = options
  return {
    patience,
    ...(pages === undefined ? {} : { pagesMax: pages }),
    ...(failures === undefined ? {} : { failuresMax: failures }),
    ...(coverage === undefined ? {} : { coverage }),
    ...(batchSize === undefined ? {} : { batchSize }),
    ...(batchEndBelow === undefined ? {} : { batchEndBelow }),
    ...(batchOverlap === undefined ? {} : { batchOverlap }),
    ...(time === undefined ? {} : timedEngineOptions(time)),
  }
}

/** URLs for strategies, if the web has them. */
export function namesIn({ urls }: SimulatedWeb, table: VirtualPageTable): PageNames | undefined {
  return urls && { urlOf: (page) => urlAt(urls, table.nodeOf(page)), anchorOf: () => '' }
}

export function makeFrontier(options: RunOptions, strategy: Strategy, pagesHint: number): Frontier {
  const { frontier = 'two-level', frontQueues, backQueues, bias, queues, seed, time } = options
  const ranksSites = strategy.ranksSites === true
  const connections = time === undefined ? undefined : (time.connections ?? 1)
  const own = { ranksSites, pagesHint, frontQueues, backQueues, bias, queues, seed, connections }
  return typeof frontier === 'string'
    ? frontierOf(frontier, own)
    : inlineFrontier(inlineName('frontier', frontier), frontier, own)
}

export async function makeStrategy(
  web: SimulatedWeb,
  options: RunOptions,
  table: VirtualPageTable,
): Promise<Strategy> {
  const { history, location, urls } = web
  const setting = {
    damping: web.damping,
    webPages: web.pages,
    every: options.every,
    window: options.window,
    seed: options.seed ?? 1,
    opicInitial: options.opicInitial,
    tolerance: options.tolerance,
    demoteSpam: options.demoteSpam,
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
    url: urls && ((page: number) => urlAt(urls, table.nodeOf(page))),
  }
  const { strategy: choice } = options
  if (typeof choice !== 'string')
    return withSpamDemoted(inlineStrategy(inlineName('strategy', choice), choice, setting), setting)
  return isModulePath(choice)
    ? withSpamDemoted(await loadStrategyModule(choice, setting), setting)
    : strategyOf(choice, setting)
}
