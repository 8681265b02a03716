/**
 * Reads facts back from bytes. A new kind of fact is added to `factKinds`, the writer and the table of readers, and nowhere else.
 */
import { factKinds, lookFlags, type FactListener } from './fact.ts'
import type { Reading } from './reading.ts'
import { verdicts } from './recrawl-policy.ts'
import { failureCauses } from './world.ts'

/** Reads facts and passes each one on to every listener in turn. Throws a RangeError where the bytes are no facts. */
export function readFacts(bytes: Uint8Array, ...listeners: readonly Partial<FactListener>[]): void {
  new FactReader(bytes, listeners).read()
}

type Facts = Required<FactListener>

class FactReader {
  readonly bytes: FactBytes
  readonly #listeners: readonly Partial<FactListener>[]
  #links = new Uint32Array(256)
  #newSites = new Uint32Array(256)
  #newCount = 0
  /** Of the page that is fetched next. */
  #reading: Reading | undefined

  constructor(bytes: Uint8Array, listeners: readonly Partial<FactListener>[]) {
    this.bytes = new FactBytes(bytes)
    this.#listeners = listeners
  }

  read(): void {
    while (!this.bytes.isAtEnd) {
      const kind = this.bytes.byte()
      if (kind >= readers.length) throw new RangeError(`there is no fact of kind ${kind}`)
      readers[kind](this)
    }
  }

  tell<Name extends keyof Facts>(name: Name, ...fact: Parameters<Facts[Name]>): void {
    for (const each of this.#listeners) (each[name] as ((...fact: unknown[]) => void) | undefined)?.(...fact)
  }

  readReading(): void {
    this.#reading = readingFrom(this.bytes)
  }

  fetched(isRedirect: boolean): void {
    const page = this.bytes.varint()
    const linkCount = this.#readLinks()
    const reading = this.#reading
    this.#reading = undefined
    this.tell('fetched', page, this.#links, linkCount, this.#newSites, reading, isRedirect)
  }

  looked(): void {
    const bytes = this.bytes
    const flags = bytes.byte()
    const verdict = verdicts[flags & (lookFlags.isDated - 1)]
    const page = bytes.varint()
    const seconds = bytes.time()
    const dated = (flags & lookFlags.isDated) === 0 ? undefined : bytes.wide() / 1000
    const size = (flags & lookFlags.hasBytes) === 0 ? undefined : bytes.wide()
    const linkCount = verdict === 'changed' ? this.#readLinks() : 0
    this.tell('looked', page, seconds, verdict, this.#links, linkCount, this.#newSites, dated, size)
  }

  arrived(): void {
    const source = this.bytes.varint()
    const number = this.bytes.varint()
    const home = this.bytes.number()
    const count = this.#readLinks()
    const amounts = new Float64Array(count)
    for (let i = 0; i < count; i++) amounts[i] = this.bytes.number()
    const foundMs = new Uint32Array(this.#newCount)
    for (let i = 0; i < foundMs.length; i++) foundMs[i] = this.bytes.ms()
    const arrival = { home, pages: this.#links, amounts, count, newSites: this.#newSites, foundMs }
    this.tell('arrived', source, number, arrival)
  }

  /** Reads links and the sites of new pages. Returns the number of links. */
  #readLinks(): number {
    const linkCount = this.bytes.varint()
    this.#links = this.bytes.varints(linkCount, this.#links)
    this.#newCount = this.bytes.varint()
    this.#newSites = this.bytes.varints(this.#newCount, this.#newSites)
    return linkCount
  }
}

type ReadFact = (facts: FactReader) => void

const readerOf: Readonly<Record<keyof typeof factKinds, ReadFact>> = {
  seed: (facts) => facts.tell('seed', facts.bytes.varint()),
  fetched: (facts) => facts.fetched(false),
  redirected: (facts) => facts.fetched(true),
  reading: (facts) => facts.readReading(),
  failed: (facts) => facts.tell('failed', facts.bytes.varint(), failureCauses[facts.bytes.byte()]),
  postponed: (facts) => facts.tell('postponed', facts.bytes.varint()),
  demoted: (facts) => facts.tell('postponed', facts.bytes.varint(), 'last'),
  repeated: (facts) => facts.tell('postponed', facts.bytes.varint(), 'retry'),
  retry: (facts) => facts.tell('retry', facts.bytes.varint()),
  closed: (facts) => facts.tell('closed', facts.bytes.varint(), facts.bytes.number()),
  proven: (facts) => facts.tell('proven', facts.bytes.varint()),
  slow: (facts) => facts.tell('slow', facts.bytes.varint()),
  dispatch: (facts) => facts.tell('dispatchAt', facts.bytes.number()),
  budget: (facts) => facts.tell('budget', facts.bytes.number(), facts.bytes.number(), facts.bytes.number()),
  connections: (facts) => facts.tell('connections', facts.bytes.number(), facts.bytes.number()),
  looked: (facts) => facts.looked(),
  signal: (facts) => facts.tell('signal', facts.bytes.varint(), facts.bytes.time()),
  rate: (facts) => facts.tell('rate', facts.bytes.number()),
  round: (facts) => facts.tell('round', facts.bytes.byte() === 1),
  allKnown: (facts) => facts.tell('allKnown', facts.bytes.varint()),
  raised: (facts) => facts.tell('raisedAt', facts.bytes.number()),
  listed: (facts) => facts.tell('listed', facts.bytes.varint(), facts.bytes.varint() - 1),
  cut: (facts) => facts.tell('cut', facts.bytes.number(), facts.bytes.byte() === 1),
  arrived: (facts) => facts.arrived(),
  price: (facts) => facts.tell('price', facts.bytes.number()),
  moment: (facts) => facts.tell('moment', facts.bytes.number()),
}

/** By the number of the kind. */
const readers: ReadFact[] = []
for (const [name, kind] of Object.entries(factKinds)) readers[kind] = readerOf[name as keyof typeof factKinds]

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
