/**
 * Read access to the segment files of a log. Reading needs no lock and writes nothing, so any process may
 * read while another appends.
 *
 * Each writer starts a new segment, so segments are never truncated: a torn or damaged end is left in place,
 * and the header of the next segment has the number at which the log continues. Groups of older segments from
 * that number on are void: their writer had lost the log, or a compaction has packed them into the newer segment.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import type { GroupPlace, StoredGroup } from './group-log.ts'
import { countOf, packHeadBytes, unpacked } from './group-pack.ts'
import { liveSegments, inPlace } from './segment.ts'
import { AheadReader, hasFrameAfter, headOf, readAt } from './segment-reads.ts'
import {
  decodeFrameBody,
  decodeFrameHeader,
  decodeHeader,
  frameBytes,
  frameHeaderBytes,
  headerBytes,
  isFrameHeader,
  isHeaderStart,
  isIntact,
  isNewer,
  type FrameHeader,
  type SegmentHeader,
} from './segment.ts'

const fileName = /^(\d{6,})\.log$/
const unfinishedName = /^\d{6,}\.log\.part$/
/** Maximum number of segment files kept open for random access. */
const openMax = 64
/** Bytes of a group that are read for a comparison: its time. */
const groupHeadBytes = 8
/** The folder is listed again so often while a compaction removes segments. */
const listingsMax = 1000

/** Where reading continues: the end of a group in a segment that is not packed. */
export interface ReadPlace {
  readonly segment: number
  readonly offset: number
}

export class SegmentFiles {
  readonly folder: string
  readonly #groupsMin: number
  readonly #open = new Map<number, number>()

  /**
   * `groupsMin`: the number of a group that the log is known to have had. A log that ends before it has lost groups:
   * that is an error, not a torn write.
   */
  constructor(folder: string, groupsMin = 0) {
    this.folder = folder
    this.#groupsMin = groupsMin
  }

  path(segment: number): string {
    return join(this.folder, `${String(segment).padStart(6, '0')}.log`)
  }

  /** The segments in the folder, in order; none if the folder is missing. */
  numbers(): number[] {
    let names
    try {
      names = readdirSync(this.folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw this.unreadable(error)
    }
    return names
      .flatMap((name) => fileName.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b)
  }

  /** The last segment and its length, which changes whenever something is appended; zeros for an empty log. */
  end(): { readonly segment: number; readonly bytes: number } {
    const segment = this.numbers().at(-1) ?? 0
    const found = statSync(this.path(segment), { throwIfNoEntry: false })
    return { segment, bytes: found?.size ?? 0 }
  }

  /** Whether this file is a segment, or the beginning of one. */
  isOwn(segment: number): boolean {
    try {
      const bytes = this.at(segment, 0, headerBytes)
      return isHeaderStart(bytes) && (bytes.length < headerBytes || decodeHeader(bytes) !== undefined)
    } catch {
      return false
    }
  }

  unfinishedPath(segment: number): string {
    return `${this.path(segment)}.part`
  }

  /** Removes unfinished segments of a compaction that was killed, if they begin like a segment. */
  removeUnfinished(): void {
    for (const name of existsSync(this.folder) ? readdirSync(this.folder) : []) {
      const path = join(this.folder, name)
      if (unfinishedName.test(name) && isHeaderStart(headOf(path))) rmSync(path, { force: true })
    }
  }

  /**
   * All groups after this number, in order, up to the last complete one. `from`: the end of the group `after`, if known;
   * its segment is then not read from the start.
   */
  async *groups(after: number, from?: ReadPlace): AsyncGenerator<StoredGroup> {
    const segments = liveSegments(this.#headers())
    let expected = 1
    for (const { end, ...header } of segments) {
      if (end <= after + 1) {
        expected = end
        continue
      }
      if (header.first !== expected) throw this.#missing(expected, header.segment)
      if (header.isPacked) {
        yield* this.#packedGroups(header, end, after)
        expected = end
        continue
      }
      const isFrom = from?.segment === header.segment && after >= header.first
      if (isFrom) expected = after + 1
      const start = isFrom ? { number: expected, offset: from.offset } : undefined
      for await (const group of this.#framesOf(header, end, end === Infinity, start)) {
        expected++
        if (group.number > after) yield group
      }
      if (end !== Infinity && expected !== end) throw this.#missing(expected, header.segment)
    }
    this.#checkEnd(expected - 1)
  }

  /** Throws if the log once had groups after this one. */
  #checkEnd(last: number): void {
    if (last >= this.#groupsMin) return
    const lost =
      last + 1 === this.#groupsMin ? `group ${last + 1} is` : `groups ${last + 1} to ${this.#groupsMin} are`
    const end = last === 0 ? 'nothing is left of it' : `it now ends with group ${last}`
    throw this.unreadable(
      new Error(`${lost} lost: the crawl recorded at least ${this.#groupsMin}, and ${end}`),
    )
  }

  /** True if a compaction has packed all groups, and has removed the segments that had them before. */
  get isPacked(): boolean {
    return this.#headers().every(
      ({ segment, isPacked }) => isPacked || this.at(segment, headerBytes, 1).length === 0,
    )
  }

  /**
   * The number of a group that all groups follow for which `isEarlier` is false; 0 for the beginning. Only the
   * first group of each segment is compared, by its first bytes.
   */
  groupBefore(isEarlier: (group: Uint8Array) => boolean): number {
    for (const { segment, first } of liveSegments(this.#headers()).toReversed()) {
      const group = this.at(segment, headerBytes + frameHeaderBytes, groupHeadBytes)
      if (group.length === groupHeadBytes && isEarlier(group)) return first - 1
    }
    return 0
  }

  /** Whether the log has this group, by this writer. */
  async has(number: number, writer: string): Promise<boolean> {
    for await (const group of this.groups(number - 1))
      return group.number === number && group.writer === writer
    return false
  }

  /**
   * The newest groups, without reading the whole log: backwards from the last one, while `isWanted`, and not
   * beyond the last segment that has any. A compaction moves groups to other segments, so packed ones have no such bound.
   */
  *newest(isWanted: (group: Uint8Array) => boolean): Generator<Uint8Array> {
    for (const { frame, isPacked, place } of this.#newestFrames()) {
      for (const group of isPacked ? this.#unpacked(frame, place) : [frame]) {
        yield group
        if (!isWanted(group)) return
      }
    }
  }

  /** Only the end of the log may be damaged, by a torn write. */
  *#newestFrames(): Generator<{ frame: Buffer; isPacked: boolean; place: GroupPlace }> {
    let isChecked = false
    for (const { segment, isPacked } of this.#headers().toReversed()) {
      const frames = this.#frames(segment)
      for (const { offset, header } of frames.toReversed()) {
        const frame = this.at(segment, offset, header.length)
        if (isIntact(header, frame)) {
          if (!isChecked) this.#checkEnd(isPacked ? header.number + countOf(frame) - 1 : header.number)
          isChecked = true
          yield { frame, isPacked, place: { segment, offset } }
        } else if (isChecked || isPacked) {
          throw this.#unreadableSegment(segment, new Error('a group is damaged'))
        }
      }
      if (isChecked && frames.length > 0 && !isPacked) return
    }
    if (!isChecked) this.#checkEnd(0)
  }

  /** The groups of a pack, the newest first. */
  #unpacked(pack: Buffer, place: GroupPlace): Uint8Array[] {
    try {
      return Array.from(unpacked(pack, place, 0), ({ bytes }) => bytes).toReversed()
    } catch (error) {
      throw this.unreadable(error)
    }
  }

  /** The positions of the groups of a segment, from their headers alone; excludes a torn or damaged end. */
  #frames(segment: number): { readonly offset: number; readonly header: FrameHeader }[] {
    const frames: { offset: number; header: FrameHeader }[] = []
    for (let offset = headerBytes; ;) {
      const bytes = this.at(segment, offset, frameHeaderBytes)
      if (bytes.length < frameHeaderBytes || !isFrameHeader(bytes)) return frames
      const frame = decodeFrameHeader(bytes)
      if (frame === 'torn') return frames
      // The end of a packed segment.
      if (frame.length === 0) return frames
      const group = { offset: offset + frameHeaderBytes, header: frame }
      // The last group may still be incomplete.
      offset += frameBytes(frame.length)
      if (this.at(segment, offset - 1, 1).length === 0) return frames
      frames.push(group)
    }
  }

  /** Bytes at a position of a segment; fewer than `length` if the file ends there. */
  at(segment: number, offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    try {
      const read = readSync(this.#fileOf(segment), bytes, 0, length, offset)
      return bytes.subarray(0, read)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? compacted() : this.unreadable(error)
    }
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file)
    this.#open.clear()
  }

  unreadable(cause: unknown): RankwardError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const remedy = isNewer(cause)
      ? 'A newer version of Rankward wrote it: update Rankward.'
      : 'Restore the folder from a copy, or start a new crawl in another folder.'
    return new RankwardError(
      'FILE_UNREADABLE',
      `The record in ${this.folder} cannot be read (${reason}). ${remedy}`,
      { cause },
    )
  }

  #missing(number: number, segment: number): RankwardError {
    return this.unreadable(new Error(`group ${number} is missing from ${this.path(segment)}`))
  }

  /** Headers of the segments that have one; a segment without a header has no groups. */
  #headers(): SegmentHeader[] {
    for (let attempt = 1; ; attempt++) {
      try {
        return inPlace(this.numbers().flatMap((segment) => this.#headerOf(segment) ?? []))
      } catch (error) {
        // A compaction has removed a segment since the folder was listed.
        if (!isCompacted(error) || attempt === listingsMax) throw error
      }
    }
  }

  #headerOf(segment: number): SegmentHeader | undefined {
    try {
      const header = decodeHeader(this.at(segment, 0, headerBytes))
      if (header === undefined) this.#closeFile(segment)
      else if (header.segment !== segment) throw new Error('it was renamed')
      return header
    } catch (error) {
      throw this.#unreadableSegment(segment, error)
    }
  }

  #unreadableSegment(segment: number, error: unknown): RankwardError {
    if (error instanceof RankwardError) return error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return compacted()
    return this.unreadable(new Error(`${this.path(segment)}: ${(error as Error).message}`, { cause: error }))
  }

  /** The groups of a packed segment after this number and below `end`. Such a segment is complete. */
  async *#packedGroups(header: SegmentHeader, end: number, after: number): AsyncGenerator<StoredGroup> {
    const { segment } = header
    let file: FileHandle | undefined
    try {
      file = await open(this.path(segment), 'r')
      let offset = headerBytes
      let number = header.first
      for (;;) {
        const frame = decodeFrameHeader(await readAt(file, offset, frameHeaderBytes))
        if (frame === 'torn' || frame.number !== number) throw new Error(`group ${number} is missing`)
        if (frame.length === 0) break
        offset += frameHeaderBytes
        const next = number + countOf(await readAt(file, offset, packHeadBytes))
        if (next > after + 1) {
          const pack = decodeFrameBody(frame, await readAt(file, offset, frame.length))
          if (pack === 'torn') throw new Error(`group ${number} is missing`)
          for (const group of unpacked(pack, { segment, offset }, number))
            if (group.number > after && group.number < end) yield group
        }
        offset += frame.length
        number = next
        if (number >= end) return
      }
      if (end !== Infinity) throw new Error(`group ${number} is missing`)
    } catch (error) {
      throw this.#unreadableSegment(segment, error)
    } finally {
      await file?.close()
    }
  }

  /**
   * The groups of a segment with numbers below `end`. Damage in the last segment counts as its end if no
   * complete group follows.
   */
  async *#framesOf(
    header: SegmentHeader,
    end: number,
    isLast: boolean,
    start: { number: number; offset: number } = { number: header.first, offset: headerBytes },
  ): AsyncGenerator<StoredGroup> {
    const { segment, writer } = header
    let file: FileHandle | undefined
    try {
      file = await open(this.path(segment), 'r')
      const reader = new AheadReader(file)
      let { number, offset } = start
      for (; number < end; number++) {
        const group = await frameAt(reader, offset, number).catch(async (error: unknown) => {
          if (isLast && !(await hasFrameAfter(file!, offset + 1, number))) return 'torn' as const
          throw error
        })
        if (group === 'torn') return
        yield { number, writer, segment, offset: offset + frameHeaderBytes, bytes: group }
        offset += frameBytes(group.length)
      }
    } catch (error) {
      throw this.#unreadableSegment(segment, error)
    } finally {
      await file?.close()
    }
  }

  /** Called for a claimed segment without a header: a compaction replaces that file. */
  #closeFile(segment: number): void {
    const file = this.#open.get(segment)
    if (file !== undefined) closeSync(file)
    this.#open.delete(segment)
  }

  #fileOf(segment: number): number {
    const known = this.#open.get(segment)
    if (known !== undefined) return known
    if (this.#open.size >= openMax) {
      const [[oldest, file]] = this.#open
      closeSync(file)
      this.#open.delete(oldest)
    }
    const file = openSync(this.path(segment), 'r')
    this.#open.set(segment, file)
    return file
  }
}

/** The group in the frame at this position. `torn`: it is incomplete, or still being written. */
async function frameAt(reader: AheadReader, offset: number, number: number): Promise<Buffer | 'torn'> {
  const frame = decodeFrameHeader(await reader.read(offset, frameHeaderBytes))
  if (frame === 'torn') return 'torn'
  if (frame.number !== number) throw new Error(`group ${number} is missing`)
  return decodeFrameBody(frame, await reader.read(offset + frameHeaderBytes, frame.length))
}

export function compacted(): RankwardError {
  return new RankwardError(
    'RECORD_COMPACTED',
    'The record was compacted while it was read. Run the command again.',
  )
}

/** True if the record was compacted while it was read. Another reader of it succeeds. */
export function isCompacted(error: unknown): boolean {
  return error instanceof RankwardError && error.code === 'RECORD_COMPACTED'
}
