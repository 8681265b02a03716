/**
 * The links log of a crawl in JetStream: one stream for the messages of all shards. Readers skip what is not for them; positions
 * are sequences of the stream. Messages may be in it twice: receivers go by their numbers. Bytes of other programs are skipped
 * and counted.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { messageName, sectionFor } from '../protocol/message.ts'
import { subjectOf } from '../protocol/stream-names.ts'
import { lastingFailure } from './nats-errors.ts'
import type { LinksRead } from '../worker/ports.ts'
import { openStream } from './open-stream.ts'
import { messagesOf } from './stream-messages.ts'

interface LinksOptions {
  readonly connection: NatsConnection
  readonly stream: string
  readonly replicas: number
}

const responseMs = 2000

export class JetStreamLinks {
  readonly #client: JetStreamClient
  readonly #connection: NatsConnection
  readonly #manager: JetStreamManager
  readonly #stream: string
  #foreign = 0

  private constructor({ connection, stream }: LinksOptions, manager: JetStreamManager) {
    this.#connection = connection
    this.#stream = stream
    this.#client = jetstream(connection, { timeout: responseMs })
    this.#manager = manager
  }

  /** Opens the stream, and creates it if there is none. */
  static async open(options: LinksOptions): Promise<JetStreamLinks> {
    const { connection, stream, replicas } = options
    const manager = await jetstreamManager(connection, { timeout: 4 * responseMs, checkAPI: false })
    await openStream(manager, { name: stream, replicas })
    return new JetStreamLinks(options, manager)
  }

  /** Messages of other programs that were found in the log so far. */
  get foreignCount(): number {
    return this.#foreign
  }

  /** True once the message is stored; false if it is unknown whether it was. Throws if it never can be. */
  async publish(message: Uint8Array): Promise<boolean> {
    try {
      await this.#client.publish(subjectOf(this.#stream), message, { timeout: responseMs, retries: 1 })
      return true
    } catch (error) {
      const lasting = lastingFailure(this.#connection, this.#stream, error)
      if (lasting !== undefined) throw lasting
      return false
    }
  }

  /**
   * The messages after this position, at most `messagesMax`; all by default. A position past the end shows that the log has lost messages: everything is read
   * again.
   */
  async read(after: number, messagesMax = Infinity): Promise<LinksRead> {
    const { state } = await this.#manager.streams.info(this.#stream)
    const end = state.last_seq
    let position = after > end ? 0 : after
    const messages: Uint8Array[] = []
    const positions: number[] = []
    // Purged messages have been applied by all shards.
    position = Math.max(position, state.first_seq - 1)
    if (position >= end) return { messages, positions, position: end, end }
    const reader = { stream: this.#stream, client: this.#client, manager: this.#manager }
    for await (const { seq, data } of messagesOf(reader, position, end)) {
      position = seq
      if (isMessage(data)) {
        messages.push(data)
        positions.push(seq)
      } else this.#foreign++
      if (messages.length >= messagesMax) return { messages, positions, position, end }
    }
    return { messages, positions, position: end, end }
  }

  /** Removes the messages up to this position: the smallest one in the last groups of all shards. */
  async purge(position: number): Promise<void> {
    // The server takes a purge below sequence 1 for a purge of everything.
    if (position > 0) await this.#manager.streams.purge(this.#stream, { seq: position + 1 })
  }
}

function isMessage(bytes: Uint8Array): boolean {
  try {
    messageName(bytes)
    // No shard has this number: all sections are passed over, so a truncated one is found.
    sectionFor(bytes, -1)
    return true
  } catch {
    return false
  }
}
