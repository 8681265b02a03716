/**
 * PageRank over typed arrays, shared by the synchronous call and by every thread (docs/theory/semantics.md S10). It
 * solves
 *
 *   r = d · (A r + D · w) + (1 - d) · t
 *
 * by Gauss–Seidel sweeps. D is the score of all dangling pages, t the trust vector, w the distribution of the
 * dangling score. If w = t, the solution for any fixed D > 0 is a multiple of the PageRank; so D stays what it
 * is at the start, and the scores are scaled at the end. Otherwise D is that of the previous sweep.
 *
 * Pages are divided into *lanes* of about equal work. A page is computed from the newest scores of its lane
 * and from the scores that other lanes had before the sweep. So the result is bit-identical for any number of
 * threads, and a sweep uses most of its own new scores, as most links are between near pages. That halves the
 * number of sweeps compared with the power iteration.
 *
 * The slowest errors are those of short cycles of neighbours: late in a computation, a twentieth of the blocks
 * of 64 pages has most of the change. So a block that changes much more than the average of the last sweep is
 * computed several times in a row, which takes another third off the number of sweeps.
 *
 * A *check* is a sweep that changes nothing: its residual is the change that a step of the power iteration
 * would make.
 *
 * A page's score is stored divided by the number of its links, which is what its links carry. Memory: 20
 * bytes per page in addition to the in-links (`pagerank-links.ts`).
 */
import { sharedFloat64 } from '../../lib/shared-memory.ts'
import type { SharedGraph } from '../graph.ts'
import { openGraph } from '../open-graph.ts'
import type { PageRankReport } from './pagerank-course.ts'
import { blockShift, type InLinks, type LaidOutWeb } from './pagerank-in-links.ts'
import { blockPages, chunksByCursor, chunksInWasm, type Chunks } from './pagerank-pass.ts'

/** Where the surfer jumps; undefined means uniform. Both sum to 1. */
interface Jumps {
  readonly trust: Float64Array<SharedArrayBuffer> | undefined
  readonly danglingWeights: Float64Array<SharedArrayBuffer> | undefined
}

/** All shared data of the threads, as plain data that can be posted. */
export interface PageRankState extends Jumps, LaidOutWeb {
  readonly damping: number
  /** By lane: L1 change, what it is when blocks are repeated, score of all pages and of the dangling ones. */
  readonly changes: Float64Array<SharedArrayBuffer>
  readonly lastChanges: Float64Array<SharedArrayBuffer>
  readonly totals: Float64Array<SharedArrayBuffer>
  readonly dangling: Float64Array<SharedArrayBuffer>
}

/** The state with the graph in its shareable form. */
export type PostedState = Omit<PageRankState, 'inLinks'> & {
  readonly inLinks: Omit<InLinks, 'graph'> & { readonly graph: SharedGraph | undefined }
}

export function postState(state: PageRankState): PostedState {
  return { ...state, inLinks: { ...state.inLinks, graph: state.inLinks.graph?.share() } }
}

export function openState(posted: PostedState): PageRankState {
  const { graph } = posted.inLinks
  return { ...posted, inLinks: { ...posted.inLinks, graph: graph && openGraph(graph) } }
}

/** A ranking: where its surfer jumps, and the initial scores, which sum to 1; undefined: as the jumps. */
export interface Ranking extends Jumps {
  readonly damping: number
  readonly start: Float64Array<SharedArrayBuffer> | undefined
}

/** The state before the first sweep. Ends the previous ranking of the same web. */
export function startState(web: LaidOutWeb, ranking: Ranking): PageRankState {
  const { pages, lanes, degrees, inLinks } = web
  const { damping, trust, danglingWeights, start = trust } = ranking
  const count = lanes.length - 1
  const state = {
    ...web,
    damping,
    trust,
    danglingWeights,
    changes: sharedFloat64(count),
    lastChanges: sharedFloat64(count),
    totals: sharedFloat64(count),
    dangling: sharedFloat64(count),
  }
  for (let lane = 0; lane < count; lane++) {
    for (let page = lanes[lane]; page < lanes[lane + 1]; page++) {
      const score = start === undefined ? 1 / pages : start[page]
      inLinks.given[page] = score / (degrees[page] || 1)
      state.totals[lane] += score
      if (degrees[page] === 0) state.dangling[lane] += score
    }
  }
  return state
}

export function sumOf(parts: Float64Array): number {
  let sum = 0
  for (let i = 0; i < parts.length; i++) sum += parts[i]
  return sum
}

/** The sum of the scores, by block and then over the blocks. */
export function blockwiseSum(scores: Float64Array): number {
  const part = 1024
  let sum = 0
  for (let from = 0; from < scores.length; from += part) {
    const to = Math.min(from + part, scores.length)
    let partSum = 0
    for (let i = from; i < to; i++) partSum += scores[i]
    sum += partSum
  }
  return sum
}

export interface PageRankResult {
  /** One score per page; the sum is 1. */
  readonly scores: Float64Array<SharedArrayBuffer>
  readonly iterations: number
  /** The L1 change of one more step. It may exceed the tolerance if `iterationsMax` was reached. */
  readonly residual: number
}

/** The result after the last step. Its scores are in memory of their own. */
export function resultOf({ degrees, inLinks }: PageRankState, last: PageRankReport): PageRankResult {
  const { given } = inLinks
  const scores = sharedFloat64(given.length)
  for (let page = 0; page < given.length; page++) scores[page] = given[page] * (degrees[page] || 1)
  const sum = blockwiseSum(scores)
  for (let page = 0; page < scores.length; page++) scores[page] /= sum
  return { scores, iterations: last.iteration, residual: last.residual }
}

const repeatsMax = 7

export interface SweepPlan {
  /** A block that changes more is computed again at once. */
  readonly repeatAbove: number
  readonly isShifted: boolean
}

interface PassSums {
  /** L1 changes of the first pass over each block, and of the last. */
  change: number
  lastChange: number
  score: number
  dangling: number
}

/** One thread's access to the state. */
export class PageRankKernel {
  readonly #state: PageRankState
  readonly #chunks: Chunks

  /** `thread`: a number below that of all threads. */
  constructor(state: PageRankState, thread: number) {
    const { pages, inLinks } = state
    const { given, givenBefore, split: wasm, graph } = inLinks
    this.#state = state
    this.#chunks =
      wasm === undefined
        ? chunksByCursor({ inLinks: graph!, given, givenBefore }, state)
        : chunksInWasm(
            { memory: wasm.memory, split: wasm.links, window: 16 * pages + thread * wasm.windowBytes },
            state,
          )
  }

  /** Comes before a sweep or a check. */
  keep(lane: number): void {
    const { lanes, inLinks } = this.#state
    const part = inLinks.given.subarray(lanes[lane], lanes[lane + 1])
    inLinks.givenBefore.set(part, lanes[lane])
  }

  /** Computes new scores. `dangling`: the score of dangling pages. */
  sweep(lane: number, dangling: number, plan: SweepPlan): void {
    const { changes, lastChanges, totals, dangling: danglingOf } = this.#state
    const sums = this.#pass(lane, dangling, 1, plan)
    changes[lane] = sums.change
    lastChanges[lane] = sums.lastChange
    totals[lane] = sums.score
    danglingOf[lane] = sums.dangling
  }

  /** Computes what a step of the power iteration would change in scores of sum 1. */
  check(lane: number, dangling: number, total: number): void {
    this.#state.changes[lane] = this.#pass(lane, dangling, total).change / total
  }

  /** Keeps the new scores if there is a plan. */
  #pass(lane: number, dangling: number, total: number, plan?: SweepPlan): PassSums {
    const { lanes } = this.#state
    const { extras, sums } = this.#chunks
    const bounds = { from: lanes[lane], to: lanes[lane + 1] }
    const isKept = plan !== undefined
    const repeatAbove = plan?.repeatAbove ?? Infinity
    const result = { change: 0, lastChange: 0, score: 0, dangling: 0 }
    let limit = plan?.isShifted === true ? Math.min(bounds.from + blockShift, bounds.to) : bounds.to
    for (let from = bounds.from; from < bounds.to; limit = bounds.to) {
      const end = this.#chunks.open(from, limit)
      this.#jumps(extras, from, end, dangling, total)
      for (let block = from; block < end; block += blockPages) {
        const blockEnd = Math.min(block + blockPages, end)
        this.#chunks.pass(block, blockEnd, bounds, isKept)
        result.change += sums[0]
        for (let repeat = 0; repeat < repeatsMax && sums[0] > repeatAbove; repeat++)
          this.#chunks.pass(block, blockEnd, bounds, isKept)
        result.lastChange += sums[0]
        result.score += sums[1]
        result.dangling += sums[2]
      }
      from = end
    }
    return result
  }

  /** What each of the pages gets from jumps and from dangling pages. */
  #jumps(extras: Float64Array, from: number, to: number, dangling: number, total: number): void {
    const { pages, damping, trust, danglingWeights } = this.#state
    const weights = danglingWeights ?? trust
    const [shared, jumped] = [damping * dangling, (1 - damping) * total]
    if (trust === undefined && weights === undefined) {
      extras.fill((shared + jumped) / pages, 0, to - from)
      return
    }
    for (let page = from; page < to; page++) {
      const jump = trust === undefined ? jumped / pages : jumped * trust[page]
      extras[page - from] = (weights === undefined ? shared / pages : shared * weights[page]) + jump
    }
  }
}
