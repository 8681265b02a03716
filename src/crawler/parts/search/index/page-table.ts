/**
 * The searchable pages of a crawl at one time, for queries: the document of each, its PageRank, its copies,
 * its depth and URL. Unlike segments it depends on the whole record, and is written anew when that has grown.
 *
 *   magic (8) · rows, rows without noindex (4 each) · lowest and highest PageRank (8 each)
 *   columns: PageRank (8), start of the URL (8), document, original, copies, depth (4 each),
 *     row in archive order with noindex (4) · CRC-32 of all so far (4)
 *   URLs: bytes · 2 bytes of their CRC-32
 *
 * The rows are in the order of the archive, those marked noindex after the others.
 */
import { crc32 } from 'node:zlib'
import { bytesOf } from './documents.ts'
import { IndexFileReader, IndexFileWriter, magic, type FileEnd } from './index-file.ts'

export interface PageColumns {
  readonly count: number
  /** Number of rows that are not marked noindex. */
  readonly indexable: number
  /** PageRanks of the lowest and the highest of all known pages. */
  readonly lowest: number
  readonly highest: number
  readonly pageRanks: Float64Array
  /** Documents are numbered through all segments. */
  readonly documents: Uint32Array
  readonly originals: Uint32Array
  readonly copies: Uint32Array
  readonly depths: Uint32Array
  /** The rows in the order of the archive, with noindex. */
  readonly order: Uint32Array
}

const headBytes = magic.length + 24
const rowBytes = 2 * 8 + 5 * 4

/** Writes the table. `urlOf` gives the URL of a row. */
export function writePageTable(path: string, table: PageColumns, urlOf: (row: number) => string): FileEnd {
  const { count, indexable, lowest, highest, pageRanks, documents, originals, copies, depths, order } = table
  const head = Buffer.alloc(headBytes - magic.length)
  head.writeUInt32LE(count, 0)
  head.writeUInt32LE(indexable, 4)
  head.writeDoubleLE(lowest, 8)
  head.writeDoubleLE(highest, 16)
  const urlStarts = new Float64Array(count)
  let at = headBytes + rowBytes * count + 4
  for (let row = 0; row < count; row++) {
    urlStarts[row] = at
    at += Buffer.byteLength(urlOf(row)) + 2
  }
  const columns = [pageRanks, urlStarts, documents, originals, copies, depths, order].map(bytesOf)
  const file = new IndexFileWriter(path)
  try {
    let sum = crc32(magic)
    for (const bytes of [head, ...columns]) {
      file.write(bytes)
      sum = crc32(bytes, sum)
    }
    file.write(uint32(sum))
    for (let row = 0; row < count; row++) {
      const url = Buffer.from(urlOf(row))
      file.write(url)
      file.write(uint32(crc32(url)).subarray(0, 2))
    }
    return file.finish()
  } catch (error) {
    file.abandon()
    throw error
  }
}

export class PageTable implements PageColumns {
  readonly count: number
  readonly indexable: number
  readonly lowest: number
  readonly highest: number
  readonly pageRanks: Float64Array
  readonly documents: Uint32Array
  readonly originals: Uint32Array
  readonly copies: Uint32Array
  readonly depths: Uint32Array
  readonly order: Uint32Array
  readonly #urlStarts: Float64Array
  readonly #file: IndexFileReader

  /** Throws `DamagedIndex`. */
  constructor(path: string, length: number) {
    this.#file = new IndexFileReader(path, length)
    try {
      const head = this.#file.read(0, headBytes)
      const count = (this.count = head.readUInt32LE(magic.length))
      this.indexable = head.readUInt32LE(magic.length + 4)
      this.lowest = head.readDoubleLE(magic.length + 8)
      this.highest = head.readDoubleLE(magic.length + 16)
      const buffer = this.#file.readAligned(headBytes, rowBytes * count)
      const sum = this.#file.read(headBytes + rowBytes * count, 4).readUInt32LE()
      if (crc32(new Uint8Array(buffer), crc32(head)) !== sum) throw this.#file.damaged()
      const column = (i: number): Uint32Array => new Uint32Array(buffer, 16 * count + 4 * i * count, count)
      this.pageRanks = new Float64Array(buffer, 0, count)
      this.#urlStarts = new Float64Array(buffer, 8 * count, count)
      this.documents = column(0)
      this.originals = column(1)
      this.copies = column(2)
      this.depths = column(3)
      this.order = column(4)
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  url(row: number): string {
    const start = this.#urlStarts[row]
    const end = row + 1 < this.count ? this.#urlStarts[row + 1] : this.#file.length
    const bytes = this.#file.read(start, end - start)
    const url = bytes.subarray(0, -2)
    if (bytes.readUInt16LE(url.length) !== (crc32(url) & 0xffff)) throw this.#file.damaged()
    return url.toString()
  }

  close(): void {
    this.#file.close()
  }
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
