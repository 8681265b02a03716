/** The store of a simulated cluster: a journal for each shard, the links log and the keys of the members. It never fails itself. */
import {
  recordId,
  type AppendAnswer,
  type AppendRecord,
  type LastRecord,
} from '../../cluster/protocol/append.ts'
import { readShardGroup, type ShardHead } from '../../cluster/protocol/shard-group.ts'

export interface StoreWatch {
  /** A group was stored. */
  readonly stored?: (shard: number, bytes: Uint8Array, head: ShardHead) => void
  /** A message was stored in the links log. */
  readonly published?: (bytes: Uint8Array) => void
}

/** A log whose appends state the sequence that they follow. */
class VirtualLog {
  readonly groups: Uint8Array[] = []
  readonly #sequences = new Map<string, number>()
  #last: { writer: string; group: number } | undefined

  append(record: AppendRecord): AppendAnswer {
    // As in JetStream, the id is checked before the expected sequence.
    const known = this.#sequences.get(recordId(record))
    if (known !== undefined) return { kind: 'stored', sequence: known }
    if (record.after !== this.groups.length) return { kind: 'refused' }
    this.groups.push(record.bytes)
    this.#last = { writer: record.writer, group: record.group }
    this.#sequences.set(recordId(record), this.groups.length)
    return { kind: 'stored', sequence: this.groups.length }
  }

  last(): LastRecord {
    return this.#last && { sequence: this.groups.length, ...this.#last }
  }

  /** Forgets the ids, as a log does after a while. */
  forgetIds(): void {
    this.#sequences.clear()
  }
}

class VirtualJournal extends VirtualLog {
  readonly heads: ShardHead[] = []

  override append(record: AppendRecord): AppendAnswer {
    const before = this.groups.length
    const answer = super.append(record)
    if (this.groups.length > before) this.heads.push(readShardGroup(record.bytes).head)
    return answer
  }
}

export class VirtualStore {
  readonly journals: readonly VirtualJournal[]
  readonly links: Uint8Array[] = []
  readonly control = new VirtualLog()
  readonly members = new Map<string, number>()
  readonly #watch: StoreWatch

  constructor(shards: number, watch: StoreWatch) {
    this.journals = Array.from({ length: shards }, () => new VirtualJournal())
    this.#watch = watch
  }

  append(shard: number, record: AppendRecord): AppendAnswer {
    const journal = this.journals[shard]
    const before = journal.groups.length
    const answer = journal.append(record)
    if (journal.groups.length > before) this.#watch.stored?.(shard, record.bytes, journal.heads[before])
    return answer
  }

  last(shard: number): LastRecord {
    const { groups, heads } = this.journals[shard]
    const head = heads.at(-1)
    return head && { sequence: groups.length, writer: head.writer, group: head.group }
  }

  /** The heads of the last groups. */
  heads(): (ShardHead | undefined)[] {
    return this.journals.map(({ heads }) => heads.at(-1))
  }

  publish(message: Uint8Array): void {
    this.links.push(message)
    this.#watch.published?.(message)
  }

  beat(member: string): Map<string, number> {
    this.members.set(member, (this.members.get(member) ?? 0) + 1)
    return new Map(this.members)
  }

  /** A power cut: the links log loses its last messages. */
  loseLinks(count: number): void {
    this.links.splice(Math.max(0, this.links.length - count))
  }

  /** A power cut: a journal loses its last groups. */
  loseGroups(shard: number, count: number): void {
    const { groups, heads } = this.journals[shard]
    const kept = Math.max(0, groups.length - count)
    groups.splice(kept)
    heads.splice(kept)
    this.journals[shard].forgetIds()
  }
}
