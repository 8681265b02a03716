/**
 * Takes the content codings off a body. What comes out never has more than `bytesMax` bytes, whatever was sent; of a
 * body that is too large, cut off or damaged, it is the part before that.
 *
 * Synchronous: this is a thread of its own, and zlib's asynchronous form costs more than the work itself.
 */
import * as zlib from 'node:zlib'
import { boundedInflate } from '../sitemap/bounded-gunzip.ts'
import type { Inflate } from '../sitemap/bounded-gunzip.ts'

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = zlib.constants

interface ZstdDecompress {
  zstdDecompressSync?: (bytes: Uint8Array, options: object) => Buffer
}

/** In Node from 22.15 on. */
const { zstdDecompressSync } = zlib as ZstdDecompress

/** What can be decoded, and nothing else, is asked for. */
export const acceptedCodings = `gzip, deflate, br${zstdDecompressSync ? ', zstd' : ''}`

/** A body that was coded more often is an attack. */
const codingsMax = 4
const chunkBytesMax = 1 << 20
const chunkBytesMin = 64

export interface DecodedBody {
  readonly bytes: Uint8Array
  /** Is this all that the body holds? */
  readonly isWhole: boolean
  /** Was a coding named that nobody here can take off? Then the bytes may be anything. */
  readonly isCoded: boolean
}

/** `contentEncoding` is the header's value: codings in the order in which they were put on. */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  bytesMax: number,
): DecodedBody {
  if (contentEncoding === undefined || body.length === 0) {
    return { bytes: body, isWhole: true, isCoded: false }
  }
  const codings = contentEncoding.toLowerCase().split(',')
  let bytes = body
  let isWhole = true
  let isCoded = codings.length > codingsMax
  for (const written of codings.toReversed().slice(0, codingsMax)) {
    const coding = written.trim()
    const inflate = inflateOf(coding, bytes)
    if (inflate === undefined) {
      isCoded ||= coding !== '' && coding !== 'identity'
      continue
    }
    const inflated = boundedInflate(bytes, bytesMax, inflate)
    bytes = inflated.bytes
    isWhole &&= inflated.isWhole
  }
  return { bytes, isWhole, isCoded }
}

/** Undefined: nothing to be done. Servers name codings that they did not apply, and some that are none. */
function inflateOf(coding: string, bytes: Uint8Array): Inflate | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip : undefined
    case 'deflate':
      return isZlib(bytes) ? inflateZlib : inflateRaw
    case 'br':
      return brotli
    case 'zstd':
      return zstdDecompressSync ? zstd : undefined
    default:
      return undefined
  }
}

const gunzip: Inflate = (bytes, maxOutputLength) =>
  zlib.gunzipSync(bytes, {
    maxOutputLength,
    finishFlush: Z_SYNC_FLUSH,
    chunkSize: gzipChunkBytes(bytes, maxOutputLength),
  })

const inflateZlib: Inflate = (bytes, maxOutputLength) =>
  zlib.inflateSync(bytes, {
    maxOutputLength,
    finishFlush: Z_SYNC_FLUSH,
    chunkSize: chunkBytes(bytes, maxOutputLength),
  })

/** Some servers leave the two bytes of zlib away. */
const inflateRaw: Inflate = (bytes, maxOutputLength) =>
  zlib.inflateRawSync(bytes, {
    maxOutputLength,
    finishFlush: Z_SYNC_FLUSH,
    chunkSize: chunkBytes(bytes, maxOutputLength),
  })

const brotli: Inflate = (bytes, maxOutputLength) =>
  zlib.brotliDecompressSync(bytes, {
    maxOutputLength,
    finishFlush: BROTLI_OPERATION_FLUSH,
    chunkSize: chunkBytes(bytes, maxOutputLength),
  })

const zstd: Inflate = (bytes, maxOutputLength) =>
  zstdDecompressSync!(bytes, { maxOutputLength, chunkSize: chunkBytes(bytes, maxOutputLength) })

/** zlib fills pieces of this size and joins them. The best is one piece: gzip ends with the length that it needs. */
function gzipChunkBytes(bytes: Uint8Array, bytesMax: number): number {
  const end = bytes.length
  const told =
    (bytes[end - 4] | (bytes[end - 3] << 8) | (bytes[end - 2] << 16) | (bytes[end - 1] << 24)) >>> 0
  if (told < end || told > Math.min(bytesMax, chunkBytesMax)) return chunkBytes(bytes, bytesMax)
  return Math.max(chunkBytesMin, told + 1)
}

function chunkBytes(bytes: Uint8Array, bytesMax: number): number {
  return Math.max(chunkBytesMin, Math.min(bytes.length * 8, bytesMax, chunkBytesMax))
}

function isZlib(bytes: Uint8Array): boolean {
  return (bytes[0] & 0x0f) === 8 && ((bytes[0] << 8) | bytes[1]) % 31 === 0
}
