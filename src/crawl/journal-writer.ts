/**
 * Makes what a crawl has learnt durable, in groups: facts, records and counts of a moment go to disk together, after
 * everything in them that is archived is on disk too. A group is closed at most once in a while; the next gathers
 * meanwhile.
 *
 *   facts, records ──▶ group closed ──▶ WARC synced ──▶ journal written
 */
import type { FactWriter } from '../engine/fact-writer.ts'
import type { CrawlSnapshots } from './crawl-snapshots.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { WarcEnd } from '../record/group.ts'

export interface JournalWriterOptions {
  readonly record: RecordWriter
  readonly facts: FactWriter
  /** Everything told so far is archived and on disk; how far the files go. */
  readonly sync: () => Promise<ReadonlyMap<number, WarcEnd>>
  /** The counts of this moment. */
  readonly counts: () => object
  /** How far the crawl is at this moment, for people. */
  readonly progress?: () => object
  /** Takes snapshots of the state as of a group; undefined: none are taken. */
  readonly snapshots?: CrawlSnapshots | undefined
  /** Facts cannot be kept any more: the crawl must stop. */
  readonly broken: (error: Error) => void
}

/** The longest that a fact waits for its group to be closed. */
const groupMs = 500
/** Bytes of facts that close a group at once. */
const groupBytes = 4 << 20

export class JournalWriter {
  readonly #options: JournalWriterOptions
  #timer: NodeJS.Timeout | undefined
  #write: Promise<void> | undefined
  /** A group is lost: what came after it must not be written either. */
  #failure: Error | undefined

  constructor(options: JournalWriterOptions) {
    this.#options = options
  }

  /** Is more waiting than should be? Then the crawl is to wait too. */
  get isBehind(): boolean {
    return this.#write !== undefined && this.#options.facts.length > groupBytes
  }

  /** The write under way, if any. */
  get written(): Promise<void> | undefined {
    return this.#write
  }

  /** Something was told: it is written soon. */
  touch(): void {
    if (this.#options.facts.length === 0) return
    if (this.#options.facts.length > groupBytes) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), groupMs)
  }

  /** Writes nothing more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Settles when all that was told is durable. Rejects where it cannot be made so. */
  async flushed(isLast = false): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#write !== undefined) await this.#write
    if (this.#failure !== undefined) throw this.#failure
    if (this.#options.facts.length > 0) await this.#group(isLast)
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#write !== undefined || this.#failure !== undefined || this.#options.facts.length === 0) return
    this.#write = this.#group()
      .catch((error: unknown) => {
        this.#failure = error as Error
        this.#options.broken(this.#failure)
      })
      .finally(() => {
        this.#write = undefined
        if (this.#options.facts.length > 0) this.touch()
      })
  }

  async #group(isLast = false): Promise<void> {
    const { record, facts, sync, counts, progress, snapshots } = this.#options
    const bytes = facts.takeBytes()
    // The counts of this very moment: later ones belong to the next group.
    const totals = structuredClone(counts())
    const shown = progress?.()
    record.closeGroup()
    const state = snapshots?.take(isLast)
    const groupLength = await record.commit(bytes, await sync(), totals, shown)
    snapshots?.committed(groupLength, state)
  }
}
