/**
 * Reads facts back from bytes. A new kind of fact is added to `factKinds`, the writer, `FactReader.#read` and `forwardTo`, and nowhere
 * else.
 */
import { factKinds, lookFlags, type FactListener } from './fact.ts'
import type { Reading } from './reading.ts'
import { verdicts } from './recrawl-policy.ts'
import { failureCauses } from './world.ts'

/** Reads facts and passes each one on to every listener in turn. Throws a RangeError where the bytes are no facts. */
export function readFacts(bytes: Uint8Array, ...listeners: readonly Partial<FactListener>[]): void {
  new FactReader(bytes).readTo(forwardTo(listeners))
}

class FactReader {
  readonly #bytes: FactBytes
  #links = new Uint32Array(256)
  #newSites = new Uint32Array(256)
  #newCount = 0
  /** Of the page that is fetched next. */
  #reading: Reading | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = new FactBytes(bytes)
  }

  readTo(listener: FactListener): void {
    while (!this.#bytes.isAtEnd) this.#read(this.#bytes.byte(), listener)
  }

  #read(kind: number, listener: FactListener): void {
    const bytes = this.#bytes
    switch (kind) {
      case factKinds.seed:
        return listener.seed(bytes.varint())
      case factKinds.postponed:
        return listener.postponed(bytes.varint())
      case factKinds.demoted:
        return listener.postponed(bytes.varint(), true)
      case factKinds.failed:
        return listener.failed(bytes.varint(), failureCauses[bytes.byte()])
      case factKinds.fetched:
      case factKinds.redirected:
        return this.#fetched(kind === factKinds.redirected, listener)
      case factKinds.reading:
        this.#reading = readingFrom(bytes)
        return
      case factKinds.retry:
        return listener.retry(bytes.varint())
      case factKinds.closed:
        return listener.closed(bytes.varint(), bytes.number())
      case factKinds.proven:
        return listener.proven(bytes.varint())
      case factKinds.slow:
        return listener.slow(bytes.varint())
      case factKinds.connections:
        return listener.connections(bytes.number(), bytes.number())
      case factKinds.looked:
        return this.#looked(listener)
      case factKinds.signal:
        return listener.signal?.(bytes.varint(), bytes.time())
      case factKinds.rate:
        return listener.rate?.(bytes.number())
      case factKinds.round:
        return listener.round?.(bytes.byte() === 1)
      case factKinds.cut:
        return listener.cut?.(bytes.number(), bytes.byte() === 1)
      case factKinds.arrived:
        return this.#arrived(listener)
      case factKinds.price:
        return listener.price?.(bytes.number())
      case factKinds.moment:
        return listener.moment?.(bytes.number())
      case factKinds.listed:
        return listener.listed?.(bytes.varint(), bytes.varint() - 1)
      case factKinds.budget:
        return listener.budget(bytes.number(), bytes.number(), bytes.number())
      default:
        listener.dispatchAt(bytes.number())
    }
  }

  #fetched(isRedirect: boolean, listener: FactListener): void {
    const bytes = this.#bytes
    const page = bytes.varint()
    const linkCount = this.#readLinks()
    const reading = this.#reading
    this.#reading = undefined
    listener.fetched(page, this.#links, linkCount, this.#newSites, reading, isRedirect)
  }

  #looked(listener: FactListener): void {
    const bytes = this.#bytes
    const flags = bytes.byte()
    const verdict = verdicts[flags & (lookFlags.isDated - 1)]
    const page = bytes.varint()
    const seconds = bytes.time()
    const dated = (flags & lookFlags.isDated) === 0 ? undefined : bytes.wide() / 1000
    const size = (flags & lookFlags.hasBytes) === 0 ? undefined : bytes.wide()
    const linkCount = verdict === 'changed' ? this.#readLinks() : 0
    listener.looked?.(page, seconds, verdict, this.#links, linkCount, this.#newSites, dated, size)
  }

  #arrived(listener: FactListener): void {
    const source = this.#bytes.varint()
    const number = this.#bytes.varint()
    const home = this.#bytes.number()
    const count = this.#readLinks()
    const amounts = new Float64Array(count)
    for (let i = 0; i < count; i++) amounts[i] = this.#bytes.number()
    const foundMs = new Uint32Array(this.#newCount)
    for (let i = 0; i < foundMs.length; i++) foundMs[i] = this.#bytes.ms()
    const arrival = { home, pages: this.#links, amounts, count, newSites: this.#newSites, foundMs }
    listener.arrived?.(source, number, arrival)
  }

  /** Reads links and the sites of new pages. Returns the number of links. */
  #readLinks(): number {
    const linkCount = this.#bytes.varint()
    this.#links = this.#bytes.varints(linkCount, this.#links)
    this.#newCount = this.#bytes.varint()
    this.#newSites = this.#bytes.varints(this.#newCount, this.#newSites)
    return linkCount
  }
}

/** The bytes of facts, read from front to back. */
class FactBytes {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0
  /** The last time read. */
  #ms = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  byte(): number {
    return this.#bytes[this.#at++]
  }

  varint(): number {
    const bytes = this.#bytes
    let at = this.#at
    let value = 0
    let shift = 0
    let byte = bytes[at++]
    while (byte >= 0x80) {
      value |= (byte & 0x7f) << shift
      shift += 7
      byte = bytes[at++]
    }
    this.#at = at
    return (value | (byte << shift)) >>> 0
  }

  /** A whole number of up to 53 bits. */
  wide(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      // Bytes that are no fact must not be read for ever.
      if (!(byte >= 0x80)) return value
      scale *= 0x80
    }
  }

  /** A time in milliseconds. */
  ms(): number {
    const coded = this.wide()
    this.#ms += coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2
    return this.#ms
  }

  /** A time in seconds. */
  time(): number {
    return this.ms() / 1000
  }

  /** Reads `count` varints into this array or a larger one. */
  varints(count: number, into: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    const room = into.length >= count ? into : new Uint32Array(count * 2)
    for (let i = 0; i < count; i++) room[i] = this.varint()
    return room
  }

  number(): number {
    this.#at += 8
    return this.#view.getFloat64(this.#at - 8, true)
  }
}

function readingFrom(bytes: FactBytes): Reading {
  const relevance = bytes.number()
  const isHot = bytes.byte() === 1
  const count = bytes.varint()
  const similarity = new Float32Array(count)
  const mentions = new Uint8Array(count)
  const ends = new Uint32Array(count)
  const clues: number[] = []
  for (let link = 0; link < count; link++) {
    const flags = bytes.byte()
    mentions[link] = flags & 1
    if ((flags & 2) !== 0) similarity[link] = bytes.number()
    for (let left = bytes.varint(); left > 0; left--) clues.push(bytes.varint())
    ends[link] = clues.length
  }
  return { relevance, isHot, similarity, mentions, ends, clues: Uint16Array.from(clues) }
}

/** Passes each fact on to all of these in turn; each may lack methods. */
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
    looked(...look) {
      for (const each of listeners) each.looked?.(...look)
    },
    signal(page, seconds) {
      for (const each of listeners) each.signal?.(page, seconds)
    },
    rate(perDay) {
      for (const each of listeners) each.rate?.(perDay)
    },
    round(isRound) {
      for (const each of listeners) each.round?.(isRound)
    },
    cut(limit, all) {
      for (const each of listeners) each.cut?.(limit, all)
    },
    arrived(source, number, arrival) {
      for (const each of listeners) each.arrived?.(source, number, arrival)
    },
    price(key) {
      for (const each of listeners) each.price?.(key)
    },
    moment(now) {
      for (const each of listeners) each.moment?.(now)
    },
    listed(site, parent) {
      for (const each of listeners) each.listed?.(site, parent)
    },
    budget(pagesMax, coverage, failuresMax) {
      for (const each of listeners) each.budget?.(pagesMax, coverage, failuresMax)
    },
  }
}
