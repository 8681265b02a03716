/**
 * Gzip members, one per record, so that a reader can start at any of them.
 *
 *   header │ deflated: all, or the beginning │ stored: a body that is compressed already │ CRC-32, length
 *
 * `gzipSync` makes a stream and allocates 268 KB of tables for each call: 50 of the 400 microseconds of processor time that
 * the archive takes for a page. Here one stream is reset for each record, through the synchronous handle that Node's own synchronous functions
 * use. That handle is not documented: it is tried before the first record, and `deflateRawSync` is used if its output is not
 * read as what was written.
 */
import { constants, crc32, createDeflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'

/** Node's binding of zlib. */
interface DeflateHandle {
  reset(): void
  writeSync(
    flush: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    output: Uint8Array,
    outputOffset: number,
    outputLength: number,
  ): void
}

/** The most, as records are short: with fewer blocks it takes a hundredth less time. */
const memLevel = 9
/** Deflate, no flags, no time, no level, an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const trailerBytes = 8
/** Of a stored block: its frame, and the most that it has. */
const storedFrameBytes = 5
const storedBytesMax = 0xffff

export class GzipWriter {
  readonly #options: { readonly level: number; readonly memLevel: number }
  readonly #handle: DeflateHandle | undefined
  /** Of the last write: the free bytes of the output, the unread bytes of the input. */
  readonly #left: Uint32Array | undefined

  constructor(level: number, stream: object = createDeflateRaw({ level, memLevel })) {
    this.#options = { level, memLevel }
    const { _handle: handle, _writeState: left } = stream as {
      _handle?: DeflateHandle
      _writeState?: Uint32Array
    }
    if (typeof handle?.writeSync !== 'function' || left === undefined) return
    this.#handle = handle
    this.#left = left
    const sample = Buffer.from('WARC/1.1\r\nWARC-Type: response\r\nWARC-Type: request\r\n')
    if (!this.#isRight(sample) || !this.#isRight(sample.subarray(10))) this.#handle = undefined
  }

  /** Whether one stream is used for all members. */
  get isReset(): boolean {
    return this.#handle !== undefined
  }

  /** Writes a member at this place, where `memberBytesMax` bytes are free; returns its length. Bytes from `storedFrom` on are stored. */
  write(record: Buffer, output: Buffer, at: number, storedFrom = record.length): number {
    let end = at + header.copy(output, at)
    const isAll = storedFrom === record.length
    if (isAll || storedFrom > 0) {
      const first = isAll ? record : record.subarray(0, storedFrom)
      end += this.#deflated(first, isAll ? constants.Z_FINISH : constants.Z_SYNC_FLUSH, output, end)
    }
    for (let from = storedFrom; from < record.length; from += storedBytesMax)
      end = stored(record, from, output, end)
    output.writeUInt32LE(crc32(record), end)
    output.writeUInt32LE(record.length, end + 4)
    return end + trailerBytes - at
  }

  #isRight(sample: Buffer): boolean {
    try {
      const output = Buffer.alloc(memberBytesMax(sample.length))
      const length = this.#written(sample, constants.Z_FINISH, output, 0)
      return length !== undefined && inflateRawSync(output.subarray(0, length)).equals(sample)
    } catch {
      return false
    }
  }

  #deflated(bytes: Buffer, flush: number, output: Buffer, at: number): number {
    const length = this.#written(bytes, flush, output, at)
    return length ?? deflateRawSync(bytes, { ...this.#options, finishFlush: flush }).copy(output, at)
  }

  /** Undefined if the handle cannot be used, or has not compressed all bytes. */
  #written(bytes: Buffer, flush: number, output: Buffer, at: number): number | undefined {
    if (this.#handle === undefined || this.#left === undefined) return undefined
    const roomBytes = output.length - at
    this.#handle.reset()
    this.#handle.writeSync(flush, bytes, 0, bytes.length, output, at, roomBytes)
    const [freeBytes, unreadBytes] = this.#left
    return unreadBytes === 0 && freeBytes > 0 ? roomBytes - freeBytes : undefined
  }
}

/** Writes one stored block, RFC 1951, 3.2.4; returns its end. */
function stored(record: Buffer, from: number, output: Buffer, at: number): number {
  const length = Math.min(record.length - from, storedBytesMax)
  output[at] = from + length === record.length ? 1 : 0
  output.writeUInt16LE(length, at + 1)
  output.writeUInt16LE(storedBytesMax - length, at + 3)
  return at + storedFrameBytes + record.copy(output, at + storedFrameBytes, from, from + length)
}

/** Bytes that cannot be compressed take five more for each block, of 16 KB at least. */
export function memberBytesMax(recordBytes: number): number {
  return recordBytes + (recordBytes >> 8) + 96
}

const samples = 8
const sampleBytes = 64
const seen = new Uint8Array(256)

/**
 * Whether these bytes are compressed already, in any format: of 512 bytes spread over them, 221 values are different (± 5). In text
 * they are fewer than 170, in any encoding, and after two of the samples it is clear for most pages.
 */
export function isCompressed(bytes: Uint8Array): boolean {
  if (bytes.length < samples * sampleBytes) return false
  const step = Math.floor((bytes.length - sampleBytes) / (samples - 1))
  let values = 0
  seen.fill(0)
  for (let sample = 0; sample < samples; sample++) {
    const start = sample * step
    for (let at = start; at < start + sampleBytes; at++) {
      values += 1 - seen[bytes[at]]
      seen[bytes[at]] = 1
    }
    // 101 ± 5 values in compressed bytes.
    if (sample === 1 && values < 70) return false
  }
  return values >= 192
}

/**
 * Records on their way to a file: compressed one after the other into the same memory, and written in one call when it is full or
 * when they must be in the file.
 */

/** Longer records are written by themselves. */
const batchBytes = 1 << 19

export class RecordBatch {
  /** Undefined: records are not compressed. */
  readonly #gzip: GzipWriter | undefined
  readonly #write: (bytes: Buffer) => void
  readonly #memory = Buffer.allocUnsafeSlow(batchBytes)
  #length = 0

  constructor(gzip: GzipWriter | undefined, write: (bytes: Buffer) => void) {
    this.#gzip = gzip
    this.#write = write
  }

  /** Adds a record with a body from this position on; returns its length in the file. */
  add(record: Buffer, bodyAt: number): number {
    const roomBytes = memberBytesMax(record.length)
    if (this.#length + roomBytes > batchBytes) this.flush()
    if (roomBytes > batchBytes) {
      const memory = Buffer.allocUnsafeSlow(roomBytes)
      const length = this.#put(record, bodyAt, memory, 0)
      this.#write(memory.subarray(0, length))
      return length
    }
    const length = this.#put(record, bodyAt, this.#memory, this.#length)
    this.#length += length
    return length
  }

  flush(): void {
    const length = this.#length
    this.#length = 0
    if (length > 0) this.#write(this.#memory.subarray(0, length))
  }

  #put(record: Buffer, bodyAt: number, memory: Buffer, at: number): number {
    if (this.#gzip === undefined) return record.copy(memory, at)
    // Deflating compressed bytes again takes as long as deflating the page, and saves nothing.
    const storedFrom = isCompressed(record.subarray(bodyAt)) ? bodyAt : record.length
    return this.#gzip.write(record, memory, at, storedFrom)
  }
}
