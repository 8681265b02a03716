/** The snapshots of a crawl in files beside its record: they are stored one at a time, and usable if they belong to its log. */
import type { StateWriter } from '../../lib/state.ts'
import type { RecordIndex } from './record-index.ts'
import type { SegmentLog } from './segment-log.ts'
import { SnapshotFiles, type SnapshotPoint } from './snapshot-files.ts'
import { SegmentFiles } from './segment-files.ts'

interface SnapshotShelfOptions {
  readonly folder: string
  readonly log: SegmentLog
  /** It is the last part of a snapshot. */
  readonly index: RecordIndex
  /** Minimum growth of the log between two snapshots, in bytes. */
  readonly growthBytes?: number | undefined
  /** Called if a snapshot could not be written; the crawl continues without it. */
  readonly onFailure: (error: Error) => void
}

export class FileSnapshots {
  readonly growthBytes: number | undefined
  readonly #options: SnapshotShelfOptions
  readonly #files: SnapshotFiles
  #write: Promise<void> | undefined

  constructor(options: SnapshotShelfOptions) {
    this.growthBytes = options.growthBytes
    this.#options = options
    this.#files = new SnapshotFiles(options.folder)
  }

  reserve(): boolean {
    return this.#write === undefined
  }

  cancel(): void {}

  /** The log continues in another segment. */
  store(state: StateWriter): number {
    const { log, index, onFailure } = this.#options
    index.transfer(state)
    const { byteLength } = state
    log.rotate()
    this.#write = this.#files
      .write({ group: log.last, writer: log.writer }, state.drain())
      .catch((error: unknown) => onFailure(error as Error))
      .finally(() => {
        this.#write = undefined
      })
    return byteLength
  }

  /** Resolves when no snapshot is being written. */
  async written(): Promise<void> {
    await this.#write
  }
}

/** The complete snapshots that belong to this log, newest first. */
export async function usableSnapshots(snapshots: SnapshotFiles, logFolder: string): Promise<SnapshotPoint[]> {
  const files = new SegmentFiles(logFolder)
  const usable: SnapshotPoint[] = []
  for (const group of snapshots.groups()) {
    const point = snapshots.check(group)
    if (point !== undefined && (await files.has(group, point.writer))) usable.push(point)
  }
  files.close()
  return usable
}
