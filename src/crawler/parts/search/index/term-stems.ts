/**
 * For one segment and language: the terms with each stem. Only terms that differ from their stem are listed,
 * as pairs of the stem's hash and the term's ordinal, in order of the hash: 8 bytes each.
 *
 *   magic (8) · hashes (4 each) · ordinals (4 each) · CRC-32 of these (4)
 */
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { GrowingUint32 } from '../../../../lib/growing-array.ts'
import type { Stemmer } from '../../../../web/text/stem.ts'
import { bytesOf } from './documents.ts'
import { IndexFileReader, IndexFileWriter, magic, type FileEnd } from './index-file.ts'
import type { SegmentReader, TermEntry } from './segment-reader.ts'

const termsAtOnce = 8192

export class TermStems {
  readonly #hashes: Uint32Array
  readonly #ordinals: Uint32Array

  private constructor(hashes: Uint32Array, ordinals: Uint32Array) {
    this.#hashes = hashes
    this.#ordinals = ordinals
  }

  static async build(segment: SegmentReader, stem: Stemmer): Promise<TermStems> {
    const hashes = new GrowingUint32()
    const ordinals = new GrowingUint32()
    let count = 0
    for (const { term, ordinal } of segment.entries()) {
      if (ordinal % termsAtOnce === 0) await turn()
      const word = term.toString()
      const stemmed = stem(word)
      if (stemmed === word) continue
      hashes.ensure(count)
      ordinals.ensure(count)
      hashes.array[count] = crc32(stemmed)
      ordinals.array[count++] = ordinal
    }
    const order = Uint32Array.from({ length: count }, (_, i) => i)
    order.sort((a, b) => hashes.array[a] - hashes.array[b] || a - b)
    return new TermStems(
      order.map((i) => hashes.array[i]),
      order.map((i) => ordinals.array[i]),
    )
  }

  /** Throws `DamagedIndex`. */
  static read(path: string, length: number): TermStems {
    const file = new IndexFileReader(path, length)
    try {
      const buffer = file.readAligned(magic.length, length - magic.length)
      const count = Math.floor((length - magic.length) / 8)
      const pairs = new Uint8Array(buffer, 0, 8 * count)
      if (length !== magic.length + 8 * count + 4) throw file.damaged()
      if (new DataView(buffer).getUint32(8 * count, true) !== crc32(pairs)) throw file.damaged()
      return new TermStems(new Uint32Array(buffer, 0, count), new Uint32Array(buffer, 4 * count, count))
    } finally {
      file.close()
    }
  }

  write(path: string): FileEnd {
    const file = new IndexFileWriter(path)
    const sum = Buffer.alloc(4)
    sum.writeUInt32LE(crc32(bytesOf(this.#ordinals), crc32(bytesOf(this.#hashes))))
    try {
      for (const bytes of [bytesOf(this.#hashes), bytesOf(this.#ordinals), sum]) file.write(bytes)
      return file.finish()
    } catch (error) {
      file.abandon()
      throw error
    }
  }

  /** The terms of the segment with this stem. */
  *terms(stemmed: string, segment: SegmentReader, stem: Stemmer): Generator<TermEntry> {
    if (stem(stemmed) === stemmed) {
      const same = segment.find(Buffer.from(stemmed))
      if (same !== undefined) yield same
    }
    const hash = crc32(stemmed)
    let low = 0
    for (let high = this.#hashes.length; low < high;) {
      const middle = (low + high) >>> 1
      if (this.#hashes[middle] < hash) low = middle + 1
      else high = middle
    }
    for (; low < this.#hashes.length && this.#hashes[low] === hash; low++) {
      const entry = segment.at(this.#ordinals[low])
      if (stem(entry.term.toString()) === stemmed) yield entry
    }
  }
}
