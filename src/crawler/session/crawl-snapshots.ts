/**
 * Takes snapshots of a running crawl, so that a resume replays only the groups after the last one. The state
 * is copied when a group is closed, which pauses the crawl, and is written to disk in the background once
 * that group is durable.
 *
 *   group closed: copy state ──▶ group committed: add the index ──▶ write in the background ──▶ next segment
 *
 * `snapshot-growth.ts` says when a snapshot is due.
 */
import { StateWriter } from '../../lib/state.ts'
import { SnapshotFiles } from '../record/snapshot-files.ts'
import { growthWanted } from '../record/snapshot-growth.ts'
import { statefulParts, type CrawlState } from './crawl-state.ts'

export interface SnapshotOptions {
  readonly folder: string
  /** Minimum growth of the log between two snapshots, in bytes. */
  readonly growthBytes?: number | undefined
  /** Called if a snapshot could not be written; the crawl continues without it. */
  readonly onFailure: (error: Error) => void
}

export class CrawlSnapshots {
  readonly #state: CrawlState
  readonly #files: SnapshotFiles
  readonly #options: SnapshotOptions
  /** Bytes of groups since the last snapshot, and the size of that snapshot. */
  #grown = 0
  #lastBytes = 0
  #write: Promise<void> | undefined
  /** The longest pause of the crawl for a copy, in milliseconds. */
  longestMs = 0

  constructor(state: CrawlState, options: SnapshotOptions) {
    this.#state = state
    this.#files = new SnapshotFiles(options.folder)
    this.#options = options
  }

  /**
   * Called when a group is closed, with the state after its last fact. Copies the state if a snapshot is due.
   */
  take(isForced = false): StateWriter | undefined {
    const isDue = isForced || this.#grown >= growthWanted(this.#lastBytes, this.#options.growthBytes)
    if (!isDue || this.#write !== undefined || !this.#state.engine.isRestorable) return undefined
    const startMs = performance.now()
    const writer = new StateWriter()
    for (const part of statefulParts(this.#state)) part.transfer(writer)
    this.longestMs = Math.max(this.longestMs, performance.now() - startMs)
    return writer
  }

  /** Called when a session ends and all of its groups are durable: takes a snapshot of them if there is none. */
  takeLast(): void {
    if (this.#grown > 0) this.committed(0, this.take(true))
  }

  /**
   * Called when that group, of this many bytes, is durable and the last one. Its snapshot, if there is one,
   * is written in the background.
   */
  committed(bytes: number, writer: StateWriter | undefined): void {
    this.#grown += bytes
    if (writer === undefined) return
    const { log, record } = this.#state
    record.index.transfer(writer)
    this.#grown = 0
    this.#lastBytes = writer.byteLength
    log.rotate()
    this.#write = this.#files
      .write({ group: log.last, writer: log.writer }, writer.drain())
      .catch((error: unknown) => this.#options.onFailure(error as Error))
      .finally(() => {
        this.#write = undefined
      })
  }

  /** Resolves when no snapshot is being written. */
  async written(): Promise<void> {
    await this.#write
  }
}
