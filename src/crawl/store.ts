/**
 * A crawl's memory on disk: facts and records in one LevelDB, written together in groups, each group whole or not at
 * all. What is not yet written is answered from memory.
 *
 *   put, put, … ──▶ open group ──commit(facts)──▶ group under way ──▶ durable
 *
 * Invariant: a record is in the database if and only if all facts told before it are.
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { ClassicLevel } from 'classic-level'
import { openingFailed, unreadable, unwritable } from '../journals/level-failure.ts'
import { RankwardError } from '../lib/errors.ts'
import {
  decodeFound,
  decodeJson,
  encodeFound,
  encodeJson,
  keyOf,
  kinds,
  nameKey,
  numberOfKey,
} from './records.ts'
import type { FoundRecord, OutcomeRecord, RobotsRecord, WarcEnd } from './records.ts'

type Database = ClassicLevel<Uint8Array, Uint8Array>

/** Records that wait for their group. */
class Group {
  readonly found = new Map<number, FoundRecord>()
  readonly outcomes = new Map<number, OutcomeRecord>()
  readonly sites = new Map<number, string>()
  readonly robots = new Map<string, RobotsRecord>()
  words: Uint8Array | undefined
}

export class CrawlStore {
  readonly #database: Database
  readonly #folder: string
  #open = new Group()
  #underWay: Group | undefined
  /** Groups written; the next one's number. */
  #groups = 0

  private constructor(folder: string, database: Database, groups: number) {
    this.#folder = folder
    this.#database = database
    this.#groups = groups
  }

  static async open(folder: string): Promise<CrawlStore> {
    try {
      await mkdir(folder, { recursive: true })
      const database: Database = new ClassicLevel(folder, {
        keyEncoding: 'view',
        valueEncoding: 'view',
        writeBufferSize: 16 << 20,
      })
      await database.open()
      const range = { gte: keyOf(kinds.facts, 0), lte: keyOf(kinds.facts, 0xffffffff) }
      const [last] = await database.keys({ ...range, reverse: true, limit: 1 }).all()
      return new CrawlStore(folder, database, last === undefined ? 0 : numberOfKey(last) + 1)
    } catch (error) {
      throw openingFailed(folder, error)
    }
  }

  /** Was nothing ever committed? Throws if another process has the journal open. */
  static async isEmpty(folder: string): Promise<boolean> {
    if (!existsSync(folder)) return true
    const store = await CrawlStore.open(folder)
    await store.close()
    return store.#groups === 0
  }

  /** Removes the journal's own files, and the folder if nothing else is in it. */
  static async remove(folder: string): Promise<void> {
    if (!existsSync(folder)) return
    try {
      await ClassicLevel.destroy(folder)
    } catch (error) {
      throw openingFailed(folder, error)
    }
  }

  putFound(page: number, record: FoundRecord): void {
    this.#open.found.set(page, record)
  }

  putOutcome(page: number, record: OutcomeRecord): void {
    this.#open.outcomes.set(page, record)
  }

  putSite(site: number, name: string): void {
    this.#open.sites.set(site, name)
  }

  /** How many pages have a word: taken over whole. */
  putWords(bytes: Uint8Array): void {
    this.#open.words = bytes
  }

  /** As it was last written; undefined: never. */
  async words(): Promise<Uint8Array | undefined> {
    return this.#database.get(nameKey(kinds.words, ''))
  }

  writeRobots(origin: string, record: RobotsRecord): void {
    this.#open.robots.set(origin, record)
  }

  readRobots(origin: string): RobotsRecord | undefined {
    const pending = this.#open.robots.get(origin) ?? this.#underWay?.robots.get(origin)
    if (pending !== undefined) return pending
    const bytes = this.#database.getSync(nameKey(kinds.robots, origin))
    return bytes === undefined ? undefined : (decodeJson(bytes) as RobotsRecord)
  }

  /** How a page was found. Every known page has such a record. */
  found(page: number): FoundRecord {
    const pending = this.#open.found.get(page) ?? this.#underWay?.found.get(page)
    if (pending !== undefined) return pending
    const bytes = this.#database.getSync(keyOf(kinds.found, page))
    if (bytes === undefined) throw unreadable(this.#folder, new Error(`page ${page} has no URL`))
    return decodeFound(bytes)
  }

  outcome(page: number): OutcomeRecord | undefined {
    const pending = this.#open.outcomes.get(page) ?? this.#underWay?.outcomes.get(page)
    if (pending !== undefined) return pending
    const bytes = this.#database.getSync(keyOf(kinds.outcome, page))
    return bytes === undefined ? undefined : (decodeJson(bytes) as OutcomeRecord)
  }

  /** Ends the open group. `commit` then writes it; one at a time. */
  closeGroup(): void {
    this.#underWay = this.#open
    this.#open = new Group()
  }

  /** A record of the group under way is completed before it is written. */
  completeOutcome(page: number, part: Partial<OutcomeRecord>): void {
    for (const group of [this.#underWay, this.#open]) {
      const record = group?.outcomes.get(page)
      if (record === undefined) continue
      group!.outcomes.set(page, { ...record, ...part })
      return
    }
  }

  /** Writes the closed group with these facts, the ends of the WARC files and the totals; durable when it settles. */
  async commit(facts: Uint8Array, warcEnds: ReadonlyMap<number, WarcEnd>, totals: object): Promise<void> {
    const group = this.#underWay ?? new Group()
    const batch = this.#database.batch()
    batch.put(keyOf(kinds.facts, this.#groups), facts)
    for (const [page, record] of group.found) batch.put(keyOf(kinds.found, page), encodeFound(record))
    for (const [page, record] of group.outcomes) batch.put(keyOf(kinds.outcome, page), encodeJson(record))
    for (const [site, name] of group.sites) batch.put(keyOf(kinds.site, site), Buffer.from(name))
    for (const [origin, record] of group.robots) {
      batch.put(nameKey(kinds.robots, origin), encodeJson(record))
    }
    for (const [thread, end] of warcEnds) batch.put(keyOf(kinds.warc, thread), encodeJson(end))
    batch.put(nameKey(kinds.totals, ''), encodeJson(totals))
    if (group.words !== undefined) batch.put(nameKey(kinds.words, ''), group.words)
    try {
      await batch.write({ sync: true })
    } catch (error) {
      throw unwritable(this.#folder, error)
    }
    this.#groups++
    this.#underWay = undefined
  }

  /** What was given to the last `commit`. */
  async totals(): Promise<object> {
    const bytes = await this.#database.get(nameKey(kinds.totals, ''))
    return bytes === undefined ? {} : (decodeJson(bytes) as object)
  }

  async warcEnds(): Promise<Map<number, WarcEnd>> {
    const ends = new Map<number, WarcEnd>()
    for await (const [thread, bytes] of this.#records(kinds.warc)) {
      ends.set(thread, decodeJson(bytes) as WarcEnd)
    }
    return ends
  }

  async *facts(): AsyncGenerator<Uint8Array> {
    let expected = 0
    for await (const [number, bytes] of this.#records(kinds.facts)) {
      if (number !== expected++) throw unreadable(this.#folder, new Error(`group ${expected - 1} is missing`))
      yield bytes
    }
  }

  async *foundPages(): AsyncGenerator<FoundRecord> {
    let expected = 0
    for await (const [page, bytes] of this.#records(kinds.found)) {
      if (page !== expected++) throw unreadable(this.#folder, new Error(`page ${expected - 1} has no URL`))
      yield decodeFound(bytes)
    }
  }

  async *outcomes(): AsyncGenerator<[page: number, record: OutcomeRecord]> {
    for await (const [page, bytes] of this.#records(kinds.outcome)) {
      yield [page, decodeJson(bytes) as OutcomeRecord]
    }
  }

  async *sites(): AsyncGenerator<string> {
    for await (const [, bytes] of this.#records(kinds.site)) yield Buffer.from(bytes).toString()
  }

  async *#records(kind: string): AsyncGenerator<[number, Uint8Array]> {
    const range = { gte: keyOf(kind, 0), lte: keyOf(kind, 0xffffffff) }
    try {
      const records = this.#database.iterator({ ...range, highWaterMarkBytes: 1 << 20, fillCache: false })
      for await (const [key, value] of records) yield [numberOfKey(key), value]
    } catch (error) {
      if (error instanceof RankwardError) throw error
      throw unreadable(this.#folder, error)
    }
  }

  async close(): Promise<void> {
    await this.#database.close()
  }
}
