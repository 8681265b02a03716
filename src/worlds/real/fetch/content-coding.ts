/**
 * Takes the content codings off a body. What comes out never has more than `bytesMax` bytes, whatever was sent; of a
 * body that is too large, cut off or damaged, it is the part before that.
 *
 * Synchronous: this is a thread of its own, and zlib's asynchronous form costs more than the work itself.
 */
import * as zlib from 'node:zlib'
import { boundedInflate, isGzip } from '../sitemap/bounded-gunzip.ts'
import type { Inflate } from '../sitemap/bounded-gunzip.ts'

const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH, Z_FINISH, Z_SYNC_FLUSH } = zlib.constants

interface ZstdDecompress {
  zstdDecompressSync?: (bytes: Uint8Array, options: object) => Buffer
}

/** In Node from 22.15 on. */
const { zstdDecompressSync } = zlib as ZstdDecompress

/** What can be decoded, and nothing else, is asked for. */
export const acceptedCodings = `gzip, deflate, br${zstdDecompressSync ? ', zstd' : ''}`

/** A body that was coded more often is an attack. */
const codingsMax = 4
/** As is one that grows to more than so many times its length, and to more than pages commonly have. */
const ratioMax = 250
const ratioBytesMin = 1 << 20
/** RFC 9659: a window of 8 MiB is all that a zstd body may ask for. Node's own limit is 128. */
const zstdWindowLogMax = 23
/** ZSTD_d_windowLogMax, which the types of Node 20 do not have. */
const zstdWindowLogParameter = 100
const chunkBytesMax = 1 << 20
const chunkBytesMin = 64
const startChunkBytes = 1 << 16

/**
 * What is wrong with a body's codings: one is named that was not applied, or that nobody knows; one is left that is not
 * named, or too many are; the end is missing or a sum is wrong; it grows beyond the limits.
 */
export type Miscoding = 'not-coded' | 'unknown' | 'still-coded' | 'damaged' | 'too-large'

export interface DecodedBody {
  readonly bytes: Uint8Array
  /** Is this all that the body holds? */
  readonly isWhole: boolean
  /** Was a coding named that nobody here can take off? Then the bytes may be anything. */
  readonly isCoded: boolean
  /** Undefined: nothing is. */
  readonly miscoded: Miscoding | undefined
}

/** `contentEncoding` is the header's value: codings in the order in which they were put on. */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  bytesMax: number,
): DecodedBody {
  if (contentEncoding === undefined || body.length === 0) {
    return { bytes: body, isWhole: true, isCoded: false, miscoded: undefined }
  }
  const codings = contentEncoding.toLowerCase().split(',')
  const most = Math.min(bytesMax, Math.max(ratioBytesMin, ratioMax * body.length))
  let bytes = body
  let isWhole = true
  let isCoded = codings.length > codingsMax
  let miscoded: Miscoding | undefined = isCoded ? 'still-coded' : undefined
  for (const written of codings.toReversed().slice(0, codingsMax)) {
    const coding = written.trim()
    if (coding === '' || coding === 'identity') continue
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
    miscoded ??= inflated.isTooLarge ? 'too-large' : 'damaged'
  }
  return { bytes, isWhole, isCoded, miscoded }
}

/** Or why nothing is to be done: servers name codings that they did not apply, and some that are none. */
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

const gunzip: Inflate = (bytes, maxOutputLength, isStart) =>
  zlib.gunzipSync(bytes, {
    maxOutputLength,
    finishFlush: isStart ? Z_SYNC_FLUSH : Z_FINISH,
    chunkSize: gzipChunkBytes(bytes, maxOutputLength, isStart),
  })

const inflateZlib: Inflate = (bytes, maxOutputLength, isStart) =>
  zlib.inflateSync(bytes, {
    maxOutputLength,
    finishFlush: isStart ? Z_SYNC_FLUSH : Z_FINISH,
    chunkSize: chunkBytes(bytes, maxOutputLength, isStart),
  })

/** Some servers leave the two bytes of zlib away. */
const inflateRaw: Inflate = (bytes, maxOutputLength, isStart) =>
  zlib.inflateRawSync(bytes, {
    maxOutputLength,
    finishFlush: isStart ? Z_SYNC_FLUSH : Z_FINISH,
    chunkSize: chunkBytes(bytes, maxOutputLength, isStart),
  })

const brotli: Inflate = (bytes, maxOutputLength, isStart) =>
  zlib.brotliDecompressSync(bytes, {
    maxOutputLength,
    finishFlush: isStart ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_FINISH,
    chunkSize: chunkBytes(bytes, maxOutputLength, isStart),
  })

const zstd: Inflate = (bytes, maxOutputLength, isStart) =>
  zstdDecompressSync!(bytes, {
    maxOutputLength,
    chunkSize: chunkBytes(bytes, maxOutputLength, isStart),
    params: { [zstdWindowLogParameter]: zstdWindowLogMax },
  })

/** zlib fills pieces of this size and joins them. The best is one piece: gzip ends with the length that it needs. */
function gzipChunkBytes(bytes: Uint8Array, bytesMax: number, isStart: boolean): number {
  const end = bytes.length
  const told =
    (bytes[end - 4] | (bytes[end - 3] << 8) | (bytes[end - 2] << 16) | (bytes[end - 1] << 24)) >>> 0
  if (told < end || told > Math.min(bytesMax, chunkBytesMax)) return chunkBytes(bytes, bytesMax, isStart)
  return Math.max(chunkBytesMin, told + 1)
}

/** Of a bomb the start may be a few bytes and its text megabytes: small pieces took three times as long. */
function chunkBytes(bytes: Uint8Array, bytesMax: number, isStart: boolean): number {
  const likely = isStart ? Math.max(bytes.length * 8, startChunkBytes) : bytes.length * 8
  return Math.max(chunkBytesMin, Math.min(likely, bytesMax, chunkBytesMax))
}

function isZlib(bytes: Uint8Array): boolean {
  return (bytes[0] & 0x0f) === 8 && ((bytes[0] << 8) | bytes[1]) % 31 === 0
}
