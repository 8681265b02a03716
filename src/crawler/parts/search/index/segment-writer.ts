/**
 * A segment of the index: an immutable file with the postings of some documents.
 *
 *   magic (8)
 *   blocks of 64 terms, in order of their UTF-8 bytes:
 *     postings of its large terms: documents · CRC-32 (4) · positions · CRC-32 (4)
 *     terms: CRC-32 of the rest (4) · per term: prefix shared with the term before and length of the rest
 *       (one byte, or three) · the rest · 2 × number of documents + 1 if large (varint) · lengths of documents
 *       and positions in bytes (varints) · these, unless large
 *   documents (documents.ts)
 *   block index: per block its first term (varint length, bytes), the length of its postings and of its terms
 *   footer: numbers of documents, terms, blocks (4 each) · lengths of block index (4) · CRC-32 of documents,
 *     of the block index and of the footer (4 each)
 *
 * Most terms occur in a few documents; their postings lie beside the term, so that a lookup reads one block.
 */
import { crc32 } from 'node:zlib'
import { ByteWriter } from '../../../../lib/byte-writer.ts'
import { BitWriter } from './bits.ts'
import { encodeDocuments, type Documents } from './documents.ts'
import { IndexFileWriter, type FileEnd } from './index-file.ts'
import { writeDocuments, writePositions, type Postings } from './postings.ts'

export const termsPerBlock = 64
export const footerBytes = 28
/** Postings of at most this many bytes lie beside their term. */
const smallBytesMax = 48

export class SegmentWriter {
  readonly #file: IndexFileWriter
  readonly #documents: Documents
  readonly #bits = new BitWriter()
  readonly #block = new ByteWriter()
  readonly #blockIndex = new ByteWriter()
  #termBefore: Buffer = Buffer.alloc(0)
  #termsOfBlock = 0
  #largeBytes = 0
  #terms = 0
  #blocks = 0

  constructor(path: string, documents: Documents) {
    this.#file = new IndexFileWriter(path)
    this.#documents = documents
  }

  /** Terms are added in ascending order, with at least one posting each. */
  add(term: Buffer, postings: Postings): void {
    if (this.#termsOfBlock === 0) {
      this.#blockIndex.block(term)
      this.#termBefore = Buffer.alloc(0)
    }
    this.#addTerm(term)
    writeDocuments(postings, this.#documents.count, this.#bits)
    const documents = Buffer.from(this.#bits.take())
    writePositions(postings, this.#documents, this.#bits)
    const positions = this.#bits.take()
    const isLarge = documents.length + positions.length > smallBytesMax
    this.#block.varint(2 * postings.count + (isLarge ? 1 : 0))
    this.#block.varint(documents.length)
    this.#block.varint(positions.length)
    if (isLarge) {
      this.#addLarge(documents)
      this.#addLarge(positions)
    } else {
      this.#block.raw(documents)
      this.#block.raw(positions)
    }
    this.#terms++
    if (++this.#termsOfBlock === termsPerBlock) this.#endBlock()
  }

  /** The file is then durable. */
  finish(): FileEnd {
    if (this.#termsOfBlock > 0) this.#endBlock()
    const documents = encodeDocuments(this.#documents)
    const blockIndex = this.#blockIndex.view()
    this.#file.write(documents)
    this.#file.write(blockIndex)
    const footer = Buffer.alloc(footerBytes)
    const { count } = this.#documents
    const numbers = [count, this.#terms, this.#blocks, blockIndex.length, crc32(documents), crc32(blockIndex)]
    numbers.forEach((value, i) => footer.writeUInt32LE(value, 4 * i))
    footer.writeUInt32LE(crc32(footer.subarray(0, footerBytes - 4)), footerBytes - 4)
    this.#file.write(footer)
    return this.#file.finish()
  }

  abandon(): void {
    this.#file.abandon()
  }

  #addTerm(term: Buffer): void {
    const before = this.#termBefore
    let shared = 0
    while (shared < before.length && shared < term.length && before[shared] === term[shared]) shared++
    const rest = term.length - shared
    if (shared < 16 && rest < 16) this.#block.byte((shared << 4) | rest)
    else {
      this.#block.byte(0)
      this.#block.byte(shared)
      this.#block.byte(rest)
    }
    this.#block.raw(term.subarray(shared))
    this.#termBefore = term
  }

  #addLarge(bytes: Uint8Array): void {
    this.#file.write(bytes)
    this.#file.write(checksumOf(bytes))
    this.#largeBytes += bytes.length + 4
  }

  #endBlock(): void {
    const terms = this.#block.view()
    this.#file.write(checksumOf(terms))
    this.#file.write(terms)
    this.#blockIndex.varint(this.#largeBytes)
    this.#blockIndex.varint(terms.length + 4)
    this.#block.clear()
    this.#largeBytes = 0
    this.#termsOfBlock = 0
    this.#blocks++
  }
}

function checksumOf(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(bytes))
  return sum
}
