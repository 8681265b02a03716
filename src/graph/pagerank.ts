/**
 * Exact PageRank (docs/semantics.md S10): r = d · (A r + D(r) · t) + (1 - d) · t, sum 1, until one more step
 * would change less than the tolerance (L1). Computed over the in-links, in `pagerank-kernel.ts`.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { RankwardError } from '../lib/errors.ts'
import { silent, type Progress } from '../lib/progress.ts'
import { sharedFloat64 } from '../lib/shared-memory.ts'
import { threadOptions, workerEntry } from '../lib/worker-entry.ts'
import type { Graph } from './graph.ts'
import {
  conclude,
  danglingFor,
  planOf,
  startCourse,
  stepOf,
  type Course,
  type Limits,
  type PageRankReport,
} from './pagerank-course.ts'
import {
  finalScores,
  layOutInLinks,
  normalise,
  PageRankKernel,
  postState,
  startState,
  sumOf,
  type PageRankState,
} from './pagerank-kernel.ts'
import { laneBounds } from './pagerank-links.ts'
import { controlSlots, type PageRankTask } from './pagerank-team.ts'

export interface PageRankSyncOptions {
  /** The probability that the surfer follows a link, between 0 and 1; default 0.85. */
  damping?: number
  /** The scores have converged if a step of the power iteration would change less (L1); default 1e-12. */
  tolerance?: number
  /** By default, as many as the tolerance can require. */
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

export interface PageRankResult {
  /** One score per page; the sum is 1. */
  readonly scores: Float64Array<SharedArrayBuffer>
  readonly iterations: number
  /** The L1 change of one more step. It may exceed the tolerance if `iterationsMax` was reached. */
  readonly residual: number
}

const nothing: PageRankResult = { scores: sharedFloat64(0), iterations: 0, residual: 0 }
/** Links per additional thread; an estimate, not measured. */
const linksPerThread = 1 << 20
const threadsMax = 256

/** Without threads: blocks the caller until done. */
export function pageRankSync(graph: Graph, options: PageRankSyncOptions = {}): PageRankResult {
  const limits = limitsOf(options)
  if (graph.pages === 0) return nothing
  const steps = stepsOf(graph, options, limits)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/**
 * With threads: does not block the calling thread, except for the transposition before the first iteration.
 */
export async function pageRank(graph: Graph, options: PageRankOptions = {}): Promise<PageRankResult> {
  const limits = limitsOf(options)
  const threads = options.threads ?? Math.min(availableParallelism(), Math.ceil(graph.links / linksPerThread))
  if (
    options.threads !== undefined &&
    !(Number.isInteger(threads) && threads >= 1 && threads <= threadsMax)
  ) {
    throw new RankwardError(
      'USAGE',
      `threads is ${threads}; expected a whole number from 1 to ${threadsMax}. Omit it for one thread per core.`,
    )
  }
  options.signal?.throwIfAborted()
  if (graph.pages === 0) return nothing
  if (threads <= 1 && graph.links < linksPerThread) return pageRankHere(graph, options, limits)
  const state = prepare(graph, options, threads)
  const last = await runTeam(state, threads, limits, options)
  return finish(state, last)
}

/** For graphs too small for threads: runs on the calling thread and yields after each step. */
async function pageRankHere(graph: Graph, options: PageRankOptions, limits: Limits): Promise<PageRankResult> {
  const steps = stepsOf(graph, options, limits)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await new Promise((resolve) => void setImmediate(resolve))
    options.signal?.throwIfAborted()
  }
}

const notStarted: PageRankReport = { iteration: 0, residual: 0, done: true }

/** Yields after each step; returns the result. */
function* stepsOf(
  graph: Graph,
  options: PageRankSyncOptions,
  limits: Limits,
): Generator<undefined, PageRankResult> {
  const state = prepare(graph, options)
  const course = startCourse(state, limits)
  const kernel = new PageRankKernel(state, 0)
  const progress = options.progress ?? silent
  let last = notStarted
  while (stepOf(course) !== 'done') {
    takeStep(state, course, kernel)
    last = conclude(state, course, limits)
    progress(last.iteration, undefined, note(last.residual))
    yield undefined
  }
  return finish(state, last)
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

function finish(state: PageRankState, { iteration, residual }: PageRankReport): PageRankResult {
  return { scores: finalScores(state), iterations: iteration, residual }
}

function note(residual: number): string {
  return `residual ${residual.toExponential(1)}`
}

/** Starts the threads, waits until one reports the end, and terminates all in every case. */
async function runTeam(
  state: PageRankState,
  threads: number,
  limits: Limits,
  { progress = silent, signal }: PageRankOptions,
): Promise<PageRankReport> {
  const course = startCourse(state, limits)
  if (stepOf(course) === 'done') return notStarted
  const control = new Int32Array(new SharedArrayBuffer(controlSlots * 4))
  const workers: Worker[] = []
  let abort: (() => void) | undefined
  try {
    return await new Promise<PageRankReport>((resolve, reject) => {
      abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort)
      for (let thread = 0; thread < threads; thread++) {
        const task: PageRankTask = { state: postState(state), thread, threads, limits, course, control }
        const worker = new Worker(workerEntry(import.meta.url, './pagerank-worker'), {
          ...threadOptions(process),
          workerData: task,
        })
        workers.push(worker)
        worker.on('message', (report: PageRankReport) => {
          try {
            progress(report.iteration, undefined, note(report.residual))
            if (report.done) resolve(report)
          } catch (error) {
            reject(error)
          }
        })
        worker.on('error', (error) => reject(threadFailed(error)))
        // The others would wait for it. After the end of the computation every thread ends; the report may arrive later.
        worker.on('exit', (code) => {
          if (code !== 0 || stepOf(course) !== 'done') reject(threadFailed(new Error(`exit code ${code}`)))
        })
      }
    })
  } finally {
    if (abort !== undefined) signal?.removeEventListener('abort', abort)
    await Promise.all(workers.map((worker) => worker.terminate()))
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

function prepare(graph: Graph, options: PageRankSyncOptions, threads = 1): PageRankState {
  const { pages, links } = graph
  const { damping = 0.85, start, transposed, progress = silent } = options
  if (transposed !== undefined && (transposed.pages !== pages || transposed.links !== links)) {
    throw new RankwardError(
      'USAGE',
      `transposed has ${transposed.pages} pages and ${transposed.links} links, the graph ${pages} and ${links}; give the in-links of the same graph.`,
    )
  }
  const trust = weightsOf('trust', options.trust, pages)
  const danglingWeights = weightsOf('danglingWeights', options.danglingWeights, pages)
  const scores = new Float64Array(pages)
  if (trust === undefined) scores.fill(1 / pages)
  else scores.set(trust)
  if (start !== undefined && start.some((score) => score > 0)) {
    scores.set(weightsOf('start', padded(start, pages), pages)!)
  }
  const transposing: Progress = (done, total) => progress(done, total, 'in-links')
  const lanes = laneBounds(graph)
  const inLinks = layOutInLinks(graph, { lanes, threads, transposed, progress: transposing })
  return startState(graph, { damping, scores, jumps: { trust, danglingWeights }, lanes, inLinks })
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
  const copy = sharedFloat64(pages)
  copy.set(weights)
  const sum = normalise(copy)
  if (!(sum > 0 && sum < Infinity)) {
    throw new RankwardError(
      'USAGE',
      `${name} sums to ${sum}; expected at least one positive weight and a finite sum.`,
    )
  }
  return copy
}
