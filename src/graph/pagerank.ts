/**
 * Exact PageRank (docs/semantics.md S10): r = d · (A r + D(r) · t) + (1 - d) · t, sum 1, until the L1 change
 * is below the tolerance. Computed over the in-links, in `pagerank-kernel.ts`. Each iteration reduces the
 * error by the factor d or more, so an upper bound of the number of iterations is known in advance.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { RankwardError } from '../lib/errors.ts'
import { silent, type Progress } from '../lib/progress.ts'
import { sharedFloat64 } from '../lib/shared-memory.ts'
import { workerEntry } from '../lib/worker-entry.ts'
import { CsrGraph } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import { blockPages } from './pagerank-gather.ts'
import {
  blockCount,
  layOutInLinks,
  normalise,
  PageRankKernel,
  PageRankWorkspace,
  postState,
  startState,
  sumOfBlocks,
  type PageRankState,
} from './pagerank-kernel.ts'
import { controlSlots, type PageRankReport, type PageRankTask } from './pagerank-team.ts'

export { PageRankWorkspace } from './pagerank-kernel.ts'

export interface PageRankSyncOptions {
  /** The probability that the surfer follows a link, between 0 and 1; default 0.85. */
  damping?: number
  /** The L1 change below which the scores have converged; default 1e-12. */
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
  /** Memory that is reused by the next call. */
  workspace?: PageRankWorkspace
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
  /** The L1 change of the last iteration. It may exceed the tolerance if `iterationsMax` was reached. */
  readonly residual: number
}

const nothing: PageRankResult = { scores: sharedFloat64(0), iterations: 0, residual: 0 }
/** Links per additional thread; an estimate, not measured. */
const linksPerThread = 1 << 20
const threadsMax = 256
const chunksPerThread = 16

/**
 * Without threads: blocks the caller until done. For graphs that are ranked repeatedly during a simulation.
 */
export function pageRankSync(graph: Graph, options: PageRankSyncOptions = {}): PageRankResult {
  const limits = limitsOf(options)
  if (graph.pages === 0) return nothing
  const iterations = powerIteration(graph, options, limits)
  for (;;) {
    const { done, value } = iterations.next()
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
  const { iteration, residual } = await runTeam(state, threads, limits, options)
  return finish(state, iteration, residual)
}

/** For graphs too small for threads: runs on the calling thread and yields after each iteration. */
async function pageRankHere(graph: Graph, options: PageRankOptions, limits: Limits): Promise<PageRankResult> {
  const iterations = powerIteration(graph, options, limits)
  for (;;) {
    const { done, value } = iterations.next()
    if (done === true) return value
    await new Promise((resolve) => void setImmediate(resolve))
    options.signal?.throwIfAborted()
  }
}

/** Yields after each iteration; returns the result. */
function* powerIteration(
  graph: Graph,
  options: PageRankSyncOptions,
  limits: Limits,
): Generator<undefined, PageRankResult> {
  const state = prepare(graph, options, 1)
  const kernel = new PageRankKernel(state)
  const progress = options.progress ?? silent
  let iterations = 0
  let residual = Infinity
  while (iterations < limits.iterationsMax && residual >= limits.tolerance) {
    residual = iterate(state, kernel)
    progress(++iterations, undefined, note(residual))
    yield undefined
  }
  return finish(state, iterations, residual)
}

function iterate(state: PageRankState, kernel: PageRankKernel): number {
  const blocks = blockCount(state.pages)
  const dangling = sumOfBlocks(state.blockDangling)
  kernel.spread(0, blocks)
  kernel.sweep(0, blocks, dangling)
  return sumOfBlocks(state.blockChanges)
}

function finish({ scores }: PageRankState, iterations: number, residual: number): PageRankResult {
  normalise(scores)
  return { scores, iterations, residual: iterations === 0 ? 0 : residual }
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
  const chunks = chunkBounds(state, threads * chunksPerThread)
  const control = new Int32Array(new SharedArrayBuffer(controlSlots * 4))
  const workers: Worker[] = []
  let abort: (() => void) | undefined
  try {
    return await new Promise<PageRankReport>((resolve, reject) => {
      abort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', abort)
      for (let thread = 0; thread < threads; thread++) {
        const task: PageRankTask = { state: postState(state), thread, threads, ...limits, chunks, control }
        const worker = new Worker(workerEntry(import.meta.url, './pagerank-worker'), { workerData: task })
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
        // No effect after the end of the computation: the promise is already settled.
        worker.on('exit', (code) => code !== 0 && reject(threadFailed(new Error(`exit code ${code}`))))
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

/** Divides the blocks into about `chunks` runs of equal work. A page counts as much as two in-links. */
function chunkBounds({ pages, inLinks: { graph } }: PageRankState, chunks: number): Uint32Array {
  const workPerChunk = (graph.links + 2 * pages) / chunks
  const bounds = [0]
  let work = 0
  for (let block = 0; block < blockCount(pages); block++) {
    const from = block * blockPages
    const to = Math.min(from + blockPages, pages)
    work += 2 * (to - from)
    if (graph instanceof CsrGraph) work += graph.offsets[to] - graph.offsets[from]
    else for (let page = from; page < to; page++) work += graph.outDegree(page)
    if (work >= workPerChunk || to === pages) {
      bounds.push(block + 1)
      work = 0
    }
  }
  return Uint32Array.from(bounds)
}

interface Limits {
  readonly tolerance: number
  readonly iterationsMax: number
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
  // The change is at most 2 at first and shrinks by the factor d each time. Below 1e-16 it is rounding error.
  const enough = Math.ceil(Math.log(Math.max(tolerance, 1e-16) / 2) / Math.log(damping)) + 2
  const { iterationsMax = Math.max(enough, 1) } = options
  if (!(Number.isInteger(iterationsMax) && iterationsMax >= 0)) {
    throw new RankwardError('USAGE', `iterationsMax is ${iterationsMax}; expected a whole number.`)
  }
  return { tolerance, iterationsMax }
}

function prepare(graph: Graph, options: PageRankSyncOptions, threads: number): PageRankState {
  const { pages, links } = graph
  const {
    damping = 0.85,
    start,
    transposed,
    progress = silent,
    workspace = new PageRankWorkspace(),
  } = options
  if (transposed !== undefined && (transposed.pages !== pages || transposed.links !== links)) {
    throw new RankwardError(
      'USAGE',
      `transposed has ${transposed.pages} pages and ${transposed.links} links, the graph ${pages} and ${links}; give the in-links of the same graph.`,
    )
  }
  const trust = weightsOf('trust', options.trust, pages)
  const danglingWeights = weightsOf('danglingWeights', options.danglingWeights, pages)
  const scores = sharedFloat64(pages)
  if (trust === undefined) scores.fill(1 / pages)
  else scores.set(trust)
  if (start !== undefined && start.some((score) => score > 0)) {
    scores.set(weightsOf('start', padded(start, pages), pages)!)
  }
  const transposing: Progress = (done, total) => progress(done, total, 'in-links')
  const inLinks = layOutInLinks(graph, { threads, transposed, workspace, progress: transposing })
  return startState(graph, { damping, scores, jumps: { trust, danglingWeights }, inLinks })
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
