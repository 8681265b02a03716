/**
 * The members of a ZIP file and where their bytes are, from its central directory; ZIP64 included. WACZ files store their members
 * without compression, so that a record can be read at its position in the ZIP file itself.
 *
 * APPNOTE.TXT 6.3.10, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { RankwardError } from '../../lib/errors.ts'

export interface ZipMember {
  readonly name: string
  /** Bytes in the ZIP file. */
  readonly start: number
  readonly end: number
  readonly isStored: boolean
}

const endBytes = 22
const commentBytesMax = 0xffff
const locatorBytes = 20
const entryBytes = 46
const localBytes = 30
/** In place of a number that is in the ZIP64 field. */
const inZip64 = 0xffff_ffff
const stored = 0
const deflated = 8
/** Of members that are read as a whole: indexes. */
const memberBytesMax = 0x7fff_ffff

export function zipMembers(path: string): ZipMember[] {
  return withFile(path, (read, size) => {
    const { offset, bytes, count } = directoryPlace(path, read, size)
    const directory = read(offset, bytes)
    const members: ZipMember[] = []
    let at = 0
    for (let i = 0; i < count; i++) {
      if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== 0x0201_4b50)
        throw damaged(path)
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
        directory.readUInt16LE(at + field),
      )
      const name = directory.toString('utf8', at + entryBytes, at + entryBytes + nameBytes)
      const extra = directory.subarray(at + entryBytes + nameBytes, at + entryBytes + nameBytes + extraBytes)
      const [length, local] = wideNumbers(
        extra,
        [24, 20, 42].map((field) => directory.readUInt32LE(at + field)),
      )
      const head = read(local, localBytes)
      if (head.length < localBytes || head.readUInt32LE(0) !== 0x0403_4b50) throw damaged(path)
      const start = local + localBytes + head.readUInt16LE(26) + head.readUInt16LE(28)
      const method = directory.readUInt16LE(at + 10)
      if (method === stored || method === deflated)
        members.push({ name, start, end: start + length, isStored: method === stored })
      at += entryBytes + nameBytes + extraBytes + commentBytes
    }
    return members
  })
}

/** All bytes of a member. */
export function memberBytes(path: string, { start, end, isStored }: ZipMember): Buffer {
  return withFile(path, (read) => {
    const bytes = read(start, Math.min(end - start, memberBytesMax))
    try {
      return isStored ? bytes : inflateRawSync(bytes, { maxOutputLength: memberBytesMax })
    } catch (cause) {
      throw damaged(path, cause)
    }
  })
}

type Read = (offset: number, length: number) => Buffer

function withFile<T>(path: string, use: (read: Read, size: number) => T): T {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw new RankwardError('FILE_UNREADABLE', `Cannot read ${path}: ${(cause as Error).message}.`, { cause })
  }
  try {
    const { size } = fstatSync(file)
    return use((offset, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)))
      for (let filled = 0; filled < bytes.length;) {
        const got = readSync(file, bytes, filled, bytes.length - filled, offset + filled)
        if (got === 0) throw damaged(path)
        filled += got
      }
      return bytes
    }, size)
  } finally {
    closeSync(file)
  }
}

/** The end of the central directory is the last thing of the file, before a comment. */
function directoryPlace(
  path: string,
  read: Read,
  size: number,
): { offset: number; bytes: number; count: number } {
  const from = Math.max(0, size - endBytes - commentBytesMax - locatorBytes)
  const tail = read(from, size - from)
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (at < 0 || at + endBytes > tail.length) throw damaged(path)
  const locator = at - locatorBytes
  if (locator < 0 || tail.readUInt32LE(locator) !== 0x0706_4b50)
    return {
      count: tail.readUInt16LE(at + 10),
      bytes: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
  const end64 = read(wide(tail, locator + 8), 56)
  if (end64.length < 56 || end64.readUInt32LE(0) !== 0x0606_4b50) throw damaged(path)
  return { count: wide(end64, 32), bytes: wide(end64, 40), offset: wide(end64, 48) }
}

/** Compressed length and position of a member: those that do not fit are in the extra field, after the length of its content. */
function wideNumbers(extra: Buffer, numbers: readonly number[]): [length: number, offset: number] {
  const found = [...numbers]
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let value = at + 4
    for (let i = 0; i < found.length; i++) {
      if (found[i] !== inZip64 || value + 8 > extra.length) continue
      found[i] = wide(extra, value)
      value += 8
    }
  }
  return [found[1], found[2]]
}

const wide = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

function damaged(path: string, cause?: unknown): RankwardError {
  return new RankwardError(
    'UNKNOWN_FORMAT',
    `${path} is not a ZIP file, or is damaged. Expected a WACZ file.`,
    {
      cause,
    },
  )
}
