/**
 * Bounded decompression: never more than `bytesMax` bytes; of a file that is too large, truncated or damaged,
 * the part before that.
 *
 * zlib reports that a limit was exceeded, but not the output before it. So a shorter part of the file is
 * tried: one that cannot exceed the limit at deflate's highest ratio, then twice as much each time, then
 * halves of the rest, as long as all attempts together have not produced more than four times the limit.
 */
import { constants, gunzipSync } from 'node:zlib'

const ratioMax = 1032
const roomBytes = 32 << 20

interface Gunzipped {
  readonly bytes: Uint8Array
  /** Whether this is the complete content. */
  readonly isWhole: boolean
}

interface Inflated extends Gunzipped {
  /** If not complete: whether there was too much of it. Otherwise it is truncated or damaged. */
  readonly isTooLarge: boolean
  /** Whether it is valid up to its end, and the end is missing. */
  readonly breaksOff: boolean
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Decompresses a file; throws if the result exceeds `bytesMax` bytes, if it is damaged, or if its end is
 * missing and `isStart` is false.
 */
export type Inflate = (bytes: Uint8Array, bytesMax: number, isStart: boolean) => Uint8Array

export function boundedGunzip(gzip: Uint8Array, bytesMax: number): Gunzipped {
  try {
    return { bytes: gunzipSync(gzip, { maxOutputLength: bytesMax }), isWhole: true }
  } catch {
    return { bytes: longestStart(gzip, bytesMax, gunzipStart), isWhole: false }
  }
}

/** The same for any compression. */
export function boundedInflate(file: Uint8Array, bytesMax: number, inflate: Inflate): Inflated {
  try {
    return { bytes: inflate(file, bytesMax, false), isWhole: true, isTooLarge: false, breaksOff: false }
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    // Most truncated files are valid up to their end.
    const all = isTooLarge ? undefined : startOf(file, bytesMax, inflate)
    const bytes = all ?? longestStart(file, bytesMax, inflate)
    const isShort = isTooLarge && bytes.length < bytesMax / 8
    return {
      bytes: isShort ? withRoom(file, bytesMax, inflate, bytes) : bytes,
      isWhole: false,
      isTooLarge,
      breaksOff: all !== undefined,
    }
  }
}

/** brotli and zstd expand a few bits to megabytes: then no part of the file ends just before the limit. */
function withRoom(file: Uint8Array, bytesMax: number, inflate: Inflate, otherwise: Uint8Array): Uint8Array {
  const inflated = bytesMax < roomBytes ? startOf(file, roomBytes, inflate) : undefined
  return inflated === undefined ? otherwise : Uint8Array.prototype.slice.call(inflated, 0, bytesMax)
}

function longestStart(file: Uint8Array, bytesMax: number, inflate: Inflate): Uint8Array {
  let best: Uint8Array = new Uint8Array(0)
  let good = 0
  let bad = file.length + 1
  let budget = 4 * bytesMax
  let next = Math.min(file.length, Math.max(32, Math.floor(bytesMax / ratioMax)))
  while (bad - good > 1 && budget > 0) {
    const inflated = startOf(file.subarray(0, next), bytesMax, inflate)
    budget -= inflated?.length ?? bytesMax
    if (inflated === undefined) bad = next
    else {
      best = inflated
      good = next
    }
    next = bad > file.length ? Math.min(file.length, 2 * good) : (good + bad) >> 1
  }
  return best
}

/** The output for the start of a file; undefined if it is too long, or damaged. */
function startOf(start: Uint8Array, bytesMax: number, inflate: Inflate): Uint8Array | undefined {
  try {
    return inflate(start, bytesMax, true)
  } catch {
    return undefined
  }
}

function gunzipStart(gzip: Uint8Array, maxOutputLength: number): Uint8Array {
  return gunzipSync(gzip, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
}
