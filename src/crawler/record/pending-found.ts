/**
 * Discovered pages of a group that is not committed, in the form in which the group stores them: about 40
 * bytes per page and no object, since a crawl discovers many more pages than it fetches. Pages are added in
 * order of their numbers.
 */
import { assert } from '../../lib/assert.ts'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { decodeFound, encodeFound, type FoundRecord } from './found-record.ts'
import { readRecord, writeRecord } from './group.ts'

export class PendingFound {
  readonly #records = new ByteWriter()
  /** Of each record: where it starts. */
  readonly #starts = new GrowingUint32(64)
  readonly #record = new ByteWriter()
  #first = 0
  #count = 0

  /** `siteName` is the name of the record's site. */
  add(page: number, found: FoundRecord, siteName: string | undefined): void {
    if (this.#count === 0) this.#first = page
    assert(page === this.#first + this.#count, 'pages must be recorded in order of their numbers')
    this.#starts.ensure(this.#count)
    this.#starts.array[this.#count++] = this.#records.length
    this.#record.clear()
    encodeFound(this.#record, found, siteName)
    writeRecord(this.#records, this.#record)
  }

  of(page: number, siteName: (site: number) => string): FoundRecord | undefined {
    const at = page - this.#first
    if (at < 0 || at >= this.#count) return undefined
    return decodeFound(readRecord(new ByteReader(this.#records.view(), this.#starts.array[at])), siteName)
  }

  /** Drops all records and keeps the memory. */
  clear(): void {
    this.#records.clear()
    this.#count = 0
  }

  /** All records, valid until the next is added. */
  get bytes(): Uint8Array {
    return this.#records.view()
  }
}
