/** Reads bytes of segment files. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { frameHeaderBytes, headerBytes, isFrameHeader } from './segment.ts'

/** Bytes read at once when searching beyond damage, and how far ahead the number of a later group may be. */
const scanBytes = 1 << 20
const groupsAhead = 1 << 20
/** Bytes read at once while groups are read in order. Many groups have a few hundred bytes. */
const aheadBytes = 1 << 18

/** Reads a file from front to back in large pieces. */
export class AheadReader {
  readonly #file: FileHandle
  #start = 0
  #bytes: Buffer = Buffer.alloc(0)

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Bytes at this position; fewer than `length` if the file ends there. A wrong length costs no memory. */
  async read(offset: number, length: number): Promise<Buffer> {
    if (length > aheadBytes) {
      const { size } = await this.#file.stat()
      return readAt(this.#file, offset, Math.max(0, Math.min(length, size - offset)))
    }
    if (offset < this.#start || offset + length > this.#start + this.#bytes.length) {
      this.#bytes = await readAt(this.#file, offset, aheadBytes)
      this.#start = offset
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length)
  }
}

/** Whether a frame of a later group follows in the file. If so, the damage is not at the end. */
export async function hasFrameAfter(file: FileHandle, from: number, number: number): Promise<boolean> {
  const { size } = await file.stat()
  for (let start = from; start < size; start += scanBytes) {
    const bytes = await readAt(file, start, scanBytes + frameHeaderBytes)
    for (let at = 0; at + frameHeaderBytes <= bytes.length; at++) {
      const ahead = bytes.readUInt32LE(at + 4) - number
      if (ahead > 0 && ahead < groupsAhead && isFrameHeader(bytes.subarray(at, at + frameHeaderBytes)))
        return true
    }
  }
  return false
}

/** The first bytes of a file. */
export function headOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headerBytes)
    return bytes.subarray(0, readSync(file, bytes, 0, headerBytes, 0))
  } finally {
    closeSync(file)
  }
}

export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let count = 0
  while (count < length) {
    const { bytesRead } = await file.read(bytes, count, length - count, offset + count)
    if (bytesRead === 0) break
    count += bytesRead
  }
  return bytes.subarray(0, count)
}
