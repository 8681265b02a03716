/**
 * The journal on local disk, in LevelDB: one record a batch of facts, its key the batch's number in eight bytes, the
 * highest first, so that the order of the keys is the order of the batches.
 *
 * Group commit: a write is one LevelDB batch that is synced to disk; what is appended while it is under way goes together
 * into the next. A killed process leaves whole groups, the first so many of them.
 *
 *   append append append …      queue ──▶ group under way ──▶ durable
 */
import { mkdir } from 'node:fs/promises'
import { ClassicLevel } from 'classic-level'
import type { Journal } from '../engine/journal.ts'
import { RankwardError } from '../lib/errors.ts'
import { openingFailed, unreadable, unwritable } from './level-failure.ts'

type Database = ClassicLevel<Uint8Array, Uint8Array>

/** Bytes that a reader holds ahead of who reads. */
const readAheadBytes = 1 << 20

/** Opens the journal in this folder, which one process at a time may have open; makes it where there is none. */
export async function openEmbeddedJournal(folder: string): Promise<Journal> {
  try {
    await mkdir(folder, { recursive: true })
    const database: Database = new ClassicLevel(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    await database.open()
    const [last] = await database.keys({ reverse: true, limit: 1 }).all()
    return new EmbeddedJournal(folder, database, last === undefined ? 0 : numberOf(last) + 1)
  } catch (error) {
    throw openingFailed(folder, error)
  }
}

class EmbeddedJournal implements Journal {
  readonly #folder: string
  readonly #database: Database
  /** Batches taken in; the next one's number. */
  #appended: number
  /** Batches that are on disk: the first so many. Invariant: durable + the group under way + the queue = appended. */
  #durable: number
  /** Taken in, and not yet part of a write. */
  #queue: Uint8Array[] = []
  /** The write under way; it settles when that is done, and never rejects. */
  #write: Promise<void> | undefined
  #failure: RankwardError | undefined
  #closed = false

  constructor(folder: string, database: Database, count: number) {
    this.#folder = folder
    this.#database = database
    this.#appended = count
    this.#durable = count
  }

  append(facts: Uint8Array): void {
    if (this.#closed) {
      throw new RankwardError(
        'FILE_UNWRITABLE',
        `The journal in ${this.#folder} is closed: open it again to go on writing.`,
      )
    }
    // Nothing may follow what was lost. `flushed` tells.
    if (this.#failure !== undefined) return
    this.#appended++
    this.#queue.push(facts)
    this.#write ??= this.#writeQueue()
  }

  async flushed(): Promise<void> {
    const wanted = this.#appended
    while (this.#durable < wanted && this.#write !== undefined) await this.#write
    if (this.#failure !== undefined) throw this.#failure
  }

  async #writeQueue(): Promise<void> {
    const group = this.#queue
    this.#queue = []
    try {
      const records = group.map((value, i) => ({
        type: 'put' as const,
        key: keyOf(this.#durable + i),
        value,
      }))
      await this.#database.batch(records, { sync: true })
      this.#durable += group.length
    } catch (error) {
      this.#failure = unwritable(this.#folder, error)
      this.#queue = []
    }
    this.#write = this.#queue.length === 0 ? undefined : this.#writeQueue()
  }

  async *read(): AsyncGenerator<Uint8Array> {
    await this.flushed()
    let expected = 0
    try {
      const records = this.#database.iterator({ highWaterMarkBytes: readAheadBytes, fillCache: false })
      for await (const [key, value] of records) {
        if (numberOf(key) !== expected) throw new Error(`batch ${expected} is missing`)
        expected++
        yield value
      }
    } catch (error) {
      throw unreadable(this.#folder, error)
    }
    if (expected < this.#durable) throw unreadable(this.#folder, new Error(`batch ${expected} is missing`))
  }

  async close(): Promise<void> {
    this.#closed = true
    try {
      await this.flushed()
    } finally {
      await this.#database.close()
    }
  }
}

function keyOf(number: number): Uint8Array {
  const key = new Uint8Array(8)
  new DataView(key.buffer).setBigUint64(0, BigInt(number))
  return key
}

function numberOf(key: Uint8Array): number {
  return Number(new DataView(key.buffer, key.byteOffset, key.byteLength).getBigUint64(0))
}
