/**
 * Writes a graph in the BV format of WebGraph: `BASENAME.graph` (the lists), `BASENAME.offsets` (the start of
 * each) and `BASENAME.properties`, bit-identical to the Java BVGraph.
 *
 * The files get their names only when all three are complete: until then they are hidden files, which a
 * failure removes. The properties come last, because a graph without them is not recognised.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { RankwardError } from '../../../lib/errors.ts'
import { silent, type Progress } from '../../../lib/progress.ts'
import type { Graph } from '../../graph.ts'
import { partialPath } from '../../../lib/files/whole-file.ts'
import { BitWriter } from './bit-writer.ts'
import { BvEncoder, type BvParameters } from './bv-encoder.ts'
import { codeIds, codingParts, defaultCodings, formatFlags, type Codings } from './codings.ts'
import { bvWindowMax, formatJavaProperties } from './properties.ts'

export interface BvWriteOptions {
  /**
   * How many lists back a reference may reach. A larger window makes smaller files and takes more time; 0
   * disables references.
   */
  windowSize?: number
  /** The longest chain of references; Infinity for no limit. */
  maxRefCount?: number
  /**
   * The shortest run of consecutive successors that becomes an interval, at least 2; 0 disables intervals.
   */
  minIntervalLength?: number
  /** The parameter of zeta (and Golomb) codes. */
  zetaK?: number
  /** Codes of the parts that differ from Java's defaults. */
  codings?: Partial<Codings>
  /** Reports the number of pages written. */
  progress?: Progress
  /** Stops the writing with the signal's reason; no file is left. */
  signal?: AbortSignal
}

/** Statistics of the written graph. */
interface BvWritten {
  nodes: number
  /** Less than the links of the graph if it has repeated links. */
  arcs: number
  graphBits: number
}

const extensions = ['graph', 'offsets', 'properties'] as const
type Extension = (typeof extensions)[number]

/** Pages encoded before yielding to other tasks: a few milliseconds. */
const pagesPerTurn = 1 << 12
const linksPerTurn = 1 << 15

/**
 * Writes `graph` as `basename` + `.graph`, `.offsets`, `.properties`. A BV list is a set: successors are
 * written in ascending order and each once, so the order of a page's links and its repeated links are not
 * kept.
 */
export async function writeBvGraph(
  graph: Graph,
  basename: string,
  options: BvWriteOptions = {},
): Promise<BvWritten> {
  const parameters = checkedParameters(options)
  const files = new PartialFiles(basename)
  try {
    const writers = {
      graph: new BitWriter(files.open('graph'), parameters.zetaK),
      offsets: new BitWriter(files.open('offsets')),
    }
    const encoder = new BvEncoder(writers.graph, parameters)
    await encode(graph, encoder, writers, parameters, options)
    const written = { nodes: graph.pages, arcs: encoder.arcs, graphBits: writers.graph.position }
    writers.graph.finish()
    writers.offsets.finish()
    const properties = formatJavaProperties('BVGraph properties', propertiesOf(written, encoder, parameters))
    files.open('properties')(Buffer.from(properties, 'latin1'))
    await files.publish()
    return written
  } catch (error) {
    await files.discard()
    throw error
  }
}

async function encode(
  graph: Graph,
  encoder: BvEncoder,
  writers: { graph: BitWriter; offsets: BitWriter },
  { codings }: BvParameters,
  { progress = silent, signal }: BvWriteOptions,
): Promise<void> {
  const cursor = graph.cursor()
  const offsetCode = codeIds[codings.offsets]
  let offset = 0
  const writeOffset = (): void => {
    writers.offsets.write(offsetCode, writers.graph.position - offset)
    offset = writers.graph.position
  }
  while (encoder.node < graph.pages) {
    signal?.throwIfAborted()
    const turnEnd = Math.min(graph.pages, encoder.node + pagesPerTurn)
    const turnArcs = encoder.arcs + linksPerTurn
    while (encoder.node < turnEnd && encoder.arcs < turnArcs) {
      cursor.seek(encoder.node)
      writeOffset()
      encoder.append(cursor.targets, cursor.start, cursor.end)
    }
    progress(encoder.node, graph.pages)
    await setImmediate()
  }
  writeOffset()
}

function checkedParameters(options: BvWriteOptions): BvParameters {
  const { windowSize = 7, maxRefCount = 3, minIntervalLength = 4, zetaK = 3 } = options
  const codings = { ...defaultCodings, ...options.codings }
  checkWhole('windowSize', windowSize, 0, bvWindowMax)
  if (maxRefCount !== Infinity) checkWhole('maxRefCount', maxRefCount, 0, 0x7fff_ffff)
  if (minIntervalLength !== 0) checkWhole('minIntervalLength', minIntervalLength, 2, 0x7fff_ffff)
  checkWhole('zetaK', zetaK, 1, codings.residuals === 'golomb' ? 0x7fff_ffff : 31)
  for (const { part, java } of codingParts) {
    if (java.includes(codings[part])) continue
    throw new RankwardError(
      'USAGE',
      `The coding of ${part} is ${codings[part]}, but must be one of ${java.join(', ')}.`,
    )
  }
  return { windowSize, maxRefCount, minIntervalLength, zetaK, codings }
}

function checkWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return
  throw new RankwardError('USAGE', `${name} is ${value}, but must be a whole number from ${min} to ${max}.`)
}

/** All entries that WebGraph needs to load the graph, and its compression statistics. */
function propertiesOf(
  { nodes, arcs, graphBits }: BvWritten,
  { tally }: BvEncoder,
  { windowSize, maxRefCount, minIntervalLength, zetaK, codings }: BvParameters,
): Record<string, string | number> {
  const perNode = (sum: number): string => rounded(sum / nodes)
  return {
    graphclass: 'it.unimi.dsi.webgraph.BVGraph',
    version: 0,
    nodes,
    arcs,
    windowsize: windowSize,
    maxrefcount: Math.min(maxRefCount, 0x7fff_ffff),
    minintervallength: minIntervalLength,
    ...(codings.residuals === 'zeta' || codings.residuals === 'golomb' ? { zetak: zetaK } : {}),
    compressionflags: formatFlags(codings),
    bitsperlink: rounded(graphBits / arcs),
    bitspernode: perNode(graphBits),
    compratio: rounded(graphBits / leastBits(nodes, arcs)),
    avgref: perNode(tally.chainLengths),
    avgdist: perNode(tally.distances),
    copiedarcs: tally.copiedArcs,
    intervalisedarcs: tally.intervalArcs,
    residualarcs: tally.residualArcs,
    bitsforoutdegrees: tally.outdegreeBits,
    bitsforreferences: tally.referenceBits,
    bitsforblocks: tally.blockBits,
    bitsforintervals: tally.intervalBits,
    bitsforresiduals: tally.residualBits,
    avgbitsforoutdegrees: perNode(tally.outdegreeBits),
    avgbitsforreferences: perNode(tally.referenceBits),
    avgbitsforblocks: perNode(tally.blockBits),
    avgbitsforintervals: perNode(tally.intervalBits),
    avgbitsforresiduals: perNode(tally.residualBits),
  }
}

/** Three decimals without trailing zeros, as WebGraph writes them; 0 for the averages over nothing. */
function rounded(value: number): string {
  return Number.isFinite(value) ? Number(value.toFixed(3)).toString() : '0'
}

/** The binary logarithm of the number of graphs with so many nodes and arcs, by Stirling's approximation. */
function leastBits(nodes: number, arcs: number): number {
  return (logFactorial(nodes ** 2) - logFactorial(arcs) - logFactorial(nodes ** 2 - arcs)) / Math.LN2
}

const logFactorial = (n: number): number => n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2

/** The three files while they are written: hidden partial files beside their final names. */
class PartialFiles {
  readonly #basename: string
  readonly #open = new Map<Extension, number>()
  readonly #partials: Readonly<Record<Extension, string>>
  /** Files to remove on failure. */
  readonly #paths = new Set<string>()

  constructor(basename: string) {
    this.#basename = basename
    const partial = (extension: Extension): string => partialPath(`${basename}.${extension}`)
    this.#partials = {
      graph: partial('graph'),
      offsets: partial('offsets'),
      properties: partial('properties'),
    }
  }

  /** Creates a file and returns a function that appends to it. */
  open(extension: Extension): (bytes: Uint8Array) => void {
    const path = this.#partials[extension]
    return writing(path, () => {
      const descriptor = openSync(path, 'w')
      this.#open.set(extension, descriptor)
      this.#paths.add(path)
      return (bytes) => {
        writing(path, () => {
          for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
        })
      }
    })
  }

  /** Closes the files and gives them their names. */
  async publish(): Promise<void> {
    writing(this.#basename, () => this.#close())
    for (const extension of extensions) {
      const [from, to] = [this.#partials[extension], `${this.#basename}.${extension}`]
      await rename(from, to).catch((cause: unknown) => {
        throw unwritable(to, cause)
      })
      this.#paths.delete(from)
      this.#paths.add(to)
    }
  }

  async discard(): Promise<void> {
    this.#close()
    for (const path of this.#paths) await rm(path, { force: true })
  }

  #close(): void {
    for (const [extension, descriptor] of this.#open) {
      this.#open.delete(extension)
      closeSync(descriptor)
    }
  }
}

function writing<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

function unwritable(path: string, cause: unknown): RankwardError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new RankwardError('FILE_UNWRITABLE', `${path} cannot be written: ${why}.`, { cause })
}
