/**
 * Files of the index: written from start to end under a partial name and renamed when they are complete and
 * on disk. All begin with the same eight bytes, by which they are recognised as ours.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { partialPath } from '../../../../lib/files/whole-file.ts'
import { decodeColumns } from '../columns.ts'

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

/** Writes a file that is durable under its name, or none. */
export async function writeIndexFile(
  path: string,
  write: (file: IndexFileWriter) => void | Promise<void>,
): Promise<FileEnd> {
  const partial = partialPath(path)
  const file = openSync(partial, 'wx')
  try {
    const writer = new IndexFileWriter(file)
    await write(writer)
    const end = writer.end()
    fsyncSync(file)
    renameSync(partial, path)
    return end
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

class IndexFileWriter {
  readonly #file: number
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  #held = 0
  #written = 0
  #sum = 0

  constructor(file: number) {
    this.#file = file
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

  end(): FileEnd {
    this.#flush()
    return { bytes: this.#written, sum: this.#sum }
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

/** Random access to a complete file. Everything throws `DamagedIndex`. */
export class IndexFileReader {
  readonly #path: string
  readonly #length: number
  readonly #file: number

  constructor(path: string, length: number) {
    this.#path = path
    this.#length = length
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

  /** In memory of its own. */
  read(start: number, end: number): Buffer {
    if (!(start >= 0 && start <= end && end <= this.#length)) throw this.damaged()
    const bytes = Buffer.allocUnsafeSlow(end - start)
    for (let done = 0; done < bytes.length;) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, start + done)
      if (read === 0) throw this.damaged()
      done += read
    }
    return bytes
  }

  columns<S extends Parameters<typeof decodeColumns>[0]>(
    schema: S,
    start: number,
    end: number,
  ): NonNullable<ReturnType<typeof decodeColumns<S>>> {
    const columns = decodeColumns(schema, this.read(start, end))
    if (columns === undefined) throw this.damaged()
    return columns
  }

  damaged(): DamagedIndex {
    return new DamagedIndex(`${this.#path} does not match its checksum`)
  }

  close(): void {
    closeSync(this.#file)
  }
}
