/**
 * The compressed form: every link list in the byte code of `link-code.ts`, a few bits to about a byte per
 * link.
 *
 *   segment  = block block …            one shared buffer of at most about 1 GiB; blocks never span two
 *   block    = starts, codes, padding   65,536 pages (fewer in the last), aligned to 8 bytes
 *   starts   = for each page, the 32-bit offset of its code within the block
 *
 * Blocks are independent. A graph can therefore be written as a stream in the memory of one block, and the
 * file holds the same blocks as memory. Positions fit in 31 bits, so the number of links is unlimited.
 */
import { assert } from '../lib/assert.ts'
import { sharedUint32 } from '../lib/shared-memory.ts'
import type { Graph, LinkCursor, SharedCompressedGraph } from './graph.ts'
import { decodeDegree, decodeLinks, encodedBytesMax, encodeLinks } from './link-code.ts'

const blockPagesLog2 = 16
export const blockPages = 1 << blockPagesLog2
const segmentBytesMax = 1 << 30

export class CompressedGraph implements Graph {
  readonly pages: number
  readonly links: number
  /** Length of the longest list: the capacity that a cursor needs. */
  readonly degreeMax: number
  readonly #shared: SharedCompressedGraph
  readonly #bytes: Uint8Array[]
  readonly #words: Uint32Array[]

  constructor(shared: SharedCompressedGraph) {
    this.#shared = shared
    this.pages = shared.pages
    this.links = shared.links
    this.degreeMax = shared.degreeMax
    this.#bytes = shared.segments.map((segment) => new Uint8Array(segment))
    this.#words = shared.segments.map((segment) => new Uint32Array(segment))
  }

  outDegree(page: number): number {
    const block = page >>> blockPagesLog2
    const segment = this.#shared.blockSegments[block]
    const start = this.#shared.blockStarts[block]
    const offset = this.#words[segment][(start >>> 2) + (page & (blockPages - 1))]
    return decodeDegree(this.#bytes[segment], start + offset)
  }

  cursor(): LinkCursor {
    return new CompressedCursor(this.#shared, this.#bytes, this.#words)
  }

  share(): SharedCompressedGraph {
    return this.#shared
  }

  get byteLength(): number {
    return this.#bytes.reduce((sum, bytes) => sum + bytes.byteLength, 0)
  }
}

class CompressedCursor implements LinkCursor {
  readonly targets: Uint32Array
  readonly start = 0
  end = 0
  readonly #bytes: Uint8Array[]
  readonly #words: Uint32Array[]
  readonly #blockSegments: Uint16Array
  readonly #blockStarts: Uint32Array

  constructor(shared: SharedCompressedGraph, bytes: Uint8Array[], words: Uint32Array[]) {
    this.targets = new Uint32Array(shared.degreeMax)
    this.#bytes = bytes
    this.#words = words
    this.#blockSegments = shared.blockSegments
    this.#blockStarts = shared.blockStarts
  }

  seek(page: number): void {
    const block = page >>> blockPagesLog2
    const segment = this.#blockSegments[block]
    const start = this.#blockStarts[block] | 0
    const offset = this.#words[segment][(start >>> 2) + (page & (blockPages - 1))] | 0
    this.end = decodeLinks(this.#bytes[segment], (start + offset) | 0, page, this.targets)
  }
}

/**
 * Encodes link lists into blocks, page by page. `take` receives each finished block, valid only during the
 * call, so a writer to disk holds one block at a time.
 */
export class BlockEncoder {
  pages = 0
  links = 0
  degreeMax = 0
  readonly #take: (block: Uint8Array) => void
  readonly #starts = new Uint32Array(blockPages)
  #codes = new Uint8Array(1 << 20)
  #codesLength = 0

  constructor(take: (block: Uint8Array) => void) {
    this.#take = take
  }

  /** Appends the links of the next page: `list[from … to - 1]`. */
  append(list: Uint32Array, from: number, to: number): void {
    const inBlock = this.pages & (blockPages - 1)
    this.#starts[inBlock] = this.#codesLength
    this.#reserve(encodedBytesMax(to - from))
    this.#codesLength = encodeLinks(this.#codes, this.#codesLength, this.pages, list, from, to)
    this.pages++
    this.links += to - from
    if (to - from > this.degreeMax) this.degreeMax = to - from
    if (inBlock === blockPages - 1) this.#finishBlock(blockPages)
  }

  /** Emits the last, partial block. */
  finish(): void {
    const left = this.pages & (blockPages - 1)
    if (left > 0) this.#finishBlock(left)
  }

  #reserve(room: number): void {
    if (this.#codesLength + room <= this.#codes.length) return
    const grown = new Uint8Array(Math.max(this.#codes.length * 2, this.#codesLength + room))
    grown.set(this.#codes.subarray(0, this.#codesLength))
    this.#codes = grown
  }

  #finishBlock(pages: number): void {
    const tableBytes = pages * 4
    const block = new Uint8Array(Math.ceil((tableBytes + this.#codesLength) / 8) * 8)
    assert(block.length < 2 ** 31, 'a block of 65,536 link lists exceeds 2 GiB')
    const table = new Uint32Array(block.buffer, 0, pages)
    for (let i = 0; i < pages; i++) table[i] = this.#starts[i] + tableBytes
    block.set(this.#codes.subarray(0, this.#codesLength), tableBytes)
    this.#codesLength = 0
    this.#take(block)
  }
}

/** Assigns blocks of these sizes to segments. */
export function layOutBlocks(blockBytes: readonly number[]): {
  segmentBytes: number[]
  blockSegments: Uint16Array<SharedArrayBuffer>
  blockStarts: Uint32Array<SharedArrayBuffer>
} {
  const segmentBytes: number[] = []
  const blockSegments = new Uint16Array(new SharedArrayBuffer(blockBytes.length * 2))
  const blockStarts = sharedUint32(blockBytes.length)
  blockBytes.forEach((bytes, block) => {
    const last = segmentBytes.length - 1
    if (last < 0 || segmentBytes[last] + bytes > segmentBytesMax) segmentBytes.push(0)
    const segment = segmentBytes.length - 1
    blockSegments[block] = segment
    blockStarts[block] = segmentBytes[segment]
    segmentBytes[segment] += bytes
  })
  return { segmentBytes, blockSegments, blockStarts }
}

const builtSegmentBytes = 64 << 20

/**
 * Collects link lists into a compressed graph in memory: directly into segments of about 64 MiB, so there is never
 * a second copy of the graph.
 */
export class CompressedGraphBuilder {
  readonly #encoder = new BlockEncoder((block) => this.#take(block))
  readonly #segments: SharedArrayBuffer[] = []
  readonly #blocks: { segment: number; start: number }[] = []
  #pending: Uint8Array[] = []
  #pendingBytes = 0

  append(list: Uint32Array, from: number, to: number): void {
    this.#encoder.append(list, from, to)
  }

  finish(): CompressedGraph {
    this.#encoder.finish()
    this.#flush()
    const blockSegments = new Uint16Array(new SharedArrayBuffer(this.#blocks.length * 2))
    const blockStarts = sharedUint32(this.#blocks.length)
    this.#blocks.forEach(({ segment, start }, block) => {
      blockSegments[block] = segment
      blockStarts[block] = start
    })
    const { pages, links, degreeMax } = this.#encoder
    const segments = this.#segments
    return new CompressedGraph({
      form: 'compressed',
      pages,
      links,
      degreeMax,
      segments,
      blockSegments,
      blockStarts,
    })
  }

  #take(block: Uint8Array): void {
    if (this.#pendingBytes + block.length > builtSegmentBytes) this.#flush()
    this.#blocks.push({ segment: this.#segments.length, start: this.#pendingBytes })
    this.#pending.push(block)
    this.#pendingBytes += block.length
  }

  #flush(): void {
    if (this.#pendingBytes === 0) return
    const segment = new Uint8Array(new SharedArrayBuffer(this.#pendingBytes))
    let at = 0
    for (const block of this.#pending) {
      segment.set(block, at)
      at += block.length
    }
    this.#segments.push(segment.buffer)
    this.#pending = []
    this.#pendingBytes = 0
  }
}

/** The compressed form of any graph; a compressed graph is returned unchanged. */
export function toCompressed(graph: Graph): CompressedGraph {
  if (graph instanceof CompressedGraph) return graph
  const builder = new CompressedGraphBuilder()
  const cursor = graph.cursor()
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    builder.append(cursor.targets, cursor.start, cursor.end)
  }
  return builder.finish()
}
