/**
 * The documents of a segment, as columns. A document is one version of a page: its position in the archive
 * never changes, so what is stored about it never does either. 37 bytes each.
 */
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../../../lib/growing-array.ts'
import type { FieldLengths } from './postings.ts'

export interface Documents extends FieldLengths {
  readonly count: number
  readonly pages: Uint32Array
  /** The position in the archive: thread and serial number of the file, and offset. */
  readonly threads: Uint32Array
  readonly serials: Uint32Array
  readonly offsets: Float64Array
  readonly titleTokens: Uint32Array
  readonly textTokens: Uint32Array
  /** Number of distinct words. */
  readonly titleWords: Uint32Array
  readonly textWords: Uint32Array
  /** 0: not text, so it has no words. 1: no language with a stemmer. From 2: such a language. */
  readonly kinds: Uint8Array
}

export const notText = 0
export const noLanguage = 1

/** One document, with its columns by name. */
export interface DocumentRow {
  readonly page: number
  readonly thread: number
  readonly serial: number
  readonly offset: number
  readonly titleTokens: number
  readonly textTokens: number
  readonly titleWords: number
  readonly textWords: number
  readonly kind: number
}

const bytesEach = 8 + 7 * 4 + 1

export class GrowingDocuments {
  readonly #offsets = new GrowingFloat64()
  readonly #columns = Array.from({ length: 7 }, () => new GrowingUint32())
  readonly #kinds = new GrowingUint8()
  count = 0

  add(row: DocumentRow): number {
    const at = this.count++
    const { page, thread, serial, titleTokens, textTokens, titleWords, textWords } = row
    const values = [page, thread, serial, titleTokens, textTokens, titleWords, textWords]
    this.#columns.forEach((column, i) => {
      column.ensure(at)
      column.array[at] = values[i]
    })
    this.#offsets.ensure(at)
    this.#offsets.array[at] = row.offset
    this.#kinds.ensure(at)
    this.#kinds.array[at] = row.kind
    return at
  }

  /** A view, valid until the next addition. */
  view(): Documents {
    const [pages, threads, serials, titleTokens, textTokens, titleWords, textWords] = this.#columns.map(
      ({ array }) => array.subarray(0, this.count),
    )
    return {
      count: this.count,
      pages,
      threads,
      serials,
      offsets: this.#offsets.array.subarray(0, this.count),
      titleTokens,
      textTokens,
      titleWords,
      textWords,
      kinds: this.#kinds.array.subarray(0, this.count),
    }
  }
}

export function documentRow(documents: Documents, at: number): DocumentRow {
  return {
    page: documents.pages[at],
    thread: documents.threads[at],
    serial: documents.serials[at],
    offset: documents.offsets[at],
    titleTokens: documents.titleTokens[at],
    textTokens: documents.textTokens[at],
    titleWords: documents.titleWords[at],
    textWords: documents.textWords[at],
    kind: documents.kinds[at],
  }
}

export function documentBytes(count: number): number {
  return bytesEach * count
}

/** The columns one after the other, the widest first. Little-endian, as all processors that run Node. */
export function encodeDocuments(documents: Documents): Buffer {
  const { offsets, pages, threads, serials, titleTokens, textTokens, titleWords, textWords, kinds } =
    documents
  const columns = [offsets, pages, threads, serials, titleTokens, textTokens, titleWords, textWords, kinds]
  return Buffer.concat(columns.map((column) => bytesOf(column)))
}

export function decodeDocuments(buffer: ArrayBuffer, count: number): Documents {
  let at = 0
  const next = (): Uint32Array => {
    at += 4 * count
    return new Uint32Array(buffer, at - 4 * count, count)
  }
  const offsets = new Float64Array(buffer, 0, count)
  at = 8 * count
  return {
    count,
    offsets,
    pages: next(),
    threads: next(),
    serials: next(),
    titleTokens: next(),
    textTokens: next(),
    titleWords: next(),
    textWords: next(),
    kinds: new Uint8Array(buffer, at, count),
  }
}

export function bytesOf(array: ArrayBufferView): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength)
}
