/**
 * For one segment and language: the terms with each stem. Only terms that differ from their stem are listed,
 * as pairs of the stem's hash and the term's ordinal, in order of the hash: 8 bytes each.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Stemmer } from '../../../../web/text/stem.ts'
import { copyRows, encodeColumns, GrowingColumns, newColumns, type Columns } from '../columns.ts'
import { IndexFileReader, magic, writeIndexFile, type FileEnd } from './index-file.ts'
import type { SegmentReader, TermEntry } from './segment.ts'

const termsAtOnce = 8192
const stemColumns = { hash: Uint32Array, ordinal: Uint32Array } as const

export class TermStems {
  readonly #rows: number
  readonly #columns: Columns<typeof stemColumns>

  private constructor(rows: number, columns: Columns<typeof stemColumns>) {
    this.#rows = rows
    this.#columns = columns
  }

  static async build(segment: SegmentReader, stem: Stemmer): Promise<TermStems> {
    const pairs = new GrowingColumns(stemColumns)
    for (const { term, ordinal } of segment.entries()) {
      if (ordinal % termsAtOnce === 0) await turn()
      const stemmed = stem(term)
      if (stemmed !== term) pairs.add({ hash: crc32(stemmed), ordinal })
    }
    const { count, columns } = pairs
    const order = Uint32Array.from({ length: count }, (_, i) => i)
    order.sort((a, b) => columns.hash[a] - columns.hash[b] || a - b)
    const sorted = newColumns(stemColumns, count)
    copyRows(stemColumns, columns, order, sorted)
    return new TermStems(count, sorted)
  }

  /** Throws `DamagedIndex`. */
  static read(path: string, length: number): TermStems {
    const file = new IndexFileReader(path, length)
    try {
      const { rows, columns } = file.columns(stemColumns, magic.length, length)
      return new TermStems(rows, columns)
    } finally {
      file.close()
    }
  }

  write(path: string): Promise<FileEnd> {
    return writeIndexFile(path, (file) => file.write(encodeColumns(stemColumns, this.#columns, this.#rows)))
  }

  /** The terms of the segment with this stem. */
  *terms(stemmed: string, segment: SegmentReader, stem: Stemmer): Generator<TermEntry> {
    if (stem(stemmed) === stemmed) {
      const same = segment.find(stemmed)
      if (same !== undefined) yield same
    }
    const { hash: hashes, ordinal } = this.#columns
    const hash = crc32(stemmed)
    let low = 0
    for (let high = this.#rows; low < high;) {
      const middle = (low + high) >>> 1
      if (hashes[middle] < hash) low = middle + 1
      else high = middle
    }
    for (; low < this.#rows && hashes[low] === hash; low++) {
      const entry = segment.at(ordinal[low])
      if (stem(entry.term) === stemmed) yield entry
    }
  }
}
