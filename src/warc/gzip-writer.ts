/**
 * Gzip members, one per record, so that a reader can start at any of them.
 *
 * `gzipSync` makes a stream and allocates 268 KB of tables for each call: 50 of the 400 microseconds of processor time that
 * the archive takes for a page. Here one stream is reset for each record, through the synchronous handle that `gzipSync`
 * itself uses. That handle is not documented: it is tried before the first record, and `gzipSync` is used if its members
 * are not read as what was written.
 */
import { constants, createGzip, gunzipSync, gzipSync } from 'node:zlib'

/** Node's binding of zlib. */
interface GzipHandle {
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

/** Longer records are compressed by `gzipSync`, so that no memory for them is kept. */
const bytesMax = 1 << 22

export class GzipWriter {
  readonly #level: number
  readonly #handle: GzipHandle | undefined
  /** Of the last write: the free bytes of the output, the unread bytes of the record. */
  readonly #left: Uint32Array | undefined
  #output = Buffer.allocUnsafeSlow(1 << 17)

  constructor(level: number, stream: object = createGzip({ level })) {
    this.#level = level
    const { _handle: handle, _writeState: left } = stream as {
      _handle?: GzipHandle
      _writeState?: Uint32Array
    }
    if (typeof handle?.writeSync !== 'function' || left === undefined) return
    this.#handle = handle
    this.#left = left
    const sample = Buffer.from('WARC/1.1\r\nWARC-Type: response\r\nWARC-Type: request\r\n')
    if (!this.#isRight(sample) || !this.#isRight(sample.subarray(10))) this.#handle = undefined
  }

  /** Valid until the next call. */
  member(record: Uint8Array): Buffer {
    return (
      (record.length > bytesMax ? undefined : this.#written(record)) ??
      gzipSync(record, { level: this.#level })
    )
  }

  #isRight(sample: Buffer): boolean {
    try {
      const member = this.#written(sample)
      return member !== undefined && gunzipSync(member).equals(sample)
    } catch {
      return false
    }
  }

  /** Undefined if the handle cannot be used, or has not compressed all of the record. */
  #written(record: Uint8Array): Buffer | undefined {
    if (this.#handle === undefined || this.#left === undefined) return undefined
    // Bytes that cannot be compressed take five more for each block, of 16 KB at least.
    const roomBytes = record.length + (record.length >> 8) + 64
    if (roomBytes > this.#output.length) this.#output = Buffer.allocUnsafeSlow(roomBytes * 2)
    const { length } = this.#output
    this.#handle.reset()
    this.#handle.writeSync(constants.Z_FINISH, record, 0, record.length, this.#output, 0, length)
    const [freeBytes, unreadBytes] = this.#left
    return unreadBytes === 0 && freeBytes > 0 ? this.#output.subarray(0, length - freeBytes) : undefined
  }
}
