/**
 * The inner loop of PageRank: the sum of what the in-links of a page give. There are two implementations with
 * bit-identical sums: each adds the even-numbered links, the odd-numbered links, and then the two sums.
 *
 *   in WebAssembly   plain in-links in the same memory as what they give
 *   by cursor        any graph, one decoded list at a time
 *
 * Why WebAssembly: the loop is bound by memory latency, and the fewer instructions between two loads, the
 * more loads the processor has in flight. JavaScript repeats the map and bounds checks of both arrays.
 */
import type { CsrGraph } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import { sumModule } from './pagerank-wasm.ts'

/** The sum for a page of the given lane. */
export type Gather = (page: number, laneFrom: number, laneTo: number) => number

/** The part of the standard type that is used here; Node's types do not declare WebAssembly. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer
}
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedWasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { sum: WasmSum } }
}

/** Both are byte addresses. */
type WasmSum = (at: number, end: number) => number

const memoryPageBytes = 65_536
/** The size of the 32-bit address space. */
export const wasmBytesMax = 65_536 * memoryPageBytes

export function wasmMemory(bytes: number): SharedWasmMemory {
  const initial = Math.max(1, Math.ceil(bytes / memoryPageBytes))
  return new WebAssembly.Memory({ initial, maximum: initial, shared: true })
}

/**
 * What the links give must be at address 0, and all other arrays in the same memory. Sources in other lanes
 * are already redirected.
 */
export function gatherInWasm(memory: SharedWasmMemory, { offsets, targets }: CsrGraph): Gather {
  const { sum } = new WebAssembly.Instance(new WebAssembly.Module(sumModule()), { m: { m: memory } }).exports
  const first = targets.byteOffset
  return (page) => sum(first + 4 * offsets[page], first + 4 * offsets[page + 1])
}

export function gatherByCursor(inLinks: Graph, given: Float64Array, givenBefore: Float64Array): Gather {
  const cursor = inLinks.cursor()
  return (page, laneFrom, laneTo) => {
    cursor.seek(page)
    const { targets, end } = cursor
    let even = 0
    let odd = 0
    for (let i = cursor.start, isOdd = false; i < end; i++, isOdd = !isOdd) {
      const source = targets[i]
      const value = source >= laneFrom && source < laneTo ? given[source] : givenBefore[source]
      if (isOdd) odd += value
      else even += value
    }
    return even + odd
  }
}
