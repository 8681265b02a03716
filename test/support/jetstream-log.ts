/** A journal in JetStream as a log of groups, so that it is held to the guarantees of segment files on disk (`group-logs.cases.ts`). */
import { randomUUID } from 'node:crypto'
import { RankwardError } from '../../src/lib/errors.ts'
import {
  fenced,
  type GroupLog,
  type GroupPlace,
  type StoredGroup,
} from '../../src/crawler/record/group-log.ts'
import { JetStreamJournal, type JournalOptions } from '../../src/cluster/jetstream/jetstream-journal.ts'

/** The number of a claim, which is no group. */
const claimNumber = 0

export class JetStreamLog implements GroupLog {
  readonly #journal: JetStreamJournal
  readonly #writer: string
  #sequence: number
  #last: number
  /** Set once nothing more can be appended. */
  #ended: RankwardError | undefined

  private constructor(journal: JetStreamJournal, writer: string, sequence: number, last: number) {
    this.#journal = journal
    this.#writer = writer
    this.#sequence = sequence
    this.#last = last
  }

  /** Claims the log: writers before this one are fenced. */
  static async open(options: JournalOptions): Promise<JetStreamLog> {
    const journal = await JetStreamJournal.open(options)
    const writer = randomUUID()
    for (;;) {
      let sequence = 0
      let last = 0
      for await (const record of journal.read(0)) {
        sequence = record.sequence
        if (record.group !== claimNumber) last = record.group
      }
      const claim = { writer, group: claimNumber, after: sequence, bytes: new Uint8Array(0) }
      const claimed = await journal.append(claim)
      // Otherwise another writer has appended meanwhile.
      if (claimed !== undefined) return new JetStreamLog(journal, writer, claimed, last)
    }
  }

  get last(): number {
    return this.#last
  }

  async append(group: Uint8Array): Promise<GroupPlace> {
    if (this.#ended !== undefined) throw this.#ended
    const record = { writer: this.#writer, group: this.#last + 1, after: this.#sequence, bytes: group }
    try {
      const sequence = await this.#journal.append(record)
      if (sequence === undefined) throw fenced(this.#journal.stream)
      this.#sequence = sequence
      this.#last++
      return { segment: 0, offset: sequence }
    } catch (error) {
      this.#ended ??= error as RankwardError
      throw error
    }
  }

  async *read(after: number): AsyncGenerator<StoredGroup> {
    const { last } = this
    for await (const { sequence, writer, group, bytes } of this.#journal.read(0)) {
      if (group === claimNumber || group <= after) continue
      if (group > last) return
      yield { number: group, writer, segment: 0, offset: sequence, bytes }
    }
  }

  close(): Promise<void> {
    this.#ended ??= new RankwardError('FILE_UNWRITABLE', `The log ${this.#journal.stream} is closed.`)
    return Promise.resolve()
  }
}
