/**
 * The journal of a shard as a JetStream stream of its own. An append states the sequence that it follows, and the server refuses
 * it if the stream ends elsewhere (`Nats-Expected-Last-Sequence`). The check is made where the message is applied, on every
 * replica. The expected sequence of a *subject* is not: nats-server 2.9 accepts two writers with the same expectation.
 *
 * The recipe for appends is `../append.ts`; `append` follows it to the end. One append is in flight at a time.
 *
 * Messages of other programs, which have no writer, are skipped and counted.
 */
import {
  DeliverPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { headers, nanos, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { RankwardError } from '../../lib/errors.ts'
import { afterAnswer, afterLastRecord, recordId } from '../append.ts'
import type { AppendAnswer, AppendRecord, LastRecord } from '../append.ts'
import { subjectOf } from '../stream-names.ts'
import { permissionFailure } from './nats-errors.ts'
import { openStream } from './open-stream.ts'

/** Codes of the server. */
const wrongLastSequence = 10_071
const insufficientResources = 10_023
const maximumBytes = 10_077

const writerHeader = 'Rankward-Writer'
const groupHeader = 'Rankward-Group'

/** Groups that are read at a time. A limit in bytes takes a thousand times as long where groups are small. */
const readGroups = 200
/** Time for one response; an append is repeated after it. */
const responseMs = 2000
const retryMs = 100

export interface JournalOptions {
  readonly connection: NatsConnection
  /** Letters, digits, - and _. */
  readonly stream: string
  /** Servers that store each group: 1 or 3. */
  readonly replicas: number
  /** How long the server recognises a repeated append by its id; 2 minutes unless given. */
  readonly duplicateWindowMs?: number | undefined
  /** The largest size of the stream in bytes; unlimited unless given. */
  readonly bytesMax?: number | undefined
}

export interface JournalGroup {
  readonly sequence: number
  readonly writer: string
  readonly group: number
  readonly bytes: Uint8Array
}

export class JetStreamJournal {
  readonly stream: string
  readonly #connection: NatsConnection
  readonly #client: JetStreamClient
  readonly #manager: JetStreamManager
  /** Messages of other programs follow the group at `after`, up to `end`. */
  #tail = { after: 0, end: 0 }
  #foreign = 0

  private constructor(options: JournalOptions, manager: JetStreamManager) {
    this.stream = options.stream
    this.#connection = options.connection
    this.#client = jetstream(options.connection, { timeout: responseMs })
    this.#manager = manager
  }

  /** Opens the stream, and creates it if there is none. */
  static async open(options: JournalOptions): Promise<JetStreamJournal> {
    const { connection, stream, replicas, duplicateWindowMs = 120_000, bytesMax = -1 } = options
    const manager = await jetstreamManager(connection, { timeout: 4 * responseMs, checkAPI: false })
    await openStream(manager, {
      name: stream,
      replicas,
      duplicate_window: nanos(duplicateWindowMs),
      max_bytes: bytesMax,
    })
    return new JetStreamJournal(options, manager)
  }

  /** Messages of other programs that were found among the groups so far. */
  get foreignCount(): number {
    return this.#foreign
  }

  /** Sends the record once. */
  async send(record: AppendRecord): Promise<AppendAnswer> {
    this.#checkSize(record)
    const head = headers()
    head.set(writerHeader, record.writer)
    head.set(groupHeader, String(record.group))
    try {
      const { seq } = await this.#client.publish(subjectOf(this.stream), record.bytes, {
        headers: head,
        msgID: recordId(record),
        expect: { lastSequence: this.#tail.after === record.after ? this.#tail.end : record.after },
        timeout: responseMs,
        retries: 1,
      })
      return { kind: 'stored', sequence: seq }
    } catch (error) {
      const code = codeOf(error)
      if (code === wrongLastSequence)
        return { kind: (await this.#skipTail(record.after)) ? 'unknown' : 'refused' }
      if (code === insufficientResources || code === maximumBytes) throw fullStore(this.stream, error)
      if (this.#connection.isClosed()) throw closedConnection(this.stream, error)
      const forbidden = permissionFailure(error)
      if (forbidden !== undefined) throw forbidden
      return { kind: 'unknown' }
    }
  }

  /** True if only messages of other programs follow the group at `after`: an append may follow them. */
  async #skipTail(after: number): Promise<boolean> {
    try {
      const { state } = await this.#manager.streams.info(this.stream)
      for (let seq = state.last_seq; seq > after; seq--) {
        const message = await this.#manager.streams.getMessage(this.stream, { seq })
        if (message === null || groupOf(seq, message.header, message.data) !== undefined) return false
      }
      if (state.last_seq <= after) return false
      this.#tail = { after, end: state.last_seq }
      return true
    } catch {
      return false
    }
  }

  /** The last group, from the leader, since followers may lag; undefined if the journal has none. */
  async lastGroup(): Promise<JournalGroup | undefined> {
    const { state } = await this.#manager.streams.info(this.stream)
    if (state.messages === 0) return undefined
    for (let seq = state.last_seq; seq >= state.first_seq; seq--) {
      const message = await this.#manager.streams.getMessage(this.stream, { seq })
      if (message === null) return this.lastGroup()
      const group = groupOf(message.seq, message.header, message.data)
      if (group !== undefined) return group
    }
    return undefined
  }

  async last(): Promise<LastRecord> {
    try {
      return await this.lastGroup()
    } catch (error) {
      if (this.#connection.isClosed()) throw closedConnection(this.stream, error)
      return 'unknown'
    }
  }

  /** Appends a record, however long it takes. Returns its sequence; undefined if another writer has appended. */
  async append(record: AppendRecord): Promise<number | undefined> {
    let step = afterAnswer(await this.send(record))
    for (;;) {
      if (step.kind === 'done') return step.sequence
      if (step.kind === 'fenced') return undefined
      if (step.kind === 'read-last') {
        const last = await this.last()
        if (last === 'unknown') await sleep(retryMs)
        step = afterLastRecord(record, last)
      } else {
        await sleep(retryMs)
        step = afterAnswer(await this.send(record))
      }
    }
  }

  /** The group with this sequence, from the leader; undefined if there is none. */
  async groupAt(sequence: number): Promise<JournalGroup | undefined> {
    const { state } = await this.#manager.streams.info(this.stream)
    if (state.messages === 0 || sequence < state.first_seq || sequence > state.last_seq) return undefined
    const message = await this.#manager.streams.getMessage(this.stream, { seq: sequence })
    return message === null ? undefined : groupOf(message.seq, message.header, message.data)
  }

  /** Removes the groups before this sequence: a snapshot of it, or of a later one, has been read back. */
  async purge(sequence: number): Promise<void> {
    // The server takes a purge below sequence 1 for a purge of everything.
    if (sequence > 1) await this.#manager.streams.purge(this.stream, { seq: sequence })
  }

  /** All records after this sequence, up to the last one at the time of the call. BAD_STREAM if the first ones were purged. */
  async *read(after: number): AsyncGenerator<JournalGroup> {
    const { state } = await this.#manager.streams.info(this.stream)
    const end = state.last_seq
    let at = after
    if (at >= end) return
    if (after + 1 < state.first_seq) {
      throw new RankwardError(
        'BAD_STREAM',
        `The stream ${this.stream} begins with group ${state.first_seq}: the groups from ${after + 1} on were purged, and no snapshot of them can be used.`,
      )
    }
    const consumer = await this.#client.consumers.get(this.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: at + 1,
    })
    try {
      while (at < end) {
        const messages = await consumer.fetch({ max_messages: Math.min(readGroups, end - at), expires: 5000 })
        for await (const message of messages) {
          if (message.seq > end) break
          at = message.seq
          const group = groupOf(at, message.headers, message.data)
          if (group === undefined) this.#foreign++
          else yield group
          if (at === end) break
        }
      }
    } finally {
      await consumer.delete()
    }
  }

  #checkSize({ bytes }: AppendRecord): void {
    const most = this.#connection.info?.max_payload ?? Infinity
    // The headers need some room.
    if (bytes.length + 1024 <= most) return
    throw new RankwardError(
      'FILE_UNWRITABLE',
      `A group of ${bytes.length} bytes is larger than the NATS server accepts: set max_payload above ${bytes.length + 1024} in its configuration (it is ${most}).`,
    )
  }
}

/** Undefined if the message is of another program. */
function groupOf(sequence: number, head: MsgHdrs | undefined, bytes: Uint8Array): JournalGroup | undefined {
  const writer = head?.get(writerHeader) ?? ''
  return writer === '' ? undefined : { sequence, writer, group: Number(head?.get(groupHeader)), bytes }
}

function codeOf(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined
}

function fullStore(stream: string, cause: unknown): RankwardError {
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The stream ${stream} has no room for another group: raise max_file of the NATS servers, or the limit of the stream.`,
    { cause },
  )
}

function closedConnection(stream: string, cause: unknown): RankwardError {
  return new RankwardError(
    'FILE_UNWRITABLE',
    `The connection to NATS was closed while ${stream} was written.`,
    {
      cause,
    },
  )
}
