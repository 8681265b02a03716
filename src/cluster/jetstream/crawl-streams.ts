/** The streams of a crawl in JetStream: a journal for each shard, the links log, and the object store. */
import { jetstreamManager, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { journalStream, linksStream, subjectOf } from '../protocol/stream-names.ts'
import { encodeShardGroup, readShardGroup, type ShardHead } from '../protocol/shard-group.ts'
import { countsOf, readGroup } from './cluster-reading.ts'
import { JetStreamInputs } from './jetstream-inputs.ts'
import { JetStreamJournal } from './jetstream-journal.ts'
import { JetStreamLinks } from './jetstream-links.ts'
import { JetStreamObjects } from './jetstream-objects.ts'
import { JetStreamPacks } from './jetstream-packs.ts'
import { JetStreamSnapshots } from './jetstream-snapshots.ts'
import type { KnownHead, WorkerStreams } from '../worker/ports.ts'
import { ShardHistory } from './shard-history.ts'
import { permissionFailure } from './nats-errors.ts'
import { someAtOnce, streamsAtOnce } from './some-at-once.ts'

const streamNotFound = 10_059
/** For the last group of a shard. A request that was lost with a leader fails after it, and the worker's next beat repeats it. */
const responseMs = 4000
const nothing = new Uint8Array(0)

interface CrawlStreamsOptions {
  readonly connection: NatsConnection
  readonly crawl: string
  readonly shards: number
  readonly replicas: number
}

export class CrawlStreams implements WorkerStreams {
  readonly links: JetStreamLinks
  readonly snapshots: JetStreamSnapshots
  readonly packs: JetStreamPacks
  readonly inputs: JetStreamInputs
  readonly #options: CrawlStreamsOptions
  readonly #manager: JetStreamManager
  readonly #journals = new Map<number, Promise<JetStreamJournal>>()
  #again: Subscription | undefined
  #announced: Subscription | undefined

  private constructor(
    options: CrawlStreamsOptions,
    manager: JetStreamManager,
    links: JetStreamLinks,
    objects: JetStreamObjects,
  ) {
    this.#options = options
    this.#manager = manager
    this.links = links
    this.snapshots = new JetStreamSnapshots(objects)
    this.packs = new JetStreamPacks(objects)
    this.inputs = new JetStreamInputs(objects)
  }

  static async open(options: CrawlStreamsOptions): Promise<CrawlStreams> {
    const { connection, crawl, replicas } = options
    const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
    const links = await JetStreamLinks.open({ connection, replicas, stream: linksStream(crawl) })
    const objects = await JetStreamObjects.open(connection, crawl, replicas)
    return new CrawlStreams(options, manager, links, objects)
  }

  /** Creates the journals of all shards. */
  async create(): Promise<void> {
    const all = Array.from({ length: this.#options.shards }, (_, shard) => shard)
    await someAtOnce(streamsAtOnce, all, (shard) => this.journal(shard))
  }

  /** The journal of a shard; its stream is created if there is none. */
  journal(shard: number): Promise<JetStreamJournal> {
    const { connection, replicas } = this.#options
    const open = (): Promise<JetStreamJournal> =>
      JetStreamJournal.open({ connection, replicas, stream: this.#stream(shard) })
    const opened = this.#journals.get(shard) ?? open()
    this.#journals.set(shard, opened)
    opened.catch(() => this.#journals.delete(shard))
    return opened
  }

  /** All groups of a shard, those that were purged from its journal included. */
  async history(shard: number): Promise<ShardHistory> {
    return new ShardHistory({ shard, journal: await this.journal(shard), packs: this.packs })
  }

  /** The heads of the last groups of all shards; undefined for a shard that was never claimed. */
  heads(known?: KnownHead): Promise<(ShardHead | undefined)[]> {
    const { shards } = this.#options
    const headOf = async (_: unknown, shard: number) => known?.(shard) ?? (await this.#head(shard))
    return Promise.all(Array.from({ length: shards }, headOf))
  }

  /** The counts in the last groups of all shards; undefined for a shard that was never claimed. */
  counts(): Promise<(object | undefined)[]> {
    return Promise.all(
      Array.from({ length: this.#options.shards }, async (_, shard) => {
        const last = await (await this.journal(shard)).lastGroup()
        return last && countsOf(last.bytes)
      }),
    )
  }

  async #head(shard: number): Promise<ShardHead | undefined> {
    const stream = this.#stream(shard)
    const message = await this.#message(stream, { last_by_subj: subjectOf(stream) })
    if (message === undefined) return undefined
    try {
      if (message !== null) return readShardGroup(message.data).head
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    // There is none, or it was taken back in a full account, or it is of another program, divided or truncated.
    const last = await (await this.journal(shard)).lastGroup()
    return last && readGroup(stream, last.sequence, () => readShardGroup(last.bytes).head)
  }

  /** From the leader of the stream, since followers may lag. Null if there is none; undefined if there is no such stream. */
  async #message(
    stream: string,
    which: { readonly last_by_subj: string },
  ): Promise<{ readonly data: Uint8Array } | null | undefined> {
    try {
      return await this.#manager.streams.getMessage(stream, which)
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined
      throw error
    }
  }

  /** Asks the owner of `source` to publish its messages again, from this number on. */
  askAgain(source: number, from: number): void {
    this.#options.connection.publish(this.#againSubject, JSON.stringify({ source, from }))
  }

  /** Calls `publish` for each such request, until `close`; `failed` if the user may not receive them. */
  onAskedAgain(publish: (source: number, from: number) => void, failed: (error: Error) => void): void {
    const subscription = this.#options.connection.subscribe(this.#againSubject)
    this.#again = subscription
    const listen = async (): Promise<void> => {
      for await (const message of subscription) {
        const asked = parsed(message.string())
        if (asked !== undefined) publish(asked.source, asked.from)
      }
    }
    void listen().catch((error: unknown) => {
      const forbidden = permissionFailure(error)
      if (forbidden !== undefined) failed(forbidden)
    })
  }

  /** Tells all workers of the last group of a shard. It is a hint: nothing is stored. */
  announceHead(shard: number, head: ShardHead): void {
    const bytes = encodeShardGroup({ head, names: nothing, facts: nothing })
    this.#options.connection.publish(this.#headSubject(String(shard)), bytes)
  }

  /** Calls `heard` for each announced group, until `close`. */
  onHead(heard: (shard: number, head: ShardHead) => void, failed: (error: unknown) => void): void {
    this.#announced = this.#options.connection.subscribe(this.#headSubject('*'), {
      callback: (error, { subject, data }) => {
        if (error !== null) return failed(permissionFailure(error) ?? error)
        try {
          heard(Number(subject.slice(subject.lastIndexOf('.') + 1)), readShardGroup(data).head)
        } catch (unreadable) {
          // Another program has sent it.
          if (!(unreadable instanceof RangeError)) throw unreadable
        }
      },
    })
  }

  close(): void {
    this.#announced?.unsubscribe()
    this.#again?.unsubscribe()
  }

  #headSubject(shard: string): string {
    return subjectOf(`RW_${this.#options.crawl}_HEADS.${shard}`)
  }

  get #againSubject(): string {
    return subjectOf(`RW_${this.#options.crawl}_AGAIN`)
  }

  #stream(shard: number): string {
    return journalStream(this.#options.crawl, shard)
  }
}

/** Undefined if another program has sent it. */
function parsed(text: string): { readonly source: number; readonly from: number } | undefined {
  try {
    const { source, from } = JSON.parse(text) as { source: unknown; from: unknown }
    return Number.isSafeInteger(source) && Number.isSafeInteger(from)
      ? { source: source as number, from: from as number }
      : undefined
  } catch {
    return undefined
  }
}
