/**
 * PageRank over typed arrays, shared by the synchronous call and by every thread (docs/semantics.md S10). It
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
import { sharedFloat64, sharedUint32 } from '../lib/shared-memory.ts'
import { csrLinksMax } from './csr-graph.ts'
import type { Graph, SharedGraph } from './graph.ts'
import { openGraph } from './open-graph.ts'
import { splitLinks, type Lanes, type SplitLinks } from './pagerank-links.ts'
import {
  blockPages,
  chunksByCursor,
  chunksInWasm,
  wasmBytesMax,
  wasmMemory,
  windowBytes,
  type Chunks,
  type SharedWasmMemory,
} from './pagerank-pass.ts'
import { transpose } from './transpose.ts'
import type { Progress } from '../lib/progress.ts'

/** Where the surfer jumps; undefined means uniform. Both sum to 1. */
export interface Jumps {
  readonly trust: Float64Array<SharedArrayBuffer> | undefined
  readonly danglingWeights: Float64Array<SharedArrayBuffer> | undefined
}

/** All shared data of the threads, as plain data that can be posted. */
export interface PageRankState extends Jumps {
  readonly pages: number
  readonly damping: number
  readonly degrees: Uint32Array<SharedArrayBuffer>
  /** Lane i is the pages lanes[i] … lanes[i + 1] - 1. */
  readonly lanes: Lanes
  /** By lane: L1 change, what it is when blocks are repeated, score of all pages and of the dangling ones. */
  readonly changes: Float64Array<SharedArrayBuffer>
  readonly lastChanges: Float64Array<SharedArrayBuffer>
  readonly totals: Float64Array<SharedArrayBuffer>
  readonly dangling: Float64Array<SharedArrayBuffer>
  readonly inLinks: InLinks
}

/** In-links, and what each page gives to each of its links. */
export interface InLinks {
  /** The newest, and as they were before the sweep. */
  readonly given: Float64Array<SharedArrayBuffer>
  readonly givenBefore: Float64Array<SharedArrayBuffer>
  /** For the loop in WebAssembly. */
  readonly split:
    | { readonly links: SplitLinks; readonly memory: SharedWasmMemory; readonly windowBytes: number }
    | undefined
  /** For the loop without it. */
  readonly graph: Graph | undefined
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

export interface InLinksOptions {
  readonly lanes: Lanes
  readonly threads: number
  readonly transposed?: Graph | undefined
  /** With fewer links, a WebAssembly memory costs more than it saves. */
  readonly wasmLinksMin?: number
  readonly progress: Progress
}

export function layOutInLinks(graph: Graph, options: InLinksOptions): InLinks {
  const { transposed, progress, wasmLinksMin = 4096 } = options
  const { pages, links } = graph
  const inLinks = links < wasmLinksMin || links > csrLinksMax ? undefined : split(graph, options)
  return (
    inLinks ?? {
      given: sharedFloat64(pages),
      givenBefore: sharedFloat64(pages),
      split: undefined,
      graph: transposed ?? transpose(graph, { progress }),
    }
  )
}

/** Undefined if scores and far links exceed the 32-bit address space, or there is no memory for them. */
function split(graph: Graph, { lanes, threads, transposed, progress }: InLinksOptions): InLinks | undefined {
  const { pages } = graph
  const windowsAt = 16 * pages
  let memory: SharedWasmMemory | undefined
  let bytesPerWindow = 0
  const links = splitLinks(transposed ?? graph, {
    lanes,
    isTransposed: transposed !== undefined,
    progress,
    farMemory(farLinks, nearOffsets) {
      bytesPerWindow = windowBytes(linksOfBlocksMax(lanes, nearOffsets))
      const farAt = windowsAt + threads * bytesPerWindow
      const bytes = farAt + 4 * farLinks
      if (bytes > wasmBytesMax) return undefined
      memory = wasmMemory(bytes)
      return memory && new Uint32Array(memory.buffer, farAt, farLinks)
    },
  })
  if (links === undefined || memory === undefined) return undefined
  return {
    given: new Float64Array(memory.buffer, 0, pages),
    givenBefore: new Float64Array(memory.buffer, 8 * pages, pages),
    split: { links, memory, windowBytes: bytesPerWindow },
    graph: undefined,
  }
}

function linksOfBlocksMax(lanes: Lanes, offsets: Uint32Array): number {
  let most = 0
  for (let lane = 0; lane + 1 < lanes.length; lane++) {
    for (let page = lanes[lane]; page < lanes[lane + 1]; page += blockShift) {
      const end = Math.min(page + blockPages, lanes[lane + 1])
      most = Math.max(most, offsets[end] - offsets[page])
    }
  }
  return most
}

/** The state before the first sweep. `scores` are the initial scores and must sum to 1. */
export function startState(
  graph: Graph,
  start: { damping: number; scores: Float64Array; jumps: Jumps; lanes: Lanes; inLinks: InLinks },
): PageRankState {
  const { pages } = graph
  const { damping, scores, jumps, lanes, inLinks } = start
  const degrees = sharedUint32(pages)
  for (let page = 0; page < pages; page++) degrees[page] = graph.outDegree(page)
  const count = lanes.length - 1
  const state = {
    pages,
    damping,
    degrees,
    lanes,
    changes: sharedFloat64(count),
    lastChanges: sharedFloat64(count),
    totals: sharedFloat64(count),
    dangling: sharedFloat64(count),
    ...jumps,
    inLinks,
  }
  for (let lane = 0; lane < count; lane++) {
    for (let page = lanes[lane]; page < lanes[lane + 1]; page++) {
      inLinks.given[page] = scores[page] / (degrees[page] || 1)
      state.totals[lane] += scores[page]
      if (degrees[page] === 0) state.dangling[lane] += scores[page]
    }
  }
  return state
}

export function sumOf(parts: Float64Array): number {
  let sum = 0
  for (let i = 0; i < parts.length; i++) sum += parts[i]
  return sum
}

/** Scales the scores to sum 1, summing by block and then over the blocks; returns the previous sum. */
export function normalise(scores: Float64Array): number {
  const part = 1024
  let sum = 0
  for (let from = 0; from < scores.length; from += part) {
    const to = Math.min(from + part, scores.length)
    let partSum = 0
    for (let i = from; i < to; i++) partSum += scores[i]
    sum += partSum
  }
  for (let i = 0; i < scores.length; i++) scores[i] /= sum
  return sum
}

/** The scores, of sum 1. The state cannot be used afterwards. */
export function finalScores({ degrees, inLinks }: PageRankState): Float64Array<SharedArrayBuffer> {
  const { given, split } = inLinks
  // Scores in the memory of the links would keep the links alive.
  const scores = split === undefined ? given : sharedFloat64(given.length)
  for (let page = 0; page < given.length; page++) scores[page] = given[page] * (degrees[page] || 1)
  normalise(scores)
  return scores
}

const repeatsMax = 7
/** In every other sweep, blocks begin this many pages earlier: cycles that span two blocks are then in one. */
const blockShift = blockPages / 2

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
