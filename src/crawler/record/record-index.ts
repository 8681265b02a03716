/**
 * An index of the log: for each page the positions of its discovery and of its outcomes, and the latest
 * version of everything that is stored completely each time. 10 bytes per known page and 6 per outcome;
 * in a crawl that fetches pages again, 6 for the last look at a page. The
 * index is a function of the groups and can be rebuilt from them at any time; a snapshot contains it.
 *
 * Invariant: every position is in a group that has been added.
 */
import { ByteReader } from '../../lib/byte-reader.ts'
import { GrowingUint16, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { GroupBytes, replacedSections, skipRecord, warcEndsOf } from './group.ts'
import type { ReplacedSection, SectionName, SettingsSince, WarcEnd } from './group.ts'
import type { StoredGroup } from './group-log.ts'

export interface Place {
  readonly segment: number
  readonly offset: number
}

/** Positions by number; a segment number takes two bytes. */
class Places {
  readonly #segments = new GrowingUint16()
  readonly #offsets = new GrowingUint32()
  count = 0

  push(segment: number, offset: number): void {
    if (segment > 0xffff) throw new RangeError('a log has more than 65,535 segments')
    const at = this.count++
    this.#segments.ensure(at)
    this.#offsets.ensure(at)
    this.#segments.array[at] = segment
    this.#offsets.array[at] = offset
  }

  at(number: number): Place {
    return { segment: this.#segments.array[number], offset: this.#offsets.array[number] }
  }

  transfer(state: StateCodec): void {
    this.count = state.number(this.count)
    state.appended(this.#segments)
    state.appended(this.#offsets)
  }
}

/** The name of the index in a saved state, where it is the last part. */
export const indexSection = 'record index'

/** In place of an outcome: there is none. */
const none = 0

export interface SettingsChange extends SettingsSince {
  /** The group in which they were recorded. */
  readonly group: number
}

/** A WARC file that is not continued. */
export interface FinishedWarc extends WarcEnd {
  readonly thread: number
}

export class RecordIndex {
  readonly #found = new Places()
  readonly #outcomes = new Places()
  /** By page: 1 + the number of its newest outcome. */
  readonly #newest = new GrowingUint32()
  /**
   * By outcome: 1 + the number of the page's previous outcome. Empty while every page has at most one
   * outcome.
   */
  readonly #previous = new GrowingUint32(0)
  /** By page: the place of its last look; offset 0: it has none. */
  readonly #lookSegments = new GrowingUint16(0)
  readonly #lookOffsets = new GrowingUint32(0)
  readonly #robots = new Map<string, Place>()
  readonly siteNames: string[] = []
  /** By thread: the end of its current WARC file. */
  readonly warcEnds = new Map<number, WarcEnd>()
  /** The WARC files before it. */
  readonly finishedWarcs: FinishedWarc[] = []
  readonly settings: SettingsChange[] = []
  /** The last group, and when it was closed, in milliseconds since the epoch; 0 if there is none. */
  last = 0
  lastAt = 0
  counts: object = {}
  /** The newest sections of parts that replace those before. */
  readonly replaced = new Map<ReplacedSection, Uint8Array>()

  /** Number of known pages. */
  get known(): number {
    return this.#found.count
  }

  get outcomeCount(): number {
    return this.#outcomes.count
  }

  /** Throws a RangeError if the group cannot be decoded. */
  add({ number, segment, offset, bytes, starts }: StoredGroup): GroupBytes {
    const group = new GroupBytes(bytes)
    const startOf = (name: SectionName): number => starts?.[name] ?? offset + group.startOf(name)
    const sites = new ByteReader(group.section('sites'))
    while (!sites.isAtEnd) this.siteNames.push(sites.text())
    const found = new ByteReader(group.section('found'))
    const foundStart = startOf('found')
    while (!found.isAtEnd) this.#found.push(segment, foundStart + skipRecord(found))
    this.#addOutcomes(group, segment, startOf('outcomes'))
    this.#addLooks(group, segment, startOf('looks'))
    const robots = new ByteReader(group.section('robots'))
    const robotsStart = startOf('robots')
    while (!robots.isAtEnd) {
      const origin = robots.text()
      this.#robots.set(origin, { segment, offset: robotsStart + skipRecord(robots) })
    }
    for (const [thread, end] of warcEndsOf(group)) this.#addWarcEnd(thread, end)
    this.#addWhole(group, number)
    return group
  }

  /** The end before one of a later file is that of a finished file, or of none. */
  #addWarcEnd(thread: number, end: WarcEnd): void {
    const before = this.warcEnds.get(thread)
    if (before !== undefined && before.serial >= 0 && before.serial < end.serial)
      this.finishedWarcs.push({ thread, ...before })
    this.warcEnds.set(thread, end)
  }

  #addOutcomes(group: GroupBytes, segment: number, start: number): void {
    const outcomes = new ByteReader(group.section('outcomes'))
    this.#newest.ensure(this.known)
    while (!outcomes.isAtEnd) {
      const page = outcomes.varint()
      if (page >= this.known) throw new RangeError(`page ${page} has an outcome and was never found`)
      const number = this.#outcomes.count
      const before = this.#newest.array[page]
      if (before !== none) {
        this.#previous.ensure(number)
        this.#previous.array[number] = before
      }
      this.#newest.array[page] = number + 1
      this.#outcomes.push(segment, start + skipRecord(outcomes))
    }
  }

  #addLooks(group: GroupBytes, segment: number, start: number): void {
    const looks = new ByteReader(group.section('looks'))
    while (!looks.isAtEnd) {
      const page = looks.varint()
      if (page >= this.known) throw new RangeError(`page ${page} was looked at and never found`)
      this.#lookSegments.ensure(page)
      this.#lookOffsets.ensure(page)
      this.#lookSegments.array[page] = segment
      this.#lookOffsets.array[page] = start + skipRecord(looks)
    }
  }

  #addWhole(group: GroupBytes, number: number): void {
    for (const changed of group.settings) this.settings.push({ group: number, ...changed })
    this.counts = group.json('counts') ?? this.counts
    for (const name of replacedSections) this.#replace(name, group.section(name))
    this.last = number
    this.lastAt = group.at
  }

  found(page: number): Place | undefined {
    return page < this.#found.count ? this.#found.at(page) : undefined
  }

  /** Positions of a page's outcomes, newest first. */
  *outcomes(page: number): Generator<Place> {
    if (page >= this.known) return
    this.#newest.ensure(page)
    for (let at = this.#newest.array[page]; at !== none; at = this.#previous.array[at - 1] ?? none) {
      yield this.#outcomes.at(at - 1)
    }
  }

  /** Place of the last look at a page; undefined: it has none, or the crawl fetches every page once. */
  lastLook(page: number): Place | undefined {
    if (page >= this.#lookOffsets.length || this.#lookOffsets.array[page] === 0) return undefined
    return { segment: this.#lookSegments.array[page], offset: this.#lookOffsets.array[page] }
  }

  robots(origin: string): Place | undefined {
    return this.#robots.get(origin)
  }

  transfer(state: StateCodec): void {
    state.section(indexSection, 3)
    this.last = state.number(this.last)
    this.lastAt = state.number(this.lastAt)
    this.#found.transfer(state)
    this.#outcomes.transfer(state)
    state.growing(this.#newest)
    state.growing(this.#previous)
    state.growing(this.#lookSegments)
    state.growing(this.#lookOffsets)
    const names = state.texts(this.siteNames)
    const small = {
      robots: [...this.#robots],
      warcEnds: [...this.warcEnds],
      finishedWarcs: this.finishedWarcs,
      settings: this.settings,
      counts: this.counts,
    }
    const read = JSON.parse(state.text(JSON.stringify(small))) as typeof small
    for (const name of replacedSections) {
      const section = state.array(this.replaced.get(name) ?? new Uint8Array(0))
      if (state.isReading) this.#replace(name, section)
    }
    if (!state.isReading) return
    for (const name of names) this.siteNames.push(name)
    for (const [origin, place] of read.robots) this.#robots.set(origin, place)
    for (const [thread, end] of read.warcEnds) this.warcEnds.set(thread, end)
    this.finishedWarcs.push(...read.finishedWarcs)
    this.settings.push(...read.settings)
    this.counts = read.counts
  }

  #replace(name: ReplacedSection, section: Uint8Array): void {
    if (section.length > 0) this.replaced.set(name, Uint8Array.from(section))
  }
}
