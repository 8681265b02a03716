/**
 * The object store of a crawl in JetStream. An object is divided into messages, its *parts*; a last message describes it and makes
 * it visible. An object counts only after it was read back.
 *
 * Only the client's `put` is used. Its `get` pushes, and never ends if messages are missing; its `list` may never end if an
 * object is removed meanwhile.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { Objm, type ObjectStore, StorageType } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { createHash } from 'node:crypto'
import { RankwardError } from '../../lib/errors.ts'
import { snapshotsBucket } from '../protocol/stream-names.ts'
import { streamExists } from './open-stream.ts'
import { retried } from './retried.ts'
import { messagesOf } from './stream-messages.ts'

/** Bytes of one message of an object. */
const partBytes = 128 << 10
/** Messages that are read at a time. */
const fetchMessages = 32
const responseMs = 5000
/** Parts of an object that was never finished are removed after this time. */
const unfinishedMs = 3_600_000

export interface StoredObject {
  readonly name: string
  readonly bytes: number
  /** When it was stored, by the clock of the servers, in milliseconds. */
  readonly storedAt: number
  readonly metadata: Readonly<Record<string, string | undefined>>
}

/** The message that describes an object, as the client writes it. */
interface Description {
  readonly name: string
  readonly nuid: string
  readonly size: number
  readonly chunks: number
  readonly digest: string
  readonly deleted?: boolean
  readonly metadata?: Readonly<Record<string, string | undefined>>
}

export class JetStreamObjects {
  readonly #bucket: string
  readonly #store: ObjectStore
  readonly #client: JetStreamClient
  readonly #manager: JetStreamManager

  private constructor(
    bucket: string,
    store: ObjectStore,
    client: JetStreamClient,
    manager: JetStreamManager,
  ) {
    this.#bucket = bucket
    this.#store = store
    this.#client = client
    this.#manager = manager
  }

  /** Opens the store, and creates it if there is none. */
  static async open(connection: NatsConnection, crawl: string, replicas: number): Promise<JetStreamObjects> {
    const client = jetstream(connection, { timeout: responseMs })
    const manager = await jetstreamManager(connection, { timeout: 2 * responseMs, checkAPI: false })
    const bucket = snapshotsBucket(crawl)
    const stores = new Objm(client)
    const store = await retried(async () =>
      (await streamExists(manager, `OBJ_${bucket}`))
        ? stores.open(bucket)
        : stores.create(bucket, { replicas, storage: StorageType.File }),
    )
    return new JetStreamObjects(bucket, store, client, manager)
  }

  /** Opens the store for reading; undefined if there is none. */
  static async find(connection: NatsConnection, crawl: string): Promise<JetStreamObjects | undefined> {
    const manager = await jetstreamManager(connection, { timeout: 2 * responseMs, checkAPI: false })
    const exists = await streamExists(manager, `OBJ_${snapshotsBucket(crawl)}`)
    return exists ? JetStreamObjects.open(connection, crawl, 1) : undefined
  }

  /** Stores an object and reads it back; throws if that fails. */
  async put(
    name: string,
    metadata: Record<string, string>,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const digest = createHash('sha256')
    const pieces = piecesOf(chunks)
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done === true) return controller.close()
        digest.update(value)
        controller.enqueue(value)
      },
    })
    const options = { max_chunk_size: partBytes }
    await this.#store.put({ name, metadata, options }, stream, { timeout: responseMs })
    const read = createHash('sha256')
    for await (const chunk of this.read(name)) read.update(chunk)
    if (read.digest('hex') !== digest.digest('hex')) throw damaged(name)
  }

  /** The objects whose names fit. */
  async list(isChosen: (name: string) => boolean): Promise<StoredObject[]> {
    const objects: StoredObject[] = []
    for (const [name, subject] of await this.#names()) {
      const stored = isChosen(name) ? await this.#described(subject) : undefined
      if (stored !== undefined) objects.push(objectOf(stored))
    }
    return objects
  }

  /**
   * The bytes of an object; BAD_SNAPSHOT at the latest at its end, if something is missing or different. Reads by pull, so that
   * a slow reader holds a few messages only.
   */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const stored = await this.#described(this.#nameSubject(name))
    if (stored === undefined) throw damaged(name)
    const { nuid, chunks, digest: expected } = stored.description
    const subject = this.#partSubject(nuid)
    const found = (await this.#counts(subject)).get(subject) ?? 0
    if (found !== chunks) throw damaged(name)
    if (chunks === 0) return
    const digest = createHash('sha256')
    const last = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject })
    const reader = { stream: this.#stream, subject, client: this.#client, manager: this.#manager }
    let read = 0
    for await (const { data } of messagesOf({ ...reader, fetchMessages }, 0, last?.seq ?? 0)) {
      digest.update(data)
      read++
      yield data
    }
    if (read !== chunks) throw damaged(name)
    if (`SHA-256=${digest.digest('base64url')}` !== expected.replace(/=+$/, '')) throw damaged(name)
  }

  /** Removes an object: first its description, then its parts. */
  async remove(name: string): Promise<void> {
    const subject = this.#nameSubject(name)
    const stored = await this.#described(subject)
    await this.#manager.streams.purge(this.#stream, { filter: subject })
    if (stored !== undefined)
      await this.#manager.streams.purge(this.#stream, { filter: this.#partSubject(stored.description.nuid) })
  }

  /**
   * Removes what workers that were killed have left: parts without an object. Others may be writing an object now, so
   * `olderThanMs` must exceed the time that takes.
   */
  async removeUnfinished(olderThanMs = unfinishedMs): Promise<number> {
    const before = await this.#counts(this.#partSubject('*'))
    const known = new Set<string>()
    for (const subject of (await this.#names()).values()) {
      const stored = await this.#described(subject)
      if (stored !== undefined) known.add(this.#partSubject(stored.description.nuid))
    }
    let removed = 0
    for (const subject of before.keys()) {
      if (known.has(subject)) continue
      const last = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject })
      if (last === null || Date.now() - last.time.getTime() < olderThanMs) continue
      await this.#manager.streams.purge(this.#stream, { filter: subject })
      removed++
    }
    return removed
  }

  /** The names of all objects, and the subjects of their descriptions. */
  async #names(): Promise<Map<string, string>> {
    const start = `$O.${this.#bucket}.M.`
    const subjects = [...(await this.#counts(`${start}*`)).keys()]
    return new Map(
      subjects.map((subject) => [Buffer.from(subject.slice(start.length), 'base64url').toString(), subject]),
    )
  }

  /** Undefined if there is no such object. */
  async #described(
    subject: string,
  ): Promise<{ readonly description: Description; readonly storedAt: number } | undefined> {
    const message = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject })
    if (message === null) return undefined
    const description = message.json<Description>()
    return description.deleted === true ? undefined : { description, storedAt: message.time.getTime() }
  }

  get #stream(): string {
    return `OBJ_${this.#bucket}`
  }

  #nameSubject(name: string): string {
    // With padding, as the client writes it.
    const encoded = Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    return `$O.${this.#bucket}.M.${encoded}`
  }

  #partSubject(id: string): string {
    return `$O.${this.#bucket}.C.${id}`
  }

  /** The number of messages by subject. */
  async #counts(filter: string): Promise<Map<string, number>> {
    const { state } = await this.#manager.streams.info(this.#stream, { subjects_filter: filter })
    return new Map(Object.entries(state.subjects ?? {}))
  }
}

function objectOf({
  description,
  storedAt,
}: {
  readonly description: Description
  readonly storedAt: number
}): StoredObject {
  const { name, size, metadata = {} } = description
  return { name, bytes: size, storedAt, metadata }
}

/** Pieces of at most one message. */
async function* piecesOf(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += partBytes) yield chunk.subarray(at, at + partBytes)
  }
}

function damaged(name: string): RankwardError {
  return new RankwardError('BAD_SNAPSHOT', `The object ${name} in the object store is damaged or incomplete.`)
}
