/**
 * A web in the form in which PageRank reads it: its in-links, beside what each page gives to each of its links. It depends on the
 * graph alone, so several rankings of one web use it one after the other.
 */
import type { Progress } from '../../lib/progress.ts'
import { sharedFloat64, sharedUint32 } from '../../lib/shared-memory.ts'
import { csrLinksMax } from '../csr-graph.ts'
import type { Graph } from '../graph.ts'
import {
  laneBounds,
  readPart,
  splitLinks,
  type Lanes,
  type LinkPass,
  type SplitLinks,
} from './pagerank-links.ts'
import { blockPages, wasmBytesMax, wasmMemory, windowBytes, type SharedWasmMemory } from './pagerank-pass.ts'
import { transpose } from '../transpose.ts'

/** Shared by all threads. */
export interface LaidOutWeb {
  readonly pages: number
  /** Lane i is the pages lanes[i] … lanes[i + 1] - 1. */
  readonly lanes: Lanes
  readonly degrees: Uint32Array<SharedArrayBuffer>
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

interface LayOutOptions {
  /** Default: those of the graph. */
  readonly lanes?: Lanes
  readonly threads: number
  readonly transposed?: Graph | undefined
  /** With fewer links, a WebAssembly memory costs more than it saves. */
  readonly wasmLinksMin?: number
  /** Of the transposition, if the links do not fit in a WebAssembly memory. */
  readonly progress: Progress
}

/** Each thread that reads links needs 4 bytes per page. */
const readersMax = 4

/** Yields passes over the links of `transposed`, or of the graph, to be done before it continues. */
export function* layOutWeb(graph: Graph, options: LayOutOptions): Generator<LinkPass, LaidOutWeb> {
  const { transposed, progress, lanes = laneBounds(graph), wasmLinksMin = 4096 } = options
  const { pages, links } = graph
  const isSplit = links >= wasmLinksMin && links <= csrLinksMax
  const inLinks = isSplit ? yield* split(pages, lanes, options) : undefined
  const degrees = sharedUint32(pages)
  for (let page = 0; page < pages; page++) degrees[page] = graph.outDegree(page)
  return {
    pages,
    lanes,
    degrees,
    inLinks: inLinks ?? {
      given: sharedFloat64(pages),
      givenBefore: sharedFloat64(pages),
      split: undefined,
      graph: transposed ?? transpose(graph, { progress }),
    },
  }
}

/** Does all passes in this thread. */
export function layOutHere(graph: Graph, options: Omit<LayOutOptions, 'threads'>): LaidOutWeb {
  const passes = layOutWeb(graph, { ...options, threads: 1 })
  const report = linksProgress(graph, options.progress)
  for (;;) {
    const { done, value } = passes.next()
    if (done === true) return value
    for (let part = 0; part < value.far.length; part++)
      readPart(options.transposed ?? graph, value, part, report)
  }
}

/** Receives the number of pages read since the last call, in two passes over all pages. */
export function linksProgress({ pages }: Graph, progress: Progress): (pages: number) => void {
  let read = 0
  return (more) => {
    read += more
    progress(read, 2 * pages)
  }
}

/** Undefined if scores and far links exceed the 32-bit address space, or there is no memory for them. */
function* split(
  pages: number,
  lanes: Lanes,
  { threads, transposed }: LayOutOptions,
): Generator<LinkPass, InLinks | undefined> {
  const windowsAt = 16 * pages
  let memory: SharedWasmMemory | undefined
  let bytesPerWindow = 0
  const links = yield* splitLinks(pages, {
    lanes,
    isTransposed: transposed !== undefined,
    parts: Math.min(threads, lanes.length - 1, readersMax),
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

/** In every other sweep, blocks begin this many pages earlier: cycles that span two blocks are then in one. */
export const blockShift = blockPages / 2

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
