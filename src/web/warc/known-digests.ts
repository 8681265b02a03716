/**
 * The payloads of other archives, from their CDXJ indexes, so that a response that one of them has is written as a revisit record.
 * In memory there are 20 bytes for each capture, and about 8 for its slot in a hash table: part of its digest and the place of its line. The line
 * itself is read when a digest is found, and decides. Threads share the memory.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import { sharedFloat64, sharedUint32, toShared } from '../../lib/shared-memory.ts'

/** Plain data, which can be passed to a thread. */
export interface DigestTable {
  readonly paths: readonly string[]
  readonly count: number
  /** Two words of each digest. */
  readonly prints: Uint32Array
  /** By capture: number of the file, and position of its line. */
  readonly files: Uint32Array
  readonly offsets: Float64Array
  /** Capture + 1, 0 if the slot is free. The length is a power of two. */
  readonly slots: Uint32Array
}

/** A capture of the same payload. */
interface KnownCapture {
  readonly url: string
  readonly dateMs: number
}

const chunkBytes = 1 << 20
/** Longer lines are no lines of an index. */
const lineBytesMax = 1 << 16
const digestPattern = /"digest":\s*"(?:sha1:)?([A-Z2-7]{32})"/
const revisitPattern = /"mime":\s*"warc\/revisit"/

/** Reads these indexes: CDXJ, not compressed, in any order. */
export function readDigests(paths: readonly string[]): DigestTable {
  const words = new Uint32Array(2)
  const prints = new GrowingUint32(1024)
  const files = new GrowingUint32(512)
  const offsets = new GrowingFloat64(512)
  let slots = new Uint32Array(1024)
  let count = 0
  const place = (capture: number): boolean => {
    const mask = slots.length - 1
    const [low, high] = [prints.array[2 * capture], prints.array[2 * capture + 1]]
    let at = low & mask
    for (; slots[at] !== 0; at = (at + 1) & mask) {
      const other = slots[at] - 1
      if (prints.array[2 * other] === low && prints.array[2 * other + 1] === high) return false
    }
    slots[at] = capture + 1
    return true
  }
  paths.forEach((path, file) => {
    for (const [offset, line] of linesOf(path)) {
      const [, digest] = digestPattern.exec(line) ?? []
      if (digest === undefined || revisitPattern.test(line)) continue
      if (3 * (count + 1) > 2 * slots.length) {
        slots = new Uint32Array(2 * slots.length)
        for (let capture = 0; capture < count; capture++) place(capture)
      }
      fingerprint(digest, words, 0)
      prints.ensure(2 * count + 1)
      files.ensure(count)
      offsets.ensure(count)
      prints.array.set(words, 2 * count)
      files.array[count] = file
      offsets.array[count] = offset
      // The first capture of a payload counts.
      if (place(count)) count++
    }
  })
  const shared = {
    prints: sharedUint32(2 * count),
    files: sharedUint32(count),
    offsets: sharedFloat64(count),
  }
  shared.prints.set(prints.array.subarray(0, 2 * count))
  shared.files.set(files.array.subarray(0, count))
  shared.offsets.set(offsets.array.subarray(0, count))
  return { paths, count, ...shared, slots: toShared(slots) }
}

export class KnownDigests {
  readonly #table: DigestTable
  readonly #words = new Uint32Array(2)

  constructor(table: DigestTable) {
    this.#table = table
  }

  /** The capture with this payload, `sha1:` and base32; undefined if none is known. */
  find(digest: string): KnownCapture | undefined {
    const { prints, slots, files, offsets, paths } = this.#table
    const value = digest.replace(/^sha1:/, '')
    fingerprint(value, this.#words, 0)
    const [low, high] = this.#words
    const mask = slots.length - 1
    for (let at = low & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const capture = slots[at] - 1
      if (prints[2 * capture] !== low || prints[2 * capture + 1] !== high) continue
      const line = lineAt(paths[files[capture]], offsets[capture])
      return line !== undefined && digestPattern.exec(line)?.[1] === value ? captureOf(line) : undefined
    }
    return undefined
  }
}

/** Undefined if the line is damaged. */
function captureOf(line: string): KnownCapture | undefined {
  const [, stamp] = /^\S+ (\d{14})\d* \{/.exec(line) ?? []
  if (stamp === undefined) return undefined
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/
    .exec(stamp)!
    .map(Number)
  const dateMs = Date.UTC(year, month - 1, day, hour, minute, second)
  try {
    const { url } = JSON.parse(line.slice(line.indexOf('{'))) as { url?: unknown }
    return typeof url === 'string' && url !== '' ? { url, dateMs } : undefined
  } catch {
    return undefined
  }
}

/** The lines of a file with their positions. */
function* linesOf(path: string): Generator<[offset: number, line: string]> {
  const file = opened(path)
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let rest = Buffer.alloc(0)
    let position = 0
    for (;;) {
      const read = readSync(file, chunk, 0, chunkBytes, position + rest.length)
      if (position === 0 && read > 1 && chunk[0] === 0x1f && chunk[1] === 0x8b)
        throw new RankwardError(
          'FILE_UNREADABLE',
          `${path} is compressed. Decompress the index first, as with gunzip.`,
        )
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)])
      let from = 0
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        yield [position + from, bytes.toString('utf8', from, end)]
        from = end + 1
      }
      position += from
      rest = bytes.subarray(from)
      if (read === 0) {
        if (rest.length > 0) yield [position, rest.toString('utf8')]
        return
      }
      if (rest.length > lineBytesMax)
        throw new RankwardError(
          'FILE_UNREADABLE',
          `${path} is not a CDXJ index: the line at byte ${position} has no end.`,
        )
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Undefined if the file has changed and ends before, or cannot be read any more: the response is then archived as a whole, and the
 * crawl continues.
 */
function lineAt(path: string, offset: number): string | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const bytes = Buffer.alloc(lineBytesMax)
    const length = readSync(file, bytes, 0, lineBytesMax, offset)
    const end = bytes.subarray(0, length).indexOf(10)
    return length === 0 ? undefined : bytes.toString('utf8', 0, end < 0 ? length : end)
  } finally {
    closeSync(file)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new RankwardError(
      'FILE_UNREADABLE',
      `Cannot read the index ${path} (dedupAgainst): ${(cause as Error).message}.`,
      {
        cause,
      },
    )
  }
}
