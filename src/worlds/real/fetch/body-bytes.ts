/**
 * Bytes that arrive in pieces. A piece keeps the whole socket buffer alive: a server that sends one byte at a
 * time, each after a kilobyte of other data, would exhaust the memory. So only a single piece is held as it
 * arrived; further pieces are copied together, and cost at most twice their length.
 */
const none = Buffer.alloc(0)

export class BodyBytes {
  #bytes: Buffer = none
  #isOwn = false
  length = 0

  add(piece: Buffer): void {
    if (this.length === 0) this.#bytes = piece
    else {
      this.#ensure(this.length + piece.length)
      piece.copy(this.#bytes, this.length)
    }
    this.length += piece.length
  }

  /** The bytes so far; valid until the next `add`. */
  peek(): Buffer {
    return this.#bytes.length === this.length ? this.#bytes : this.#bytes.subarray(0, this.length)
  }

  /** Returns and removes all bytes. */
  take(): Buffer {
    const bytes = this.peek()
    this.#bytes = none
    this.#isOwn = false
    this.length = 0
    return bytes
  }

  #ensure(length: number): void {
    if (this.#isOwn && length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.length, length, 16 * 1024))
    this.#bytes.copy(larger, 0, 0, this.length)
    this.#bytes = larger
    this.#isOwn = true
  }
}
