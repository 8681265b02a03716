/**
 * The bytes of a segment file: a header, then groups, each in a frame. In a packed segment, which a compaction
 * wrote, each frame has several groups (group-pack.ts), and an empty frame is the end.
 *
 *   header   magic and version (8) · segment number (4) · number of its first group (8) · writer (16)
 *            · CRC-32 of these (4)
 *   frame    length (4) · group number (4) · CRC-32 of the group (4) · CRC-32 of these (4) · the group
 *
 * All numbers are little-endian. An incomplete frame at the end of the file is a torn write; a wrong checksum
 * is damage. Nothing is read beyond either.
 */
import { crc32 } from 'node:zlib'

const magic = Buffer.from('RWRECORD')
/** Of segments with a group in each frame, and of packed ones. Larger numbers are those of newer versions of Rankward. */
const version = 2
const packedVersion = 3
export const headerBytes = 48
export const frameHeaderBytes = 16
const groupBytesMax = 0x7fffffff

export interface SegmentHeader {
  readonly segment: number
  /** The number of its first group, even if there is none yet. */
  readonly first: number
  readonly writer: string
  readonly isPacked: boolean
}

export function encodeHeader({ segment, first, writer, isPacked }: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  magic.copy(bytes)
  bytes.writeUInt32LE(isPacked ? packedVersion : version, 8)
  bytes.writeUInt32LE(segment, 12)
  bytes.writeDoubleLE(first, 16)
  bytes.write(writer, 24, 16, 'hex')
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40)
  return bytes
}

/** Whether these can be the first bytes of a header. */
export function isHeaderStart(bytes: Buffer): boolean {
  const start = bytes.subarray(0, magic.length)
  return start.equals(magic.subarray(0, start.length))
}

/** Undefined if the header is incomplete. Throws if it is damaged, or of another version. */
export function decodeHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < headerBytes || bytes.readUInt32LE(40) === 0) return undefined
  if (!bytes.subarray(0, 8).equals(magic) || crc32(bytes.subarray(0, 40)) !== bytes.readUInt32LE(40)) {
    throw new Error('its header is damaged')
  }
  const found = bytes.readUInt32LE(8)
  if (found !== version && found !== packedVersion) {
    throw new NewerFormat(`it has version ${found}, and versions ${version} and ${packedVersion} are known`)
  }
  return {
    segment: bytes.readUInt32LE(12),
    first: bytes.readDoubleLE(16),
    writer: bytes.toString('hex', 24, 40),
    isPacked: found === packedVersion,
  }
}

/** Bytes that only a newer version of Rankward can have written. */
export class NewerFormat extends RangeError {}

/** Whether this error, or its cause, is about a newer format. */
export function isNewer(error: unknown): boolean {
  return error instanceof NewerFormat || (error instanceof Error && error.cause instanceof NewerFormat)
}

/** Of a group with this many bytes. */
export function frameBytes(length: number): number {
  return frameHeaderBytes + length
}

/** The frame of a group, in pieces to be written in order. */
export function encodeFrame(number: number, group: Uint8Array): [Buffer, Uint8Array] {
  if (group.length > groupBytesMax) throw new RangeError(`A group of ${group.length} bytes is too large.`)
  const header = Buffer.alloc(frameHeaderBytes)
  header.writeUInt32LE(group.length, 0)
  header.writeUInt32LE(number, 4)
  header.writeUInt32LE(crc32(group), 8)
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12)
  return [header, group]
}

export interface FrameHeader {
  readonly length: number
  readonly number: number
  readonly crc: number
}

export function isFrameHeader(bytes: Buffer): boolean {
  return crc32(bytes.subarray(0, 12)) === bytes.readUInt32LE(12)
}

/** `torn` if the frame is incomplete. */
export function decodeFrameHeader(bytes: Buffer): FrameHeader | 'torn' {
  if (bytes.length < frameHeaderBytes) return 'torn'
  if (!isFrameHeader(bytes)) throw new Error('a frame header is damaged')
  return { length: bytes.readUInt32LE(0), number: bytes.readUInt32LE(4), crc: bytes.readUInt32LE(8) }
}

/** The group in a frame with this header. */
export function decodeFrameBody(header: FrameHeader, group: Buffer): Buffer | 'torn' {
  if (group.length < header.length) return 'torn'
  if (!isIntact(header, group)) throw new Error('a group is damaged')
  return group
}

/** Whether this is the whole group of a frame with this header. */
export function isIntact({ length, crc }: FrameHeader, group: Buffer): boolean {
  return group.length === length && crc32(group) === crc
}

/** A segment that counts. */
interface LiveSegment extends SegmentHeader {
  /** The number of the first group that does not count. */
  readonly end: number
}

/** Segments with groups that count. Groups of a segment from the first group of a later one on are void. */
export function liveSegments(headers: readonly SegmentHeader[]): LiveSegment[] {
  const live: LiveSegment[] = []
  let end = Infinity
  for (const header of headers.toReversed()) {
    if (header.first >= end) continue
    live.push({ ...header, end })
    end = header.first
  }
  return live.toReversed()
}

/**
 * Without the packed segments of a compaction that was killed before it put the first one into place: the others refer
 * to it.
 */
export function inPlace(headers: readonly SegmentHeader[]): SegmentHeader[] {
  const kept: SegmentHeader[] = []
  for (const header of headers) {
    const before = kept.at(-1)
    const isNext =
      before?.isPacked === true && before.writer === header.writer && before.segment === header.segment - 1
    if (!header.isPacked || header.first === 1 || isNext) kept.push(header)
  }
  return kept
}
