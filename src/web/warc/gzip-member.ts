/** The frame of a gzip member, RFC 1952. */
export const gzipTrailerBytes = 8

const hasHeaderChecksum = 2
const hasExtra = 4
const hasName = 8
const hasComment = 16

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** The length of the gzip header; exceeds the bytes given if the header is truncated. */
export function gzipHeaderBytes(bytes: Buffer): number {
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
