/**
 * Files of the index: written from start to end under a partial name and renamed when they are complete and
 * on disk. All begin with the same eight bytes, by which they are recognised as ours.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { partialPath } from '../../../../lib/files/whole-file.ts'

export const magic = Buffer.from('RWSEARCH')
const bufferBytes = 1 << 20

/** The index is incomplete or damaged, and must be built again. */
export class DamagedIndex extends Error {}

/** A complete file. */
export interface FileEnd {
  readonly bytes: number
  /** CRC-32 of the whole file, for `rankward verify`. Searches check only what they read, by checksums in the file. */
  readonly sum: number
}

export class IndexFileWriter {
  readonly #path: string
  readonly #partial: string
  readonly #file: number
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #held = 0
  #written = 0
  #sum = 0

  constructor(path: string) {
    this.#path = path
    this.#partial = partialPath(path)
    this.#file = openSync(this.#partial, 'wx')
    this.write(magic)
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#written + this.#held
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > bufferBytes - this.#held) this.#flush()
    if (bytes.length > bufferBytes) this.#writeAll(bytes)
    else {
      this.#buffer.set(bytes, this.#held)
      this.#held += bytes.length
    }
  }

  /** Makes the file durable under its name. */
  finish(): FileEnd {
    this.#flush()
    fsyncSync(this.#file)
    closeSync(this.#file)
    renameSync(this.#partial, this.#path)
    return { bytes: this.length, sum: this.#sum }
  }

  abandon(): void {
    closeSync(this.#file)
    rmSync(this.#partial, { force: true })
  }

  #flush(): void {
    this.#writeAll(this.#buffer.subarray(0, this.#held))
    this.#held = 0
  }

  #writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done)
    this.#written += bytes.length
    this.#sum = crc32(bytes, this.#sum)
  }
}

/** Random access to a complete file. */
export class IndexFileReader {
  readonly path: string
  readonly length: number
  readonly #file: number

  /** Throws `DamagedIndex` if the file is missing or has another length. */
  constructor(path: string, length: number) {
    this.path = path
    this.length = length
    try {
      this.#file = openSync(path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new DamagedIndex(`${path} is missing`)
    }
    if (fstatSync(this.#file).size === length) return
    closeSync(this.#file)
    throw new DamagedIndex(`${path} has another length`)
  }

  read(offset: number, length: number): Buffer {
    const bytes = this.readPadded(offset, length)
    return bytes.subarray(0, length)
  }

  /** With four zeros after the last byte. */
  readPadded(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, length) + 4)
    this.#fill(bytes, offset, length)
    bytes.fill(0, length)
    return bytes
  }

  /** In memory of its own, for views of larger elements. */
  readAligned(offset: number, length: number): ArrayBuffer {
    const bytes = new Uint8Array(length)
    this.#fill(bytes, offset, length)
    return bytes.buffer
  }

  damaged(): DamagedIndex {
    return new DamagedIndex(`${this.path} does not match its checksum`)
  }

  close(): void {
    closeSync(this.#file)
  }

  #fill(bytes: Uint8Array, offset: number, length: number): void {
    if (offset < 0 || length < 0 || offset + length > this.length) throw this.damaged()
    for (let done = 0; done < length;) {
      const read = readSync(this.#file, bytes, done, length - done, offset + done)
      if (read === 0) throw this.damaged()
      done += read
    }
  }
}
