/**
 * The links log of a crawl in JetStream: one stream for the messages of all shards. Readers skip what is not for them; positions
 * are sequences of the stream. Messages may be in it twice: receivers go by their numbers.
 */
import {
  DeliverPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  StorageType,
} from '@nats-io/jetstream'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

export interface LinksOptions {
  readonly connection: NatsConnection
  readonly stream: string
  readonly replicas: number
}

/** Messages that were read, up to a position of the log. */
export interface LinksRead {
  readonly messages: readonly Uint8Array[]
  readonly position: number
}

const streamNotFound = 10_059
const responseMs = 2000
const readMessages = 200

export class JetStreamLinks {
  readonly #client: JetStreamClient
  readonly #manager: JetStreamManager
  readonly #stream: string

  private constructor({ connection, stream }: LinksOptions, manager: JetStreamManager) {
    this.#stream = stream
    this.#client = jetstream(connection, { timeout: responseMs })
    this.#manager = manager
  }

  /** Opens the stream, and creates it if there is none. */
  static async open(options: LinksOptions): Promise<JetStreamLinks> {
    const { connection, stream, replicas } = options
    const manager = await jetstreamManager(connection, { timeout: 4 * responseMs, checkAPI: false })
    await manager.streams.info(stream).catch(async (error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === streamNotFound)) throw error
      await manager.streams.add({
        name: stream,
        subjects: [stream],
        storage: StorageType.File,
        num_replicas: replicas,
      })
    })
    return new JetStreamLinks(options, manager)
  }

  /** True once the message is stored; false if it is unknown whether it was. */
  async publish(message: Uint8Array): Promise<boolean> {
    try {
      await this.#client.publish(this.#stream, message, { timeout: responseMs, retries: 1 })
      return true
    } catch {
      return false
    }
  }

  /**
   * All messages after this position. A position past the end shows that the log has lost messages: everything is read
   * again.
   */
  async read(after: number): Promise<LinksRead> {
    const { state } = await this.#manager.streams.info(this.#stream)
    const end = state.last_seq
    let position = after > end ? 0 : after
    const messages: Uint8Array[] = []
    // Purged messages have been applied by all shards.
    position = Math.max(position, state.first_seq - 1)
    if (position >= end) return { messages, position: end }
    const consumer = await this.#client.consumers.get(this.#stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position + 1,
    })
    while (position < end) {
      const batch = await consumer.fetch({
        max_messages: Math.min(readMessages, end - position),
        expires: 5000,
      })
      for await (const { seq, data } of batch) {
        messages.push(data)
        position = seq
        if (position >= end) break
      }
    }
    await consumer.delete()
    return { messages, position }
  }

  /** Removes the messages up to this position: the smallest one in the last groups of all shards. */
  async purge(position: number): Promise<void> {
    await this.#manager.streams.purge(this.#stream, { seq: position + 1 })
  }
}
