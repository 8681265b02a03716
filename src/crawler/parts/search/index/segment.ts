/**
 * A segment of the index: an immutable file with the postings of some documents.
 *
 *   magic (8)
 *   blocks of 64 terms in order, each compressed by gzip, whose checksum also protects it:
 *     per term: itself · documents · positions (each with its length before it)
 *   documents, as columns
 *   directory: the first term of each block and where it begins, as JSON, compressed by gzip
 *
 * index.json has the places of documents and directory. A lookup reads one block.
 */
import { gunzipSync, gzipSync } from 'node:zlib'
import { ByteReader } from '../../../../lib/byte-reader.ts'
import { ByteWriter } from '../../../../lib/byte-writer.ts'
import { encodeColumns, type Columns, type GrowingColumns } from '../columns.ts'
import { versionColumns } from '../page-table.ts'
import { IndexFileReader, writeIndexFile, type FileEnd } from './index-file.ts'
import { Postings } from './postings.ts'

const termsPerBlock = 64
/** Higher levels save at most 3% of the bytes. */
const compression = { level: 1 }

/** A document is one version of a page, so what is stored about it never changes. */
export const documentColumns = {
  ...versionColumns,
  /** Number of distinct words. */
  titleWords: Uint32Array,
  textWords: Uint32Array,
  /** See page-table.ts. */
  kind: Uint8Array,
} as const
export type Documents = Columns<typeof documentColumns>

export interface SegmentEnd extends FileEnd {
  /** Number of documents. */
  readonly documents: number
  readonly documentsAt: number
  readonly directoryAt: number
}

/** The first term of each block, and where the block begins. */
type Directory = [firstTerm: string, start: number][]

/** Writes terms in ascending order, with at least one posting each. */
export async function writeSegment(
  path: string,
  documents: GrowingColumns<typeof documentColumns>,
  terms: (add: (term: string, postings: Postings) => void) => Promise<void>,
): Promise<SegmentEnd> {
  let documentsAt = 0
  let directoryAt = 0
  const end = await writeIndexFile(path, async (file) => {
    const directory: Directory = []
    const block = new ByteWriter()
    const part = new ByteWriter()
    let ofBlock = 0
    const endBlock = (): void => {
      if (ofBlock > 0) file.write(gzipSync(block.view(), compression))
      block.clear()
      ofBlock = 0
    }
    await terms((term, postings) => {
      if (ofBlock === 0) directory.push([term, file.length])
      block.text(term)
      part.clear()
      postings.writeDocuments(part)
      block.block(part.view())
      part.clear()
      postings.writePositions(part)
      block.block(part.view())
      if (++ofBlock === termsPerBlock) endBlock()
    })
    endBlock()
    documentsAt = file.length
    file.write(encodeColumns(documentColumns, documents.columns, documents.count))
    directoryAt = file.length
    file.write(gzipSync(JSON.stringify(directory), compression))
  })
  return { ...end, documents: documents.count, documentsAt, directoryAt }
}

/** A term of a segment. */
export interface TermEntry {
  readonly term: string
  /** Its position among the terms of the segment. */
  readonly ordinal: number
  readonly documents: Buffer
  readonly positions: Buffer
}

/** Everything throws `DamagedIndex`, or a `RangeError` if the bytes make no sense. */
export class SegmentReader {
  readonly end: SegmentEnd
  readonly #file: IndexFileReader
  readonly #directory: Directory

  constructor(path: string, end: SegmentEnd) {
    this.end = end
    this.#file = new IndexFileReader(path, end.bytes)
    try {
      this.#directory = JSON.parse(this.#unpacked(end.directoryAt, end.bytes).toString()) as Directory
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  documents(): Documents {
    return this.#file.columns(documentColumns, this.end.documentsAt, this.end.directoryAt).columns
  }

  find(term: string): TermEntry | undefined {
    // The last block whose first term is not after this one.
    let block = -1
    for (let high = this.#directory.length; high - block > 1;) {
      const middle = (block + high) >>> 1
      if (this.#directory[middle][0] <= term) block = middle
      else high = middle
    }
    return block < 0 ? undefined : this.#block(block).find((entry) => entry.term === term)
  }

  /** The term with this ordinal. */
  at(ordinal: number): TermEntry {
    const entry = this.#block(Math.floor(ordinal / termsPerBlock))[ordinal % termsPerBlock]
    if (entry === undefined) throw this.#file.damaged()
    return entry
  }

  /** All terms in order. */
  *entries(): Generator<TermEntry> {
    for (let block = 0; block < this.#directory.length; block++) yield* this.#block(block)
  }

  close(): void {
    this.#file.close()
  }

  #block(block: number): TermEntry[] {
    const [, start] = this.#directory[block] ?? [undefined, NaN]
    const [, end] = this.#directory[block + 1] ?? [undefined, this.end.documentsAt]
    const from = new ByteReader(this.#unpacked(start, end))
    const entries: TermEntry[] = []
    while (!from.isAtEnd) {
      const ordinal = block * termsPerBlock + entries.length
      entries.push({ term: from.text(), ordinal, documents: from.block(), positions: from.block() })
    }
    return entries
  }

  #unpacked(start: number, end: number): Buffer {
    const bytes = this.#file.read(start, end)
    try {
      return gunzipSync(bytes)
    } catch {
      throw this.#file.damaged()
    }
  }
}

/** Reads the documents of a term, and the positions if they are needed. */
export function readPostings(
  { documents, positions }: TermEntry,
  withPositions: boolean,
  into = new Postings(),
): Postings {
  into.readDocuments(new ByteReader(documents))
  if (withPositions) into.readPositions(new ByteReader(positions))
  return into
}
