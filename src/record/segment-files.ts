/**
 * Read access to the segment files of a log. Reading needs no lock and writes nothing, so any process may
 * read while another appends.
 *
 * Each writer starts a new segment, so segments are never truncated: a torn or damaged end is left in place,
 * and the header of the next segment has the number at which the log continues. Groups of an older segment
 * from that number on are void: their writer had lost the log.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { RankwardError } from '../lib/errors.ts'
import type { StoredGroup } from './group-log.ts'
import {
  decodeFrameBody,
  decodeFrameHeader,
  decodeHeader,
  frameBytes,
  frameHeaderBytes,
  headerBytes,
  isFrameHeader,
  isHeaderStart,
  type SegmentHeader,
} from './segment.ts'

const fileName = /^(\d{6,})\.log$/
/** Maximum number of segment files kept open for random access. */
const openMax = 64
/** Bytes read at once when searching beyond damage, and how far ahead the number of a later group may be. */
const scanBytes = 1 << 20
/** Bytes of a group that are read for a comparison: its time. */
const groupHeadBytes = 8
const groupsAhead = 1 << 20

/** Where a group is: its segment, the offset of its bytes there, and their length. */
export interface GroupPlace {
  readonly segment: number
  readonly offset: number
  readonly length: number
}

export class SegmentFiles {
  readonly folder: string
  readonly #open = new Map<number, number>()

  constructor(folder: string) {
    this.folder = folder
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

  /** Whether this file is a segment, or the beginning of one. */
  isOwn(segment: number): boolean {
    try {
      const bytes = this.at(segment, 0, headerBytes)
      return isHeaderStart(bytes) && (bytes.length < headerBytes || decodeHeader(bytes) !== undefined)
    } catch {
      return false
    }
  }

  /**
   * All groups after this number, in order, up to the last complete one. `from`: the place of the group `after`, if
   * known; its segment is then not read from the start.
   */
  async *groups(after: number, from?: GroupPlace): AsyncGenerator<StoredGroup> {
    const headers = this.#headers()
    let expected = headers[0]?.first ?? 1
    for (const [i, header] of headers.entries()) {
      const isLast = i === headers.length - 1
      const end = isLast ? Infinity : headers[i + 1].first
      if (end <= after + 1) {
        expected = end
        continue
      }
      if (header.first !== expected) throw this.#missing(expected, header.segment)
      const isFrom = from !== undefined && from.segment === header.segment && after >= header.first
      if (isFrom) expected = after + 1
      for await (const group of this.#framesOf(
        header,
        end,
        isLast,
        isFrom ? { ...from, after } : undefined,
      )) {
        expected++
        if (group.number > after) yield group
      }
      if (!isLast && expected !== end) throw this.#missing(expected, header.segment)
    }
  }

  /**
   * The number of a group that all groups follow for which `isEarlier` is false; 0 for the beginning. Only the
   * first group of each segment is compared, by its first bytes.
   */
  groupBefore(isEarlier: (group: Uint8Array) => boolean): number {
    for (const { segment, first } of this.#headers().toReversed()) {
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
   * beyond the last segment that has any.
   */
  *newest(isWanted: (group: Buffer) => boolean): Generator<Buffer> {
    for (const segment of this.numbers().toReversed()) {
      const frames = this.#frames(segment)
      for (const { offset, length } of frames.toReversed()) {
        const group = this.at(segment, offset, length)
        yield group
        if (!isWanted(group)) return
      }
      if (frames.length > 0) return
    }
  }

  /** The positions of the groups of a segment, from their headers alone; excludes a torn or damaged end. */
  #frames(segment: number): { readonly offset: number; readonly length: number }[] {
    const frames: { offset: number; length: number }[] = []
    for (let offset = headerBytes; ;) {
      const bytes = this.at(segment, offset, frameHeaderBytes)
      if (bytes.length < frameHeaderBytes || !isFrameHeader(bytes)) return frames
      const frame = decodeFrameHeader(bytes)
      if (frame === 'torn') return frames
      const group = { offset: offset + frameHeaderBytes, length: frame.length }
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
      throw this.unreadable(error)
    }
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file)
    this.#open.clear()
  }

  unreadable(cause: unknown): RankwardError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return new RankwardError(
      'FILE_UNREADABLE',
      `The record in ${this.folder} cannot be read (${reason}). Restore the folder from a copy, or start a new crawl in another folder.`,
      { cause },
    )
  }

  #missing(number: number, segment: number): RankwardError {
    return this.unreadable(new Error(`group ${number} is missing from ${this.path(segment)}`))
  }

  /** Headers of the segments that have one; a segment without a header has no groups. */
  #headers(): SegmentHeader[] {
    return this.numbers().flatMap((segment) => {
      try {
        const header = decodeHeader(this.at(segment, 0, headerBytes))
        if (header !== undefined && header.segment !== segment) throw new Error('it was renamed')
        return header ?? []
      } catch (error) {
        if (error instanceof RankwardError) throw error
        throw this.unreadable(new Error(`${this.path(segment)}: ${(error as Error).message}`))
      }
    })
  }

  /**
   * The groups of a segment with numbers below `end`. Damage in the last segment counts as its end if no
   * complete group follows.
   */
  async *#framesOf(
    header: SegmentHeader,
    end: number,
    isLast: boolean,
    from?: GroupPlace & { readonly after: number },
  ): AsyncGenerator<StoredGroup> {
    const { segment, writer } = header
    let file: FileHandle | undefined
    try {
      file = await open(this.path(segment), 'r')
      let offset = from === undefined ? headerBytes : from.offset - frameHeaderBytes + frameBytes(from.length)
      for (let number = from === undefined ? header.first : from.after + 1; number < end; number++) {
        const group = await this.#frameAt(file, offset, number, isLast)
        if (group === 'torn') return
        yield { number, writer, segment, offset: offset + frameHeaderBytes, bytes: group }
        offset += frameBytes(group.length)
      }
    } catch (error) {
      if (error instanceof RankwardError) throw error
      throw this.unreadable(new Error(`${this.path(segment)}: ${(error as Error).message}`, { cause: error }))
    } finally {
      await file?.close()
    }
  }

  async #frameAt(
    file: FileHandle,
    offset: number,
    number: number,
    isLast: boolean,
  ): Promise<Buffer | 'torn'> {
    try {
      const frame = decodeFrameHeader(await readAt(file, offset, frameHeaderBytes))
      if (frame === 'torn') return 'torn'
      if (frame.number !== number) throw new Error(`group ${number} is missing`)
      const { size } = await file.stat()
      const start = offset + frameHeaderBytes
      // Torn, or still being written. The length is checked first, so that a false one costs no memory.
      if (start + frame.length > size) return 'torn'
      return decodeFrameBody(frame, await readAt(file, start, frame.length))
    } catch (error) {
      if (isLast && !(await hasFrameAfter(file, offset + 1, number))) return 'torn'
      throw error
    }
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

/** Whether a frame of a later group follows in the file. If so, the damage is not at the end. */
async function hasFrameAfter(file: FileHandle, from: number, number: number): Promise<boolean> {
  const { size } = await file.stat()
  for (let start = from; start < size; start += scanBytes) {
    const bytes = await readAt(file, start, scanBytes + frameHeaderBytes)
    for (let at = 0; at + frameHeaderBytes <= bytes.length; at++) {
      const ahead = bytes.readUInt32LE(at + 4) - number
      if (ahead > 0 && ahead < groupsAhead && isFrameHeader(bytes.subarray(at, at + frameHeaderBytes)))
        return true
    }
  }
  return false
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let count = 0
  while (count < length) {
    const { bytesRead } = await file.read(bytes, count, length - count, offset + count)
    if (bytesRead === 0) break
    count += bytesRead
  }
  return bytes.subarray(0, count)
}
