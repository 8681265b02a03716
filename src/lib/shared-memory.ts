/**
 * Typed arrays that worker threads can share. Graphs and score vectors are always allocated here, so that handing
 * them to a thread never copies them. Freshly allocated pages cost nothing until they are touched.
 */
export const sharedUint8 = (length: number): Uint8Array<SharedArrayBuffer> => new Uint8Array(new SharedArrayBuffer(length))
export const sharedUint32 = (length: number): Uint32Array<SharedArrayBuffer> =>
  new Uint32Array(new SharedArrayBuffer(length * 4))
export const sharedFloat64 = (length: number): Float64Array<SharedArrayBuffer> =>
  new Float64Array(new SharedArrayBuffer(length * 8))
