/**
 * The keys of the workers of a crawl in a JetStream bucket. Each worker writes only its own key, so no compare-and-set is needed.
 * Keys never expire: while the servers elect a leader, no key could be renewed.
 */
import { Kvm, type KV } from '@nats-io/kv'
import { jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

export class JetStreamMembers {
  readonly #bucket: KV
  readonly #self: string
  #beats = 0

  private constructor(bucket: KV, self: string) {
    this.#bucket = bucket
    this.#self = self
  }

  static async open(
    connection: NatsConnection,
    crawl: string,
    self: string,
    replicas: number,
  ): Promise<JetStreamMembers> {
    const bucket = await new Kvm(jetstream(connection)).create(`RW_${crawl}_MEMBERS`, { replicas })
    return new JetStreamMembers(bucket, self)
  }

  /** Renews the key of this worker. Returns the revisions of all keys once that is acknowledged. */
  async beat(): Promise<Map<string, number>> {
    await this.#bucket.put(this.#self, String(++this.#beats))
    const revisions = new Map<string, number>()
    for await (const { key, revision, operation } of await this.#bucket.history()) {
      if (operation === 'PUT') revisions.set(key, revision)
    }
    return revisions
  }

  /** Removes the key: the other workers see at once that this one has left. */
  async leave(): Promise<void> {
    await this.#bucket.purge(this.#self)
  }
}
