/**
 * Read access to the record of a crawl: for `status`, `report`, `export`, `explain`, `search`, `duplicates`
 * and `simulate DIR`. Shows the crawl as of the last durable group when the record was opened, even while
 * another process runs the crawl, and on a read-only file system; `refresh` adds later groups.
 */
import type { FactListener } from '../../engine/fact.ts'
import { readFacts } from '../../engine/fact-reader.ts'
import { ByteReader } from '../../lib/byte-reader.ts'
import type { RankwardError } from '../../lib/errors.ts'
import { decodeFound, type FoundRecord } from './found-record.ts'
import type { StoredGroup } from './group-log.ts'
import {
  closedMsOf,
  readRecord,
  GroupBytes,
  type SectionName,
  type RobotsRecord,
  type WarcEnd,
  type ReplacedSection,
} from './group.ts'
import { decodeLook, type LookRecord } from './look-record.ts'
import { decodeOutcome, type OutcomeRecord } from './outcome-record.ts'
import { RecordIndex, type FinishedWarc, type Place, type SettingsChange } from './record-index.ts'
import { compacted, SegmentFiles, type ReadPlace } from './segment-files.ts'

/** Number of bytes read at a position before the length of the record there is known. */
const readBytes = 512

export class CrawlRecord {
  readonly #files: SegmentFiles
  readonly #index: RecordIndex
  /** The end of the last group that was added; undefined if it is packed, or the index is from a snapshot. */
  #end: ReadPlace | undefined
  /** A group that is being replayed: its records are read from memory. */
  #replayed: StoredGroup | undefined

  constructor(files: SegmentFiles, index: RecordIndex) {
    this.#files = files
    this.#index = index
  }

  /** Opens the record in this folder, which has had this many groups; a missing record is empty. */
  static async open(folder: string, groupsMin = 0): Promise<CrawlRecord> {
    const record = CrawlRecord.unread(folder, groupsMin)
    await record.refresh()
    return record
  }

  /** The record in this folder, before anything is read: `follow` returns its groups. */
  static unread(folder: string, groupsMin = 0): CrawlRecord {
    return new CrawlRecord(new SegmentFiles(folder, groupsMin), new RecordIndex())
  }

  /** Adds the groups that have become durable since. */
  async refresh(): Promise<void> {
    for await (const _ of this.follow());
  }

  /** The same; returns each of these groups, after it was added. */
  async *follow(): AsyncGenerator<GroupBytes> {
    for await (const group of this.#files.groups(this.#index.last, this.#end)) yield this.take(group)
  }

  /** Adds the next group. */
  take(group: StoredGroup): GroupBytes {
    const { segment, offset, starts, bytes } = group
    this.#end = starts === undefined ? { segment, offset: offset + bytes.length } : undefined
    return this.#guarded(() => this.#index.add(group))
  }

  /** Adds these groups, each before it is returned. Its records are read from memory until the next one. */
  async *taken(groups: AsyncIterable<StoredGroup>): AsyncGenerator<GroupBytes> {
    try {
      for await (const group of groups) {
        this.#replayed = group.starts === undefined ? group : undefined
        yield this.take(group)
      }
    } finally {
      this.#replayed = undefined
    }
  }

  /** Number of known pages. */
  get known(): number {
    return this.#index.known
  }

  /** Number of groups. */
  get groups(): number {
    return this.#index.last
  }

  /** When the last group was closed, in milliseconds since the epoch; 0 if there is none. */
  get lastAt(): number {
    return this.#index.lastAt
  }

  get counts(): object {
    return this.#index.counts
  }

  /** The newest section that has replaced those before; undefined if there is none. */
  newest(section: ReplacedSection): Uint8Array | undefined {
    return this.#index.replaced.get(section)
  }

  get warcEnds(): ReadonlyMap<number, WarcEnd> {
    return this.#index.warcEnds
  }

  /** The WARC files before the current one of each thread. */
  get finishedWarcs(): readonly FinishedWarc[] {
    return this.#index.finishedWarcs
  }

  get siteNames(): readonly string[] {
    return this.#index.siteNames
  }

  /** The settings of each session, in order. */
  get settings(): readonly SettingsChange[] {
    return this.#index.settings
  }

  /** How a page was discovered. Every known page has such a record. */
  found(page: number): FoundRecord {
    const place = this.#index.found(page)
    if (place === undefined) throw this.#damaged(new RangeError(`page ${page} has no URL`))
    return this.#read(place, (from) => decodeFound(from, (site) => this.#siteName(site)))
  }

  /** The newest outcome of a page. */
  outcome(page: number): OutcomeRecord | undefined {
    for (const place of this.#index.outcomes(page)) return this.#read(place, decodeOutcome)
    return undefined
  }

  /** All outcomes of a page, the newest first. */
  *versions(page: number): Generator<OutcomeRecord> {
    for (const place of this.#index.outcomes(page)) yield this.#read(place, decodeOutcome)
  }

  /** The last look at a page. */
  lastLook(page: number): LookRecord | undefined {
    for (const look of this.looks(page)) return look
    return undefined
  }

  /** All looks at a page, the newest first; none in a crawl that fetches every page once. */
  *looks(page: number): Generator<LookRecord> {
    let place = this.#index.lastLook(page)
    while (place !== undefined) {
      const { look, before } = this.#read(place, decodeLook)
      yield look
      if (before === undefined) return
      place = 'back' in before ? { segment: place.segment, offset: place.offset - before.back } : before
    }
  }

  /** All looks of the crawl in the order of their outcomes, of groups closed at `sinceMs` or later. */
  async *allLooks(sinceMs = 0): AsyncGenerator<readonly [page: number, look: LookRecord]> {
    for await (const { closedMs, looks } of this.results(this.groupBefore(sinceMs)))
      if (closedMs >= sinceMs) yield* looks
  }

  /** The outcomes and looks of each group after this number, in order. */
  async *results(after: number): AsyncGenerator<GroupResults> {
    for await (const { number, bytes } of this.#groups(after))
      yield this.#guarded(() => resultsOf(number, new GroupBytes(bytes)))
  }

  /** The entries of a part's section, in order, of the groups after this number. */
  async *entries<Entry>(
    name: SectionName,
    decode: (section: Uint8Array) => Iterable<Entry>,
    after = 0,
  ): AsyncGenerator<Entry> {
    for await (const { bytes } of this.#groups(after))
      yield* this.#guarded(() => [...decode(new GroupBytes(bytes).section(name))])
  }

  /** The number of a group after which all groups closed at `sinceMs` or later follow; 0 for the beginning. */
  groupBefore(sinceMs: number): number {
    return this.#guarded(() => this.#files.groupBefore((group) => closedMsOf(group) < sinceMs))
  }

  robots(origin: string): RobotsRecord | undefined {
    const place = this.#index.robots(origin)
    return place && this.#read(place, (from) => JSON.parse(from.rest().toString()) as RobotsRecord)
  }

  /** How every known page was discovered, by page number. */
  *foundPages(): Generator<FoundRecord> {
    for (let page = 0; page < this.known; page++) yield this.found(page)
  }

  /** Every known page with its newest outcome, by page number. */
  *pages(): Generator<readonly [FoundRecord, OutcomeRecord | undefined]> {
    for (let page = 0; page < this.known; page++) yield [this.found(page), this.outcome(page)]
  }

  /** The newest outcome of every page that has one, by page number. */
  *outcomes(): Generator<readonly [page: number, OutcomeRecord]> {
    for (let page = 0; page < this.known; page++) {
      const outcome = this.outcome(page)
      if (outcome !== undefined) yield [page, outcome]
    }
  }

  /** Replays all facts in order, each to every listener in turn. */
  async replay(...listeners: readonly Partial<FactListener>[]): Promise<void> {
    for await (const { bytes } of this.#groups(0))
      this.#guarded(() => readFacts(new GroupBytes(bytes).section('facts'), ...listeners))
  }

  /** The groups after this number, up to the last one that was taken. */
  async *#groups(after: number): AsyncGenerator<StoredGroup> {
    const { last } = this.#index
    let read = after
    if (read >= last) return
    for await (const group of this.#files.groups(after)) {
      yield group
      read = group.number
      if (read >= last) return
    }
    throw compacted()
  }

  close(): void {
    this.#files.close()
  }

  #siteName(site: number): string {
    const name = this.#index.siteNames[site]
    if (name === undefined) throw new RangeError(`site ${site} has no name`)
    return name
  }

  #read<Result>({ segment, offset }: Place, decode: (from: ByteReader) => Result): Result {
    return this.#guarded(() => {
      const group = this.#replayed
      if (group?.segment === segment && offset >= group.offset && offset < group.offset + group.bytes.length)
        return decode(readRecord(new ByteReader(group.bytes, offset - group.offset)))
      let bytes = this.#files.at(segment, offset, readBytes)
      const length = new ByteReader(bytes).varint() + 10
      if (length > bytes.length) bytes = this.#files.at(segment, offset, length)
      return decode(readRecord(new ByteReader(bytes)))
    })
  }

  /** Reports undecodable data as damage. */
  #guarded<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      throw error instanceof RangeError || error instanceof SyntaxError ? this.#damaged(error) : error
    }
  }

  #damaged(error: Error): RankwardError {
    return this.#files.unreadable(error)
  }
}

/** The outcomes and looks of one group. */
export interface GroupResults {
  readonly number: number
  /** When the group was closed, in milliseconds of the epoch. */
  readonly closedMs: number
  readonly outcomes: readonly (readonly [page: number, outcome: OutcomeRecord])[]
  readonly looks: readonly (readonly [page: number, look: LookRecord])[]
  readonly group: GroupBytes
  /** The expected share of importance whose copies are fresh, if that is recorded. */
  readonly freshCoverage: () => number | undefined
}

/** The outcomes of a group, in order. */
export function outcomesOf(group: GroupBytes): (readonly [page: number, outcome: OutcomeRecord])[] {
  return recordsOf(group.section('outcomes'), decodeOutcome)
}

/** The looks of a group, in order. */
export function looksOf(group: GroupBytes): (readonly [page: number, look: LookRecord])[] {
  return recordsOf(group.section('looks'), (from) => decodeLook(from).look)
}

/** The same of a group that has been read. */
export function resultsOf(number: number, group: GroupBytes): GroupResults {
  return {
    number,
    closedMs: group.at,
    outcomes: outcomesOf(group),
    looks: looksOf(group),
    group,
    freshCoverage: () => group.freshCoverage,
  }
}

function recordsOf<Result>(
  section: Uint8Array,
  decode: (from: ByteReader) => Result,
): (readonly [page: number, record: Result])[] {
  const records: (readonly [number, Result])[] = []
  const from = new ByteReader(section)
  while (!from.isAtEnd) records.push([from.varint(), decode(readRecord(from))])
  return records
}
