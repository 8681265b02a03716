/**
 * Bytes that arrive in pieces, copied together: a piece is memory that the next read overwrites (connector.ts), or a
 * slice that would keep a whole socket buffer alive. The memory is at most twice as long as the bytes, or as expected.
 */
import { giveBack, takeBuffer } from './buffer-pool.ts'

const none = Buffer.alloc(0)
/** A server may announce more than it sends: further memory is taken when the bytes arrive. */
const expectedBytesMax = 128 * 1024

export class BodyBytes {
  #bytes: Buffer = none
  length = 0

  /** Makes room for this many bytes, before the first piece. */
  expect(bytes: number): void {
    if (bytes > 0) this.#ensure(Math.min(bytes, expectedBytesMax))
  }

  add(piece: Uint8Array): void {
    const length = this.length + piece.length
    if (length > this.#bytes.length) this.#ensure(Math.max(2 * this.length, length))
    this.#bytes.set(piece, this.length)
    this.length = length
  }

  /** The bytes so far; valid until the next `add`. */
  peek(): Buffer {
    return this.#bytes.length === this.length ? this.#bytes : this.#bytes.subarray(0, this.length)
  }

  /** Returns and removes all bytes. Their memory may be given back to the pool. */
  take(): Buffer {
    const bytes = this.peek()
    this.#bytes = none
    this.length = 0
    return bytes
  }

  #ensure(bytes: number): void {
    const before = this.#bytes
    this.#bytes = takeBuffer(bytes)
    this.#bytes.set(before.subarray(0, this.length), 0)
    giveBack(before)
  }
}
