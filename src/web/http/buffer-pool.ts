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
