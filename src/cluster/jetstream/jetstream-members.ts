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

/** What a worker says about itself with each beat, for `rankward cluster check`. */
export interface MemberAbout {
  readonly version: string
  /** Free bytes of the disk with its folder. */
  readonly roomBytes?: number | undefined
  /** How far its clock is ahead of that of the servers, as its last beat showed. */
  readonly aheadMs?: number | undefined
}

export class JetStreamMembers {
  readonly #bucket: KV
  readonly #name: string
  readonly #manager: JetStreamManager
  readonly #self: string
  readonly #about: (() => MemberAbout) | undefined
  #beats = 0
  #beatMs = 0
  #aheadMs: number | undefined

  private constructor(
    bucket: KV,
    name: string,
    manager: JetStreamManager,
    self: string,
    about: (() => MemberAbout) | undefined,
  ) {
    this.#bucket = bucket
    this.#name = name
    this.#manager = manager
    this.#self = self
    this.#about = about
  }

  static async open(
    connection: NatsConnection,
    crawl: string,
    self: string,
    replicas: number,
    about?: () => MemberAbout,
  ): Promise<JetStreamMembers> {
    const bucket = await JetStreamMembers.create(connection, crawl, replicas)
    const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
    return new JetStreamMembers(bucket, membersBucket(crawl), manager, self, about)
  }

  /** Creates the bucket, if there is none. */
  static create(connection: NatsConnection, crawl: string, replicas: number): Promise<KV> {
    const buckets = new Kvm(jetstream(connection, { timeout: responseMs }))
    return retried(() => buckets.create(membersBucket(crawl), { replicas }))
  }

  /** Renews the key of this worker. Returns the revisions of all keys once that is acknowledged. */
  async beat(): Promise<Map<string, number>> {
    const about = this.#about && JSON.stringify({ ...this.#about(), aheadMs: this.#aheadMs })
    const sentMs = Date.now()
    await this.#bucket.put(this.#self, `${++this.#beats}${about === undefined ? '' : ` ${about}`}`)
    const storedMs = Date.now()
    const revisions = await this.revisions()
    // Within the time of the request, clocks agree.
    this.#aheadMs = Math.max(0, sentMs - this.#beatMs) + Math.min(0, storedMs - this.#beatMs)
    return revisions
  }

  /** When the last beat was stored, by the clock of the servers. */
  get beatMs(): number {
    return this.#beatMs
  }

  /** How far the clock of this machine is ahead of that of the servers; undefined before the first beat. */
  get aheadMs(): number | undefined {
    return this.#aheadMs
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
  readonly about: MemberAbout | undefined
}

/** The number of the beat, and what the worker says. */
const keyForm = /^\d+(?: (\{.*\}))?$/

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
    const value = keyForm.exec(message.string())
    if (message.header.get(operationHeader) !== '' || value === null) continue
    const member = message.subject.slice(start.length)
    const about = value[1] as string | undefined
    yield {
      member,
      revision: message.seq,
      beatMs: message.time.getTime(),
      about: about === undefined ? undefined : (JSON.parse(about) as MemberAbout),
    }
  }
}
