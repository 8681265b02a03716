/**
 * Reads a graph in the BV format of WebGraph: `BASENAME.graph`, a stream of lists each of which may copy from
 * previous ones, and `BASENAME.properties`, which describes the coding. Reads sequentially in bounded memory:
 * the lists of the window and one buffer per file.
 *
 * A BV file has no checksum, so every number is checked for plausibility, and the lists must end with the
 * stream and have the stated number of arcs. If `BASENAME.offsets` exists, each list must start at its
 * offset. So a graph with the wrong properties is all but certain to be refused.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { RankwardError } from '../../../lib/errors.ts'
import { silent, type Progress } from '../../../lib/progress.ts'
import { BitReader, BitStreamError } from './bit-reader.ts'
import { BvDecoder } from './bv-decoder.ts'
import { codeIds } from './codings.ts'
import { parseBvProperties, type BvProperties } from './properties.ts'

interface BvReadOptions {
  /**
   * Called once per node, in order: its successors, ascending, are `list[from … to - 1]`, valid during the
   * call.
   */
  take: (list: Uint32Array, from: number, to: number) => void
  /** Reports the number of nodes read. */
  progress?: Progress
  /** Stops the reading with the signal's reason. */
  signal?: AbortSignal
}

/** Writers pad the last byte; webgraph-rs pads to words of up to 128 bits. */
const paddingBitsMax = 256
const propertyBytesMax = 1 << 16
/** Nodes decoded before yielding to other tasks: about a millisecond. */
const nodesPerTurn = 1 << 13
const arcsPerTurn = 1 << 16

/** Decodes a BV graph list by list; returns its properties. */
export async function readBvLists(basename: string, options: BvReadOptions): Promise<BvProperties> {
  const properties = await readBvProperties(basename)
  const graph = openFile(`${basename}.graph`)
  let offsets: OpenFile | undefined
  try {
    // Every list takes at least one bit, so a false number of nodes is refused before it costs memory.
    if (properties.nodes > graph.bytes * 8) {
      const room = `a file of ${graph.bytes} bytes cannot hold so many lists`
      throw new RankwardError(
        'BAD_BV_GRAPH',
        `${graph.path}: the properties say ${properties.nodes} nodes, but ${room}.`,
      )
    }
    offsets = openIfExists(`${basename}.offsets`)
    await decode(properties, graph, offsets, options)
  } finally {
    closeSync(graph.descriptor)
    if (offsets) closeSync(offsets.descriptor)
  }
  return properties
}

/** The contents of `BASENAME.properties`, checked as far as possible without the graph. */
export async function readBvProperties(basename: string): Promise<BvProperties> {
  const path = `${basename}.properties`
  let text: string
  try {
    const { size } = await stat(path)
    if (size > propertyBytesMax) {
      throw new RankwardError(
        'BAD_BV_GRAPH',
        `${path}: ${size} bytes; a property file has at most ${propertyBytesMax}.`,
      )
    }
    text = await readFile(path, 'latin1')
  } catch (cause) {
    throw cause instanceof RankwardError ? cause : unreadable(path, cause)
  }
  return parseBvProperties(text, path)
}

async function decode(
  properties: BvProperties,
  graph: OpenFile,
  offsets: OpenFile | undefined,
  { take, progress = silent, signal }: BvReadOptions,
): Promise<void> {
  const reader = new BitReader(graph.source, properties.zetaK)
  const decoder = new BvDecoder(reader, properties)
  const check = offsets && new OffsetCheck(offsets, properties)
  const { nodes } = properties
  try {
    let turnArcs = 0
    while (decoder.node < nodes) {
      signal?.throwIfAborted()
      const turnEnd = Math.min(nodes, decoder.node + nodesPerTurn)
      while (decoder.node < turnEnd && decoder.arcs < turnArcs + arcsPerTurn) {
        check?.expect(reader.position, decoder.node)
        decoder.next()
        take(decoder.list, decoder.start, decoder.end)
      }
      turnArcs = decoder.arcs
      progress(decoder.node, nodes)
      await setImmediate()
    }
    check?.expect(reader.position, nodes)
    check?.finish()
    finish(reader, decoder, properties)
  } catch (error) {
    throw error instanceof BitStreamError ? explain(error, graph.path, decoder.node) : error
  }
}

function finish(reader: BitReader, decoder: BvDecoder, { nodes, arcs }: BvProperties): void {
  const end = reader.position
  if (decoder.arcs !== arcs) {
    throw new BitStreamError(`${decoder.arcs} arcs in all, but the properties say ${arcs}`, end)
  }
  if (reader.padding(paddingBitsMax) === undefined) {
    throw new BitStreamError(
      `the file continues after the last of the ${nodes} nodes that the properties say`,
      end,
    )
  }
}

/** Compares each list's position with the offset file: n + 1 differences, the first from 0. */
class OffsetCheck {
  readonly #file: OpenFile
  readonly #reader: BitReader
  readonly #code
  #offset = 0

  constructor(file: OpenFile, properties: BvProperties) {
    this.#file = file
    this.#reader = new BitReader(file.source)
    this.#code = codeIds[properties.codings.offsets]
  }

  expect(position: number, node: number): void {
    try {
      this.#offset += this.#reader.read(this.#code)
    } catch (error) {
      throw error instanceof BitStreamError ? explain(error, this.#file.path, node) : error
    }
    if (this.#offset === position) return
    const what = `the list should start at bit ${this.#offset} of the graph, but starts at bit ${position}`
    throw explain(new BitStreamError(what, this.#reader.position), this.#file.path, node)
  }

  finish(): void {
    const end = this.#reader.position
    if (this.#reader.padding(paddingBitsMax) !== undefined) return
    const what = 'the file continues after the offset of the last node'
    throw new RankwardError('BAD_BV_GRAPH', `${this.#file.path}, bit ${end}: ${what}.`)
  }
}

function explain(error: BitStreamError, path: string, node: number): RankwardError {
  const hint = 'The file is damaged, or the .properties belong to another graph.'
  const message = `${path}, node ${node}, bit ${error.bit}: ${error.message}. ${hint}`
  return new RankwardError('BAD_BV_GRAPH', message, { cause: error })
}

interface OpenFile {
  readonly path: string
  readonly descriptor: number
  readonly bytes: number
  readonly source: (into: Uint8Array) => number
}

function openFile(path: string): OpenFile {
  try {
    const descriptor = openSync(path, 'r')
    const bytes = fstatSync(descriptor).size
    return { path, descriptor, bytes, source: (into) => read(path, descriptor, into) }
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function openIfExists(path: string): OpenFile | undefined {
  try {
    return openFile(path)
  } catch (error) {
    if (error instanceof RankwardError && isMissing(error.cause)) return undefined
    throw error
  }
}

function read(path: string, descriptor: number, into: Uint8Array): number {
  try {
    return readSync(descriptor, into)
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

function unreadable(path: string, cause: unknown): RankwardError {
  const why = isMissing(cause)
    ? 'there is no such file'
    : cause instanceof Error
      ? cause.message
      : String(cause)
  const needs = 'A BV graph needs both its .graph and its .properties.'
  return new RankwardError('FILE_UNREADABLE', `${path} cannot be read: ${why}. ${needs}`, { cause })
}
