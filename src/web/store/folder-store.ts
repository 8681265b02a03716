/** Files in a folder that other machines see too. A file appears by a rename, once it is on disk and was read back. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unwritable } from '../../lib/files/whole-file.ts'
import type { FileStore } from './file-store.ts'
import { StoreFailure } from './store-failure.ts'

export class FolderStore implements FileStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async send(path: string, name: string): Promise<void> {
    const target = join(this.#folder, name)
    // One name, so that the leftover of a process that was killed is overwritten.
    const partial = join(this.#folder, `.${name}.partial`)
    try {
      const digest = await sha256(path)
      const { size } = await stat(path)
      if ((await this.size(name)) === size && (await sha256(target)) === digest) return
      await mkdir(this.#folder, { recursive: true })
      const file = await open(partial, 'w')
      try {
        for await (const chunk of chunksOf(path)) await file.writeFile(chunk)
        await file.sync()
      } finally {
        await file.close()
      }
      if ((await sha256(partial)) !== digest)
        throw new StoreFailure(`${partial} does not have what was written to it.`)
      await rename(partial, target)
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {})
      throw storeFailure(target, error)
    }
  }

  async claim(name: string, text: string): Promise<string> {
    const path = join(this.#folder, name)
    try {
      await mkdir(this.#folder, { recursive: true })
      await writeFile(path, text, { flag: 'wx', flush: true })
      return text
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFile(path, 'utf8')
      throw storeFailure(path, error)
    }
  }

  async read(name: string, offset: number, length: number): Promise<Buffer | undefined> {
    if ((await this.size(name)) === undefined) return undefined
    const file = await open(join(this.#folder, name))
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  async size(name: string): Promise<number | undefined> {
    try {
      return (await stat(join(this.#folder, name))).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw storeFailure(join(this.#folder, name), error)
    }
  }
}

function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 1 << 20 })
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunksOf(path)) hash.update(chunk)
  return hash.digest('hex')
}

function storeFailure(path: string, error: unknown): StoreFailure {
  return error instanceof StoreFailure
    ? error
    : new StoreFailure(unwritable(path, error).message, undefined, error)
}
