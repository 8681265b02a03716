/**
 * Exact PageRank (docs/theory/semantics.md S10): r = d · (A r + D(r) · t) + (1 - d) · t, sum 1, until one more step
 * would change less than the tolerance (L1). Computed over the in-links, in `pagerank-kernel.ts`.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { RankwardError } from '../../lib/errors.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { sharedFloat64 } from '../../lib/shared-memory.ts'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'
import type { Graph } from '../graph.ts'
import {
  conclude,
  danglingFor,
  notStarted,
  planOf,
  startCourse,
  stepOf,
  type Course,
  type Limits,
} from './pagerank-course.ts'
import { layOutHere } from './pagerank-in-links.ts'
import {
  blockwiseSum,
  PageRankKernel,
  resultOf,
  startState,
  sumOf,
  type PageRankResult,
  type PageRankState,
  type Ranking,
} from './pagerank-kernel.ts'
import type { LeaderMessage, RankingRequest } from './pagerank-leader.ts'

export type { PageRankResult } from './pagerank-kernel.ts'

interface PageRankSyncOptions {
  /** The probability that the surfer follows a link, between 0 and 1; default 0.85. */
  damping?: number
  /** The scores have converged if a step of the power iteration would change less (L1); default 1e-12. */
  tolerance?: number
  /**
   * Passes over the links after which the computation ends, converged or not; by default, as many as the tolerance can require. A pass uses
   * the scores that it has computed already, and some passes only measure the residual: n passes are not n steps of
   * the power iteration.
   */
  iterationsMax?: number
  /** Where the surfer jumps: one weight per page, of any sum; by default uniform. */
  trust?: Float64Array
  /** Where the score of dangling pages goes; by default as `trust`. */
  danglingWeights?: Float64Array
  /** Initial scores, such as those of an earlier, smaller web: pages beyond its end start with 0. */
  start?: Float64Array
  /** The in-links, if already computed. */
  transposed?: Graph
  /**
   * Reports the pages read for the in-links, with the note `in-links`, then each iteration with its residual.
   */
  progress?: Progress
}

export interface PageRankOptions extends PageRankSyncOptions {
  /** By default one per core, fewer for small graphs. The result is bit-identical for any number. */
  threads?: number
  signal?: AbortSignal
}

/** What may differ between rankings of one web. */
type Surfer = Pick<PageRankSyncOptions, 'trust' | 'danglingWeights' | 'start'>
type SharedOptions = Omit<PageRankOptions, keyof Surfer>

const nothing: PageRankResult = { scores: sharedFloat64(0), iterations: 0, residual: 0 }
/** Links per additional thread; an estimate, not measured. */
const linksPerThread = 1 << 20
const threadsMax = 256

/** Without threads: blocks the caller until done. */
export function pageRankSync(graph: Graph, options: PageRankSyncOptions = {}): PageRankResult {
  const limits = limitsOf(options)
  if (graph.pages === 0) return nothing
  const steps = stepsOf(graph, rankingsOf(graph, [options], options), limits, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value[0]
  }
}

/** With threads: does not block the calling thread. */
export async function pageRank(graph: Graph, options: PageRankOptions = {}): Promise<PageRankResult> {
  return (await pageRanks(graph, [options], options))[0]
}

/** The PageRank of several surfers on one web. Its in-links are laid out once, and their memory is free at the end. */
export async function pageRanks(
  graph: Graph,
  surfers: readonly Surfer[],
  options: SharedOptions = {},
): Promise<readonly PageRankResult[]> {
  const limits = limitsOf(options)
  const threads = threadsOf(graph, options)
  options.signal?.throwIfAborted()
  if (graph.pages === 0) return surfers.map(() => nothing)
  const rankings = rankingsOf(graph, surfers, options)
  if (threads <= 1 && graph.links < linksPerThread) return pageRanksHere(graph, rankings, limits, options)
  const transposed = options.transposed?.share()
  return runLeader({ graph: graph.share(), transposed, rankings, limits, threads }, options)
}

/** For graphs too small for threads: runs on the calling thread and yields after each step. */
async function pageRanksHere(
  graph: Graph,
  rankings: readonly Ranking[],
  limits: Limits,
  options: SharedOptions,
): Promise<PageRankResult[]> {
  const steps = stepsOf(graph, rankings, limits, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await new Promise((resolve) => void setImmediate(resolve))
    options.signal?.throwIfAborted()
  }
}

/** Yields after each step; returns the results. */
function* stepsOf(
  graph: Graph,
  rankings: readonly Ranking[],
  limits: Limits,
  { transposed, progress = silent }: SharedOptions,
): Generator<undefined, PageRankResult[]> {
  const web = layOutHere(graph, { transposed, progress: (done, total) => progress(done, total, 'in-links') })
  const results: PageRankResult[] = []
  for (const ranking of rankings) {
    const state = startState(web, ranking)
    const course = startCourse(state, limits)
    const kernel = new PageRankKernel(state, 0)
    let last = notStarted
    while (stepOf(course) !== 'done') {
      takeStep(state, course, kernel)
      last = conclude(state, course, limits)
      progress(last.iteration, undefined, note(last.residual))
      yield undefined
    }
    results.push(resultOf(state, last))
  }
  return results
}

function takeStep(state: PageRankState, course: Course, kernel: PageRankKernel): void {
  const step = stepOf(course)
  const dangling = danglingFor(state, course)
  const total = sumOf(state.totals)
  const plan = planOf(state, course)
  const lanes = state.lanes.length - 1
  for (let lane = 0; lane < lanes; lane++) kernel.keep(lane)
  for (let lane = 0; lane < lanes; lane++) {
    if (step === 'sweep') kernel.sweep(lane, dangling, plan)
    else kernel.check(lane, dangling, total)
  }
}

function note(residual: number): string {
  return `residual ${residual.toExponential(1)}`
}

/** Starts the leader, waits for the results, and terminates it with its team in every case. */
async function runLeader(
  request: RankingRequest,
  { progress = silent, signal }: SharedOptions,
): Promise<readonly PageRankResult[]> {
  const leader = new Worker(workerEntry(import.meta.url, './pagerank-worker'), {
    ...threadOptions(process),
    workerData: request,
  })
  let abort: (() => void) | undefined
  try {
    return await new Promise((resolve, reject) => {
      abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort)
      leader.on('message', (message: LeaderMessage) => {
        try {
          if ('results' in message) resolve(message.results)
          else if ('step' in message) progress(message.step.iteration, undefined, note(message.step.residual))
          else progress(message.read, message.total, 'in-links')
        } catch (error) {
          reject(error)
        }
      })
      leader.on('error', (error) => reject(threadFailed(error)))
      // No effect after the results, which arrive before.
      leader.on('exit', (code) => reject(threadFailed(new Error(`exit code ${code}`))))
    })
  } finally {
    if (abort !== undefined) signal?.removeEventListener('abort', abort)
    await leader.terminate()
  }
}

function threadFailed(cause: Error): RankwardError {
  return new RankwardError('BUG', `A PageRank thread failed: ${cause.message}. Please report it.`, { cause })
}

function limitsOf(options: PageRankSyncOptions): Limits {
  const { damping = 0.85, tolerance = 1e-12 } = options
  if (!(damping > 0 && damping < 1)) {
    throw new RankwardError(
      'USAGE',
      `damping is ${damping}; expected a number between 0 and 1, such as 0.85.`,
    )
  }
  if (!(tolerance >= 0)) {
    throw new RankwardError(
      'USAGE',
      `tolerance is ${tolerance}; expected 0 or a small number, such as 1e-12.`,
    )
  }
  // What the power iteration needs: its change is at most 2 at first and shrinks by the factor d each time.
  // Sweeps need fewer. Below 1e-16 it is rounding error.
  const enough = Math.ceil(Math.log(Math.max(tolerance, 1e-16) / 2) / Math.log(damping)) + 2
  const { iterationsMax = Math.max(enough, 1) } = options
  if (!(Number.isInteger(iterationsMax) && iterationsMax >= 0)) {
    throw new RankwardError('USAGE', `iterationsMax is ${iterationsMax}; expected a whole number.`)
  }
  return { tolerance, iterationsMax }
}

function threadsOf({ links }: Graph, options: SharedOptions): number {
  const { threads = Math.min(availableParallelism(), Math.ceil(links / linksPerThread)) } = options
  if (
    options.threads !== undefined &&
    !(Number.isInteger(threads) && threads >= 1 && threads <= threadsMax)
  ) {
    throw new RankwardError(
      'USAGE',
      `threads is ${threads}; expected a whole number from 1 to ${threadsMax}. Omit it for one thread per core.`,
    )
  }
  return threads
}

function rankingsOf(graph: Graph, surfers: readonly Surfer[], options: SharedOptions): Ranking[] {
  const { pages, links } = graph
  const { damping = 0.85, transposed } = options
  if (transposed !== undefined && (transposed.pages !== pages || transposed.links !== links)) {
    throw new RankwardError(
      'USAGE',
      `transposed has ${transposed.pages} pages and ${transposed.links} links, the graph ${pages} and ${links}; give the in-links of the same graph.`,
    )
  }
  return surfers.map(({ trust, danglingWeights, start }) => ({
    damping,
    trust: weightsOf('trust', trust, pages),
    danglingWeights: weightsOf('danglingWeights', danglingWeights, pages),
    start:
      start?.some((score) => score > 0) === true
        ? weightsOf('start', padded(start, pages), pages)
        : undefined,
  }))
}

function padded(scores: Float64Array, pages: number): Float64Array {
  if (scores.length >= pages) return scores
  const longer = new Float64Array(pages)
  longer.set(scores)
  return longer
}

/** A copy of the weights that sums to 1. */
function weightsOf(
  name: string,
  weights: Float64Array | undefined,
  pages: number,
): Float64Array<SharedArrayBuffer> | undefined {
  if (weights === undefined) return undefined
  if (weights.length !== pages) {
    throw new RankwardError(
      'USAGE',
      `${name} has ${weights.length} weights; expected one for each of the ${pages} pages.`,
    )
  }
  const bad = weights.findIndex((weight) => !(weight >= 0 && weight < Infinity))
  if (bad >= 0) {
    throw new RankwardError(
      'USAGE',
      `${name} of page ${bad} is ${weights[bad]}; expected 0 or a positive number.`,
    )
  }
  const sum = blockwiseSum(weights)
  if (!(sum > 0 && sum < Infinity)) {
    throw new RankwardError(
      'USAGE',
      `${name} sums to ${sum}; expected at least one positive weight and a finite sum.`,
    )
  }
  const copy = sharedFloat64(pages)
  // Zeros are not written: the weights of a few pages take hardly any memory.
  for (let page = 0; page < pages; page++) if (weights[page] > 0) copy[page] = weights[page] / sum
  return copy
}
