/**
 * Makes the facts of a crawl durable, in groups: facts, records and counts of a moment are written together,
 * after their archived pages are synced to disk. At most one group is written at a time; the next one
 * collects in the meantime.
 *
 *   facts, records ──▶ group closed ──▶ WARC synced ──▶ group committed
 */
import type { FactWriter } from '../../engine/fact-writer.ts'
import type { CrawlSnapshots } from './crawl-snapshots.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { GroupBytes } from '../record/group.ts'

/** What a group has beside its records. */
interface OpenGroup {
  readonly facts: Uint8Array
  readonly progress: object | undefined
  readonly isLast: boolean
}

export interface GroupWriterOptions {
  readonly record: RecordWriter
  readonly facts: FactWriter
  /** Called before a group with facts is closed. */
  readonly closing?: (() => void) | undefined
  /** Closes the open group, and encodes it once all that it refers to is on disk. */
  readonly closeGroup: (group: OpenGroup) => Promise<Uint8Array>
  /** The current progress, for `rankward status`. */
  readonly progress?: () => object
  /** Minimum time between two groups with progress, except for the last group. Default: every group has it. */
  readonly progressMs?: number | undefined
  /** Takes snapshots of the state as of a group; undefined disables them. */
  readonly snapshots?: CrawlSnapshots<void> | undefined
  /** Resolves when no snapshot is being written. */
  readonly snapshotWritten?: (() => Promise<void>) | undefined
  /** Called with each group once it is durable; the next group waits for it. */
  readonly committed?: ((group: GroupBytes) => Promise<void> | void) | undefined
  /** Called if facts can no longer be recorded: the crawl must stop. */
  readonly broken: (error: Error) => void
}

/** Maximum time between a fact and the end of its group. */
const groupMs = 500
/** A group with more bytes of facts is closed at once. */
const groupBytes = 4 << 20

export class GroupWriter {
  readonly #options: GroupWriterOptions
  #timer: NodeJS.Timeout | undefined
  #write: Promise<void> | undefined
  /** A group was lost, so no later group may be written. */
  #failure: Error | undefined
  /** When the next group has progress, by the monotonic clock. */
  #progressDueMs = -Infinity

  constructor(options: GroupWriterOptions) {
    this.#options = options
  }

  /** Whether too many facts wait to be written. The crawl must then pause. */
  get isBehind(): boolean {
    return this.#write !== undefined && this.#options.facts.length > groupBytes
  }

  /** The current write, if any. */
  get written(): Promise<void> | undefined {
    return this.#write
  }

  /** Called after new facts: schedules a write. */
  touch(): void {
    if (!this.#hasNews || this.#failure !== undefined) return
    if (this.#options.facts.length > groupBytes) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), groupMs)
  }

  /** Cancels the scheduled write. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /**
   * Resolves when all facts so far are durable. Rejects if they cannot be written. `isLast`: the session ends, with
   * a snapshot if the crawl can continue.
   */
  async flushed(isLast = false): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#write !== undefined) await this.#write
    if (this.#failure !== undefined) throw this.#failure
    // The last snapshot must not be skipped because of the one before.
    if (isLast) await this.#options.snapshotWritten?.()
    if (this.#hasNews) await this.#group(isLast)
    else if (isLast) this.#options.snapshots?.takeLast()
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#write !== undefined || this.#failure !== undefined || !this.#hasNews) return
    this.#write = this.#group()
      .catch((error: unknown) => {
        this.#failure = error as Error
        this.#options.broken(this.#failure)
      })
      .finally(() => {
        this.#write = undefined
        this.touch()
      })
  }

  get #hasNews(): boolean {
    return this.#options.facts.length > 0 || this.#options.record.hasNews
  }

  async #group(isLast = false): Promise<void> {
    const { record, facts, closing, closeGroup, snapshots, committed } = this.#options
    if (facts.length > 0) closing?.()
    const bytes = facts.takeBytes()
    const encoded = await closeGroup({ facts: bytes, progress: this.#progress(isLast), isLast })
    const group = await record.append(encoded)
    snapshots?.committed(group.length)
    await committed?.(group)
  }

  #progress(isLast: boolean): object | undefined {
    const { progress, progressMs = 0 } = this.#options
    const nowMs = performance.now()
    if (nowMs < this.#progressDueMs && !isLast) return undefined
    this.#progressDueMs = nowMs + progressMs
    return progress?.()
  }
}
