/** Reads any range of a file through a window in memory that moves with the reader. */
import { fstatSync, readSync } from 'node:fs'

const aheadBytes = 262_144

export class FileWindow {
  readonly #file: number
  readonly #size: number
  #held: Buffer = Buffer.alloc(0)
  #start = 0

  /** Bytes from `end` on are not read. */
  constructor(file: number, end = Infinity) {
    this.#file = file
    this.#size = Math.min(fstatSync(file).size, end)
  }

  /** Returns fewer bytes than requested only at the end of the file. */
  bytes(offset: number, length: number): Buffer {
    const from = offset - this.#start
    if (from < 0 || from + length > this.#held.length) this.#move(offset, Math.max(length, aheadBytes))
    const at = offset - this.#start
    return this.#held.subarray(at, at + length)
  }

  #move(offset: number, length: number): void {
    // A record may claim any length: memory is allocated only for bytes that exist.
    const there = Math.max(0, Math.min(length, this.#size - offset))
    const held = Buffer.allocUnsafe(there)
    let filled = 0
    while (filled < there) {
      const read = readSync(this.#file, held, filled, there - filled, offset + filled)
      if (read === 0) break
      filled += read
    }
    this.#held = held.subarray(0, filled)
    this.#start = offset
  }
}
