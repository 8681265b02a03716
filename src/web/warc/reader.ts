/**
 * Reads WARC files record by record, plain or gzip; only a window is in memory. Tolerant where tools differ
 * (line ends, missing trailers, angle brackets around a URI, several records in one gzip member), strict
 * where bytes are missing: a truncated record or a damaged gzip member is an error with its position.
 */
import { crc32, inflateRawSync, type InflateRaw } from 'node:zlib'
import { openRanges, type ByteRanges } from '../store/byte-ranges.ts'
import { damagedGzip, unreadableWarc } from './failure.ts'
import { WarcRecord } from './warc-record.ts'

const headBytesMax = 1_048_576
const lineFeed = 0x0a
const carriageReturn = 0x0d
const recordBytesMax = 0x7fff_ffff

/** The records from this position on, up to `end`, as if the file ended there. `path`: of a file, or its address in a bucket. */
export function* readWarc(
  path: string,
  { start = 0, end = Infinity }: { readonly start?: number; readonly end?: number } = {},
): Generator<WarcRecord, undefined> {
  const file = openRanges(path)
  try {
    yield* recordsFrom(path, new FileWindow(file, end), start)
  } finally {
    file.close()
  }
  return undefined
}

/** The records at these positions of a file; fastest if they are ascending. */
export function* readWarcAt(path: string, offsets: Iterable<number>): Generator<WarcRecord, undefined> {
  const file = openRanges(path)
  try {
    const window = new FileWindow(file)
    for (const offset of offsets) {
      const { value } = recordsFrom(path, window, offset).next()
      if (!value) throw unreadableWarc(path, offset, 'a record should start here, but the file has ended')
      yield value
    }
  } finally {
    file.close()
  }
  return undefined
}

function recordsFrom(path: string, window: FileWindow, start: number): Generator<WarcRecord, undefined> {
  return isGzip(window.bytes(start, 2))
    ? compressedRecords(path, window, start)
    : plainRecords(path, window, start)
}

function* plainRecords(path: string, window: FileWindow, start: number): Generator<WarcRecord, undefined> {
  let offset = lineEndsAfter(window, start)
  while (window.bytes(offset, 1).length > 0) {
    const head = headOf(path, offset, window)
    const length = head.length + contentLength(path, offset, head.record)
    const bytes = window.bytes(offset, length)
    if (bytes.length < length) {
      throw unreadableWarc(
        path,
        offset,
        `the record has ${length} bytes but the file only ${bytes.length} more`,
      )
    }
    const next = lineEndsAfter(window, offset + length)
    yield new WarcRecord(head.text, Buffer.from(bytes.subarray(head.length)), offset, next - offset)
    offset = next
  }
}

/** Fields up to the empty line, from a window that grows until it contains it. */
function headOf(
  path: string,
  offset: number,
  window: FileWindow,
): { text: string; length: number; record: WarcRecord } {
  for (let size = 4096; ; size *= 4) {
    const bytes = window.bytes(offset, size)
    const head = headIn(bytes)
    if (head) return head
    if (bytes.length < size || size > headBytesMax) throw unreadableWarc(path, offset, notARecord(bytes))
  }
}

function headIn(bytes: Buffer): { text: string; length: number; record: WarcRecord } | undefined {
  if (bytes.toString('latin1', 0, 5) !== 'WARC/') return undefined
  const end = emptyLine(bytes)
  if (end === undefined) return undefined
  const head = bytes.toString('utf8', 0, end.start)
  return { text: head, length: end.end, record: new WarcRecord(head, Buffer.alloc(0), 0, 0) }
}

/** Two consecutive line ends of any kind: where they start and end. */
function emptyLine(bytes: Buffer): { start: number; end: number } | undefined {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1
    if (bytes[next] !== lineFeed) continue
    return { start: bytes[at - 1] === carriageReturn ? at - 1 : at, end: next + 1 }
  }
  return undefined
}

function notARecord(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 5) === 'WARC/'
    ? "the record's fields do not end"
    : `a record should start here with "WARC/", but this does: ${JSON.stringify(bytes.toString('latin1', 0, 20))}`
}

function contentLength(path: string, offset: number, record: WarcRecord): number {
  const value = record.field('Content-Length') ?? ''
  const length = Number(value)
  if (!/^\d+$/.test(value) || length > recordBytesMax) {
    throw unreadableWarc(
      path,
      offset,
      `a Content-Length should be a number of bytes, not ${JSON.stringify(value)}`,
    )
  }
  return length
}

/** Line ends between records: two, if the writer is correct. */
function lineEndsAfter(window: FileWindow, offset: number): number {
  let at = offset
  for (;;) {
    const byte = window.bytes(at, 1)[0]
    if (byte !== carriageReturn && byte !== lineFeed) return at
    at++
  }
}

function* compressedRecords(
  path: string,
  window: FileWindow,
  start: number,
): Generator<WarcRecord, undefined> {
  let offset = start
  while (window.bytes(offset, 1).length > 0) {
    const { text, length } = member(path, offset, window)
    let at = 0
    while (at < text.length) {
      const rest = text.subarray(at)
      const head = headIn(rest)
      if (!head) throw unreadableWarc(path, offset, notARecord(rest))
      const end = head.length + contentLength(path, offset, head.record)
      if (end > rest.length) {
        throw unreadableWarc(
          path,
          offset,
          `the record has ${end} bytes but its gzip member only ${rest.length}`,
        )
      }
      yield new WarcRecord(head.text, rest.subarray(head.length, end), offset, length)
      at += end
      while (text[at] === carriageReturn || text[at] === lineFeed) at++
    }
    offset += length
  }
}

/**
 * Inflates one gzip member. Node's own gunzip continues into the next member and does not report where it
 * began; raw inflation stops at the end and reports the bytes consumed. The window grows until the member
 * fits.
 */
function member(path: string, offset: number, window: FileWindow): { text: Buffer; length: number } {
  for (let size = 65_536; ; size *= 4) {
    const bytes = window.bytes(offset, size)
    if (!isGzip(bytes)) throw damagedGzip(path, offset, 'a gzip member should start here')
    const header = gzipHeaderBytes(bytes)
    const { text, taken } = inflated(path, offset, bytes.subarray(header))
    const length = header + taken + gzipTrailerBytes
    if (length <= bytes.length) {
      const right =
        bytes.readUInt32LE(length - 8) === crc32(text) && bytes.readUInt32LE(length - 4) === text.length
      if (!right) throw damagedGzip(path, offset, 'the gzip member does not match its checksum')
      return { text, length }
    }
    if (bytes.length < size) throw damagedGzip(path, offset, 'the file ends inside this gzip member')
  }
}

const syncFlush = 2

function inflated(path: string, offset: number, bytes: Buffer): { text: Buffer; taken: number } {
  try {
    // With `info`, the engine is returned too; the types do not declare it.
    const options = { finishFlush: syncFlush, info: true, maxOutputLength: recordBytesMax }
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as {
      buffer: Buffer
      engine: InflateRaw
    }
    return { text: buffer, taken: engine.bytesWritten }
  } catch (cause) {
    throw damagedGzip(path, offset, `its gzip member cannot be inflated (${(cause as Error).message})`, cause)
  }
}

/** Reads any range of a file through a window in memory that moves with the reader. */
class FileWindow {
  readonly #file: ByteRanges
  readonly #end: number
  #held: Buffer = Buffer.alloc(0)
  #start = 0

  /** Bytes from `end` on are not read. */
  constructor(file: ByteRanges, end = Infinity) {
    this.#file = file
    this.#end = end
  }

  /** Returns fewer bytes than requested only at the end of the file. */
  bytes(offset: number, length: number): Buffer {
    const from = offset - this.#start
    if (from < 0 || from + length > this.#held.length) {
      const wanted = Math.max(length, this.#file.aheadBytes)
      this.#held = this.#file.read(offset, Math.max(0, Math.min(wanted, this.#end - offset)))
      this.#start = offset
    }
    const at = offset - this.#start
    return this.#held.subarray(at, at + length)
  }
}

/** The frame of a gzip member, RFC 1952. */
const gzipTrailerBytes = 8

const hasHeaderChecksum = 2
const hasExtra = 4
const hasName = 8
const hasComment = 16

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** The length of the gzip header; exceeds the bytes given if the header is truncated. */
function gzipHeaderBytes(bytes: Buffer): number {
  const flags = bytes[3] ?? 0
  let at = 10
  if ((flags & hasExtra) !== 0) at += 2 + (bytes.length >= at + 2 ? bytes.readUInt16LE(at) : 0)
  if ((flags & hasName) !== 0) at = afterZero(bytes, at)
  if ((flags & hasComment) !== 0) at = afterZero(bytes, at)
  return (flags & hasHeaderChecksum) === 0 ? at : at + 2
}

function afterZero(bytes: Buffer, at: number): number {
  const zero = bytes.indexOf(0, at)
  return zero === -1 ? bytes.length + 1 : zero + 1
}
