/**
 * The simulator: the crawl engine over a stored web. Prepares the web once, runs the strategies in threads of their own over
 * the same memory, and judges each by the measures of the papers.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { bestSeed } from './graph/reachability.ts'
import type { Web } from './graph/web.ts'
import { RankwardError, type ErrorCode } from './lib/errors.ts'
import { checkOptions, type OptionChecks } from './lib/option-checks.ts'
import type { Progress } from './lib/progress.ts'
import { workerEntry } from './lib/worker-entry.ts'
import { idealImportance } from './measures/cumulative-importance.ts'
import { parseHotRules } from './measures/hot-rule.ts'
import type { JudgeOptions, RunResult } from './simulation/judgement.ts'
import { runChecks, sharedChecks } from './simulation/option-checks.ts'
import type { RunOptions } from './simulation/run.ts'
import { prepareWeb, type SimulatedWeb } from './simulation/simulated-web.ts'
import { isModulePath } from './user-code/strategy-module.ts'
import type { WebWords } from './simulation/web-words.ts'
import type { SimulationReport, SimulationTask } from './simulation/worker.ts'
import {
  findEntry,
  ideal,
  needsInput,
  strategies,
  type StrategyEntry,
  type StrategyNeed,
} from './strategies/index.ts'

export interface SimulateOptions extends Omit<RunOptions, 'strategy'>, JudgeOptions {
  /** Names, weighted sums or module paths; `all` for every one that this web has the inputs for. */
  readonly strategies: readonly string[]
  /** Pages of the stored web to start from; the page that reaches most unless given. */
  readonly seeds?: readonly number[]
  /** Weight of each seed; equal unless given. */
  readonly trust?: readonly number[]
  readonly damping?: number
  readonly wholeWeb?: boolean
  /** Scores of an earlier crawl by page of the stored web, NaN where there is none. */
  readonly history?: Float64Array
  /** Bytes of each page of the stored web; latency and speed of each of its sites; NaN where not known. */
  readonly pageBytes?: Float64Array
  readonly latencies?: Float64Array
  readonly speeds?: Float64Array
  /** The crawl-delay of each site of the stored web in seconds; 0 or NaN: none. */
  readonly crawlDelays?: Float64Array
  /** What the pages say, for the strategies and rules that follow a topic. */
  readonly words?: WebWords | undefined
  /** In a timed run, compare with one robot too. */
  readonly speedUp?: boolean
  /** Threads at a time; one a core unless given. */
  readonly threads?: number
  readonly signal?: AbortSignal
  readonly onProgress?: Progress
  /** Told each run as it ends. */
  readonly onRun?: (result: RunResult, visits: Visits) => void
}

/** The pages of a run in order. */
export interface Visits {
  /** Original ids. */
  readonly ids: Uint32Array
  /** Scores at selection. */
  readonly scores: Float64Array
  /** When each had come; in a timed run only. */
  readonly times: Float64Array | undefined
}

export interface SimulateResult {
  readonly graph: { pages: number; links: number; sites: number; reachable: number }
  /** Original ids. */
  readonly seeds: number[]
  readonly damping: number
  /** The curve that no crawl can exceed. */
  readonly ideal: { averageCumulativePagerank: number; curve: number[] }
  readonly runs: RunResult[]
  /** Strategies of `all` that this web has no inputs for, and what they lack. */
  readonly skipped: { strategy: string; why: string }[]
  readonly interrupted: boolean
}

export async function simulate(web: Web, options: SimulateOptions): Promise<SimulateResult> {
  checkOptions('simulate', options, optionChecks)
  const { damping = 0.85 } = options
  check(web, options)
  const { names, skipped } = chosenStrategies(web, options)
  const seeds = options.seeds ?? [bestSeed(web.graph).seed]
  const simulated = await prepareWeb(web, {
    seeds,
    trust: options.trust,
    damping,
    wholeWeb: options.wholeWeb === true,
    history: options.history,
    pageBytes: options.pageBytes,
    latencies: options.latencies,
    speeds: options.speeds,
    crawlDelays: options.crawlDelays,
    words: options.words,
    needsHistory: names.some((name) => needs(name, 'history')),
    needsRankMass: names.some((name) => guarantees(name)),
    needsUrls: options.traps === true,
    ...(options.onProgress === undefined
      ? {}
      : {
          progress: (done, _total, note) =>
            options.onProgress!(done, undefined, `preparing: PageRank, ${note}`),
        }),
  })
  const runs = await runAll(simulated, names, options)
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

const optionChecks: OptionChecks<SimulateOptions> = { ...runChecks, ...sharedChecks }

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

/** Of a name that may also be the ideal or a module. */
function needs(name: string, need: StrategyNeed): boolean {
  return name !== ideal.name && !isModulePath(name) && needsInput(name, need)
}

function guarantees(name: string): boolean {
  return findEntry(name)?.guarantees === true
}

/** The names to run, each known to exist and to have its inputs. */
function chosenStrategies(
  web: Web,
  options: SimulateOptions,
): Pick<SimulateResult, 'skipped'> & { names: string[] } {
  const skipped: SimulateResult['skipped'] = []
  const names: string[] = []
  for (const name of options.strategies) {
    if (name === 'all') {
      for (const entry of strategies) {
        const why = reasonToSkip(entry, web, options)
        if (why === undefined) names.push(entry.name)
        else skipped.push({ strategy: entry.name, why })
      }
      names.push(ideal.name)
    } else {
      checkInputs(name, web, options)
      names.push(name)
    }
  }
  if (names.length === 0) throw new RankwardError('USAGE', 'No strategy is given.')
  checkCoverage(names, options)
  return { names: [...new Set(names)], skipped }
}

/** Why `all` leaves this strategy out; undefined: it does not. */
function reasonToSkip(
  entry: StrategyEntry,
  web: Web,
  { words, demoteSpam }: SimulateOptions,
): string | undefined {
  const { needs: inputs = [], ranksSites } = entry
  if (inputs.includes('urls') && web.urls === undefined) return 'needs URLs (--urls)'
  if (inputs.includes('topic') && words === undefined)
    return 'needs a topic and the pages (--topic, --pages-content)'
  if (ranksSites === true && demoteSpam !== undefined) return 'orders sites, so that spam cannot be held back'
  return undefined
}

/** Refuses unknown names too. */
function checkInputs(name: string, web: Web, { words }: SimulateOptions): void {
  if (needs(name, 'topic') && words === undefined) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${name} follows a topic: give --topic WORDS (or --scorer FILE), and the pages with --pages-content FILE.`,
    )
  }
  if (needs(name, 'urls') && web.urls === undefined) {
    throw new RankwardError('USAGE', `Strategy ${name} needs URLs: give a URL list with --urls.`)
  }
}

function checkCoverage(names: readonly string[], { coverage }: SimulateOptions): void {
  if (coverage === undefined || names.some((name) => guarantees(name) || isModulePath(name))) return
  const known = strategies.filter((entry) => entry.guarantees === true).map((entry) => entry.name)
  throw new RankwardError(
    'USAGE',
    `${names.join(', ')} guarantees no coverage, so --coverage cannot stop it. These do: ${known.join(', ')}.`,
  )
}

/** Runs them in the order given, as many at a time as there are threads. */
async function runAll(
  web: SimulatedWeb,
  names: readonly string[],
  options: SimulateOptions,
): Promise<RunResult[]> {
  const results: RunResult[] = []
  const crawled = new Float64Array(names.length)
  const pagesEach = Math.min(web.pages, options.pagesMax ?? Infinity)
  const tell = (note: string): void =>
    options.onProgress?.(
      crawled.reduce((sum, count) => sum + count, 0),
      pagesEach * names.length,
      note,
    )
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const interrupt = (): void => void Atomics.store(stop, 0, 1)
  options.signal?.addEventListener('abort', interrupt)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < names.length && options.signal?.aborted !== true) {
      const index = next++
      results[index] = await runOne(web, names[index], options, stop, (count) => {
        crawled[index] = count
        tell(names[index])
      })
      crawled[index] = pagesEach
      tell(names[index])
    }
  }
  try {
    const threads = Math.min(names.length, options.threads ?? availableParallelism())
    await Promise.all(Array.from({ length: threads }, worker))
  } finally {
    options.signal?.removeEventListener('abort', interrupt)
  }
  return results.filter((result) => result !== undefined)
}

function runOne(
  web: SimulatedWeb,
  strategy: string,
  options: SimulateOptions,
  stop: Int32Array,
  progress: (crawled: number) => void,
): Promise<RunResult> {
  const task: SimulationTask = { web, options: { ...runOptions(options), strategy }, stop }
  return new Promise((resolve, reject) => {
    const thread = new Worker(workerEntry(import.meta.url, './simulation/worker'), { workerData: task })
    thread.on('error', reject)
    thread.on('exit', (code) => reject(new Error(`the thread of ${strategy} ended early, with code ${code}`)))
    thread.on('message', (report: SimulationReport) => {
      if (report.kind === 'progress') progress(report.crawled)
      else if (report.kind === 'failed') reject(remade(report))
      else {
        const result: RunResult = {
          strategy,
          options: shownOptions(web, options),
          ...report.judgement,
          seconds: report.seconds,
          peakRssBytes: process.resourceUsage().maxRSS * 1024,
        }
        const { order, scores, times } = report
        options.onRun?.(result, { ids: order.map((page) => web.ids[page]), scores, times })
        resolve(result)
      }
    })
  })
}

/** An error that crossed from a thread, as it was there. */
function remade({ code, message, stack }: Extract<SimulationReport, { kind: 'failed' }>): Error {
  const error = code === undefined ? new Error(message) : new RankwardError(code as ErrorCode, message)
  error.stack = stack
  return error
}

/** The part of the options that a run looks at; callbacks and large arrays stay here. */
const runKeys = [
  'every',
  'window',
  'seed',
  'opicInitial',
  'tolerance',
  'demoteSpam',
  'coverage',
  'pagesMax',
  'failuresMax',
  'traps',
  'hot',
  'buffer',
  'bufferEstimate',
  'frontier',
  'frontQueues',
  'backQueues',
  'bias',
  'queues',
  'batchSize',
  'batchEndBelow',
  'batchOverlap',
  'time',
  'speedUp',
] as const satisfies readonly (keyof SimulateOptions)[]

function runOptions(options: SimulateOptions): Omit<SimulationTask['options'], 'strategy'> {
  return Object.fromEntries(runKeys.map((key) => [key, options[key] ?? (key === 'seed' ? 1 : undefined)]))
}

function shownOptions(web: SimulatedWeb, options: SimulateOptions): Record<string, unknown> {
  const { damping, words } = web
  const topic = words === undefined || words.topic.query === '' ? undefined : words.topic.query
  const shown = Object.entries({ damping, topic, ...runOptions(options) }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(shown)
}
