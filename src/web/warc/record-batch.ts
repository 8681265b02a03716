/**
 * Records on their way to a file: compressed one after the other into the same memory, and written in one call when it is full or
 * when they must be in the file.
 */
import { isCompressed, memberBytesMax } from './gzip-writer.ts'
import type { GzipWriter } from './gzip-writer.ts'

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
