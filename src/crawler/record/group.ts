/**
 * A group: the unit of durability. It has everything that a crawl recorded in about half a second, and is
 * stored completely or not at all: facts, sites, discovered pages, outcomes, looks, robots.txt files, changes of the
 * schedule of sitemaps and feeds, ends of the WARC files, counts, settings.
 *
 *   time (8) · sections: kind (1) · length (4) · bytes
 *
 * Discovered pages, outcomes and looks can be read individually: each is a record with its length and a checksum.
 */
import { crc32 } from 'node:zlib'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { encodeOutcome, type OutcomeRecord } from './outcome-record.ts'
import { encodeLook, type LookRecord } from './look-record.ts'
import type { Place } from './record-index.ts'
import { NewerFormat } from './segment.ts'

/** A site's robots.txt, as stored. */
export interface RobotsRecord {
  /** When it was fetched, in seconds since the epoch. */
  readonly at: number
  /** Undefined without a response. */
  readonly status?: number | undefined
  /** One character per byte. */
  readonly text: string
}

/** The end of a WARC file: its serial number, its length, and the bytes of the lines of its index. */
export interface WarcEnd {
  readonly serial: number
  readonly length: number
  readonly indexBytes: number
}

/** The end of a thread's WARC files: of the current one, and of those that were finished since the group before. */
export interface WarcEnds extends WarcEnd {
  readonly finished: readonly WarcEnd[]
}

/** The settings of a session. */
export interface SettingsSince {
  /** In milliseconds since the epoch. */
  readonly since: number
  readonly settings: object
}

/** Writes an entry of a part's section. Called when its group is written. */
export type Entry = (into: ByteWriter) => void

interface Group {
  /** When it was closed, in milliseconds since the epoch. */
  readonly at: number
  readonly facts: Uint8Array
  /** Names of new sites, by site number. */
  readonly sites: readonly string[]
  /** New pages, by page number, as records (found-record.ts). */
  readonly found: Uint8Array
  readonly outcomes: Iterable<readonly [page: number, record: OutcomeRecord]>
  /** Entries of the sections of parts, in order. */
  readonly entries?: ReadonlyMap<SectionName, readonly Entry[]> | undefined
  /** In a crawl that fetches pages again: the looks, in order. */
  readonly looks?: Iterable<readonly [page: number, record: LookRecord]> | undefined
  readonly robots: Iterable<readonly [origin: string, record: RobotsRecord]>
  readonly warcEnds: Iterable<readonly [thread: number, ends: WarcEnds]>
  /** Of the whole crawl at that time. */
  readonly counts: object
  /** The progress of the crawl at that time, for `rankward status`. */
  readonly progress?: object | undefined
  /** The complete settings from here on, once for each change; empty if unchanged. */
  readonly settings?: readonly SettingsSince[] | undefined
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
  looks: 11,
  fresh: 12,
  sources: 13,
  /** Of a shard: the head of its journal's group (src/cluster/protocol/shard-group.ts). */
  head: 14,
  requisites: 15,
  handled: 16,
  rendered: 17,
} as const
export type SectionName = keyof typeof sections
/** Sections of parts whose newest replaces all before. */
export const replacedSections = ['words'] as const
export type ReplacedSection = (typeof replacedSections)[number]
export const sectionNames: Readonly<Record<number, SectionName | undefined>> = Object.fromEntries(
  Object.entries(sections).map(([name, kind]) => [kind, name as SectionName]),
)

/** Encodes groups, one after the other in the same memory. */
export class GroupEncoder {
  readonly #whole = new ByteWriter()
  readonly #part = new ByteWriter()
  readonly #record = new ByteWriter()

  /** The bytes are valid until the next call. `lastLook` is the place of the last look at a page in earlier groups. */
  encode(group: Group, lastLook: (page: number) => Place | undefined): Buffer {
    const whole = this.#whole
    const part = this.#part
    const record = this.#record
    whole.clear()
    const section = (name: SectionName, write: () => void): void => {
      part.clear()
      write()
      if (part.length === 0) return
      whole.byte(sections[name])
      whole.uint32(part.length)
      whole.raw(part.view())
    }
    whole.double(group.at)
    section('facts', () => part.raw(group.facts))
    section('sites', () => group.sites.forEach((name) => part.text(name)))
    section('found', () => part.raw(group.found))
    section('outcomes', () => {
      for (const [page, outcome] of group.outcomes) {
        part.varint(page)
        record.clear()
        encodeOutcome(record, outcome)
        writeRecord(part, record)
      }
    })
    section('looks', () => {
      const starts = new Map<number, number>()
      for (const [page, look] of group.looks ?? []) {
        part.varint(page)
        const start = part.length
        const before = starts.get(page)
        starts.set(page, start)
        record.clear()
        encodeLook(record, look, before === undefined ? lastLook(page) : { back: start - before })
        writeRecord(part, record)
      }
    })
    const entries = (name: SectionName): void =>
      section(name, () => {
        for (const write of group.entries?.get(name) ?? []) write(part)
      })
    entries('sources')
    entries('handled')
    entries('requisites')
    entries('rendered')
    section('robots', () => {
      for (const [origin, robots] of group.robots) {
        part.text(origin)
        record.clear()
        record.raw(Buffer.from(JSON.stringify(robots)))
        writeRecord(part, record)
      }
    })
    section('warcEnds', () => {
      for (const [thread, ends] of group.warcEnds) {
        for (const { serial, length, indexBytes } of [...ends.finished, ends])
          // A thread without files has serial number -1.
          for (const number of [thread, serial + 1, length, indexBytes]) part.varint(number)
      }
    })
    section('counts', () => part.raw(Buffer.from(JSON.stringify(group.counts))))
    if (group.progress !== undefined) {
      section('progress', () => part.raw(Buffer.from(JSON.stringify(group.progress))))
    }
    const { settings = [] } = group
    if (settings.length > 0)
      section('settings', () =>
        part.raw(Buffer.from(JSON.stringify(settings.length === 1 ? settings[0] : settings))),
      )
    for (const name of replacedSections) entries(name)
    return whole.view()
  }
}

export function writeRecord(into: ByteWriter, record: ByteWriter): void {
  const bytes = record.view()
  into.block(bytes)
  const sum = crc32(bytes) & 0xffff
  into.byte(sum & 0xff)
  into.byte(sum >> 8)
}

/** Reads one record; throws a RangeError if its checksum does not match. */
export function readRecord(from: ByteReader): ByteReader {
  const bytes = from.block()
  const sum = from.byte() | (from.byte() << 8)
  if ((crc32(bytes) & 0xffff) !== sum) throw new RangeError('a record does not fit its checksum')
  return new ByteReader(bytes)
}

/** Skips a record; returns its offset. */
export function skipRecord(from: ByteReader): number {
  const { at } = from
  from.skip(from.varint() + 2)
  return at
}

/** The ends of WARC files in a group, in order. Each but the last one of its thread is that of a finished file. */
export function* warcEndsOf(group: GroupBytes): Generator<readonly [thread: number, end: WarcEnd]> {
  const from = new ByteReader(group.section('warcEnds'))
  while (!from.isAtEnd) {
    const [thread, serial, length, indexBytes] = [from.varint(), from.varint(), from.varint(), from.varint()]
    yield [thread, { serial: serial - 1, length, indexBytes }]
  }
}

/** When a group was closed, in milliseconds of the epoch. Its first bytes are enough. */
export function closedMsOf(group: Uint8Array): number {
  return new ByteReader(group).double()
}

/** The sections of a group, located but not decoded. */
export class GroupBytes {
  readonly at: number
  readonly #bytes: Uint8Array
  readonly #sections = new Map<SectionName, { readonly start: number; readonly length: number }>()

  /** Throws a RangeError if the bytes are not a group, or are one of a newer version. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    const reader = new ByteReader(bytes)
    this.at = reader.double()
    while (!reader.isAtEnd) {
      const kind = reader.byte()
      const name = sectionNames[kind]
      if (name === undefined) throw new NewerFormat(`a group has a section of the unknown kind ${kind}`)
      const length = reader.uint32()
      this.#sections.set(name, { start: reader.at, length })
      reader.raw(length)
    }
  }

  get length(): number {
    return this.#bytes.length
  }

  /** The offset of a section in the group; 0 if it has none. */
  startOf(name: SectionName): number {
    return this.#sections.get(name)?.start ?? 0
  }

  /** The bytes of a section; empty if it has none. */
  section(name: SectionName): Uint8Array {
    const { start, length } = this.#sections.get(name) ?? { start: 0, length: 0 }
    return this.#bytes.subarray(start, start + length)
  }

  /** The expected share of importance whose copies are fresh, if the group has it. */
  get freshCoverage(): number | undefined {
    const fresh = this.section('fresh')
    if (fresh.length > 0) return new ByteReader(fresh).double()
    const progress: { readonly freshness?: { readonly freshCoverage?: number } } | undefined =
      this.json('progress')
    return progress?.freshness?.freshCoverage
  }

  /** The settings from here on, once for each change. */
  get settings(): readonly SettingsSince[] {
    const settings = this.json('settings') as SettingsSince | readonly SettingsSince[] | undefined
    return settings === undefined ? [] : 'settings' in settings ? [settings] : settings
  }

  json(name: 'counts' | 'progress' | 'settings'): object | undefined {
    const bytes = this.section(name)
    return bytes.length === 0 ? undefined : (JSON.parse(Buffer.from(bytes).toString()) as object)
  }
}
