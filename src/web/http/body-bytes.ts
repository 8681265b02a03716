/**
 * Bytes that arrive in pieces, copied together: a piece is memory that the next read overwrites (connector.ts), or a
 * slice that would keep a whole socket buffer alive. The memory is at most twice as long as the bytes, or as expected.
 */

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

/**
 * Reused memory for bodies: new memory must be cleared by the system, freed by the garbage collector, and is not in the
 * processor's caches. A buffer that is never given back is collected like any other.
 */
const classBytesMin = 16 * 1024
/** Larger buffers are not pooled. */
const classBytesMax = 1024 * 1024
/** Free buffers, over all sizes. */
const freeBytesMax = 8 * 1024 * 1024

/** By size, which is a power of two. */
const free = new Map<number, Buffer[]>()
let freeBytes = 0
/** Buffers in use. Each can be given back once. */
const lent = new WeakSet<ArrayBufferLike>()

/** At least this many bytes, with any content. */
export function takeBuffer(bytesMin: number): Buffer {
  if (bytesMin > classBytesMax) return Buffer.allocUnsafeSlow(bytesMin)
  let size = classBytesMin
  while (size < bytesMin) size *= 2
  const kept = free.get(size)?.pop()
  if (kept !== undefined) freeBytes -= size
  const buffer = kept ?? Buffer.allocUnsafeSlow(size)
  lent.add(buffer.buffer)
  return buffer
}

/** Gives back a buffer or a part of one. No part of it may be used afterwards. Other memory is ignored. */
export function giveBack({ buffer }: Uint8Array): void {
  if (!lent.delete(buffer) || freeBytes + buffer.byteLength > freeBytesMax) return
  const size = buffer.byteLength
  const kept = free.get(size)
  freeBytes += size
  if (kept === undefined) free.set(size, [Buffer.from(buffer)])
  else kept.push(Buffer.from(buffer))
}
