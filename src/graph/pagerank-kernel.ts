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
 * number of sweeps compared with the power iteration. (With blocks of 64 pages that are computed at once,
 * nothing is gained: the slowest errors are those of short cycles of neighbours.)
 *
 * A *check* is a sweep that changes nothing: its residual is the change that a step of the power iteration
 * would make.
 *
 * A page's score is stored divided by the number of its links, which is what its links carry. Memory: 20
 * bytes per page in addition to the in-links.
 */
import { sharedFloat64, sharedUint32 } from '../lib/shared-memory.ts'
import { CsrGraph } from './csr-graph.ts'
import type { Graph, SharedGraph } from './graph.ts'
import { openGraph } from './open-graph.ts'
import {
  gatherByCursor,
  gatherInWasm,
  wasmBytesMax,
  wasmMemory,
  type Gather,
  type SharedWasmMemory,
} from './pagerank-gather.ts'
import { transpose, transposedForm, transposeInto } from './transpose.ts'
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
  readonly lanes: Uint32Array<SharedArrayBuffer>
  /** By lane: L1 change, score of all pages and of the dangling ones. */
  readonly changes: Float64Array<SharedArrayBuffer>
  readonly totals: Float64Array<SharedArrayBuffer>
  readonly dangling: Float64Array<SharedArrayBuffer>
  readonly inLinks: InLinks
}

/** In-links, and what each page gives to each of its links. */
export interface InLinks {
  readonly graph: Graph
  /** The newest, and as they were before the sweep. */
  readonly given: Float64Array<SharedArrayBuffer>
  readonly givenBefore: Float64Array<SharedArrayBuffer>
  /** Contains all of the above; undefined without WebAssembly. */
  readonly memory: SharedWasmMemory | undefined
}

/** The state with the graph in its shareable form. */
export type PostedState = Omit<PageRankState, 'inLinks'> & {
  readonly inLinks: Omit<InLinks, 'graph'> & { readonly graph: SharedGraph }
}

export function postState(state: PageRankState): PostedState {
  return { ...state, inLinks: { ...state.inLinks, graph: state.inLinks.graph.share() } }
}

export function openState(posted: PostedState): PageRankState {
  return { ...posted, inLinks: { ...posted.inLinks, graph: openGraph(posted.inLinks.graph) } }
}

export interface InLinksOptions {
  readonly transposed: Graph | undefined
  readonly progress: Progress
}

/** With fewer links, a WebAssembly memory costs more than it saves. */
export const wasmLinksMin = 4096

export function layOutInLinks(graph: Graph, options: InLinksOptions): InLinks {
  const { transposed, progress } = options
  const { pages, links } = graph
  const plain = transposed === undefined ? transposedForm(graph) === 'csr' : transposed instanceof CsrGraph
  // `given` is at address 0, with `givenBefore` behind it.
  const bytes = 16 * pages + 4 * (pages + 1) + 4 * links
  if (!plain || links < wasmLinksMin || bytes > wasmBytesMax) {
    return {
      graph: transposed ?? transpose(graph, { progress }),
      given: sharedFloat64(pages),
      givenBefore: sharedFloat64(pages),
      memory: undefined,
    }
  }
  const memory = wasmMemory(bytes)
  const { buffer } = memory
  const given = new Float64Array(buffer, 0, pages)
  const givenBefore = new Float64Array(buffer, 8 * pages, pages)
  const offsets = new Uint32Array(buffer, 16 * pages, pages + 1)
  const sources = new Uint32Array(buffer, offsets.byteOffset + offsets.byteLength, links)
  if (transposed instanceof CsrGraph) {
    offsets.set(transposed.offsets)
    sources.set(transposed.targets)
    return { graph: new CsrGraph(offsets, sources), given, givenBefore, memory }
  }
  return { graph: transposeInto(graph, offsets, sources, progress), given, givenBefore, memory }
}

const lanesMax = 64
/** Fewer lanes need fewer sweeps (cnr-2000: 81 with 2 lanes, 113 with 11), more give work to more threads. */
const linksPerLane = 1 << 20

/** The state before the first sweep. `scores` are the initial scores and must sum to 1. */
export function startState(
  graph: Graph,
  start: { damping: number; scores: Float64Array; jumps: Jumps; inLinks: InLinks },
): PageRankState {
  const { pages } = graph
  const { damping, scores, jumps, inLinks } = start
  const degrees = sharedUint32(pages)
  for (let page = 0; page < pages; page++) degrees[page] = graph.outDegree(page)
  const lanes = laneBounds(inLinks.graph)
  if (inLinks.memory !== undefined) redirectSources(inLinks.graph as CsrGraph, lanes)
  const count = lanes.length - 1
  const state = {
    pages,
    damping,
    degrees,
    lanes,
    changes: sharedFloat64(count),
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

/** Lanes of about equal work. A page counts as much as two in-links. Depends on nothing but the graph. */
function laneBounds(inLinks: Graph): Uint32Array<SharedArrayBuffer> {
  const { pages, links } = inLinks
  const lanes = Math.min(Math.max(2 * Math.floor(links / (2 * linksPerLane)), 1), lanesMax)
  const workPerLane = (links + 2 * pages) / lanes
  const bounds = [0]
  let work = 0
  for (let page = 0; page < pages; page++) {
    work += 2 + inLinks.outDegree(page)
    if (work >= workPerLane * bounds.length && page + 1 < pages) bounds.push(page + 1)
  }
  bounds.push(pages)
  const shared = sharedUint32(bounds.length)
  shared.set(bounds)
  return shared
}

/** Sources in other lanes become places in `givenBefore`, which lies behind `given` in the same memory. */
function redirectSources({ offsets, targets, pages }: CsrGraph, lanes: Uint32Array): void {
  for (let lane = 0; lane < lanes.length - 1; lane++) {
    const [from, to] = [lanes[lane], lanes[lane + 1]]
    for (let i = offsets[from]; i < offsets[to]; i++) {
      const source = targets[i]
      if (source < from || source >= to) targets[i] = source + pages
    }
  }
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
  const { given, memory } = inLinks
  // Scores in the memory of the links would keep the links alive.
  const scores = memory === undefined ? given : sharedFloat64(given.length)
  for (let page = 0; page < given.length; page++) scores[page] = given[page] * (degrees[page] || 1)
  normalise(scores)
  return scores
}

/** One thread's access to the state. */
export class PageRankKernel {
  readonly #state: PageRankState
  readonly #gather: Gather

  constructor(state: PageRankState) {
    const { graph, given, givenBefore, memory } = state.inLinks
    this.#state = state
    this.#gather =
      memory === undefined
        ? gatherByCursor(graph, given, givenBefore)
        : gatherInWasm(memory, graph as CsrGraph)
  }

  /** Comes before a sweep or a check. */
  keep(lane: number): void {
    const { lanes, inLinks } = this.#state
    const part = inLinks.given.subarray(lanes[lane], lanes[lane + 1])
    inLinks.givenBefore.set(part, lanes[lane])
  }

  /** Computes new scores. `dangling`: the score of dangling pages. */
  sweep(lane: number, dangling: number): void {
    const { pages, degrees, damping, trust, danglingWeights, inLinks, lanes } = this.#state
    const { given } = inLinks
    const gather = this.#gather
    const [from, to] = [lanes[lane], lanes[lane + 1]]
    const weights = danglingWeights ?? trust
    const jump = (1 - damping) / pages
    const share = (damping * dangling) / pages
    let change = 0
    let total = 0
    let newDangling = 0
    for (let page = from; page < to; page++) {
      const jumped = trust === undefined ? jump : (1 - damping) * trust[page]
      const shared = weights === undefined ? share : damping * dangling * weights[page]
      const score = damping * gather(page, from, to) + shared + jumped
      const degree = degrees[page]
      total += score
      if (degree === 0) {
        change += Math.abs(score - given[page])
        given[page] = score
        newDangling += score
      } else {
        const each = score / degree
        change += Math.abs(each - given[page]) * degree
        given[page] = each
      }
    }
    this.#store(lane, change, total, newDangling)
  }

  /** Computes what a step of the power iteration would change in scores of sum 1. */
  check(lane: number, dangling: number, total: number): void {
    const { pages, degrees, damping, trust, danglingWeights, inLinks, lanes } = this.#state
    const { given } = inLinks
    const gather = this.#gather
    const [from, to] = [lanes[lane], lanes[lane + 1]]
    const weights = danglingWeights ?? trust
    let change = 0
    let laneTotal = 0
    let laneDangling = 0
    for (let page = from; page < to; page++) {
      const jumped = (1 - damping) * total * (trust === undefined ? 1 / pages : trust[page])
      const shared = damping * dangling * (weights === undefined ? 1 / pages : weights[page])
      const score = given[page] * (degrees[page] || 1)
      change += Math.abs(damping * gather(page, from, to) + shared + jumped - score)
      laneTotal += score
      if (degrees[page] === 0) laneDangling += score
    }
    this.#store(lane, change / total, laneTotal, laneDangling)
  }

  #store(lane: number, change: number, total: number, dangling: number): void {
    this.#state.changes[lane] = change
    this.#state.totals[lane] = total
    this.#state.dangling[lane] = dangling
  }
}
