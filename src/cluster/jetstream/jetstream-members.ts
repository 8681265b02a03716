/**
 * The keys of the workers of a crawl in a JetStream bucket. Each worker writes only its own key, so no compare-and-set is needed.
 * Keys never expire: while the servers elect a leader, no key could be renewed.
 */
import { Kvm, type KV } from '@nats-io/kv'
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { membersBucket } from '../protocol/stream-names.ts'
import { retried } from './retried.ts'

/** A request that was lost with a leader is repeated after it, well before the worker counts as silent. */
const responseMs = 4000
const operationHeader = 'KV-Operation'

export class JetStreamMembers {
  readonly #bucket: KV
  readonly #name: string
  readonly #manager: JetStreamManager
  readonly #self: string
  #beats = 0
  #beatMs = 0

  private constructor(bucket: KV, name: string, manager: JetStreamManager, self: string) {
    this.#bucket = bucket
    this.#name = name
    this.#manager = manager
    this.#self = self
  }

  static async open(
    connection: NatsConnection,
    crawl: string,
    self: string,
    replicas: number,
  ): Promise<JetStreamMembers> {
    const bucket = await JetStreamMembers.create(connection, crawl, replicas)
    const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
    return new JetStreamMembers(bucket, membersBucket(crawl), manager, self)
  }

  /** Creates the bucket, if there is none. */
  static create(connection: NatsConnection, crawl: string, replicas: number): Promise<KV> {
    const buckets = new Kvm(jetstream(connection, { timeout: responseMs }))
    return retried(() => buckets.create(membersBucket(crawl), { replicas }))
  }

  /** Renews the key of this worker. Returns the revisions of all keys once that is acknowledged. */
  async beat(): Promise<Map<string, number>> {
    await this.#bucket.put(this.#self, String(++this.#beats))
    return this.revisions()
  }

  /** When the last beat was stored, by the clock of the servers. */
  get beatMs(): number {
    return this.#beatMs
  }

  /** The revisions of all keys. */
  async revisions(): Promise<Map<string, number>> {
    const revisions = new Map<string, number>()
    for await (const { member, revision, beatMs } of memberKeys(this.#manager, this.#name)) {
      revisions.set(member, revision)
      if (member === this.#self) this.#beatMs = beatMs
    }
    return revisions
  }

  /** Removes the key: the other workers see at once that this one has left. */
  async leave(): Promise<void> {
    await this.remove(this.#self)
  }

  /** Removes the key of a worker that is known to be gone. */
  async remove(member: string): Promise<void> {
    await this.#bucket.purge(member)
  }
}

interface MemberKey {
  readonly member: string
  readonly revision: number
  /** When it was renewed, by the clock of the servers. */
  readonly beatMs: number
}

/**
 * The keys of all workers, read one by one from the leader. The history of the client never ends if a key is renewed while it is
 * read.
 */
export async function* memberKeys(manager: JetStreamManager, bucket: string): AsyncGenerator<MemberKey> {
  const start = `$KV.${bucket}.`
  for (let seq = 1; ;) {
    const query = { seq, next_by_subj: `${start}>` }
    const message = await manager.streams.getMessage(`KV_${bucket}`, query)
    if (message === null) return
    seq = message.seq + 1
    // A removed key has a marker. Keys of other programs have other values.
    if (message.header.get(operationHeader) !== '' || !/^\d+$/.test(message.string())) continue
    const member = message.subject.slice(start.length)
    yield { member, revision: message.seq, beatMs: message.time.getTime() }
  }
}
