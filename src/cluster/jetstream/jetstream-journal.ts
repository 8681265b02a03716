/**
 * The journal of a shard as a JetStream stream of its own. An append states the sequence that it follows, and the server refuses
 * it if the stream ends elsewhere (`Nats-Expected-Last-Sequence`). The check is made where the message is applied, on every
 * replica. The expected sequence of a *subject* is not: nats-server 2.9 accepts two writers with the same expectation.
 *
 * The recipe for appends is `../protocol/append.ts`. One append is in flight at a time.
 *
 * Messages of other programs, which have no writer, are skipped and counted. Large groups are divided (group-parts.ts).
 */
import {
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { headers, nanos, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { RankwardError } from '../../lib/errors.ts'
import { appendTo, recordId } from '../protocol/append.ts'
import type { AppendAnswer, AppendRecord, LastRecord } from '../protocol/append.ts'
import { subjectOf } from '../protocol/stream-names.ts'
import { dividedGroup, isPart, joinedGroup, partHeader, partsHeader, partsOf } from './group-parts.ts'
import { closedConnection, lastingFailure } from './nats-errors.ts'
import { openStream, streamInfo } from './open-stream.ts'
import { messagesOf } from './stream-messages.ts'

/** Code of the server. */
const wrongLastSequence = 10_071

const writerHeader = 'Rankward-Writer'
const groupHeader = 'Rankward-Group'

/** Time for one response; an append is repeated after it. */
const responseMs = 2000
const readMs = 4000
/** Servers that create streams may not respond for seconds. */
const openMs = 8000
const retryMs = 100
/** Attempts at once to append after messages of other programs. */
const skipsMax = 20

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
  /** When it was stored, by the clock of the servers, in milliseconds; undefined if it was read from a pack. */
  readonly storedMs?: number | undefined
}

export class JetStreamJournal {
  readonly stream: string
  readonly #connection: NatsConnection
  readonly #client: JetStreamClient
  readonly #manager: JetStreamManager
  /** When the stream was created: another one of this name has another crawl. */
  readonly #created: string
  /** Messages of other programs follow the group at `after`, up to `end`. */
  #tail = { after: 0, end: 0 }
  #foreign = 0

  private constructor(options: JournalOptions, manager: JetStreamManager, created: string) {
    this.stream = options.stream
    this.#connection = options.connection
    this.#client = jetstream(options.connection, { timeout: responseMs })
    this.#manager = manager
    this.#created = created
  }

  /** Opens the stream, and creates it if there is none. */
  static async open(options: JournalOptions): Promise<JetStreamJournal> {
    const { connection, stream, replicas, duplicateWindowMs = 120_000, bytesMax = -1 } = options
    const opening = await jetstreamManager(connection, { timeout: openMs, checkAPI: false })
    const created = await openStream(opening, {
      name: stream,
      replicas,
      duplicate_window: nanos(duplicateWindowMs),
      max_bytes: bytesMax,
    })
    const manager = await jetstreamManager(connection, { timeout: readMs, checkAPI: false })
    return new JetStreamJournal(options, manager, created)
  }

  /** Messages of other programs that were found among the groups so far. */
  get foreignCount(): number {
    return this.#foreign
  }

  /** Sends the record; again at once where only messages of other programs have come between. */
  async send(record: AppendRecord): Promise<AppendAnswer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return { kind: 'stored', sequence: await this.#publish(record) }
      } catch (error) {
        if (codeOf(error) === wrongLastSequence) {
          const tail = await this.#skipTail(record.after)
          if (tail === 'groups') return { kind: 'refused' }
          if (tail === 'foreign' && attempt < skipsMax) continue
        }
        const lasting = lastingFailure(this.#connection, this.stream, error)
        if (lasting !== undefined) throw lasting
        return { kind: 'unknown' }
      }
    }
  }

  /** Stores the parts of the record, if it has some, and then its last message, one directly after the other. */
  async #publish(record: AppendRecord): Promise<number> {
    const { first, parts } = dividedGroup(record.bytes, this.#connection.info?.max_payload ?? Infinity)
    let last = this.#tail.after === record.after ? this.#tail.end : record.after
    for (const part of parts) last = await this.#store(part, { [partHeader]: '1' }, last)
    const head = {
      [writerHeader]: record.writer,
      [groupHeader]: String(record.group),
      ...(parts.length === 0 ? {} : { [partsHeader]: String(parts.length) }),
    }
    return this.#store(first, head, last, recordId(record))
  }

  async #store(
    bytes: Uint8Array,
    fields: Readonly<Record<string, string>>,
    lastSequence: number,
    msgID?: string,
  ): Promise<number> {
    const head = headers()
    for (const [name, value] of Object.entries(fields)) head.set(name, value)
    const { seq } = await this.#client.publish(subjectOf(this.stream), bytes, {
      headers: head,
      ...(msgID === undefined ? {} : { msgID }),
      expect: { lastSequence },
      timeout: responseMs,
      retries: 1,
    })
    return seq
  }

  /** What follows the group at `after`. Only after messages of other programs may a group be appended. */
  async #skipTail(after: number): Promise<'foreign' | 'groups' | 'unknown'> {
    try {
      const { state } = await this.#manager.streams.info(this.stream)
      const known = this.#tail.after === after ? this.#tail.end : after
      for (let seq = state.last_seq; seq > known; seq--) {
        const message = await this.#manager.streams.getMessage(this.stream, { seq })
        // A full account has messages that were taken back.
        if (message !== null && groupOf(message, message.header) !== undefined) return 'groups'
      }
      if (state.last_seq <= known) return 'groups'
      this.#tail = { after, end: state.last_seq }
      return 'foreign'
    } catch {
      return 'unknown'
    }
  }

  /** The last group, from the leader, since followers may lag; undefined if the journal has none. */
  async lastGroup(): Promise<JournalGroup | undefined> {
    const { state } = await this.#manager.streams.info(this.stream)
    if (state.messages === 0) return undefined
    for (let seq = state.last_seq; seq >= state.first_seq; seq--) {
      const message = await this.#manager.streams.getMessage(this.stream, { seq })
      // A full account has messages that were taken back.
      const group = message === null ? undefined : groupOf(message, message.header)
      if (message !== null && group !== undefined) return this.#whole(group, message.header)
    }
    return undefined
  }

  /** With the parts of the group, which precede its last message. */
  async #whole(group: JournalGroup, head: MsgHdrs | undefined): Promise<JournalGroup> {
    const { sequence, bytes } = group
    const count = partsOf(head)
    const parts: Uint8Array[] = []
    for (let seq = sequence - count; seq < sequence; seq++) {
      const part = await this.#manager.streams.getMessage(this.stream, { seq })
      if (part !== null) parts.push(part.data)
    }
    return { ...group, bytes: joinedGroup(this.stream, sequence, bytes, parts, count) }
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
  append(record: AppendRecord): Promise<number | undefined> {
    return appendTo(this, record, () => sleep(retryMs))
  }

  /** The group with this sequence, from the leader; undefined if there is none. */
  async groupAt(sequence: number): Promise<JournalGroup | undefined> {
    const { state } = await this.#manager.streams.info(this.stream)
    if (state.messages === 0 || sequence < state.first_seq || sequence > state.last_seq) return undefined
    const message = await this.#manager.streams.getMessage(this.stream, { seq: sequence })
    const group = message === null ? undefined : groupOf(message, message.header)
    return group && this.#whole(group, message?.header)
  }

  /** The sequence of the first message that was not purged; 1 if the journal is empty. */
  async first(): Promise<number> {
    const { state } = await this.#manager.streams.info(this.stream)
    return Math.max(1, state.first_seq)
  }

  /** About how many bytes the groups after one sequence, up to another, take. */
  async bytesBetween(after: number, last: number): Promise<number> {
    const { state } = await this.#manager.streams.info(this.stream)
    return (state.bytes * (last - after)) / Math.max(1, state.messages)
  }

  /** Removes the groups before this sequence, which are in packs (jetstream-packs.ts). */
  async purge(sequence: number): Promise<void> {
    // The server takes a purge below sequence 1 for a purge of everything.
    if (sequence > 1) await this.#manager.streams.purge(this.stream, { seq: sequence })
  }

  /** BAD_STREAM if the group with this sequence was purged. Otherwise it was taken back, in a full account. */
  async #checkPurged(sequence: number): Promise<void> {
    const first = await this.first()
    if (sequence < first) throw purgedGroups(this.stream, sequence, first)
  }

  /**
   * All records after this sequence, up to the last one at the time of the call. BAD_STREAM if the first ones were purged, NO_CRAWL
   * if the stream was deleted.
   */
  async *read(after: number): AsyncGenerator<JournalGroup> {
    const info = await streamInfo(this.#manager, this.stream)
    if (info?.created !== this.#created) throw deletedStream(this.stream)
    const { state } = info
    const end = state.last_seq
    let at = after
    if (at >= end) return
    if (after + 1 < state.first_seq) throw purgedGroups(this.stream, after + 1, state.first_seq)
    let parts: Uint8Array[] = []
    let previous: JournalGroup | undefined
    let hasGap = false
    const reader = { stream: this.stream, client: this.#client, manager: this.#manager }
    for await (const message of messagesOf(reader, after, end)) {
      const { seq, data, head } = message
      if (seq > at + 1) {
        await this.#checkPurged(at + 1)
        hasGap = true
      }
      at = seq
      if (isPart(head)) {
        parts.push(data)
        continue
      }
      const group = groupOf(message, head)
      if (group === undefined) this.#foreign++
      else {
        if (hasGap && !follows(previous, group)) throw lostGroup(this.stream, group)
        yield { ...group, bytes: joinedGroup(this.stream, at, data, parts, partsOf(head)) }
        previous = group
        hasGap = false
      }
      parts = []
    }
  }
}

/** Undefined if the message is of another program. */
function groupOf(
  { seq, data, time }: { readonly seq: number; readonly data: Uint8Array; readonly time: Date },
  head: MsgHdrs | undefined,
): JournalGroup | undefined {
  const writer = head?.get(writerHeader) ?? ''
  if (writer === '') return undefined
  const group = Number(head?.get(groupHeader))
  return { sequence: seq, writer, group, bytes: data, storedMs: time.getTime() }
}

/** After messages that were taken back: a writer ends with its own, so the next group is a claim; those of other programs are between two groups. */
function follows(previous: JournalGroup | undefined, { writer, group }: JournalGroup): boolean {
  return group === 1 || (previous?.writer === writer && previous.group + 1 === group)
}

function codeOf(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined
}

function deletedStream(stream: string): RankwardError {
  return new RankwardError('NO_CRAWL', `The stream ${stream} was deleted, and its crawl with it.`)
}

function lostGroup(stream: string, { sequence, writer, group }: JournalGroup): RankwardError {
  return new RankwardError(
    'BAD_STREAM',
    `The stream ${stream} has lost the group before ${sequence}, which is group ${group} of ${writer}.`,
  )
}

function purgedGroups(stream: string, from: number, first: number): RankwardError {
  return new RankwardError(
    'BAD_STREAM',
    `The stream ${stream} begins with group ${first}: the groups from ${from} on were purged.`,
  )
}
