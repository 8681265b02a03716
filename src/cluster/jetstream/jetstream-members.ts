/**
 * The keys of the workers of a crawl in a JetStream bucket. Each worker writes only its own key, so no compare-and-set is needed.
 * Keys never expire: while the servers elect a leader, no key could be renewed.
 */
import { Kvm, type KV } from '@nats-io/kv'
import { jetstream, jetstreamManager, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { membersBucket } from '../stream-names.ts'

const responseMs = 8000
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
    const name = membersBucket(crawl)
    const bucket = await new Kvm(jetstream(connection, { timeout: responseMs })).create(name, { replicas })
    const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
    return new JetStreamMembers(bucket, name, manager, self)
  }

  /** Creates the bucket, if there is none. */
  static async create(connection: NatsConnection, crawl: string, replicas: number): Promise<void> {
    await new Kvm(jetstream(connection, { timeout: responseMs })).create(membersBucket(crawl), { replicas })
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

  /**
   * The revisions of all keys, read one by one from the leader. The history of the client never ends if a key is renewed
   * while it is read.
   */
  async revisions(): Promise<Map<string, number>> {
    const start = `$KV.${this.#name}.`
    const revisions = new Map<string, number>()
    for (let seq = 1; ;) {
      const message = await this.#next(seq, `${start}>`)
      if (message === undefined) return revisions
      seq = message.seq + 1
      // A removed key has a marker. Keys of other programs have other values.
      if (message.header.get(operationHeader) !== '' || !isBeat(message.string())) continue
      const member = message.subject.slice(start.length)
      revisions.set(member, message.seq)
      if (member === this.#self) this.#beatMs = message.time.getTime()
    }
  }

  /** The first message from this sequence on; undefined if there is none. */
  async #next(seq: number, subject: string): Promise<StoredMsg | undefined> {
    const query = { seq, next_by_subj: subject }
    return (await this.#manager.streams.getMessage(`KV_${this.#name}`, query)) ?? undefined
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

/** Whether a key has the value of a worker: the number of its beats. */
export function isBeat(value: string): boolean {
  return /^\d+$/.test(value)
}
