/**
 * What a compacted record keeps of a group: everything, except what newer groups replace. Facts, discovered pages,
 * outcomes, looks and settings are all kept, so that the record can still be replayed from the beginning.
 *
 * | replaced | by |
 * | --- | --- |
 * | counts, words of the topic | those of the last group that has them |
 * | robots.txt of a site, end of a thread's current WARC file | newer ones |
 * | progress, except that which `status` reads | its only lasting number, the freshness |
 * | id and digest of a look's WARC record | the record itself: looks keep its position, versions keep all |
 */
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { readRecord, replacedSections, skipRecord, warcEndsOf, writeRecord } from './group.ts'
import type { GroupBytes, SectionName } from './group.ts'
import type { GroupSections } from './group-pack.ts'
import { decodeLook, encodeLook, type LookBefore, type LookRecord } from './look-record.ts'

/** Stored unchanged. */
const keptNames = [
  'facts',
  'sites',
  'found',
  'outcomes',
  'sources',
  'requisites',
  'handled',
  'rendered',
  'settings',
] as const

const replacedNames = ['counts', ...replacedSections] as const

export class NeededRecords {
  /** The last group that has each thing that newer groups replace. */
  readonly #newest = new Map<string, number>()
  /** Groups from this number on keep their progress. */
  #progressFrom = Infinity
  last = 0

  /** Called with every group, in order, before the first `of`. */
  survey(number: number, group: GroupBytes): void {
    this.last = number
    for (const name of replacedNames) if (group.section(name).length > 0) this.#newest.set(name, number)
    for (const [origin] of robotsIn(group)) this.#newest.set(robotsKey(origin), number)
    for (const thread of threadsIn(group)) this.#newest.set(threadKey(thread), number)
  }

  /** The newest groups, so many, keep their progress. */
  keepProgress(groups: number): void {
    this.#progressFrom = this.last - groups + 1
  }

  /** The sections of a group that are kept; looks are encoded by `looks`. */
  of(number: number, group: GroupBytes, looks: LookSection): GroupSections {
    const isNewest = (key: string): boolean => this.#newest.get(key) === number
    const kept = new Map<SectionName, Uint8Array>(keptNames.map((name) => [name, group.section(name)]))
    kept.set('looks', looks.encoded(group))
    const robots = robotsIn(group).filter(([origin]) => isNewest(robotsKey(origin)))
    kept.set('robots', Buffer.concat(robots.map(([, record]) => record)))
    const threads = threadsIn(group)
    const hasFinished = new Set(threads).size < threads.length
    if (hasFinished || threads.some((thread) => isNewest(threadKey(thread)))) {
      kept.set('warcEnds', group.section('warcEnds'))
    }
    for (const name of replacedNames) if (isNewest(name)) kept.set(name, group.section(name))
    if (number >= this.#progressFrom) kept.set('progress', group.section('progress'))
    const { freshCoverage } = group
    if (freshCoverage !== undefined) kept.set('fresh', doubleBytes(freshCoverage))
    return kept
  }
}

/** The looks of a pack. Each has the place of the look before, which a compaction moves. */
export class LookSection {
  /** By page: where its last look begins in this pack. */
  readonly #starts = new Map<number, number>()
  readonly #placeBefore: (page: number) => LookBefore
  readonly #record = new ByteWriter()
  #length = 0

  /** `placeBefore`: the place of a page's last look in earlier packs. */
  constructor(placeBefore: (page: number) => LookBefore) {
    this.#placeBefore = placeBefore
  }

  /** The looks of the next group. */
  encoded(group: GroupBytes): Uint8Array {
    const into = new ByteWriter()
    const from = new ByteReader(group.section('looks'))
    while (!from.isAtEnd) {
      const page = from.varint()
      into.varint(page)
      const start = this.#length + into.length
      const before = this.#starts.get(page)
      this.#starts.set(page, start)
      this.#record.clear()
      encodeLook(
        this.#record,
        withoutId(decodeLook(readRecord(from)).look),
        before === undefined ? this.#placeBefore(page) : { back: start - before },
      )
      writeRecord(into, this.#record)
    }
    this.#length += into.length
    return into.view()
  }
}

function withoutId(look: LookRecord): LookRecord {
  if (look.warc === undefined) return look
  const { thread, serial, offset, length } = look.warc
  return { ...look, warc: { thread, serial, offset, length, id: '' } }
}

const robotsKey = (origin: string): string => `robots.txt of ${origin}`
const threadKey = (thread: number): string => `thread ${thread}`

/** Each robots.txt of a group, with its bytes in the section. */
function robotsIn(group: GroupBytes): (readonly [origin: string, bytes: Uint8Array])[] {
  const section = group.section('robots')
  const from = new ByteReader(section)
  const all: (readonly [string, Uint8Array])[] = []
  while (!from.isAtEnd) {
    const start = from.at
    const origin = from.text()
    skipRecord(from)
    all.push([origin, section.subarray(start, from.at)])
  }
  return all
}

/** A thread is there once for each of its WARC files that the group has the end of. */
function threadsIn(group: GroupBytes): number[] {
  return Array.from(warcEndsOf(group), ([thread]) => thread)
}

function doubleBytes(value: number): Uint8Array {
  const bytes = new ByteWriter()
  bytes.double(value)
  return bytes.view()
}
