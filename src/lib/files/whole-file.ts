/**
 * Writes files so that a failure leaves nothing behind: to a partial file that is renamed at the end. Devices
 * and pipes are written in place.
 */
import { randomBytes } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isStream } from './output-files.ts'
import { RankwardError } from '../errors.ts'

/** The name of a file until it is complete. Unique at each call. */
export function partialPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.partial`)
}

export function unwritable(path: string, cause: unknown): RankwardError {
  if (cause instanceof RankwardError) return cause
  const { code, message } = cause as NodeJS.ErrnoException
  const why =
    code === 'ENOENT'
      ? 'its directory does not exist'
      : code === 'ENOSPC'
        ? 'the disk is full'
        : code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
          ? 'it is not allowed here'
          : message
  return new RankwardError('FILE_UNWRITABLE', `Cannot write ${path}: ${why}.`, { cause })
}

/** Unfinished partial files. They are also removed if the program exits early, for example by Ctrl-C. */
const underWay = new Set<string>()
let watching = false

function removeAtExit(partial: string): void {
  underWay.add(partial)
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const path of underWay) rmSync(path, { force: true })
  })
}

/** Runs `write` on a partial file; renames it on success and removes it on failure. */
export async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  if (isStream(path)) {
    await write(path).catch((error: unknown) => {
      throw unwritable(path, error)
    })
    return
  }
  const partial = partialPath(path)
  removeAtExit(partial)
  try {
    await write(partial)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw unwritable(path, error)
  } finally {
    underWay.delete(partial)
  }
}

export async function writeText(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  through?: Transform,
): Promise<void> {
  await writeWhole(path, async (partial) => {
    const from = Readable.from(pieces, { objectMode: false, highWaterMark: 1 << 20 })
    const to = createWriteStream(partial)
    await (through === undefined ? pipeline(from, to) : pipeline(from, through, to))
  })
}
