/**
 * Writes packed segments that replace all segments of a log. They are written to unfinished files first. `replace`
 * then gives them their names, the first one last: the others do not count without it. Its groups make those of all
 * older segments void, so one rename replaces the whole log.
 */
import { linkSync, renameSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { fenced } from './group-log.ts'
import type { GroupPlace } from './group-log.ts'
import type { SegmentFiles } from './segment-files.ts'
import { syncFolder, writeAll, type Claim } from './segment-log.ts'
import { encodeFrame, encodeHeader, frameBytes, frameHeaderBytes, headerBytes } from './segment.ts'

export class PackedSegments {
  readonly #files: SegmentFiles
  readonly #claim: Claim
  readonly #segmentBytes: number
  #file: FileHandle | undefined
  /** The current segment; the one before the claimed one if there is none yet. */
  #segment: number
  #offset = 0
  bytes = 0

  /** `claim` is an empty segment after all others. */
  constructor(files: SegmentFiles, claim: Claim, segmentBytes: number) {
    this.#files = files
    this.#claim = claim
    this.#segment = claim.segment - 1
    this.#segmentBytes = segmentBytes
  }

  /** Writes a pack whose first group has this number. */
  async append(first: number, pack: Uint8Array): Promise<GroupPlace> {
    if (this.#file !== undefined && this.#offset + frameBytes(pack.length) > this.#segmentBytes) {
      await this.end(first)
    }
    const file = this.#file ?? (await this.#begin(first))
    const offset = this.#offset + frameHeaderBytes
    await this.#frame(file, first, pack)
    return { segment: this.#segment, offset }
  }

  /** Ends the current segment. The next group has this number. */
  async end(next: number): Promise<void> {
    const file = this.#file
    if (file === undefined) return
    this.#file = undefined
    try {
      await this.#frame(file, next, new Uint8Array(0))
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /** Puts the segments into the log. They must have been ended. */
  async replace(): Promise<void> {
    const { segment: first } = this.#claim
    if (this.#files.numbers().at(-1) !== first) throw fenced(this.#files.folder)
    for (let segment = this.#segment; segment >= first; segment--) {
      const unfinished = this.#files.unfinishedPath(segment)
      if (segment === first) renameSync(unfinished, this.#files.path(segment))
      else {
        // Unlike a rename, this fails if another writer has created the segment.
        linkSync(unfinished, this.#files.path(segment))
        rmSync(unfinished)
      }
      await syncFolder(this.#files.folder)
    }
  }

  /** Removes the unfinished files. */
  async discard(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
    for (let segment = this.#segment; segment >= this.#claim.segment; segment--)
      rmSync(this.#files.unfinishedPath(segment), { force: true })
  }

  async #begin(first: number): Promise<FileHandle> {
    const segment = ++this.#segment
    const file = await open(this.#files.unfinishedPath(segment), 'wx')
    this.#file = file
    await writeAll(file, encodeHeader({ segment, first, writer: this.#claim.writer, isPacked: true }), 0)
    this.#offset = headerBytes
    this.bytes += headerBytes
    return file
  }

  async #frame(file: FileHandle, number: number, pack: Uint8Array): Promise<void> {
    for (const piece of encodeFrame(number, pack)) {
      await writeAll(file, piece, this.#offset)
      this.#offset += piece.length
      this.bytes += piece.length
    }
  }
}
