/**
 * A group: the unit of durability. Everything that a crawl learnt in about half a second, in one encoding,
 * stored whole or not at all: facts, sites, pages found, outcomes, robots.txt files, how far the WARC files
 * go, counts, settings.
 *
 *   time (8) · sections: kind (1) · length (4) · bytes
 *
 * Found pages and outcomes can be read one at a time: each is a record of its own, with its length and a
 * checksum.
 */
import { crc32 } from 'node:zlib'
import { ByteReader } from '../lib/byte-reader.ts'
import { ByteWriter } from '../lib/byte-writer.ts'
import { encodeFound, type FoundRecord } from './found-record.ts'
import { encodeOutcome } from './outcome-code.ts'
import type { OutcomeRecord } from './outcome-record.ts'
import type { RobotsRecord } from './robots-record.ts'

/** How far a thread's WARC files go. */
export interface WarcEnd {
  readonly serial: number
  readonly length: number
}

/** The settings of a session. */
export interface SettingsSince {
  /** In milliseconds of the epoch. */
  readonly since: number
  readonly settings: object
}

export interface Group {
  /** When it was closed, in milliseconds of the epoch. */
  readonly at: number
  readonly facts: Uint8Array
  /** Names of the sites that are new, in the order of their numbers. */
  readonly sites: readonly string[]
  /** Pages that are new, in the order of their numbers. */
  readonly found: readonly FoundRecord[]
  readonly outcomes: Iterable<readonly [page: number, record: OutcomeRecord]>
  readonly robots: Iterable<readonly [origin: string, record: RobotsRecord]>
  readonly warcEnds: Iterable<readonly [thread: number, end: WarcEnd]>
  /** Of the whole crawl at that moment. */
  readonly counts: object
  /** How far the crawl is at that moment, for people: `rankward status`. */
  readonly progress?: object | undefined
  /** Settings that hold from here on, whole; undefined: as before. */
  readonly settings?: SettingsSince | undefined
  /** The topic's table of word frequencies, whole; undefined: as before. */
  readonly words?: Uint8Array | undefined
}

export const sections = {
  facts: 1,
  sites: 2,
  found: 3,
  outcomes: 4,
  robots: 5,
  warcEnds: 6,
  counts: 7,
  settings: 8,
  words: 9,
  progress: 10,
} as const
export type SectionName = keyof typeof sections
const sectionNames = Object.fromEntries(
  Object.entries(sections).map(([name, kind]) => [kind, name as SectionName]),
)

/** `siteName`: of any site, the new ones included. */
export function encodeGroup(group: Group, siteName: (site: number) => string): Buffer {
  const whole = new ByteWriter()
  const part = new ByteWriter()
  const section = (name: SectionName, write: () => void): void => {
    part.clear()
    write()
    if (part.length === 0) return
    whole.byte(sections[name])
    whole.uint32(part.length)
    whole.raw(part.view())
  }
  const record = new ByteWriter()
  whole.double(group.at)
  section('facts', () => part.raw(group.facts))
  section('sites', () => group.sites.forEach((name) => part.text(name)))
  section('found', () => {
    for (const found of group.found) {
      record.clear()
      encodeFound(record, found, siteName(found.site))
      writeRecord(part, record)
    }
  })
  section('outcomes', () => {
    for (const [page, outcome] of group.outcomes) {
      part.varint(page)
      record.clear()
      encodeOutcome(record, outcome)
      writeRecord(part, record)
    }
  })
  section('robots', () => {
    for (const [origin, robots] of group.robots) {
      part.text(origin)
      record.clear()
      record.raw(Buffer.from(JSON.stringify(robots)))
      writeRecord(part, record)
    }
  })
  section('warcEnds', () => {
    for (const [thread, end] of group.warcEnds) {
      // A thread that has written nothing has the serial number -1.
      for (const number of [thread, end.serial + 1, end.length]) part.varint(number)
    }
  })
  section('counts', () => part.raw(Buffer.from(JSON.stringify(group.counts))))
  if (group.progress !== undefined) {
    section('progress', () => part.raw(Buffer.from(JSON.stringify(group.progress))))
  }
  if (group.settings !== undefined)
    section('settings', () => part.raw(Buffer.from(JSON.stringify(group.settings))))
  if (group.words !== undefined) section('words', () => part.raw(group.words!))
  return Buffer.from(whole.view())
}

function writeRecord(into: ByteWriter, record: ByteWriter): void {
  const bytes = record.view()
  into.block(bytes)
  const sum = crc32(bytes) & 0xffff
  into.byte(sum & 0xff)
  into.byte(sum >> 8)
}

/** A record by itself, with its checksum; throws a RangeError where it does not fit. */
export function readRecord(from: ByteReader): ByteReader {
  const bytes = from.block()
  const sum = from.byte() | (from.byte() << 8)
  if ((crc32(bytes) & 0xffff) !== sum) throw new RangeError('a record does not fit its checksum')
  return new ByteReader(bytes)
}

/** Skips a record; returns the offset at which it began. */
export function skipRecord(from: ByteReader): number {
  const { at } = from
  from.raw(from.varint() + 2)
  return at
}

/** A group's sections, found but not decoded. */
export class GroupBytes {
  readonly at: number
  readonly #bytes: Uint8Array
  readonly #sections = new Map<SectionName, { readonly start: number; readonly length: number }>()

  /** Throws a RangeError where the bytes are no group, or one of a newer kind. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    const reader = new ByteReader(bytes)
    this.at = reader.double()
    while (!reader.isAtEnd) {
      const kind = reader.byte()
      const name = sectionNames[kind]
      if (name === undefined) throw new RangeError(`a group has a section of the unknown kind ${kind}`)
      const length = reader.uint32()
      this.#sections.set(name, { start: reader.at, length })
      reader.raw(length)
    }
  }

  /** Where a section begins in the group; 0: it has none. */
  startOf(name: SectionName): number {
    return this.#sections.get(name)?.start ?? 0
  }

  /** A section's bytes; empty where it has none. */
  section(name: SectionName): Uint8Array {
    const { start, length } = this.#sections.get(name) ?? { start: 0, length: 0 }
    return this.#bytes.subarray(start, start + length)
  }

  json(name: 'counts' | 'progress' | 'settings'): object | undefined {
    const bytes = this.section(name)
    return bytes.length === 0 ? undefined : (JSON.parse(Buffer.from(bytes).toString()) as object)
  }
}
