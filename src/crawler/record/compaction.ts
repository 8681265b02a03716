/**
 * Rewrites the record of a crawl in less space. The groups keep their numbers, times and facts, so everything that is
 * read from a record stays the same; what newer groups replace is dropped (needed-records.ts), and the rest is packed
 * (group-pack.ts). The newest snapshot gets an index of the new places.
 *
 *   survey all groups ─▶ pack them into unfinished segments ─▶ put these into the log ─▶ put the snapshot into place
 *   ─▶ remove the old segments
 *
 * The record is complete at every moment: until the end, the old segments are there, and the old snapshot's places are
 * in them. Memory holds an index of the record and one pack.
 */
import { existsSync, rmSync, statSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { withLastPart } from '../../lib/state-splice.ts'
import { GroupPack, unpacked } from './group-pack.ts'
import type { StoredGroup } from './group-log.ts'
import { GroupBytes } from './group.ts'
import { LookSection, NeededRecords } from './needed-records.ts'
import { PackedSegments } from './packed-segments.ts'
import { recentProgress } from './recent-progress.ts'
import { logIn, snapshotsIn } from './record-folder.ts'
import { indexSection, RecordIndex } from './record-index.ts'
import { SegmentFiles } from './segment-files.ts'
import { claimNext, syncFolder, unwritable } from './segment-log.ts'
import { SnapshotFiles, type SnapshotPoint } from './snapshot-files.ts'
import { usableSnapshots } from './snapshot-shelf.ts'

interface CompactionOptions {
  /** The number of a group that the record is known to have had (segment-files.ts). Default: 0. */
  readonly groupsMin?: number | undefined
  readonly progress?: Progress | undefined
  /** Groups are packed together up to this size, before compression. */
  readonly packBytes?: number | undefined
  /** Maximum size of a packed segment. */
  readonly segmentBytes?: number | undefined
}

export interface CompactResult {
  /** Size of the record, with its snapshots. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Number of groups; 0 if there was nothing to do. */
  readonly groups: number
}

/** Compacts the record in this folder. The caller must hold its lock. */
export async function compactRecord(folder: string, options: CompactionOptions = {}): Promise<CompactResult> {
  const files = new SegmentFiles(logIn(folder), options.groupsMin)
  const snapshots = new SnapshotFiles(snapshotsIn(folder))
  files.removeUnfinished()
  snapshots.removeUnfinished()
  try {
    const bytesBefore = bytesOf(files, snapshots)
    if (files.isPacked) return { bytesBefore, bytesAfter: bytesBefore, groups: 0 }
    const groups = await new Compactor(folder, files, snapshots, options).run()
    return { bytesBefore, bytesAfter: bytesOf(files, snapshots), groups }
  } finally {
    files.close()
  }
}

class Compactor {
  readonly #files: SegmentFiles
  readonly #snapshots: SnapshotFiles
  readonly #logFolder: string
  readonly #progress: Progress
  readonly #packBytes: number
  readonly #segmentBytes: number
  readonly #needed = new NeededRecords()
  /** Of the packed groups. */
  readonly #index = new RecordIndex()

  constructor(
    folder: string,
    files: SegmentFiles,
    snapshots: SnapshotFiles,
    { progress = silent, packBytes = 1 << 20, segmentBytes = 256 << 20 }: CompactionOptions,
  ) {
    this.#files = files
    this.#snapshots = snapshots
    this.#logFolder = logIn(folder)
    this.#progress = progress
    this.#packBytes = packBytes
    this.#segmentBytes = segmentBytes
  }

  /** Returns the number of groups. */
  async run(): Promise<number> {
    const old = this.#files.numbers()
    const claim = await claimNext(this.#files).catch((error: unknown) => {
      throw unwritable(this.#logFolder, error)
    })
    await claim.file.close()
    const packed = new PackedSegments(this.#files, claim, this.#segmentBytes)
    let isReplaced = false
    try {
      await this.#survey()
      const snapshot = await this.#packAll(packed)
      await packed.replace()
      isReplaced = true
      await this.#replaceSnapshots(snapshot)
      for (const segment of old) if (this.#files.isOwn(segment)) rmSync(this.#files.path(segment))
      await syncFolder(this.#logFolder)
      return this.#needed.last
    } catch (error) {
      throw error instanceof RankwardError ? error : unwritable(this.#logFolder, error)
    } finally {
      if (!isReplaced) {
        await packed.discard()
        const claimed = this.#files.path(claim.segment)
        if (existsSync(claimed) && statSync(claimed).size === 0) rmSync(claimed)
      }
      this.#snapshots.removeUnfinished()
    }
  }

  async #survey(): Promise<void> {
    for await (const { number, bytes } of this.#files.groups(0)) {
      this.#decode(() => this.#needed.survey(number, new GroupBytes(bytes)))
      this.#progress(number, undefined, 'reading')
    }
    this.#needed.keepProgress(recentProgress(this.#files).groups)
  }

  /** Packs all groups, and prepares the snapshot. */
  async #packAll(packed: PackedSegments): Promise<SnapshotPoint | undefined> {
    let point: SnapshotPoint | undefined = (await usableSnapshots(this.#snapshots, this.#logFolder))[0]
    const { last } = this.#needed
    let open: OpenPack | undefined
    for await (const group of this.#files.groups(0)) {
      if (open !== undefined && (open.writer !== group.writer || open.pack.bytes >= this.#packBytes)) {
        await this.#close(open, packed)
        open = undefined
      }
      open ??= this.#open(group)
      this.#add(open, group)
      this.#progress(group.number, last, 'packing')
      if (group.number === point?.group) {
        await this.#close(open, packed)
        open = undefined
        // A resume reads only the segments after its snapshot.
        await packed.end(group.number + 1)
        if (!(await this.#isPrepared(point))) point = undefined
      }
    }
    if (open !== undefined) await this.#close(open, packed)
    await packed.end(last + 1)
    return point
  }

  #open({ number, writer }: StoredGroup): OpenPack {
    const looks = new LookSection((page) => this.#index.lastLook(page))
    return { first: number, writer, pack: new GroupPack(writer), looks }
  }

  #add({ pack, looks }: OpenPack, { number, bytes }: StoredGroup): void {
    this.#decode(() => {
      const group = new GroupBytes(bytes)
      pack.add(group.at, this.#needed.of(number, group, looks))
    })
  }

  /** Writes a pack, decodes it again, and adds its groups to the index. */
  async #close({ first, pack }: OpenPack, packed: PackedSegments): Promise<void> {
    const bytes = pack.encode()
    const place = await packed.append(first, bytes)
    this.#decode(() => {
      for (const group of unpacked(bytes, place, first)) this.#index.add(group)
    })
  }

  /** Writes the snapshot with the new index. False: its state is of another version. */
  async #isPrepared(point: SnapshotPoint): Promise<boolean> {
    try {
      await this.#snapshots.prepare(
        point,
        withLastPart(this.#snapshots.blocks(point.group), indexSection, this.#index),
      )
      return true
    } catch (error) {
      if (error instanceof RankwardError && error.code === 'BAD_SNAPSHOT') return false
      throw error
    }
  }

  /** Other snapshots have places in the old segments. */
  async #replaceSnapshots(point: SnapshotPoint | undefined): Promise<void> {
    if (point !== undefined) await this.#snapshots.put(point.group)
    for (const group of this.#snapshots.groups())
      if (group !== point?.group && this.#snapshots.isOwn(group)) rmSync(this.#snapshots.path(group))
  }

  /** Reports undecodable data as damage. */
  #decode(work: () => void): void {
    try {
      work()
    } catch (error) {
      throw error instanceof RangeError || error instanceof SyntaxError
        ? this.#files.unreadable(error)
        : error
    }
  }
}

interface OpenPack {
  readonly first: number
  readonly writer: string
  readonly pack: GroupPack
  readonly looks: LookSection
}

function bytesOf(files: SegmentFiles, snapshots: SnapshotFiles): number {
  const paths = [
    ...files.numbers().map((segment) => files.path(segment)),
    ...snapshots.groups().map((group) => snapshots.path(group)),
  ]
  return paths.reduce((sum, path) => sum + statSync(path).size, 0)
}
