/**
 * The record of the files that a command wrote: their names and SHA-256 digests. A file is ours if a record
 * names it and its content is unchanged; a file that was edited since belongs to the user.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** File name (without folder) to digest, in hex. */
export type FileRecord = Readonly<Record<string, string>>

export function digestOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Undefined if there is no such regular file. */
export function digestOfFile(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafe(1 << 20)
    for (;;) {
      const length = readSync(file, piece)
      if (length === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
}

/** Parses a record read from a file; undefined if it is not one. */
export function fileRecordOf(value: unknown): FileRecord | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.values(value).every((digest) => typeof digest === 'string')
    ? (value as FileRecord)
    : undefined
}
