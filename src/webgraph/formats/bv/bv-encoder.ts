/**
 * Encodes lists in the BV format (`bv-decoder.ts` describes its parts), greedily as in Boldi and Vigna, The
 * WebGraph Framework I, 2004: each list is tried without a reference and with every list of the window as
 * reference, and written in the shortest form, ties to the nearest reference. Reference chains are kept
 * short, so that random access stays fast.
 *
 * Memory is the window: windowSize + 1 lists. Time is about windowSize + 1 merges per list.
 */
import { BitCounter, type BitWriter, type CodeSink } from './bit-writer.ts'
import { codeIdsOf, type Codings, type PartCodes } from './codings.ts'
import { GrowingList } from './growing-list.ts'

export interface BvParameters {
  windowSize: number
  maxRefCount: number
  minIntervalLength: number
  zetaK: number
  codings: Codings
}

/** The compression statistics of the property file: bits by part of the lists, arcs by encoding. */
interface BvTally {
  outdegreeBits: number
  referenceBits: number
  blockBits: number
  intervalBits: number
  residualBits: number
  copiedArcs: number
  intervalArcs: number
  residualArcs: number
  /**
   * Sums over the nodes of the lengths of their reference chains and of the distances of their references.
   */
  chainLengths: number
  distances: number
}

const emptyTally: Readonly<BvTally> = {
  outdegreeBits: 0,
  referenceBits: 0,
  blockBits: 0,
  intervalBits: 0,
  residualBits: 0,
  copiedArcs: 0,
  intervalArcs: 0,
  residualArcs: 0,
  chainLengths: 0,
  distances: 0,
}

export class BvEncoder {
  node = 0
  arcs = 0
  readonly tally: BvTally = { ...emptyTally }
  readonly #writer: BitWriter
  readonly #counter: BitCounter
  readonly #parameters: BvParameters
  readonly #codes: PartCodes
  /** The lists of the window and the current one; node x is at index x mod their number. */
  readonly #window: GrowingList[]
  /** The length of the reference chain of each of them. */
  readonly #chains: Float64Array
  /** The parts into which the current list was last divided. */
  readonly #blocks = new GrowingList()
  readonly #extras = new GrowingList()
  /** Left ends and lengths, alternately. */
  readonly #intervals = new GrowingList()
  readonly #residuals = new GrowingList()

  constructor(writer: BitWriter, parameters: BvParameters) {
    this.#writer = writer
    this.#counter = new BitCounter(parameters.zetaK)
    this.#parameters = parameters
    const { codings, windowSize } = parameters
    this.#codes = codeIdsOf(codings)
    this.#window = Array.from({ length: windowSize + 1 }, () => new GrowingList())
    this.#chains = new Float64Array(windowSize + 1)
  }

  /** Writes the list of the next node: `list[from … to - 1]` in ascending order, each successor once. */
  append(list: Uint32Array, from: number, to: number): void {
    const slot = this.node % this.#window.length
    const successors = this.#window[slot]
    fillSorted(successors, list, from, to)
    const before = this.#writer.position
    this.#writer.write(this.#codes.outdegrees, successors.length)
    this.tally.outdegreeBits += this.#writer.position - before
    if (successors.length > 0) this.#appendList(slot)
    this.arcs += successors.length
    this.node++
  }

  #appendList(slot: number): void {
    const distance = this.#bestReference(slot)
    const chain = distance === 0 ? 0 : this.#chains[this.#slotBefore(distance)] + 1
    this.#chains[slot] = chain
    this.tally.chainLengths += chain
    this.tally.distances += distance
    this.#divide(slot, distance)
    this.#emit(this.#writer, distance, this.tally)
    this.tally.copiedArcs += this.#window[slot].length - this.#extras.length
    this.tally.residualArcs += this.#residuals.length
    this.tally.intervalArcs += this.#extras.length - this.#residuals.length
  }

  /** The distance of the best reference, 0 for none. */
  #bestReference(slot: number): number {
    const { windowSize, maxRefCount } = this.#parameters
    let best = 0
    let bestBits = Infinity
    for (let distance = 0; distance <= windowSize && distance <= this.node; distance++) {
      if (distance > 0) {
        const candidate = this.#slotBefore(distance)
        if (this.#window[candidate].length === 0 || this.#chains[candidate] >= maxRefCount) continue
      }
      this.#divide(slot, distance)
      this.#counter.position = 0
      this.#emit(this.#counter, distance, undefined)
      if (this.#counter.position < bestBits) {
        best = distance
        bestBits = this.#counter.position
      }
    }
    return best
  }

  #slotBefore(distance: number): number {
    return (this.node - distance) % this.#window.length
  }

  /** Divides the list into copied successors, intervals and residuals. */
  #divide(slot: number, distance: number): void {
    const list = this.#window[slot]
    this.#blocks.length = 0
    this.#extras.length = 0
    if (distance === 0) this.#extras.copy(list)
    else divideByReference(list, this.#window[this.#slotBefore(distance)], this.#blocks, this.#extras)
    this.#intervals.length = 0
    this.#residuals.length = 0
    const { minIntervalLength } = this.#parameters
    if (minIntervalLength === 0) this.#residuals.copy(this.#extras)
    else divideIntervals(this.#extras, minIntervalLength, this.#intervals, this.#residuals)
  }

  /** Writes the divided list; adds the bits of each part to `tally`. */
  #emit(sink: CodeSink, distance: number, tally: BvTally | undefined): void {
    const start = sink.position
    if (this.#parameters.windowSize > 0) sink.write(this.#codes.references, distance)
    const afterReference = sink.position
    if (distance > 0) this.#emitBlocks(sink)
    const afterBlocks = sink.position
    if (this.#extras.length > 0 && this.#parameters.minIntervalLength > 0) this.#emitIntervals(sink)
    const afterIntervals = sink.position
    if (this.#residuals.length > 0) this.#emitResiduals(sink)
    if (!tally) return
    tally.referenceBits += afterReference - start
    tally.blockBits += afterBlocks - afterReference
    tally.intervalBits += afterIntervals - afterBlocks
    tally.residualBits += sink.position - afterIntervals
  }

  #emitBlocks(sink: CodeSink): void {
    const { values, length } = this.#blocks
    sink.write(this.#codes.blockCounts, length)
    for (let i = 0; i < length; i++) sink.write(this.#codes.blocks, values[i] - (i === 0 ? 0 : 1))
  }

  #emitIntervals(sink: CodeSink): void {
    const { values, length } = this.#intervals
    const code = this.#codes.intervals
    sink.write(code, length / 2)
    let next = 0
    for (let i = 0; i < length; i += 2) {
      sink.write(code, i === 0 ? toNatural(values[0] - this.node) : values[i] - next - 1)
      sink.write(code, values[i + 1] - this.#parameters.minIntervalLength)
      next = values[i] + values[i + 1]
    }
  }

  #emitResiduals(sink: CodeSink): void {
    const { values, length } = this.#residuals
    const code = this.#codes.residuals
    sink.write(code, toNatural(values[0] - this.node))
    for (let i = 1; i < length; i++) sink.write(code, values[i] - values[i - 1] - 1)
  }
}

/** The successors in ascending order, each once. Most lists are in order already. */
function fillSorted(into: GrowingList, list: Uint32Array, from: number, to: number): void {
  into.length = 0
  into.reserve(to - from)
  const { values } = into
  let ascending = true
  for (let i = from; i < to; i++) {
    values[i - from] = list[i]
    if (i > from && list[i] <= list[i - 1]) ascending = false
  }
  into.length = to - from
  if (ascending) return
  values.subarray(0, to - from).sort()
  let kept = 1
  for (let i = 1; i < to - from; i++) {
    if (values[i] !== values[i - 1]) values[kept++] = values[i]
  }
  into.length = kept
}

/**
 * The runs of the reference list, alternately copied and skipped, starting with a copied one, and the
 * successors that are not copied. The last run is omitted if its end is implied: after a skipped run, and if
 * copying continues to the end of the reference list.
 */
function divideByReference(
  list: GrowingList,
  reference: GrowingList,
  blocks: GrowingList,
  extras: GrowingList,
): void {
  const a = list.values
  const b = reference.values
  const aEnd = list.length
  const bEnd = reference.length
  let i = 0
  let j = 0
  let blockStart = 0
  let copying = true
  while (i < aEnd && j < bEnd) {
    if (a[i] < b[j]) extras.push(a[i++])
    else if ((a[i] === b[j]) === copying) {
      if (copying) i++
      j++
    } else {
      blocks.push(j - blockStart)
      blockStart = j
      copying = !copying
    }
  }
  if (copying && j < bEnd) blocks.push(j - blockStart)
  while (i < aEnd) extras.push(a[i++])
}

/** Runs of at least `lengthMin` consecutive successors become intervals, the others residuals. */
function divideIntervals(
  extras: GrowingList,
  lengthMin: number,
  intervals: GrowingList,
  residuals: GrowingList,
): void {
  const { values, length } = extras
  for (let i = 0; i < length;) {
    let end = i + 1
    while (end < length && values[end] === values[end - 1] + 1) end++
    if (end - i >= lengthMin) {
      intervals.push(values[i])
      intervals.push(end - i)
      i = end
    } else while (i < end) residuals.push(values[i++])
  }
}

/** Maps 0, -1, 1, -2, 2 … to 0, 1, 2, 3, 4 … */
function toNatural(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1
}
