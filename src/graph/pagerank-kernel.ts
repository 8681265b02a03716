/**
 * PageRank's power iteration over typed arrays, shared by the synchronous call and by every thread
 * (docs/semantics.md S10):
 *
 *   spread   contributions(p) = r(p) / c(p)
 *   sweep    r(p) = d · (sum of the contributions of p's in-links + D · w(p)) + (1 - d) · t(p)
 *
 * D is the score of all dangling pages, t the trust vector, w the distribution of the dangling score (by
 * default t). Pages are processed in blocks. A page's sum has a fixed order, and the change and the dangling
 * score are summed by block and then over the blocks. So the result is bit-identical for any number of
 * threads and any assignment of blocks. Memory: 20 bytes per page in addition to the in-links.
 */
import { sharedFloat64, sharedUint32 } from '../lib/shared-memory.ts'
import { CsrGraph } from './csr-graph.ts'
import type { Graph, SharedGraph } from './graph.ts'
import { openGraph } from './open-graph.ts'
import {
  blockPages,
  gatherByCursor,
  gatherInJavaScript,
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
  readonly scores: Float64Array<SharedArrayBuffer>
  readonly degrees: Uint32Array<SharedArrayBuffer>
  readonly blockChanges: Float64Array<SharedArrayBuffer>
  readonly blockDangling: Float64Array<SharedArrayBuffer>
  readonly inLinks: InLinks
}

/** In-links, their contributions and their sums, in one memory. */
export interface InLinks {
  readonly graph: Graph
  readonly contributions: Float64Array<SharedArrayBuffer>
  /** One block of sums per thread. */
  readonly sums: readonly Float64Array<SharedArrayBuffer>[]
  /** Undefined without WebAssembly. */
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

/** Memory that is reused by successive computations, so that a recomputation allocates next to nothing. */
export class PageRankWorkspace {
  #memory: SharedWasmMemory | undefined

  reserve(bytes: number): SharedWasmMemory {
    if (this.#memory === undefined || this.#memory.buffer.byteLength < bytes) {
      // Spare room, as a growing web needs a little more each time.
      const roomy = this.#memory === undefined ? bytes : Math.min(bytes * 1.5, wasmBytesMax)
      this.#memory = wasmMemory(roomy)
    }
    return this.#memory
  }
}

export interface InLinksOptions {
  readonly threads: number
  readonly transposed: Graph | undefined
  readonly workspace: PageRankWorkspace
  readonly progress: Progress
}

/** With fewer links, a WebAssembly memory costs more than it saves. */
export const wasmLinksMin = 4096

export function layOutInLinks(graph: Graph, options: InLinksOptions): InLinks {
  const { threads, transposed, workspace, progress } = options
  const { pages, links } = graph
  const plain = transposed === undefined ? transposedForm(graph) === 'csr' : transposed instanceof CsrGraph
  // Contributions first, at address 0. The sums are last.
  const bytes = 8 * pages + 4 * (pages + 1) + 4 * links + 8 + 8 * blockPages * threads
  if (!plain || links < wasmLinksMin || bytes > wasmBytesMax) {
    return {
      graph: transposed ?? transpose(graph, { progress }),
      contributions: sharedFloat64(pages),
      sums: Array.from({ length: threads }, () => sharedFloat64(blockPages)),
      memory: undefined,
    }
  }
  const memory = workspace.reserve(bytes)
  const { buffer } = memory
  const contributions = new Float64Array(buffer, 0, pages)
  const offsets = new Uint32Array(buffer, 8 * pages, pages + 1)
  const sources = new Uint32Array(buffer, offsets.byteOffset + offsets.byteLength, links)
  const sumsStart = Math.ceil((sources.byteOffset + sources.byteLength) / 8) * 8
  const sums = Array.from(
    { length: threads },
    (_, thread) => new Float64Array(buffer, sumsStart + 8 * blockPages * thread, blockPages),
  )
  if (transposed instanceof CsrGraph) {
    offsets.set(transposed.offsets)
    sources.set(transposed.targets)
    return { graph: new CsrGraph(offsets, sources), contributions, sums, memory }
  }
  offsets.fill(0)
  return { graph: transposeInto(graph, offsets, sources, progress), contributions, sums, memory }
}

/** The state before the first iteration. `scores` are the initial scores and must sum to 1. */
export function startState(
  graph: Graph,
  given: { damping: number; scores: Float64Array<SharedArrayBuffer>; jumps: Jumps; inLinks: InLinks },
): PageRankState {
  const { pages } = graph
  const degrees = sharedUint32(pages)
  for (let page = 0; page < pages; page++) degrees[page] = graph.outDegree(page)
  const blocks = blockCount(pages)
  const blockDangling = sharedFloat64(blocks)
  const { damping, scores, jumps, inLinks } = given
  for (let page = 0; page < pages; page++) {
    if (degrees[page] === 0) blockDangling[Math.floor(page / blockPages)] += scores[page]
  }
  return {
    pages,
    damping,
    scores,
    degrees,
    blockChanges: sharedFloat64(blocks),
    blockDangling,
    ...jumps,
    inLinks,
  }
}

export function blockCount(pages: number): number {
  return Math.ceil(pages / blockPages)
}

export function sumOfBlocks(blocks: Float64Array): number {
  let sum = 0
  for (let i = 0; i < blocks.length; i++) sum += blocks[i]
  return sum
}

/** Scales the scores to sum 1, summing by block and then over the blocks; returns the previous sum. */
export function normalise(scores: Float64Array): number {
  let sum = 0
  for (let from = 0; from < scores.length; from += blockPages) {
    const to = Math.min(from + blockPages, scores.length)
    let blockSum = 0
    for (let i = from; i < to; i++) blockSum += scores[i]
    sum += blockSum
  }
  for (let i = 0; i < scores.length; i++) scores[i] /= sum
  return sum
}

/** One thread's access to the state. */
export class PageRankKernel {
  readonly #state: PageRankState
  readonly #sums: Float64Array
  readonly #gather: Gather

  constructor(state: PageRankState, thread = 0) {
    const { graph, contributions, sums, memory } = state.inLinks
    this.#state = state
    this.#sums = sums[thread]
    if (!(graph instanceof CsrGraph)) this.#gather = gatherByCursor(graph, contributions, this.#sums)
    else if (memory === undefined) this.#gather = gatherInJavaScript(graph, contributions, this.#sums)
    else this.#gather = gatherInWasm(memory, graph, this.#sums)
  }

  spread(fromBlock: number, toBlock: number): void {
    const { scores, degrees, inLinks, pages } = this.#state
    spread(
      inLinks.contributions,
      scores,
      degrees,
      fromBlock * blockPages,
      Math.min(toBlock * blockPages, pages),
    )
  }

  /** `dangling` is the total score of dangling pages before this iteration. */
  sweep(fromBlock: number, toBlock: number, dangling: number): void {
    const { pages, damping, trust, danglingWeights } = this.#state
    for (let block = fromBlock; block < toBlock; block++) {
      const from = block * blockPages
      const to = Math.min(from + blockPages, pages)
      this.#gather(from, to)
      if (trust === undefined && danglingWeights === undefined) {
        const jump = (damping * dangling + (1 - damping)) / pages
        settleUniform(this.#state, this.#sums, block, from, to, jump)
      } else settleByJumps(this.#state, this.#sums, block, from, to, dangling)
    }
  }
}

function spread(
  contributions: Float64Array,
  scores: Float64Array,
  degrees: Uint32Array,
  from: number,
  to: number,
): void {
  // The contribution of a dangling page is a division by 0; it is never read, as the page has no links.
  for (let page = from; page < to; page++) contributions[page] = scores[page] / degrees[page]
}

function settleUniform(
  { scores, degrees, damping, blockChanges, blockDangling }: PageRankState,
  sums: Float64Array,
  block: number,
  from: number,
  to: number,
  jump: number,
): void {
  let change = 0
  let dangling = 0
  for (let page = from; page < to; page++) {
    const score = damping * sums[page - from] + jump
    change += Math.abs(score - scores[page])
    scores[page] = score
    if (degrees[page] === 0) dangling += score
  }
  blockChanges[block] = change
  blockDangling[block] = dangling
}

function settleByJumps(
  { pages, scores, degrees, damping, trust, danglingWeights, blockChanges, blockDangling }: PageRankState,
  sums: Float64Array,
  block: number,
  from: number,
  to: number,
  danglingBefore: number,
): void {
  const weights = danglingWeights ?? trust
  let change = 0
  let dangling = 0
  for (let page = from; page < to; page++) {
    const weight = weights === undefined ? 1 / pages : weights[page]
    const trusted = trust === undefined ? 1 / pages : trust[page]
    const score = damping * (sums[page - from] + danglingBefore * weight) + (1 - damping) * trusted
    change += Math.abs(score - scores[page])
    scores[page] = score
    if (degrees[page] === 0) dangling += score
  }
  blockChanges[block] = change
  blockDangling[block] = dangling
}
