/**
 * The simulator: the crawl engine over a stored web. Prepares the web once, runs the strategies in threads of
 * their own over the same memory if the web is large, and evaluates each by the measures of the papers.
 */
import { availableParallelism } from 'node:os'
import type { Web } from '../webgraph/web.ts'
import { RankwardError } from '../lib/errors.ts'
import { checkOptions } from '../lib/option-checks.ts'
import { idealImportance } from '../webgraph/measures/cumulative-importance.ts'
import { parseHotRules } from '../webgraph/measures/hot-rule.ts'
import { type ChosenStrategy, type SkippedStrategy, chosenStrategies } from './chosen-strategies.ts'
import { checkObjects, guarantees, mayUseUrls, needs } from './chosen-strategies.ts'
import type { RunResult } from './judgement.ts'
import { optimalSchedule } from './changing-web.ts'
import { patiencesOf } from './options/patience-options.ts'
import { eachRunOptions, optionChecks, type SimulateOptions } from './options/simulate-options.ts'
import { type ChosenRecrawl, chosenRecrawl, startOf } from './recrawl-choice.ts'
import { meanRate } from './recrawl-run.ts'
import { curveBand, repeatedRuns, repetitions, type RepeatedRun } from './repeats.ts'
import { prepareWeb, type SimulatedWeb } from './simulated-web.ts'
import type { SimulationTask } from './task.ts'
import { runHere, runInThread, type Watch } from './task-thread.ts'
import { inlineName } from '../engine/user-code/inline-code.ts'
import { isModulePath } from '../engine/user-code/strategy-module.ts'

export interface SimulateResult {
  readonly graph: { pages: number; links: number; sites: number; reachable: number }
  /** Original ids. */
  readonly seeds: number[]
  readonly damping: number
  /** The upper bound for every crawl. */
  readonly ideal: { averageCumulativePagerank: number; curve: number[] }
  /** With `repeat`, those of the first repetition, then those of the second, and so on. */
  readonly runs: RunResult[]
  /** With `repeat`: the means of each strategy, with 95% bands. */
  readonly repeated?: RepeatedRun[]
  /** Strategies of `all` that this web has no inputs for, and what they lack. */
  readonly skipped: SkippedStrategy[]
  readonly interrupted: boolean
}

export async function simulate(web: Web, options: SimulateOptions): Promise<SimulateResult> {
  checkOptions('simulate', options, optionChecks)
  const isPatient = patiencesOf(options.patience).some((patience = 0) => patience > 0)
  if (isPatient && options.time === undefined && options.cluster === undefined)
    throw new RankwardError(
      'USAGE',
      'Without a clock no site rests, so there is nothing to wait for: patience needs --connections or --shards (in the library: time or cluster).',
    )
  const { repeat: count = 1, seed = 1, seeds, ...once } = options
  if (count === 1) return simulateOnce(web, options)
  if (options.recrawl !== undefined || options.changes !== undefined)
    throw new RankwardError(
      'USAGE',
      'repeat does not work with recrawl: a crawl that fetches again is run once.',
    )
  const results: SimulateResult[] = []
  for (const each of repetitions(web, { count, seed, seeds })) {
    if (options.signal?.aborted === true) break
    results.push(await simulateOnce(web, { ...once, ...each, isRepeated: true }))
  }
  return combined(results)
}

/** Simulations of the same strategies as one: all runs, and their means. The web is that of the first. */
export function combined(results: readonly SimulateResult[]): SimulateResult {
  const runs = results.flatMap((result, i) =>
    result.runs.map((run) => ({ repeat: i + 1, seeds: result.seeds, ...run })),
  )
  const { mean: curve } = curveBand(results.map(({ ideal }) => ideal.curve))
  const average = results.reduce((sum, { ideal }) => sum + ideal.averageCumulativePagerank, 0)
  return {
    ...results[0],
    ideal: { averageCumulativePagerank: average / results.length, curve: [...curve] },
    runs,
    repeated: repeatedRuns(runs),
    interrupted: results.some(({ interrupted }) => interrupted),
  }
}

interface OnceOptions extends SimulateOptions {
  readonly isRepeated?: boolean
  /** The same web, seeds, damping and history, prepared before: only what it lacks is computed. */
  readonly prepared?: SimulatedWeb
}

/** One simulation, without repetitions. */
export async function simulateOnce(web: Web, options: OnceOptions): Promise<SimulateResult> {
  const { damping = 0.85 } = options
  check(web, options)
  const recrawl = chosenRecrawl(web, options)
  const strategies = options.strategies ?? (recrawl === undefined ? [] : ['omniscient'])
  const { chosen: orders, skipped } = chosenStrategies(web, { ...options, strategies })
  const chosen = withPatiences(withPolicies(orders, recrawl), options)
  checkObjects(chosen, options)
  const { changes } = options
  const { seeds, reached } = startOf(web, options)
  const simulated = await prepareWeb(web, {
    prepared: options.prepared,
    seeds,
    reached,
    trust: options.trust,
    damping,
    wholeWeb: options.wholeWeb === true || changes !== undefined,
    changeRates: options.changeRates,
    recorded: changes,
    history: options.history,
    pageBytes: options.pageBytes,
    latencies: options.latencies,
    speeds: options.speeds,
    crawlDelays: options.crawlDelays,
    words: options.words,
    needsHistory: chosen.some(({ name, code }) => code === undefined && needs(name, 'history')),
    needsRankMass: chosen.some(({ name }) => guarantees(name)),
    needsBacklinks: (options.hot ?? []).length > 0 || options.buffer !== undefined,
    needsUrls: options.traps === true || chosen.some(mayUseUrls),
    ...(options.progress === undefined
      ? {}
      : {
          progress: (done, _total, note) =>
            options.progress!(done, undefined, `preparing: PageRank, ${note}`),
        }),
  })
  const runs = await runAll(simulated, chosen, options, await recrawlPlan(simulated, recrawl, options))
  const { average, curve } = idealImportance(simulated.pageRank, simulated.ranked)
  return {
    graph: {
      pages: web.graph.pages,
      links: web.graph.links,
      sites: web.sites.count,
      reachable: simulated.reachable,
    },
    seeds: simulated.seeds.map((seed) => simulated.ids[seed]),
    damping,
    ideal: { averageCumulativePagerank: average, curve },
    runs,
    skipped,
    interrupted: options.signal?.aborted === true,
  }
}

interface ChosenRun extends ChosenStrategy {
  readonly recrawl?: string | undefined
  /** If several are compared. */
  readonly patience?: number | undefined
}

/** One run for each strategy, recrawl policy and patience. */
function withPatiences(runs: readonly ChosenRun[], { patience }: SimulateOptions): readonly ChosenRun[] {
  if (typeof patience !== 'object') return runs
  return runs.flatMap((run) => patience.map((each) => ({ ...run, patience: each })))
}

/** One run for each strategy and recrawl policy. */
function withPolicies(orders: readonly ChosenStrategy[], recrawl: ChosenRecrawl | undefined): ChosenRun[] {
  if (recrawl === undefined) return [...orders]
  if (orders.some(({ name }) => name === 'ideal'))
    throw new RankwardError(
      'USAGE',
      'The strategy ideal is no crawl: with a recrawl policy, give omniscient.',
    )
  return orders.flatMap((order) => recrawl.policies.map((policy) => ({ ...order, recrawl: policy })))
}

interface RecrawlPlan {
  readonly options: ChosenRecrawl['options'] | undefined
  /** The weighted freshness that a policy is compared with. */
  readonly optimal: number | undefined
}

/** On recorded changes the optimum is a run of its own, which is not reported. */
async function recrawlPlan(
  web: SimulatedWeb,
  recrawl: ChosenRecrawl | undefined,
  options: SimulateOptions,
): Promise<RecrawlPlan> {
  if (recrawl === undefined) return { options: undefined, optimal: undefined }
  const { rate, round, days = 0, from } = recrawl.options
  if (web.recorded === undefined)
    return { ...recrawl, optimal: optimalSchedule(web, meanRate(web, recrawl.options), days).freshness }
  const best = await runOne(
    web,
    { name: 'omniscient', recrawl: 'optimal' },
    { time: options.time },
    { stop: new Int32Array(new SharedArrayBuffer(4)), progress: () => {} },
    { options: { rate, round, days, from }, optimal: undefined },
  )
  return { ...recrawl, optimal: best.freshness!.weighted }
}

function check(web: Web, options: SimulateOptions): void {
  if (web.graph.pages === 0)
    throw new RankwardError('USAGE', 'This graph is empty: there is no page to crawl.')
  if (options.seeds !== undefined && new Set(options.seeds).size !== options.seeds.length) {
    throw new RankwardError('USAGE', 'A seed is given twice.')
  }
  if (
    options.trust?.some((weight) => !(weight >= 0)) === true ||
    options.trust?.every((weight) => weight === 0) === true
  ) {
    throw new RankwardError('USAGE', 'Trust weights must not be negative, and one of them must be above 0.')
  }
  parseHotRules(options.hot ?? [])
}

/** The number of runs at a time, unless given. */
export const threadsDefault = (): number => availableParallelism()

/** Runs them in the given order, in parallel on the available threads. */
async function runAll(
  web: SimulatedWeb,
  chosen: readonly ChosenRun[],
  options: SimulateOptions,
  plan: RecrawlPlan,
): Promise<RunResult[]> {
  const results: RunResult[] = []
  const crawled = new Float64Array(chosen.length)
  const pagesEach = Math.min(web.pages, options.pages ?? Infinity)
  const tell = (note: string): void =>
    options.progress?.(
      crawled.reduce((sum, count) => sum + count, 0),
      pagesEach * chosen.length,
      note,
    )
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const interrupt = (): void => void Atomics.store(stop, 0, 1)
  options.signal?.addEventListener('abort', interrupt)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < chosen.length && options.signal?.aborted !== true) {
      const index = next++
      const name = chosen[index].recrawl ?? chosen[index].name
      const progress = (count: number): void => {
        crawled[index] = count
        tell(name)
      }
      results[index] = await runOne(web, chosen[index], options, { stop, progress }, plan)
      crawled[index] = pagesEach
      tell(name)
    }
  }
  try {
    const threads = Math.min(chosen.length, options.threads ?? threadsDefault())
    await Promise.all(Array.from({ length: threads }, worker))
  } finally {
    options.signal?.removeEventListener('abort', interrupt)
  }
  return results.filter((result) => result !== undefined)
}

/** Links of the web above which a run gets a thread: below, sending the task takes longer than the run. */
const threadLinksMin = 20_000
/** Links above which it gets a thread of its own: code that has run one strategy only is faster. */
const ownThreadLinksMin = 1_000_000

/**
 * Small runs, and those with a strategy or frontier that is code, which a thread cannot receive, run in this thread. A
 * module is loaded anew in a thread for each run, whatever the size, so that no run sees the state of another. Fetching
 * pages again makes a long run on any web.
 */
function runsHere(
  web: SimulatedWeb,
  { name, code, recrawl }: ChosenRun,
  { frontier }: SimulateOptions,
): boolean {
  if (code !== undefined || typeof frontier === 'object' || typeof frontier === 'function') return true
  return web.links < threadLinksMin && recrawl === undefined && !isModulePath(name)
}

async function runOne(
  web: SimulatedWeb,
  { name, code, recrawl, patience: one }: ChosenRun,
  options: SimulateOptions,
  watch: Watch,
  plan: RecrawlPlan,
): Promise<RunResult> {
  const again = recrawl === undefined ? {} : { recrawl, recrawlOptions: plan.options }
  const [patience] = one === undefined ? patiencesOf(options.patience) : [one]
  const task: SimulationTask = {
    web,
    options: { ...eachRunOptions(options), patience, ...again, strategy: code ?? name },
  }
  const isModule = isModulePath(name)
  const isShared = web.links < ownThreadLinksMin && !isModule
  const done = runsHere(web, { name, code, recrawl }, options)
    ? await runHere(task, watch)
    : await runInThread(task, { name, isShared }, watch)
  const { judgement, order, scores, times, seconds, cpuSeconds, looks } = done
  const result: RunResult = {
    strategy: isModule ? (done.strategyName ?? name) : name,
    ...(recrawl === undefined ? {} : { recrawl }),
    ...(one === undefined ? {} : { patience: one }),
    options: { ...shownOptions(web, options), ...defined({ patience, ...plan.options }) },
    ...judgement,
    ...withRegret(judgement.freshness, plan.optimal),
    seconds,
    cpuSeconds,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  }
  options.onRun?.(result, { ids: order.map((page) => web.ids[page]), scores, times, looks })
  return result
}

function shownOptions(web: SimulatedWeb, options: SimulateOptions): Record<string, unknown> {
  const { damping, words } = web
  const topic = words === undefined || words.topic.query === '' ? undefined : words.topic.query
  const { frontier } = options
  const named =
    typeof frontier === 'object' || typeof frontier === 'function'
      ? { frontier: inlineName('frontier', frontier) }
      : {}
  return defined({ damping, topic, ...eachRunOptions(options), ...named })
}

function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function withRegret(
  freshness: RunResult['freshness'],
  optimal: number | undefined,
): Pick<RunResult, 'freshness'> {
  if (freshness === undefined || optimal === undefined) return {}
  return { freshness: { ...freshness, optimal, regret: 1 - freshness.weighted / optimal } }
}
