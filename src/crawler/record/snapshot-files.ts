/**
 * Snapshots of a crawl's state: they replace all groups up to a number, so that a resume replays only later
 * groups. A snapshot is an optimisation: if it is missing, torn or damaged, the previous one is used, or the
 * log alone.
 *
 *   header   magic and version (8) · group (8) · writer of that group (16) · CRC-32 of these (4)
 *   blocks   length (4) · CRC-32 (4) · bytes; the last one is empty
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from './segment-log.ts'

const magic = Buffer.from('RWSNAP\0\u0001', 'latin1')
const headerBytes = 36
const blockHeaderBytes = 8
/** Larger chunks are written in blocks of this size, to bound the time of one checksum. */
const blockBytes = 4 << 20
/** The newest and a fallback. */
const keptMax = 2
const fileName = /^(\d{10})\.snapshot$/
const unfinishedName = /^\d{10}\.snapshot\.part$/

/** The point of a snapshot: the state after this group, of this writer. */
export interface SnapshotPoint {
  readonly group: number
  readonly writer: string
}

export class SnapshotFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Groups with a snapshot, newest first. */
  groups(): number[] {
    try {
      return readdirSync(this.#folder)
        .flatMap((name) => fileName.exec(name)?.[1] ?? [])
        .map(Number)
        .toSorted((a, b) => b - a)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  path(group: number): string {
    return join(this.#folder, `${String(group).padStart(10, '0')}.snapshot`)
  }

  /** Writes a snapshot block by block, atomically; removes all but the previous one. */
  async write(point: SnapshotPoint, chunks: Iterable<Uint8Array>): Promise<void> {
    await this.prepare(point, chunks)
    await this.put(point.group)
    for (const group of this.groups().slice(keptMax)) rmSync(this.path(group), { force: true })
    this.removeUnfinished()
  }

  /** Writes a snapshot to an unfinished file. `put` gives it its name. */
  async prepare(point: SnapshotPoint, chunks: Iterable<Uint8Array>): Promise<void> {
    mkdirSync(this.#folder, { recursive: true })
    const partial = this.#partial(point.group)
    let file: FileHandle | undefined
    try {
      file = await open(partial, 'w')
      await file.writeFile(encodePoint(point))
      for (const block of blocksOf(chunks)) {
        const header = Buffer.alloc(blockHeaderBytes)
        header.writeUInt32LE(block.length, 0)
        header.writeUInt32LE(crc32(block), 4)
        await file.writeFile(header)
        await file.writeFile(block)
      }
      await file.sync()
      await file.close()
    } catch (error) {
      await file?.close()
      rmSync(partial, { force: true })
      throw error
    }
  }

  /** Puts the unfinished snapshot of this group in place of the one that has its name. */
  async put(group: number): Promise<void> {
    await rename(this.#partial(group), this.path(group))
    await syncFolder(this.#folder)
  }

  #partial(group: number): string {
    return `${this.path(group)}.part`
  }

  /** Removes unfinished files of a killed process, if they begin like a snapshot. */
  removeUnfinished(): void {
    for (const name of existsSync(this.#folder) ? readdirSync(this.#folder) : []) {
      const path = join(this.#folder, name)
      if (unfinishedName.test(name) && beginsAsSnapshot(path)) rmSync(path, { force: true })
    }
  }

  /** Whether this file is a snapshot, complete or not. */
  isOwn(group: number): boolean {
    return this.#point(group) !== undefined
  }

  /** Whether a file with the name of a snapshot begins like one, so that it may be removed. */
  mayRemove(group: number): boolean {
    return beginsAsSnapshot(this.path(group))
  }

  /** The point of the newest snapshot whose header is intact. */
  newestPoint(): SnapshotPoint | undefined {
    for (const group of this.groups()) {
      const point = this.#point(group)
      if (point?.group === group) return point
    }
    return undefined
  }

  #point(group: number): SnapshotPoint | undefined {
    try {
      for (const part of this.#parts(group)) return part instanceof Uint8Array ? undefined : part
    } catch {
      // Damaged, or removed by a newer one since the folder was listed.
    }
    return undefined
  }

  /** Checks a whole snapshot; undefined if it is damaged, torn or of another version. */
  check(group: number): SnapshotPoint | undefined {
    try {
      let point: SnapshotPoint | undefined
      for (const part of this.#parts(group)) if (!(part instanceof Uint8Array)) point = part
      return point?.group === group ? point : undefined
    } catch {
      return undefined
    }
  }

  /** The bytes of a checked snapshot, block by block; each is valid until the next is taken. */
  *blocks(group: number): Generator<Uint8Array> {
    for (const part of this.#parts(group)) if (part instanceof Uint8Array) yield part
  }

  *#parts(group: number): Generator<SnapshotPoint | Uint8Array> {
    const file = openSync(this.path(group), 'r')
    let memory = Buffer.allocUnsafe(headerBytes)
    const read = (length: number): Buffer => {
      if (length > memory.length) memory = Buffer.allocUnsafe(length)
      const bytes = memory.subarray(0, length)
      for (let at = 0; at < length;) {
        const count = readSync(file, bytes, at, length - at, null)
        if (count === 0) throw new Error('the snapshot is torn')
        at += count
      }
      return bytes
    }
    try {
      yield decodePoint(read(headerBytes))
      for (;;) {
        const header = read(blockHeaderBytes)
        const length = header.readUInt32LE(0)
        const sum = header.readUInt32LE(4)
        if (length > blockBytes) throw new Error('the snapshot is damaged')
        const block = read(length)
        if (crc32(block) !== sum) throw new Error('the snapshot is damaged')
        if (length === 0) {
          if (readSync(file, Buffer.alloc(1), 0, 1, null) > 0) throw new Error('the snapshot is damaged')
          return
        }
        yield block
      }
    } finally {
      closeSync(file)
    }
  }
}

/** True for an empty file. */
function beginsAsSnapshot(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(magic.length)
    const count = readSync(file, bytes, 0, magic.length, 0)
    return bytes.subarray(0, count).equals(magic.subarray(0, count))
  } finally {
    closeSync(file)
  }
}

/** Chunks in pieces of at most a block, then an empty one. */
function* blocksOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += blockBytes) yield chunk.subarray(at, at + blockBytes)
  }
  yield new Uint8Array(0)
}

function encodePoint({ group, writer }: SnapshotPoint): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  magic.copy(bytes)
  bytes.writeDoubleLE(group, 8)
  bytes.write(writer, 16, 16, 'hex')
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 32)), 32)
  return bytes
}

function decodePoint(bytes: Buffer): SnapshotPoint {
  if (!bytes.subarray(0, 8).equals(magic) || crc32(bytes.subarray(0, 32)) !== bytes.readUInt32LE(32)) {
    throw new Error('the header is damaged')
  }
  return { group: bytes.readDoubleLE(8), writer: bytes.toString('hex', 16, 32) }
}
