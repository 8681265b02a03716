/**
 * The page table in a file. index.json has the place of the columns and the range of the PageRanks.
 *
 *   magic (8) · URLs, each with 2 bytes of its CRC-32 · columns
 */
import { crc32 } from 'node:zlib'
import { encodeColumns, type Columns } from '../columns.ts'
import { pageColumns, type PageTable } from '../page-table.ts'
import { IndexFileReader, writeIndexFile, type FileEnd } from './index-file.ts'

export interface TableEnd extends FileEnd {
  readonly columnsAt: number
  readonly lowest: number
  readonly highest: number
}

export async function writeTable(path: string, table: PageTable): Promise<TableEnd> {
  const { count, columns, lowest, highest } = table
  let columnsAt = 0
  const end = await writeIndexFile(path, (file) => {
    for (let row = 0; row < count; row++) {
      const bytes = Buffer.from(`${table.url(row)}  `)
      bytes.writeUInt16LE(crc32(bytes.subarray(0, -2)) & 0xffff, bytes.length - 2)
      columns.urlStart[row] = file.length
      file.write(bytes)
    }
    columnsAt = file.length
    file.write(encodeColumns(pageColumns, columns, count))
  })
  return { ...end, columnsAt, lowest, highest }
}

/** Everything throws `DamagedIndex`. */
export class StoredTable implements PageTable {
  readonly count: number
  readonly columns: Columns<typeof pageColumns>
  readonly files: readonly string[]
  readonly lowest: number
  readonly highest: number
  readonly #file: IndexFileReader
  readonly #columnsAt: number

  constructor(path: string, { bytes, columnsAt, lowest, highest }: TableEnd, files: readonly string[]) {
    this.files = files
    this.lowest = lowest
    this.highest = highest
    this.#columnsAt = columnsAt
    this.#file = new IndexFileReader(path, bytes)
    try {
      const { rows, columns } = this.#file.columns(pageColumns, columnsAt, bytes)
      this.count = rows
      this.columns = columns
    } catch (error) {
      this.#file.close()
      throw error
    }
  }

  url(row: number): string {
    const { urlStart } = this.columns
    const bytes = this.#file.read(urlStart[row], row + 1 < this.count ? urlStart[row + 1] : this.#columnsAt)
    const url = bytes.subarray(0, -2)
    if (bytes.readUInt16LE(url.length) !== (crc32(url) & 0xffff)) throw this.#file.damaged()
    return url.toString()
  }

  close(): void {
    this.#file.close()
  }
}
