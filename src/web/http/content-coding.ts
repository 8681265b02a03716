/**
 * Decodes the content encodings of a body. The result never exceeds `bytesMax` bytes; of a body that is too
 * large, truncated or damaged, it is the part before that.
 *
 * Synchronous: this runs in its own thread, and zlib's asynchronous API costs more than the work itself.
 */
import * as zlib from 'node:zlib'
import { boundedInflate, isGzip } from '../sitemap/bounded-gunzip.ts'
import type { Inflate } from '../sitemap/bounded-gunzip.ts'
import { listElements } from './header-text.ts'

const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH, Z_FINISH, Z_SYNC_FLUSH } = zlib.constants

interface ZstdDecompress {
  zstdDecompressSync?: (bytes: Uint8Array, options: object) => Buffer
}

/** Available from Node 22.15 on. */
const { zstdDecompressSync } = zlib as ZstdDecompress

/** The encodings that can be decoded, for Accept-Encoding. */
export const acceptedCodings = `gzip, deflate, br${zstdDecompressSync ? ', zstd' : ''}`

/** A body with more layers of encoding is an attack. */
const codingsMax = 4
/** So is a body that grows by more than this factor, beyond the usual size of pages. */
const ratioMax = 250
const ratioBytesMin = 1 << 20
/** RFC 9659 limits the window of a zstd body to 8 MiB. Node's own limit is 128 MiB. */
const zstdWindowLogMax = 23
/** ZSTD_d_windowLogMax, which the types of Node 20 do not have. */
const zstdWindowLogParameter = 100
const chunkBytesMax = 1 << 20
const chunkBytesMin = 64
const startChunkBytes = 1 << 16

/**
 * Faults of a body's encoding: a declared encoding was not applied, or is unknown; an undeclared one, or too
 * many, remain; the end is missing or a checksum is wrong; it grows beyond the limits.
 */
export type Miscoding = 'not-coded' | 'unknown' | 'still-coded' | 'damaged' | 'too-large'

export interface DecodedBody {
  readonly bytes: Uint8Array
  /** Whether this is the complete body. */
  readonly isWhole: boolean
  /** Whether an unknown encoding was declared. Then the bytes may be anything. */
  readonly isCoded: boolean
  /** Undefined if there is no fault. */
  readonly miscoded: Miscoding | undefined
  /** Whether the compressed data are valid up to their end, and the end is missing. */
  readonly breaksOff: boolean
}

/** `contentEncoding` is the header's value: encodings in the order in which they were applied. */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  bytesMax: number,
): DecodedBody {
  if (contentEncoding === undefined || body.length === 0) {
    return { bytes: body, isWhole: true, isCoded: false, miscoded: undefined, breaksOff: false }
  }
  const codings = listElements(contentEncoding.toLowerCase()).filter((coding) => coding !== 'identity')
  const most = Math.min(bytesMax, Math.max(ratioBytesMin, ratioMax * body.length))
  let bytes = body
  let isWhole = true
  let breaksOff = false
  let isCoded = codings.length > codingsMax
  let miscoded: Miscoding | undefined = isCoded ? 'still-coded' : undefined
  for (const coding of codings.toReversed().slice(0, codingsMax)) {
    const inflate = inflateOf(coding, bytes)
    if (typeof inflate === 'string') {
      isCoded = true
      miscoded ??= inflate
      continue
    }
    const inflated = boundedInflate(bytes, most, inflate)
    bytes = inflated.bytes
    if (inflated.isWhole) continue
    isWhole = false
    breaksOff ||= inflated.breaksOff
    miscoded ??= inflated.isTooLarge ? 'too-large' : 'damaged'
  }
  return { bytes, isWhole, isCoded, miscoded, breaksOff }
}

/** Or why nothing is decoded: servers declare encodings that they did not apply, or that do not exist. */
function inflateOf(coding: string, bytes: Uint8Array): Inflate | 'not-coded' | 'unknown' {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return isGzip(bytes) ? gunzip : 'not-coded'
    case 'deflate':
      return isZlib(bytes) ? inflateZlib : inflateRaw
    case 'br':
      return brotli
    case 'zstd':
      return zstdDecompressSync ? zstd : 'unknown'
    default:
      return 'unknown'
  }
}

interface InflateOptions {
  readonly maxOutputLength: number
  readonly finishFlush: number
  readonly chunkSize: number
}

/** `ends`: how the end of the bytes is treated if they are the start of a body, and if they are all of it. */
function inflatedBy(
  inflate: (bytes: Uint8Array, options: InflateOptions) => Buffer,
  ends: { readonly start: number; readonly whole: number },
  chunkSize = chunkBytes,
): Inflate {
  return (bytes, maxOutputLength, isStart) =>
    inflate(bytes, {
      maxOutputLength,
      finishFlush: isStart ? ends.start : ends.whole,
      chunkSize: chunkSize(bytes, maxOutputLength, isStart),
    })
}

const zlibEnds = { start: Z_SYNC_FLUSH, whole: Z_FINISH }
const brotliEnds = { start: BROTLI_OPERATION_FLUSH, whole: BROTLI_OPERATION_FINISH }
const gunzip = inflatedBy(zlib.gunzipSync, zlibEnds, gzipChunkBytes)
const inflateZlib = inflatedBy(zlib.inflateSync, zlibEnds)
/** Some servers omit the two bytes of the zlib header. */
const inflateRaw = inflatedBy(zlib.inflateRawSync, zlibEnds)
const brotli = inflatedBy(zlib.brotliDecompressSync, brotliEnds)

const zstd: Inflate = (bytes, maxOutputLength, isStart) =>
  zstdDecompressSync!(bytes, {
    maxOutputLength,
    chunkSize: chunkBytes(bytes, maxOutputLength, isStart),
    params: { [zstdWindowLogParameter]: zstdWindowLogMax },
  })

/** zlib fills chunks of this size and joins them. A single chunk is best: the end of gzip has the length. */
function gzipChunkBytes(bytes: Uint8Array, bytesMax: number, isStart: boolean): number {
  const end = bytes.length
  const told =
    (bytes[end - 4] | (bytes[end - 3] << 8) | (bytes[end - 2] << 16) | (bytes[end - 1] << 24)) >>> 0
  if (told < end || told > Math.min(bytesMax, chunkBytesMax)) return chunkBytes(bytes, bytesMax, isStart)
  return Math.max(chunkBytesMin, told + 1)
}

/** The start of a bomb may be a few bytes that expand to megabytes: small chunks took three times as long. */
function chunkBytes(bytes: Uint8Array, bytesMax: number, isStart: boolean): number {
  const likely = isStart ? Math.max(bytes.length * 8, startChunkBytes) : bytes.length * 8
  return Math.max(chunkBytesMin, Math.min(likely, bytesMax, chunkBytesMax))
}

function isZlib(bytes: Uint8Array): boolean {
  return (bytes[0] & 0x0f) === 8 && ((bytes[0] << 8) | bytes[1]) % 31 === 0
}
