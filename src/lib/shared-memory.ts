/**
 * Typed arrays that worker threads can share. Graphs and score vectors are always allocated here, so they are
 * never copied to a thread. Newly allocated memory costs nothing until it is written.
 */
export const sharedUint8 = (length: number): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(new SharedArrayBuffer(length))
export const sharedUint32 = (length: number): Uint32Array<SharedArrayBuffer> =>
  new Uint32Array(new SharedArrayBuffer(length * 4))
export const sharedFloat64 = (length: number): Float64Array<SharedArrayBuffer> =>
  new Float64Array(new SharedArrayBuffer(length * 8))

/** A copy of the numbers in shared memory. */
export function toShared(values: Float64Array): Float64Array<SharedArrayBuffer>
export function toShared(values: Uint32Array): Uint32Array<SharedArrayBuffer>
export function toShared(values: Float64Array | Uint32Array): Float64Array | Uint32Array {
  const shared = values instanceof Float64Array ? sharedFloat64(values.length) : sharedUint32(values.length)
  shared.set(values)
  return shared
}
