/**
 * Inflating with an end: never more than `bytesMax` bytes, and from a file that is too large, cut off or
 * damaged, the part before that.
 *
 * zlib tells that a limit was passed but not what came before it. So a shorter piece of the file is tried
 * instead: one that cannot pass the limit at deflate's highest ratio, then twice as much each time, then
 * halves of what is left, as long as all tries together have not inflated more than four times the limit.
 */
import { constants, gunzipSync } from 'node:zlib'

const ratioMax = 1032
const roomBytes = 32 << 20

export interface Gunzipped {
  readonly bytes: Uint8Array
  /** Is this all that the file holds? */
  readonly isWhole: boolean
}

export interface Inflated extends Gunzipped {
  /** Where it is not: was there too much of it? Then it may be sound; else it is cut off or damaged. */
  readonly isTooLarge: boolean
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Inflates a file; throws where that gives more than `bytesMax` bytes, where it is damaged, and where its end
 * is missing and `isStart` does not say that it may.
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
    return { bytes: inflate(file, bytesMax, false), isWhole: true, isTooLarge: false }
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    // Most that have no end are sound up to there.
    const all = isTooLarge ? undefined : startOf(file, bytesMax, inflate)
    const bytes = all ?? longestStart(file, bytesMax, inflate)
    const isShort = isTooLarge && bytes.length < bytesMax / 8
    return { bytes: isShort ? withRoom(file, bytesMax, inflate, bytes) : bytes, isWhole: false, isTooLarge }
  }
}

/** brotli and zstd make megabytes of a few bits: then no piece of the file ends shortly before the limit. */
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

/** What the start of a file inflates to; undefined: too much, or damaged. */
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
