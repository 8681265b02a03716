/**
 * Inflating with an end: never more than `bytesMax` bytes, and from a file that is too large, cut off or damaged, the
 * part before that.
 *
 * zlib tells that a limit was passed but not what came before it. So a shorter piece of the file is tried instead: one
 * that cannot pass the limit at deflate's highest ratio, then twice as much each time, then halves of what is left, as
 * long as all tries together have not inflated more than four times the limit.
 */
import { constants, gunzipSync } from 'node:zlib'

const ratioMax = 1032

export interface Gunzipped {
  readonly bytes: Uint8Array
  /** Is this all that the file holds? */
  readonly isWhole: boolean
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/**
 * Inflates a file, or as much of it as there is, without asking for its end; throws where that gives more than
 * `bytesMax` bytes, or is damaged.
 */
export type Inflate = (bytes: Uint8Array, bytesMax: number) => Uint8Array

export function boundedGunzip(gzip: Uint8Array, bytesMax: number): Gunzipped {
  try {
    return { bytes: gunzipSync(gzip, { maxOutputLength: bytesMax }), isWhole: true }
  } catch {
    return { bytes: longestStart(gzip, bytesMax, gunzipStart), isWhole: false }
  }
}

/** The same for any compression; a file that is cut off counts as whole here. */
export function boundedInflate(file: Uint8Array, bytesMax: number, inflate: Inflate): Gunzipped {
  try {
    return { bytes: inflate(file, bytesMax), isWhole: true }
  } catch {
    return { bytes: longestStart(file, bytesMax, inflate), isWhole: false }
  }
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
    return inflate(start, bytesMax)
  } catch {
    return undefined
  }
}

function gunzipStart(gzip: Uint8Array, maxOutputLength: number): Uint8Array {
  return gunzipSync(gzip, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
}
