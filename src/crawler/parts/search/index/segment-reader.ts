/** Reads a segment (segment-writer.ts). Every byte that is used is checked against a checksum. */
import { crc32 } from 'node:zlib'
import { ByteReader } from '../../../../lib/byte-reader.ts'
import { BitReader } from './bits.ts'
import { decodeDocuments, documentBytes, type Documents } from './documents.ts'
import { IndexFileReader, magic, type DamagedIndex } from './index-file.ts'
import { readDocuments, readPositions, type Postings } from './postings.ts'
import { footerBytes, termsPerBlock } from './segment-writer.ts'

/** A term, and where its postings are. */
export interface TermEntry {
  readonly term: Buffer
  /** Its position among the terms of the segment. */
  readonly ordinal: number
  /** Number of documents that have it. */
  readonly count: number
  readonly documentsBytes: number
  readonly positionsBytes: number
  /** Small postings themselves, or the offset of large ones in the file. */
  readonly postings: Buffer | number
}

export class SegmentReader {
  readonly documents: Documents
  readonly terms: number
  readonly #file: IndexFileReader
  readonly #blockIndex: Buffer
  /** Per block: first term in the block index, its length, offset of the postings and of the terms in the file. */
  readonly #termStarts: Uint32Array
  readonly #termLengths: Uint32Array
  readonly #starts: Float64Array
  readonly #termsAt: Float64Array

  /** Throws `DamagedIndex`. */
  constructor(path: string, length: number) {
    this.#file = new IndexFileReader(path, length)
    try {
      if (length < magic.length + footerBytes || !this.#file.read(0, magic.length).equals(magic))
        throw this.#file.damaged()
      const footer = this.#file.read(length - footerBytes, footerBytes)
      const [count, terms, blocks, indexBytes, documentsSum, indexSum, sum] = Array.from(
        { length: 7 },
        (_, i) => footer.readUInt32LE(4 * i),
      )
      if (crc32(footer.subarray(0, footerBytes - 4)) !== sum) throw this.#file.damaged()
      // Each block has at least three bytes in the index.
      if (3 * blocks > indexBytes) throw this.#file.damaged()
      this.terms = terms
      this.#blockIndex = this.#file.read(length - footerBytes - indexBytes, indexBytes)
      const documentsAt = length - footerBytes - indexBytes - documentBytes(count)
      const documents = this.#file.readAligned(documentsAt, documentBytes(count))
      if (crc32(new Uint8Array(documents)) !== documentsSum || crc32(this.#blockIndex) !== indexSum)
        throw this.#file.damaged()
      this.documents = decodeDocuments(documents, count)
      this.#termStarts = new Uint32Array(blocks)
      this.#termLengths = new Uint32Array(blocks)
      this.#starts = new Float64Array(blocks + 1)
      this.#termsAt = new Float64Array(blocks)
      this.#locateBlocks(blocks)
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  #locateBlocks(blocks: number): void {
    const from = new ByteReader(this.#blockIndex)
    let at = magic.length
    for (let block = 0; block < blocks; block++) {
      this.#termLengths[block] = from.varint()
      this.#termStarts[block] = from.at
      from.raw(this.#termLengths[block])
      this.#starts[block] = at
      this.#termsAt[block] = at + from.varint()
      at = this.#termsAt[block] + from.varint()
    }
    this.#starts[blocks] = at
  }

  find(term: Buffer): TermEntry | undefined {
    const block = this.#blockOf(term)
    if (block < 0) return undefined
    for (const entry of this.#block(block)) if (entry.term.equals(term)) return entry
    return undefined
  }

  /** The term with this ordinal. */
  at(ordinal: number): TermEntry {
    for (const entry of this.#block(Math.floor(ordinal / termsPerBlock)))
      if (entry.ordinal === ordinal) return entry
    throw this.#file.damaged()
  }

  /** All terms in order. */
  *entries(): Generator<TermEntry> {
    for (let block = 0; block < this.#termsAt.length; block++) yield* this.#block(block)
  }

  /** Reads the documents of a term, and the positions if they are needed. */
  read(
    { count, documentsBytes, positionsBytes, postings }: TermEntry,
    withPositions: boolean,
    into: Postings,
  ): void {
    const documents =
      typeof postings === 'number'
        ? this.#checked(postings, documentsBytes)
        : padded(postings, 0, documentsBytes)
    readDocuments(new BitReader(documents), count, this.documents.count, into)
    if (!withPositions) return
    const positions =
      typeof postings === 'number'
        ? this.#checked(postings + documentsBytes + 4, positionsBytes)
        : padded(postings, documentsBytes, positionsBytes)
    readPositions(new BitReader(positions), this.documents, into)
  }

  close(): void {
    this.#file.close()
  }

  damaged(): DamagedIndex {
    return this.#file.damaged()
  }

  /** The last block whose first term is not after this one; -1 if there is none. */
  #blockOf(term: Buffer): number {
    let low = -1
    let high = this.#termsAt.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      const start = this.#termStarts[middle]
      const order = this.#blockIndex.compare(term, 0, term.length, start, start + this.#termLengths[middle])
      if (order <= 0) low = middle
      else high = middle
    }
    return low
  }

  *#block(block: number): Generator<TermEntry> {
    const at = this.#termsAt[block]
    const bytes = this.#file.read(at, this.#starts[block + 1] - at)
    const from = new ByteReader(bytes)
    if (from.uint32() !== crc32(bytes.subarray(4))) throw this.#file.damaged()
    let before = Buffer.alloc(0)
    let ordinal = block * termsPerBlock
    let largeAt = this.#starts[block]
    while (!from.isAtEnd) {
      const lengths = from.byte()
      const shared = lengths === 0 ? from.byte() : lengths >> 4
      const rest = lengths === 0 ? from.byte() : lengths & 15
      const term = Buffer.concat([before.subarray(0, shared), from.raw(rest)])
      const count = from.varint()
      const documentsBytes = from.varint()
      const positionsBytes = from.varint()
      const isLarge = count % 2 === 1
      const postings = isLarge ? largeAt : from.raw(documentsBytes + positionsBytes)
      if (isLarge) largeAt += documentsBytes + positionsBytes + 8
      yield {
        term,
        ordinal: ordinal++,
        count: Math.floor(count / 2),
        documentsBytes,
        positionsBytes,
        postings,
      }
      before = term
    }
  }

  #checked(offset: number, length: number): Buffer {
    const bytes = this.#file.readPadded(offset, length)
    if (this.#file.read(offset + length, 4).readUInt32LE() !== crc32(bytes.subarray(0, length)))
      throw this.#file.damaged()
    return bytes
  }
}

function padded(bytes: Buffer, start: number, length: number): Buffer {
  const copy = Buffer.alloc(length + 4)
  bytes.copy(copy, 0, start, start + length)
  return copy
}
