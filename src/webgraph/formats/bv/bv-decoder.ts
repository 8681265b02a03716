/**
 * Decodes the lists of a BV graph one after another. Boldi and Vigna, The WebGraph Framework I, 2004. A list:
 *
 *   outdegree
 *   reference    distance back to the list to copy from, 0 for none; only if the window is not 0
 *   blocks       their count, then lengths of runs of that list to copy, skip, copy …; only with a reference
 *   intervals    their count, then left ends and lengths of runs; if successors are left
 *   residuals    the remaining successors, as gaps
 *
 * Memory for a list is allocated only after all its parts are read and agree with its outdegree, so a false
 * number causes an error before it costs memory. The lists of the window are contiguous in one array: the new
 * list is appended, and the oldest are dropped.
 */
import { BitStreamError, type BitReader } from './bit-reader.ts'
import { codeIdsOf, type PartCodes } from './codings.ts'
import { GrowingList } from './growing-list.ts'
import type { BvProperties } from './properties.ts'

export class BvDecoder {
  /**
   * After `next`, the successors of node `node - 1` are `list[start … end - 1]`, ascending, until the next
   * call of `next`.
   */
  list = new Uint32Array(1 << 16)
  start = 0
  end = 0
  /** The number of lists read, which is the number of the next node. */
  node = 0
  /** Sum of the outdegrees so far. */
  arcs = 0
  readonly #reader: BitReader
  readonly #properties: BvProperties
  readonly #codes: PartCodes
  /** Start of each list of the window in `list`; node x is at index x mod its length. */
  readonly #starts: Float64Array
  /** Runs of the reference list, alternately to copy and to skip, starting with copy. */
  readonly #blocks = new GrowingList()
  /** Left ends and lengths, alternately. */
  readonly #intervals = new GrowingList()
  readonly #residuals = new GrowingList()
  readonly #extras = new GrowingList()

  constructor(reader: BitReader, properties: BvProperties) {
    this.#reader = reader
    this.#properties = properties
    this.#codes = codeIdsOf(properties.codings)
    this.#starts = new Float64Array(Math.min(properties.windowSize, properties.nodes) + 1)
  }

  /** Decodes the next list. */
  next(): void {
    const { nodes, arcs } = this.#properties
    const degree = this.#reader.read(this.#codes.outdegrees)
    if (degree > nodes) this.#fail(`outdegree ${degree} in a graph of ${nodes} nodes`)
    this.arcs += degree
    if (this.arcs > arcs)
      this.#fail(`${this.arcs} arcs up to this node, but the properties say ${arcs} in all`)
    this.start = this.end
    if (degree > 0) this.#readList(degree)
    this.#starts[this.node % this.#starts.length] = this.start
    this.node++
  }

  #readList(degree: number): void {
    const reference = this.#readReference()
    let copied = 0
    if (reference > 0) copied = this.#readBlocks(this.#degreeBefore(reference), degree)
    this.#intervals.length = 0
    this.#residuals.length = 0
    if (copied < degree) this.#readExtras(degree - copied)

    this.#reserve(degree)
    this.end = this.start + degree
    if (reference === 0) this.#placeExtras(this.list, this.start, degree)
    else if (copied === degree) this.#copy(this.#startBefore(reference), this.list, this.start)
    else this.#mergeCopied(this.#startBefore(reference), copied, degree - copied)
  }

  #readReference(): number {
    const { windowSize } = this.#properties
    if (windowSize === 0) return 0
    const reference = this.#reader.read(this.#codes.references)
    if (reference > windowSize)
      this.#fail(`reference ${reference} reaches beyond the window of ${windowSize} lists`)
    if (reference > this.node) this.#fail(`reference ${reference} reaches before node 0`)
    return reference
  }

  /** Reads the copy blocks and adds the last, implied run; returns the number of copied successors. */
  #readBlocks(referenceDegree: number, degree: number): number {
    const blocks = this.#blocks
    const count = this.#reader.read(this.#codes.blockCounts)
    if (count > referenceDegree + 1) this.#fail(`${count} blocks to copy from a list of ${referenceDegree}`)
    blocks.length = 0
    let total = 0
    let copied = 0
    for (let i = 0; i < count; i++) {
      const block = this.#reader.read(this.#codes.blocks) + (i === 0 ? 0 : 1)
      total += block
      if (total > referenceDegree)
        this.#fail(`blocks reach beyond the ${referenceDegree} successors to copy from`)
      if ((i & 1) === 0) copied += block
      blocks.push(block)
    }
    if ((count & 1) === 0) {
      copied += referenceDegree - total
      blocks.push(referenceDegree - total)
    }
    if (copied > degree) this.#fail(`${copied} successors copied into a list of ${degree}`)
    return copied
  }

  #readExtras(count: number): void {
    const { minIntervalLength } = this.#properties
    let left = count
    if (minIntervalLength > 0) left -= this.#readIntervals(count, minIntervalLength)
    if (left > 0) this.#readResiduals(left)
  }

  /** Reads the intervals; returns the number of successors in them. */
  #readIntervals(room: number, lengthMin: number): number {
    const reader = this.#reader
    const code = this.#codes.intervals
    const count = reader.read(code)
    let held = 0
    let next = this.node
    for (let i = 0; i < count; i++) {
      const distance = reader.read(code)
      next += i === 0 ? fromNatural(distance) : distance + 1
      const length = reader.read(code) + lengthMin
      held += length
      if (held > room) this.#fail(`intervals hold more than the ${room} successors that are left`)
      if (next < 0 || next + length > this.#properties.nodes)
        this.#failSuccessor(next < 0 ? next : next + length - 1)
      this.#intervals.push(next)
      this.#intervals.push(length)
      next += length
    }
    return held
  }

  #readResiduals(count: number): void {
    const { nodes } = this.#properties
    const reader = this.#reader
    const code = this.#codes.residuals
    const residuals = this.#residuals
    let successor = this.node + fromNatural(reader.read(code))
    if (successor < 0) this.#failSuccessor(successor)
    for (let i = 1; ; i++) {
      if (successor >= nodes) this.#failSuccessor(successor)
      residuals.push(successor)
      if (i === count) return
      successor += reader.read(code) + 1
    }
  }

  /** Writes intervals and residuals, `count` in all, merged into one ascending list. */
  #placeExtras(into: Uint32Array, at: number, count: number): void {
    const intervals = this.#intervals
    const residuals = this.#residuals.values
    const residualCount = this.#residuals.length
    if (residualCount === count && count > 16) {
      into.set(residuals.subarray(0, count), at)
      return
    }
    let r = 0
    let to = at
    for (let i = 0; i < intervals.length; i += 2) {
      const left = intervals.values[i]
      const length = intervals.values[i + 1]
      while (r < residualCount && residuals[r] < left) into[to++] = residuals[r++]
      if (r < residualCount && residuals[r] < left + length) this.#failTwice(residuals[r])
      for (let successor = left; successor < left + length; successor++) into[to++] = successor
    }
    while (r < residualCount) into[to++] = residuals[r++]
  }

  /** Writes the copied successors of the reference list at `from`. */
  #copy(from: number, into: Uint32Array, at: number): void {
    const list = this.list
    const { values, length } = this.#blocks
    let to = at
    let source = from
    for (let b = 0; b < length; b += 2) {
      for (const end = source + values[b]; source < end;) into[to++] = list[source++]
      source += values[b + 1]
    }
  }

  #mergeCopied(from: number, copied: number, extraCount: number): void {
    const { list } = this
    const extras = this.#extras
    extras.reserve(extraCount)
    this.#placeExtras(extras.values, 0, extraCount)
    // The copied successors go to the end of the new list's space and are merged towards its start, in place.
    let source = this.start + extraCount
    this.#copy(from, list, source)
    let to = this.start
    for (let e = 0; e < extraCount; e++) {
      const extra = extras.values[e]
      while (source < this.start + extraCount + copied && list[source] < extra) list[to++] = list[source++]
      if (source < this.start + extraCount + copied && list[source] === extra) this.#failTwice(extra)
      list[to++] = extra
    }
  }

  #startBefore(distance: number): number {
    return this.#starts[(this.node - distance) % this.#starts.length]
  }

  #degreeBefore(distance: number): number {
    const end = distance === 1 ? this.start : this.#startBefore(distance - 1)
    return end - this.#startBefore(distance)
  }

  /**
   * Makes room for the new list at `start`: drops the lists that have left the window, and grows only if that
   * is not enough.
   */
  #reserve(count: number): void {
    if (this.start + count <= this.list.length) return
    const kept = Math.min(this.node, this.#starts.length - 1)
    const from = kept === 0 ? this.start : this.#startBefore(kept)
    const needed = this.start - from + count
    const target = needed * 2 > this.list.length ? new Uint32Array(needed * 2) : this.list
    if (target === this.list) target.copyWithin(0, from, this.start)
    else target.set(this.list.subarray(from, this.start))
    for (let distance = kept; distance > 0; distance--) {
      this.#starts[(this.node - distance) % this.#starts.length] -= from
    }
    this.list = target
    this.start -= from
  }

  #failSuccessor(successor: number): never {
    return this.#fail(`successor ${successor} in a graph of ${this.#properties.nodes} nodes`)
  }

  #failTwice(successor: number): never {
    return this.#fail(`successor ${successor} twice`)
  }

  #fail(what: string): never {
    throw new BitStreamError(what, this.#reader.position)
  }
}

/** Maps 0, 1, 2, 3, 4 … to 0, -1, 1, -2, 2 … */
function fromNatural(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
