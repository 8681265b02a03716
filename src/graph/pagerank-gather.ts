/**
 * The inner loop of PageRank: for each page of a block, the sum of its in-links' contributions. There are
 * three implementations with bit-identical sums: each adds the even-numbered links, the odd-numbered links,
 * and then the two sums.
 *
 *   in WebAssembly   plain in-links in the same memory as the contributions
 *   in JavaScript    plain in-links anywhere
 *   by cursor        any graph, one decoded list at a time
 *
 * Why WebAssembly: the loop is bound by memory latency, and the fewer instructions between two loads, the
 * more loads the processor has in flight. JavaScript repeats the map and bounds checks of both arrays.
 * Compared with C++ -O2, an iteration on one thread took 1.5 (cnr-2000) and 1.6 times (10 million pages) as
 * long in JavaScript, and 1.3 and 1.2 times in WebAssembly.
 */
import type { CsrGraph } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import { gatherModule } from './pagerank-wasm.ts'

/** Pages per block: their sums stay in the first-level cache. */
export const blockPages = 1024

/** Fills sums[0 … to - from - 1] for the pages `from` to `to` - 1, at most one block. */
export type Gather = (from: number, to: number) => void

/** The part of the standard type that is used here; Node's types do not declare WebAssembly. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer
}
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedWasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { gather: WasmGather } }
}

/**
 * All are byte addresses: the first source, its page's offset, the last page's offset, the sums, the sources.
 */
type WasmGather = (at: number, offset: number, offsetEnd: number, sum: number, sources: number) => void

const memoryPageBytes = 65_536
/** The size of the 32-bit address space. */
export const wasmBytesMax = 65_536 * memoryPageBytes

export function wasmMemory(bytes: number): SharedWasmMemory {
  const initial = Math.max(1, Math.ceil(bytes / memoryPageBytes))
  return new WebAssembly.Memory({ initial, maximum: initial, shared: true })
}

/** `contributions` must be at address 0, and all other arrays in the same memory. */
export function gatherInWasm(memory: SharedWasmMemory, inLinks: CsrGraph, sums: Float64Array): Gather {
  const { gather } = new WebAssembly.Instance(new WebAssembly.Module(gatherModule()), { m: { m: memory } })
    .exports
  const { offsets, targets } = inLinks
  const sources = targets.byteOffset
  const first = offsets.byteOffset
  return (from, to) => {
    gather(sources + 4 * offsets[from], first + 4 * from, first + 4 * to, sums.byteOffset, sources)
  }
}

export function gatherInJavaScript(
  inLinks: CsrGraph,
  contributions: Float64Array,
  sums: Float64Array,
): Gather {
  const { offsets, targets } = inLinks
  return (from, to) => {
    for (let page = from; page < to; page++) {
      sums[page - from] = sumOf(contributions, targets, offsets[page], offsets[page + 1])
    }
  }
}

export function gatherByCursor(inLinks: Graph, contributions: Float64Array, sums: Float64Array): Gather {
  const cursor = inLinks.cursor()
  return (from, to) => {
    for (let page = from; page < to; page++) {
      cursor.seek(page)
      sums[page - from] = sumOf(contributions, cursor.targets, cursor.start, cursor.end)
    }
  }
}

function sumOf(contributions: Float64Array, sources: Uint32Array, start: number, end: number): number {
  let even = 0
  let odd = 0
  let i = start
  for (; i < end - 3; i += 4) {
    even += contributions[sources[i]]
    odd += contributions[sources[i + 1]]
    even += contributions[sources[i + 2]]
    odd += contributions[sources[i + 3]]
  }
  if (i < end - 1) {
    even += contributions[sources[i]]
    odd += contributions[sources[i + 1]]
    i += 2
  }
  if (i < end) even += contributions[sources[i]]
  return even + odd
}
