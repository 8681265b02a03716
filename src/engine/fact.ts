/**
 * Facts: the events that the world reported to the engine, and the times at which the engine decided. The
 * journal stores them in order, and the engine's state is a function of them. Page and site numbers are
 * varints: about 2 bytes per link.
 */
import { GrowingUint8 } from '../lib/growing-array.ts'
import type { Reading } from './reading.ts'
import { failureCauses, type FailureCause } from './world.ts'

export const factKinds = {
  seed: 0,
  fetched: 1,
  failed: 2,
  closed: 3,
  dispatch: 4,
  postponed: 5,
  budget: 6,
  demoted: 7,
  reading: 8,
  retry: 9,
  proven: 10,
  slow: 11,
  /** Same as `fetched`, for a redirect. */
  redirected: 12,
  connections: 13,
} as const

/** Encodes a sequence of facts. */
export class FactWriter {
  readonly #bytes = new GrowingUint8(1 << 12)
  readonly #float = new Float64Array(1)
  readonly #floatBytes = new Uint8Array(this.#float.buffer)
  length = 0

  seed(site: number): void {
    this.#byte(factKinds.seed)
    this.#varint(site)
  }

  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    newCount: number,
    reading?: Reading,
    isRedirect = false,
  ): void {
    if (reading !== undefined) this.#reading(reading)
    this.#byte(isRedirect ? factKinds.redirected : factKinds.fetched)
    this.#varint(page)
    this.#varint(linkCount)
    for (let i = 0; i < linkCount; i++) this.#varint(links[i])
    this.#varint(newCount)
    for (let i = 0; i < newCount; i++) this.#varint(newSites[i])
  }

  /** The reading of the page whose `fetched` fact follows. */
  #reading({ relevance, isHot, similarity, mentions, ends, clues }: Reading): void {
    this.#byte(factKinds.reading)
    this.#number(relevance)
    this.#byte(isHot ? 1 : 0)
    this.#varint(ends.length)
    let at = 0
    for (let link = 0; link < ends.length; link++) {
      this.#byte((mentions[link] === 1 ? 1 : 0) | (similarity[link] === 0 ? 0 : 2))
      if (similarity[link] !== 0) this.#number(similarity[link])
      this.#varint(ends[link] - at)
      for (; at < ends[link]; at++) this.#varint(clues[at])
    }
  }

  failed(page: number, cause: FailureCause): void {
    this.#byte(factKinds.failed)
    this.#varint(page)
    this.#byte(failureCauses.indexOf(cause))
  }

  postponed(page: number, last = false): void {
    this.#byte(last ? factKinds.demoted : factKinds.postponed)
    this.#varint(page)
  }

  retry(page: number): void {
    this.#byte(factKinds.retry)
    this.#varint(page)
  }

  closed(site: number, freeAt: number): void {
    this.#byte(factKinds.closed)
    this.#varint(site)
    this.#number(freeAt)
  }

  proven(site: number): void {
    this.#byte(factKinds.proven)
    this.#varint(site)
  }

  slow(site: number): void {
    this.#byte(factKinds.slow)
    this.#varint(site)
  }

  /** The engine decided at this time. The decision itself follows from the facts before. */
  dispatch(now: number): void {
    this.#byte(factKinds.dispatch)
    this.#number(now)
  }

  /** The limits of connections from here on. */
  connections(max: number, unprovenMax: number): void {
    this.#byte(factKinds.connections)
    this.#number(max)
    this.#number(unprovenMax)
  }

  /** The limits of the crawl from here on. */
  budget(pagesMax: number, coverage: number, failuresMax: number): void {
    this.#byte(factKinds.budget)
    this.#number(pagesMax)
    this.#number(coverage)
    this.#number(failuresMax)
  }

  /** Returns a copy of the bytes written so far and starts over. */
  takeBytes(): Uint8Array {
    const bytes = this.#bytes.array.slice(0, this.length)
    this.length = 0
    return bytes
  }

  #byte(value: number): void {
    this.#bytes.ensure(this.length)
    this.#bytes.array[this.length++] = value
  }

  #varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.#byte(rest)
  }

  #number(value: number): void {
    this.#float[0] = value
    for (const byte of this.#floatBytes) this.#byte(byte)
  }
}

/** Receives decoded facts in order. */
export interface FactListener {
  seed(site: number): void
  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    reading?: Reading,
    isRedirect?: boolean,
  ): void
  failed(page: number, cause: FailureCause): void
  postponed(page: number, last?: boolean): void
  /** A page that failed temporarily is requeued. */
  retry(page: number): void
  proven(site: number): void
  slow(site: number): void
  closed(site: number, freeAt: number): void
  dispatchAt(now: number): void
  budget(pagesMax: number, coverage: number, failuresMax: number): void
  connections(max: number, unprovenMax: number): void
}

/**
 * Returns one listener that forwards each fact to all of these in turn; each implements only the methods it
 * needs. A new kind of fact is added here and in `readFacts`, and nowhere else.
 */
function forwardTo(listeners: readonly Partial<FactListener>[]): FactListener {
  return {
    seed(site) {
      for (const each of listeners) each.seed?.(site)
    },
    fetched(page, links, linkCount, newSites, reading, isRedirect) {
      for (const each of listeners) each.fetched?.(page, links, linkCount, newSites, reading, isRedirect)
    },
    failed(page, cause) {
      for (const each of listeners) each.failed?.(page, cause)
    },
    postponed(page, last) {
      for (const each of listeners) each.postponed?.(page, last)
    },
    retry(page) {
      for (const each of listeners) each.retry?.(page)
    },
    proven(site) {
      for (const each of listeners) each.proven?.(site)
    },
    slow(site) {
      for (const each of listeners) each.slow?.(site)
    },
    closed(site, freeAt) {
      for (const each of listeners) each.closed?.(site, freeAt)
    },
    dispatchAt(now) {
      for (const each of listeners) each.dispatchAt?.(now)
    },
    connections(max, unprovenMax) {
      for (const each of listeners) each.connections?.(max, unprovenMax)
    },
    budget(pagesMax, coverage, failuresMax) {
      for (const each of listeners) each.budget?.(pagesMax, coverage, failuresMax)
    },
  }
}

/**
 * Decodes facts and passes each to every listener in turn. Throws a RangeError if the bytes are not valid
 * facts.
 */
export function readFacts(bytes: Uint8Array, ...listeners: readonly Partial<FactListener>[]): void {
  const listener = forwardTo(listeners)
  let at = 0
  let links = new Uint32Array(256)
  let newSites = new Uint32Array(256)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const varint = (): number => {
    let value = 0
    let shift = 0
    let byte = bytes[at++]
    while (byte >= 0x80) {
      value |= (byte & 0x7f) << shift
      shift += 7
      byte = bytes[at++]
    }
    return (value | (byte << shift)) >>> 0
  }
  const number = (): number => {
    at += 8
    return view.getFloat64(at - 8, true)
  }
  const list = (into: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> => {
    const room = into.length >= count ? into : new Uint32Array(count * 2)
    for (let i = 0; i < count; i++) room[i] = varint()
    return room
  }
  const readReading = (): Reading => {
    const relevance = number()
    const isHot = bytes[at++] === 1
    const count = varint()
    const similarity = new Float32Array(count)
    const mentions = new Uint8Array(count)
    const ends = new Uint32Array(count)
    const clues: number[] = []
    for (let link = 0; link < count; link++) {
      const flags = bytes[at++]
      mentions[link] = flags & 1
      if ((flags & 2) !== 0) similarity[link] = number()
      for (let left = varint(); left > 0; left--) clues.push(varint())
      ends[link] = clues.length
    }
    return { relevance, isHot, similarity, mentions, ends, clues: Uint16Array.from(clues) }
  }
  let reading: Reading | undefined
  while (at < bytes.length) {
    const kind = bytes[at++]
    if (kind === factKinds.seed) listener.seed(varint())
    else if (kind === factKinds.postponed) listener.postponed(varint())
    else if (kind === factKinds.demoted) listener.postponed(varint(), true)
    else if (kind === factKinds.failed) listener.failed(varint(), failureCauses[bytes[at++]])
    else if (kind === factKinds.fetched || kind === factKinds.redirected) {
      const page = varint()
      const linkCount = varint()
      links = list(links, linkCount)
      newSites = list(newSites, varint())
      listener.fetched(page, links, linkCount, newSites, reading, kind === factKinds.redirected)
      reading = undefined
    } else if (kind === factKinds.reading) reading = readReading()
    else if (kind === factKinds.retry) listener.retry(varint())
    else if (kind === factKinds.closed) listener.closed(varint(), number())
    else if (kind === factKinds.proven) listener.proven(varint())
    else if (kind === factKinds.slow) listener.slow(varint())
    else if (kind === factKinds.connections) listener.connections(number(), number())
    else if (kind === factKinds.budget) listener.budget(number(), number(), number())
    else listener.dispatchAt(number())
  }
}
