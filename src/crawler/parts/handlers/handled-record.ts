/**
 * What the user's page handler gave for a page: its items and its failure. The items of all pages, in the order of their
 * records, are one text of JSON lines: the content of the item file, which can be completed from the record at any time.
 *
 *   page · number of items · end of its items in that text · items · error, each with its length
 */
import { ByteReader } from '../../../lib/byte-reader.ts'
import type { ByteWriter } from '../../../lib/byte-writer.ts'

export interface HandledRecord {
  readonly page: number
  readonly itemCount: number
  /** The end of the items in the text of all items, in bytes. */
  readonly end: number
  /** JSON lines, in UTF-8. */
  readonly items: Uint8Array
  /** Why the handler failed. */
  readonly error?: string | undefined
}

export function encodeHandled(into: ByteWriter, { page, itemCount, end, items, error }: HandledRecord): void {
  for (const number of [page, itemCount, end]) into.varint(number)
  into.block(items)
  into.text(error ?? '')
}

/** The records of a section, in order. */
export function* decodeHandled(section: Uint8Array): Generator<HandledRecord> {
  const from = new ByteReader(section)
  while (!from.isAtEnd) {
    const [page, itemCount, end] = [from.varint(), from.varint(), from.varint()]
    const items = from.block()
    const error = from.text()
    yield { page, itemCount, end, items, ...(error === '' ? {} : { error }) }
  }
}
