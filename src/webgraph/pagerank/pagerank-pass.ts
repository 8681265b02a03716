/**
 * The inner loop of PageRank: new scores for consecutive pages from what their in-links give. Two
 * implementations with bit-identical results, both with separate sums for near and far links
 * (`pagerank-links.ts`) and for links at even and odd places:
 *
 *   in WebAssembly   one call per chunk, split in-links
 *   by cursor        any graph, one list at a time: for few links, and for webs beyond 32-bit addresses
 *
 * Why WebAssembly: the fewer instructions between two loads, the more loads the processor has in flight.
 * JavaScript repeats the map and bounds checks of both arrays.
 *
 * The memory of the module has `given` at address 0, then `givenBefore`, a window for each thread, and the far
 * links. The thread copies the near links of a chunk into its window, since all of them may exceed 4 GiB.
 */
import type { Graph } from '../graph.ts'
import { isNear, type SplitLinks } from './pagerank-links.ts'
import { chunkPagesMax, passModule, windowPart } from './pagerank-wasm.ts'

/** A lane is read in chunks; a chunk consists of whole blocks. */
export interface Chunks {
  /** Prepares a chunk that starts with this page; returns its end, at most `laneTo`. */
  open(page: number, laneTo: number): number
  /** For each page of the chunk: what it gets apart from links. */
  readonly extras: Float64Array
  /** Computes new scores of a block of the chunk; keeps them if `write`. */
  pass(from: number, to: number, lane: { readonly from: number; readonly to: number }, write: boolean): void
  /** Of the last pass: the L1 change, the score of all its pages and of the dangling ones. */
  readonly sums: Float64Array
}

/** The pages of a block; the last of a lane has fewer. */
export const blockPages = 64

/** The part of the standard type that is used here; Node's types do not declare WebAssembly. */
export interface SharedWasmMemory {
  readonly buffer: SharedArrayBuffer
}
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedWasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { pass: WasmPass } }
}

type WasmPass = (
  page: number,
  pageEnd: number,
  near: number,
  far: number,
  window: number,
  index: number,
  damping: number,
  write: number,
) => void

const memoryPageBytes = 65_536
/** The 32-bit address space, without its end: the loop computes addresses up to three links behind the last one. */
export const wasmBytesMax = 65_536 * memoryPageBytes - 16

/** Undefined if the system has no room for it: Node reserves several GiB of addresses, which `ulimit -v` may forbid. */
export function wasmMemory(bytes: number): SharedWasmMemory | undefined {
  const initial = Math.max(1, Math.ceil(bytes / memoryPageBytes))
  try {
    return new WebAssembly.Memory({ initial, maximum: initial, shared: true })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Near links of a chunk, unless a single block has more. */
const chunkLinksMax = 1 << 15

/** Bytes of a window that holds the near links of any block. */
export function windowBytes(nearMax: number): number {
  return windowPart.near + Math.ceil(Math.max(nearMax, chunkLinksMax) / 4) * 8
}

interface WasmLinks {
  readonly memory: SharedWasmMemory
  readonly split: SplitLinks
  /** The byte address of this thread's window. */
  readonly window: number
}

interface Pages {
  readonly degrees: Uint32Array
  readonly damping: number
}

export function chunksInWasm({ memory, split, window }: WasmLinks, { degrees, damping }: Pages): Chunks {
  const { buffer } = memory
  const { nearOffsets, near, farOffsets, far } = split
  const module = new WebAssembly.Module(passModule())
  const { pass } = new WebAssembly.Instance(module, { m: { m: memory } }).exports
  const words = (at: number, length: number): Uint32Array => new Uint32Array(buffer, window + at, length)
  const nearWindow = words(windowPart.nearOffsets, chunkPagesMax + 1)
  const farWindow = words(windowPart.farOffsets, chunkPagesMax + 1)
  const degreeWindow = words(windowPart.degrees, chunkPagesMax)
  const linkWindow = new Int16Array(buffer, window + windowPart.near)
  let chunkFrom = 0
  return {
    extras: new Float64Array(buffer, window + windowPart.extras, chunkPagesMax),
    sums: new Float64Array(buffer, window + windowPart.sums, 3),
    open(page, laneTo) {
      const links = (end: number): number => nearOffsets[end] - nearOffsets[page]
      let blocks = chunkPagesMax / blockPages
      let end = Math.min(page + chunkPagesMax, laneTo)
      while (links(end) > chunkLinksMax && blocks > 1) {
        blocks >>>= 1
        end = Math.min(page + blocks * blockPages, laneTo)
      }
      chunkFrom = page
      nearWindow.set(nearOffsets.subarray(page, end + 1))
      farWindow.set(farOffsets.subarray(page, end + 1))
      degreeWindow.set(degrees.subarray(page, end))
      linkWindow.set(near.subarray(nearOffsets[page], nearOffsets[end]))
      return end
    },
    pass(from, to, _lane, write) {
      // Addresses are taken modulo 2^32.
      const nearAddress = window + windowPart.near - 2 * nearWindow[0]
      pass(from, to, nearAddress, far.byteOffset, window, from - chunkFrom, damping, write ? 1 : 0)
    },
  }
}

interface CursorLinks {
  readonly inLinks: Graph
  readonly given: Float64Array
  readonly givenBefore: Float64Array
}

export function chunksByCursor(links: CursorLinks, { degrees, damping }: Pages): Chunks {
  const { inLinks, given, givenBefore } = links
  const cursor = inLinks.cursor()
  const extras = new Float64Array(chunkPagesMax)
  const sums = new Float64Array(3)
  let chunkFrom = 0

  function gathered(page: number, laneFrom: number, laneTo: number): number {
    cursor.seek(page)
    const { targets, end } = cursor
    let [nearEven, nearOdd, farEven, farOdd] = [0, 0, 0, 0]
    let [isNearOdd, isFarOdd] = [false, false]
    for (let i = cursor.start; i < end; i++) {
      const source = targets[i]
      const isInLane = source >= laneFrom && source < laneTo
      if (isInLane && isNear(source, page)) {
        if (isNearOdd) nearOdd += given[source]
        else nearEven += given[source]
        isNearOdd = !isNearOdd
      } else {
        const value = isInLane ? given[source] : givenBefore[source]
        if (isFarOdd) farOdd += value
        else farEven += value
        isFarOdd = !isFarOdd
      }
    }
    return nearEven + nearOdd + (farEven + farOdd)
  }

  return {
    extras,
    sums,
    open(page, laneTo) {
      chunkFrom = page
      return Math.min(page + chunkPagesMax, laneTo)
    },
    pass(from, to, lane, write) {
      sums.fill(0)
      for (let page = from; page < to; page++) {
        const score = damping * gathered(page, lane.from, lane.to) + extras[page - chunkFrom]
        const degree = Math.max(degrees[page], 1)
        const each = score / degree
        sums[0] += Math.abs(each - given[page]) * degree
        sums[1] += score
        if (degrees[page] === 0) sums[2] += score
        if (write) given[page] = each
      }
    },
  }
}
