/**
 * Takes snapshots of a running crawl, so that a resume replays only the groups after the last one. The state is copied when a group is closed,
 * which is what the crawl waits for, and written to disk in the background once that group is durable.
 *
 *   group closed: copy state ──▶ group committed: add the index ──▶ write in the background ──▶ next segment
 *
 * A snapshot is due when the log has grown by a part of the last snapshot's size, within bounds: small crawls write few snapshots, and a
 * resume of a large one never has much to replay.
 */
import { StateWriter } from '../lib/state.ts'
import { SnapshotFiles } from '../record/snapshot-files.ts'
import { statefulParts, type CrawlState } from './crawl-state.ts'

/** The log grows by at least this much between two snapshots, and by at most this: some 60,000 pages to replay. */
const growthMin = 4 << 20
const growthMax = 16 << 20
const growthPart = 1 / 2

export interface SnapshotOptions {
  readonly folder: string
  /** Bytes by which the log grows at least between two snapshots. */
  readonly growthBytes?: number | undefined
  /** A snapshot could not be written; the crawl goes on without it. */
  readonly onFailure: (error: Error) => void
}

export class CrawlSnapshots {
  readonly #state: CrawlState
  readonly #files: SnapshotFiles
  readonly #options: SnapshotOptions
  /** Bytes of groups since the last snapshot, and the size of that one. */
  #grown = 0
  #lastBytes = 0
  #write: Promise<void> | undefined
  /** How long the crawl waited for the longest copy, in milliseconds. */
  longestMs = 0

  constructor(state: CrawlState, options: SnapshotOptions) {
    this.#state = state
    this.#files = new SnapshotFiles(options.folder)
    this.#options = options
  }

  /** A group is closed: the state is that of its last fact. Copies it where a snapshot is due. */
  take(isForced = false): StateWriter | undefined {
    const { growthBytes = growthMin } = this.#options
    const wanted = Math.min(growthMax, Math.max(growthBytes, growthPart * this.#lastBytes))
    const isDue = isForced ? this.#grown > 0 : this.#grown >= wanted
    if (!isDue || this.#write !== undefined || !this.#state.engine.isRestorable) return undefined
    const startMs = performance.now()
    const writer = new StateWriter()
    for (const part of statefulParts(this.#state)) part.transfer(writer)
    this.longestMs = Math.max(this.longestMs, performance.now() - startMs)
    return writer
  }

  /** That group, of this many bytes, is durable and the last one: its snapshot, if one was taken, is written in the background. */
  committed(bytes: number, writer: StateWriter | undefined): void {
    this.#grown += bytes
    if (writer === undefined) return
    const { log, record } = this.#state
    record.index.transfer(writer)
    const chunks = writer.finish()
    this.#grown = 0
    this.#lastBytes = chunks.reduce((sum, { length }) => sum + length, 0)
    log.rotate()
    this.#write = this.#files
      .write({ group: log.last, writer: log.writer }, chunks)
      .catch((error: unknown) => this.#options.onFailure(error as Error))
      .finally(() => {
        this.#write = undefined
      })
  }

  /** Settles when no snapshot is being written. */
  async written(): Promise<void> {
    await this.#write
  }
}
