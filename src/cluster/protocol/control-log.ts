/**
 * The control log of a crawl, read and written by workers and users. Every append states the last message that its writer has read, so each
 * command is decided on the state that it changes: of two commands at once, the second is decided again after reading the first.
 *
 * The numbers of messages are sequences of the log, which is never purged.
 */
import { RankwardError } from '../../lib/errors.ts'
import type { AppendRecord } from './append.ts'
import { ControlState, encodeControl, readControl, type ControlCommand } from './control.ts'

interface StoredControl {
  readonly sequence: number
  readonly writer: string
  readonly bytes: Uint8Array
  /** When it was stored, by the clock of the store, in milliseconds. */
  readonly storedMs?: number | undefined
}

export interface ControlJournal {
  /** Returns the sequence of the record; undefined if another writer has appended (append.ts). */
  append(record: AppendRecord): Promise<number | undefined>
  /** All messages after this sequence. */
  read(after: number): AsyncIterable<StoredControl>
}

export class ControlLog {
  readonly crawl: string
  readonly #journal: ControlJournal
  /** A name that no other append has. */
  readonly #newWriter: () => string
  #state: ControlState | undefined

  constructor(crawl: string, journal: ControlJournal, newWriter: () => string) {
    this.crawl = crawl
    this.#journal = journal
    this.#newWriter = newWriter
  }

  /** As of the last read. */
  get state(): ControlState {
    return this.#state!
  }

  /** Reads the messages since the last read; NO_CRAWL if there are no settings. */
  async read(): Promise<ControlState> {
    const state = await this.readOn()
    if (state === undefined) throw noCrawl(this.crawl)
    return state
  }

  /**
   * Appends a command, and returns the state after it. `decide` gets the newest state, again whenever another command was
   * stored first; without a command from it, nothing is appended.
   */
  async append(decide: (state: ControlState) => ControlCommand | undefined): Promise<ControlState> {
    const writer = this.#newWriter()
    for (let attempt = 1; ; attempt++) {
      const state = await this.read()
      const command = decide(state)
      if (command === undefined) return state
      const after = state.number
      const record = { writer, group: attempt, after, bytes: encodeControl(command) }
      const isStored = (await this.#journal.append(record)) !== undefined
      // It may also be stored if its acknowledgement was lost and another command followed.
      const writers = new Set<string>()
      await this.readOn(after, writers)
      if (isStored || writers.has(writer)) return this.state
    }
  }

  /** Appends a command unless it would change nothing. */
  command(command: ControlCommand): Promise<ControlState> {
    return this.append((state) => (state.isNews(command) ? command : undefined))
  }

  /** The state after all messages; undefined if there are none. Two reads may overlap. `writers` gets those of the messages. */
  async readOn(after = this.#state?.number ?? 0, writers?: Set<string>): Promise<ControlState | undefined> {
    for await (const { sequence, writer, bytes, storedMs } of this.#journal.read(after)) {
      writers?.add(writer)
      const state = this.#state
      if (state !== undefined && sequence <= state.number) continue
      const message = readControl(bytes, this.crawl, sequence)
      if (state === undefined) this.#state = new ControlState(this.crawl, sequence, message, storedMs)
      else state.apply(sequence, message, storedMs)
    }
    return this.#state
  }
}

/** The error for a crawl that the cluster does not have. */
export function noCrawl(crawl: string): RankwardError {
  return new RankwardError(
    'NO_CRAWL',
    `The cluster has no crawl named ${crawl}. \`rankward cluster list\` lists the crawls of a cluster.`,
  )
}
