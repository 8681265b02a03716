/** One continuous crawl of a simulated web that changes: when pages are fetched again, and how fresh the copies are. */
import { Engine } from '../engine/engine.ts'
import { crawl } from '../engine/loop.ts'
import type { RecrawlOptions } from '../engine/recrawl-options.ts'
import type { Strategy } from '../engine/strategy.ts'
import type { World } from '../engine/world.ts'
import { TwoLevelFrontier } from '../engine/frontiers/two-level.ts'
import { hashId, unit } from '../lib/hash.ts'
import { StateViews } from '../lib/state-views.ts'
import { jumpShare } from '../engine/recrawl/key-masses.ts'
import { recrawlPolicyOf } from '../engine/recrawl/policies/index.ts'
import type { RecrawlSetting } from '../engine/recrawl/policies/setting.ts'
import { knownRateFirstValue } from '../engine/recrawl/value.ts'
import { fixedScore } from '../engine/strategies/fixed-score.ts'
import { pageBytesOf } from './worlds/network-model.ts'
import { type PageChanges, ChangingPages, daySeconds } from './worlds/changing-pages.ts'
import { ChangingWorld, type EndingWorldOptions } from './worlds/changing-world.ts'
import { VirtualPageTable } from './worlds/page-table.ts'
import { TimedWorld } from './worlds/timed-world.ts'
import { WebEvents } from './worlds/web-events.ts'
import { CalibrationLog } from './calibration.ts'
import { LookLog, type RecrawlRecord } from './look-log.ts'
import { changesOf, linksOverTime, listedPages, livePages, meanLivePages } from './changing-web.ts'
import { optimalSchedule, signalsOf } from './changing-web.ts'
import { CoverageCourse } from './coverage-course.ts'
import { knowsAll } from './knows-all.ts'
import { knowsAllName, type RecrawlRunOptions } from './options/recrawl-options.ts'
import { engineOptions, inOrderOfArrival, makeFrontier, makeStrategy, namesIn } from './run-parts.ts'
import type { RunOptions, RunWatch } from './run.ts'
import { graphOfSimulated, type SimulatedWeb } from './simulated-web.ts'
import { timedWorld } from './time.ts'

/** Fetches per day, on average. */
export function meanRate(web: SimulatedWeb, { rate, round, days = 0 }: RecrawlRunOptions): number {
  return rate ?? meanLivePages(web, days) / (round ?? 1)
}

/** What a crawl that fetches pages again guarantees is a function of time, not of its first fetches (`CoverageCourse`). */
const withoutGuarantee = { guaranteed: new Float64Array(0), unobtainable: new Uint32Array(0) }

/** Fetches between two checks whether to stop. */
const checkEvery = 256

export async function runRecrawl(
  web: SimulatedWeb,
  options: RunOptions,
  watch: RunWatch = {},
): Promise<RecrawlRecord> {
  const recrawl = options.recrawlOptions!
  const { days = 0 } = recrawl
  const changes = changesOf(web)
  const log = new LookLog(web, changes, recrawl)
  if (options.recrawl === knowsAllName) {
    knowsAll(web, changes, { days, rate: recrawl.rate, round: recrawl.round }, log.look)
    return { ...log.end(), ...withoutGuarantee, stopReason: 'time', engineBytes: 0 }
  }
  const graph = graphOfSimulated(web)
  const table = new VirtualPageTable(graph.pages, web.siteOf, web.siteCount)
  const oracle = oracleOf(web, options, changes, table)
  const course = new CoverageCourse(web, days)
  const strategy = course.watched(oracle?.strategy ?? (await makeStrategy(web, options, table)))
  const engine: Engine = new Engine({
    strategy,
    frontier: makeFrontier(options, strategy, graph.pages),
    ...engineOptions(options),
    names: namesIn(web, table),
    recrawl: {
      policy: recrawlPolicyOf(options.recrawl!, {
        ...settingOf(recrawl, changes, table),
        ...oracle?.setting,
      }),
      frontier: new TwoLevelFrontier({ pagesHint: graph.pages }),
      ...paceOf(recrawl),
    },
  })
  const source = new ChangingPages(graph.pages, {
    table,
    changes,
    links: linksOverTime(web, graph, changes),
    bytesOf: (node) => pageBytesOf(node, web.ids, web.pageBytes),
    onLook(node, day, verdict, stale) {
      calibration?.at(day)
      log.look(node, day, verdict, stale)
      course.at(day, engine)
      if (log.count % checkEvery !== 0) return
      watch.progress?.(Math.floor((day / days) * web.pages))
      if (watch.stopped?.() === true) engine.stop()
    },
  })
  const calibration =
    recrawl.calibration === true
      ? new CalibrationLog(engine, days, (page, day) => log.isFresh(table.nodeOf(page), day))
      : undefined
  const ending: EndingWorldOptions = {
    events: eventsOf(web, table, engine, options),
    endSeconds: days * daySeconds,
    onEnd: () => engine.stop('time'),
  }
  for (const seed of web.seeds) engine.seed(table.siteOf(table.pageOf(seed)))
  const world: World =
    options.time === undefined
      ? new ChangingWorld(source, ending)
      : timedWorld(web, graph, table, options.time, { source, ending })
  await crawl(engine, world)
  course.at(days, engine)
  const measured = log.end()
  const coverage = course.moments.length === 0 ? {} : { coverage: course.moments }
  const record: RecrawlRecord = {
    ...measured,
    freshness: {
      ...measured.freshness,
      ...coverage,
      ...(calibration && { calibration: calibration.result() }),
    },
    ...withoutGuarantee,
    stopReason: engine.stopReason ?? 'time',
    strategyName: strategy.name,
    engineBytes: engine.byteLength + new StateViews(strategy).byteLength,
  }
  if (!(world instanceof TimedWorld)) return record
  return { ...record, time: inOrderOfArrival(web, record, world, table).time }
}

function paceOf({
  rate = 1,
  round,
  rest = 0,
  cost = 'fetch',
  refreshShare,
}: RecrawlRunOptions): Pick<
  RecrawlOptions,
  'perDay' | 'roundDays' | 'restSeconds' | 'cost' | 'refreshShare' | 'jump'
> {
  return {
    perDay: rate,
    roundDays: round,
    restSeconds: rest,
    cost,
    jump: jumpShare,
    ...(refreshShare === undefined ? {} : { refreshShare }),
  }
}

function eventsOf(
  web: SimulatedWeb,
  table: VirtualPageTable,
  engine: Engine,
  { recrawl, recrawlOptions }: RunOptions,
): WebEvents {
  const { round, knownRates } = recrawlOptions!
  // A policy with true rates never fetches some pages, and would not find the pages behind them.
  const isOracle = web.recorded === undefined && (recrawl === 'optimal' || knownRates === true)
  return new WebEvents({
    table,
    listed: listedPages(web, isOracle),
    signals: recrawl === 'change-signals' ? signalsOf(web) : undefined,
    ...(round === undefined
      ? {}
      : { live: livePages(web), onLive: (pages) => engine.rate(Math.max(1, pages) / round) }),
  })
}

export function settingOf(
  options: RecrawlRunOptions,
  changes: PageChanges,
  table?: VirtualPageTable,
): RecrawlSetting {
  const { horizon, prior, siteClock, sitePrior, massPrior, estimator, adaptive, knownRates } = options
  return {
    horizon,
    prior,
    siteClock,
    sitePrior,
    massPrior,
    estimator,
    adaptive,
    ...(knownRates === true ? { rateOf: (page) => changes.rateOf(table!.nodeOf(page)) } : {}),
  }
}

const firstDueSalt = 9

/** Policies with true rates know all pages, and fetch new ones in an order that depends on the rates. */
function oracleOf(
  web: SimulatedWeb,
  options: RunOptions,
  changes: PageChanges,
  table: VirtualPageTable,
): { strategy: Strategy; setting: RecrawlSetting } | undefined {
  const masses = (): ((page: number) => number) => (page) => web.pageRank[table.nodeOf(page)]
  if (options.recrawl === 'optimal') {
    const { firstDueOf, fetchesOf } = optimalDues(web, options.recrawlOptions!, changes, table)
    const strategy = fixedScore('optimal', (page) => -firstDueOf(page))
    return { strategy: { ...strategy, masses }, setting: { fetchesOf, firstDueOf } }
  }
  if (options.recrawl !== 'greedy' || options.recrawlOptions!.knownRates !== true) return undefined
  const horizon = horizonOf(web, options.recrawlOptions!)
  const strategy = fixedScore('known rates', (page) => {
    const node = table.nodeOf(page)
    return web.pageRank[node] * knownRateFirstValue(changes.rateOf(node), horizon)
  })
  return { strategy: { ...strategy, masses }, setting: { horizon } }
}

/** The horizon when all pages are known: three rounds. */
function horizonOf(web: SimulatedWeb, options: RecrawlRunOptions): number {
  const roundDays = meanLivePages(web, options.days ?? 0) / meanRate(web, options)
  return options.horizon ?? 3 * (options.round ?? roundDays)
}

function optimalDues(
  web: SimulatedWeb,
  options: RecrawlRunOptions,
  changes: PageChanges,
  table: VirtualPageTable,
): { fetchesOf: (page: number) => number; firstDueOf: (page: number) => number } {
  const { days = 0 } = options
  const perDay = meanRate(web, options)
  const { fetches } = optimalSchedule(web, perDay, days)
  const roundDays = meanLivePages(web, days) / perDay
  return {
    fetchesOf: (page) => fetches[table.nodeOf(page)],
    firstDueOf(page) {
      const node = table.nodeOf(page)
      if (fetches[node] === 0 && changes.rateOf(node) > 0) return Infinity
      const part = unit(hashId(web.ids[node], firstDueSalt))
      return changes.bornAt(node) + part * Math.min(1 / fetches[node], roundDays)
    },
  }
}
