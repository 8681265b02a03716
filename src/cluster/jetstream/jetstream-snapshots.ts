/**
 * Snapshots of shards in a JetStream object store: the state after a group of the journal, as bytes. An object is named
 * `shard.sequence`. Its description says who wrote that group, so that a snapshot of groups that a power failure has taken
 * is recognised: the journal has another group, or none, at that sequence.
 *
 * A snapshot counts only after it was read back. Two are kept for each shard: the journal may be purged below the older one,
 * so that a damaged snapshot costs a longer replay and nothing else. A snapshot is a function of the journal, so it does not
 * matter which worker wrote it, or whether that worker still owns the shard.
 */
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import { Objm, type ObjectInfo, type ObjectStore, StorageType } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { createHash } from 'node:crypto'
import { RankwardError } from '../../lib/errors.ts'
import { snapshotsBucket } from '../stream-names.ts'

/** Bytes of one message of an object. */
const chunkBytes = 128 << 10
/** Messages that are read at a time. */
const readMessages = 32
const responseMs = 5000
/** The newest and a fallback. */
const keptMax = 2
/** Parts of an object that was never finished are removed after this time. */
const unfinishedMs = 3_600_000

/** The state of a shard after this group of its journal. */
export interface ShardSnapshot {
  readonly shard: number
  readonly sequence: number
  /** Of the group at that sequence. */
  readonly writer: string
  readonly group: number
}

export interface StoredSnapshot extends ShardSnapshot {
  readonly bytes: number
}

export class JetStreamSnapshots {
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

  /** Opens the bucket, and creates it if there is none. */
  static async open(
    connection: NatsConnection,
    crawl: string,
    replicas: number,
  ): Promise<JetStreamSnapshots> {
    const client = jetstream(connection, { timeout: responseMs })
    const manager = await jetstreamManager(connection, { timeout: 2 * responseMs, checkAPI: false })
    const bucket = snapshotsBucket(crawl)
    const store = await new Objm(client).create(bucket, { replicas, storage: StorageType.File })
    return new JetStreamSnapshots(bucket, store, client, manager)
  }

  /** Stores a snapshot and reads it back; throws if that fails. Older ones of the shard are removed, except one. */
  async put(snapshot: ShardSnapshot, chunks: Iterable<Uint8Array>): Promise<void> {
    const { shard, sequence, writer, group } = snapshot
    const digest = createHash('sha256')
    const pieces = piecesOf(chunks)
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = pieces.next()
        if (done === true) return controller.close()
        digest.update(value)
        controller.enqueue(value)
      },
    })
    const name = `${shard}.${sequence}`
    await this.#store.put(
      { name, metadata: { writer, group: String(group) }, options: { max_chunk_size: chunkBytes } },
      stream,
      { timeout: responseMs },
    )
    await this.#check(name, digest.digest('hex'))
    for (const old of (await this.list(shard)).slice(keptMax)) await this.remove(old)
  }

  async #check(name: string, digest: string): Promise<void> {
    const read = createHash('sha256')
    for await (const chunk of this.#chunks(name)) read.update(chunk)
    if (read.digest('hex') !== digest) throw damaged(name)
  }

  /** The snapshots of a shard, newest first. */
  async list(shard: number): Promise<StoredSnapshot[]> {
    return (await this.#objects())
      .flatMap((object) => snapshotOf(object) ?? [])
      .filter((snapshot) => snapshot.shard === shard)
      .toSorted((a, b) => b.sequence - a.sequence)
  }

  /** The bytes of a snapshot; BAD_SNAPSHOT at the latest at its end, if something is missing or different. */
  read({ shard, sequence }: ShardSnapshot): AsyncGenerator<Uint8Array> {
    return this.#chunks(`${shard}.${sequence}`)
  }

  async remove({ shard, sequence }: ShardSnapshot): Promise<void> {
    await this.#store.delete(`${shard}.${sequence}`)
  }

  /**
   * Removes what workers that were killed have left: parts without an object. Others may be writing an object now, so
   * `olderThanMs` must exceed the time that takes.
   */
  async removeUnfinished(olderThanMs = unfinishedMs): Promise<number> {
    const stream = `OBJ_${this.#bucket}`
    const before = await this.#parts('*')
    const known = new Set((await this.#objects()).map(({ nuid }) => this.#partSubject(nuid)))
    let removed = 0
    for (const subject of before.keys()) {
      if (known.has(subject)) continue
      const last = await this.#manager.streams.getMessage(stream, { last_by_subj: subject })
      if (last === null || Date.now() - last.time.getTime() < olderThanMs) continue
      await this.#manager.streams.purge(stream, { filter: subject })
      removed++
    }
    return removed
  }

  async #objects(): Promise<ObjectInfo[]> {
    return (await this.#store.list()).filter(({ deleted }) => !deleted)
  }

  #partSubject(id: string): string {
    return `$O.${this.#bucket}.C.${id}`
  }

  /** The number of messages by subject. */
  async #parts(id: string): Promise<Map<string, number>> {
    const { state } = await this.#manager.streams.info(`OBJ_${this.#bucket}`, {
      subjects_filter: this.#partSubject(id),
    })
    return new Map(Object.entries(state.subjects ?? {}))
  }

  /**
   * Reads by pull, so that a slow reader holds a few messages only. The client's own `get` pushes, and never ends if messages
   * are missing.
   */
  async *#chunks(name: string): AsyncGenerator<Uint8Array> {
    const info = await this.#store.info(name)
    if (info === null || info.deleted) throw damaged(name)
    const subject = this.#partSubject(info.nuid)
    const found = (await this.#parts(info.nuid)).get(subject) ?? 0
    if (found !== info.chunks) throw damaged(name)
    if (info.chunks === 0) return
    const digest = createHash('sha256')
    const consumer = await this.#client.consumers.get(`OBJ_${this.#bucket}`, {
      deliver_policy: DeliverPolicy.All,
      filter_subjects: subject,
    })
    try {
      for (let read = 0; read < info.chunks;) {
        const messages = await consumer.fetch({
          max_messages: Math.min(readMessages, info.chunks - read),
          expires: responseMs,
        })
        const before = read
        for await (const { data } of messages) {
          digest.update(data)
          read++
          yield data
        }
        if (read === before) throw damaged(name)
      }
    } finally {
      await consumer.delete().catch(() => {})
    }
    if (`SHA-256=${digest.digest('base64url')}` !== info.digest.replace(/=+$/, '')) throw damaged(name)
  }
}

function snapshotOf({ name, size, metadata }: ObjectInfo): StoredSnapshot | undefined {
  const match = /^(\d+)\.(\d+)$/.exec(name)
  const group = Number(metadata?.['group'])
  const writer = metadata?.['writer']
  if (match === null || writer === undefined || !Number.isSafeInteger(group)) return undefined
  return { shard: Number(match[1]), sequence: Number(match[2]), writer, group, bytes: size }
}

/** Pieces of at most one message. */
function* piecesOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes)
  }
}

function damaged(name: string): RankwardError {
  return new RankwardError(
    'BAD_SNAPSHOT',
    `The snapshot ${name} in the object store is damaged or incomplete.`,
  )
}
