/** The store of a simulated cluster: a journal for each shard, the links log, the control log and the keys of the members. It never fails itself. */
import {
  recordId,
  type AppendAnswer,
  type AppendRecord,
  type LastRecord,
} from '../../cluster/protocol/append.ts'
import { readShardGroup, type ShardHead } from '../../cluster/protocol/shard-group.ts'
import type { LinksRead } from '../../cluster/worker/ports.ts'

export interface StoreWatch {
  /** A group was stored. */
  readonly stored?: (shard: number, bytes: Uint8Array, head: ShardHead) => void
  /** A message was stored in the links log. */
  readonly published?: (bytes: Uint8Array) => void
  /** A message was stored in the control log. */
  readonly commanded?: (bytes: Uint8Array, number: number) => void
}

/** A log whose appends state the sequence that they follow. */
export class VirtualLog {
  readonly records: AppendRecord[] = []
  readonly #sequences = new Map<string, number>()
  readonly #onStored: (record: AppendRecord) => void

  constructor(onStored: (record: AppendRecord) => void) {
    this.#onStored = onStored
  }

  append(record: AppendRecord): AppendAnswer {
    // As in JetStream, the id is checked before the expected sequence.
    const known = this.#sequences.get(recordId(record))
    if (known !== undefined) return { kind: 'stored', sequence: known }
    if (record.after !== this.records.length) return { kind: 'refused' }
    this.records.push(record)
    this.#sequences.set(recordId(record), this.records.length)
    this.#onStored(record)
    return { kind: 'stored', sequence: this.records.length }
  }

  last(): LastRecord {
    const last = this.records.at(-1)
    return last && { sequence: this.records.length, writer: last.writer, group: last.group }
  }

  /** A power cut: the log loses its last records, and forgets the ids. */
  lose(count: number): void {
    this.records.splice(Math.max(0, this.records.length - count))
    this.#sequences.clear()
  }
}

class VirtualJournal extends VirtualLog {
  readonly heads: ShardHead[] = []

  constructor(stored: (bytes: Uint8Array, head: ShardHead) => void) {
    super(({ bytes }) => {
      const { head } = readShardGroup(bytes)
      this.heads.push(head)
      stored(bytes, head)
    })
  }

  /** The head of the last group. */
  get head(): ShardHead | undefined {
    return this.heads.at(-1)
  }

  override lose(count: number): void {
    super.lose(count)
    this.heads.splice(this.records.length)
  }
}

/** The links log. Positions count from 1. */
class VirtualLinks {
  readonly #published: ((bytes: Uint8Array) => void) | undefined
  readonly #messages: Uint8Array[] = []
  /** Messages that were purged. */
  #purged = 0

  constructor(published: StoreWatch['published']) {
    this.#published = published
  }

  get #end(): number {
    return this.#purged + this.#messages.length
  }

  publish(message: Uint8Array): void {
    this.#messages.push(message)
    this.#published?.(message)
  }

  read(after: number, messagesMax: number): LinksRead {
    const end = this.#end
    const start = Math.max(after > end ? 0 : after, this.#purged)
    const from = start - this.#purged
    const messages = this.#messages.slice(from, from + messagesMax)
    const positions = messages.map((_, i) => start + i + 1)
    return { messages, positions, position: start + messages.length, end }
  }

  purge(position: number): void {
    const count = Math.min(position - this.#purged, this.#messages.length)
    if (count <= 0) return
    this.#messages.splice(0, count)
    this.#purged += count
  }

  /** A power cut: the log loses its last messages. */
  lose(count: number): void {
    this.#messages.splice(Math.max(0, this.#messages.length - count))
  }
}

export class VirtualStore {
  readonly journals: readonly VirtualJournal[]
  readonly links: VirtualLinks
  readonly control: VirtualLog
  readonly members = new Map<string, number>()

  constructor(shards: number, { stored, published, commanded }: StoreWatch) {
    this.journals = Array.from(
      { length: shards },
      (_, shard) => new VirtualJournal((bytes, head) => stored?.(shard, bytes, head)),
    )
    this.links = new VirtualLinks(published)
    this.control = new VirtualLog(({ bytes, after }) => commanded?.(bytes, after + 1))
  }

  /** The heads of the last groups. */
  heads(): (ShardHead | undefined)[] {
    return this.journals.map(({ head }) => head)
  }

  /** Renews the key of a member. Returns the revisions of all. */
  beat(member: string): Map<string, number> {
    this.members.set(member, (this.members.get(member) ?? 0) + 1)
    return new Map(this.members)
  }
}
