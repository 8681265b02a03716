/** Which crawl wrote a WARC file: its warcinfo says so. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { constants, inflateRawSync } from 'node:zlib'

/** A gzip member without flags. */
const memberStart = Buffer.from([0x1f, 0x8b, 8, 0])
const memberHeaderBytes = 10
/** More than a warcinfo record, or the first line of an index. */
const headBytes = 1 << 16

/** Part of the warcinfo of each WARC file: the crawl, and the collection that it is part of. */
export function warcinfoOf(crawlId: string, collection?: string): Readonly<Record<string, string>> {
  const crawl = `urn:uuid:${crawlId}`
  return collection === undefined ? { isPartOf: crawl } : { isPartOf: collection, 'crawl-id': crawl }
}

/** Whether this WARC file belongs to the crawl, as its warcinfo states. */
export function isOwnWarc(path: string, crawlId: string): boolean {
  const head = headOf(path)
  return head !== undefined && isWarcOf(head, crawlId)
}

/** The first bytes of a file; undefined if it is not a file. */
export function headOf(path: string): Buffer | undefined {
  if (!statSync(path).isFile()) return undefined
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headBytes)
    return bytes.subarray(0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

/** An empty file was created and never written. */
export function isWarcOf(head: Buffer, crawlId: string): boolean {
  if (head.length === 0) return true
  const text = inflated(head).toString('latin1')
  return (
    text.startsWith('WARC/1.1\r\n') &&
    ['isPartOf', 'crawl-id'].some((name) => text.includes(`\r\n${name}: urn:uuid:${crawlId}\r\n`))
  )
}

/** Whether a WARC record begins anywhere in these bytes: in a file without its first record. */
export function hasRecords(head: Buffer): boolean {
  if (head.includes('WARC/1.1\r\n')) return true
  for (let at = head.indexOf(memberStart, 1); at >= 0; at = head.indexOf(memberStart, at + 1)) {
    if (inflated(head.subarray(at)).toString('latin1', 0, 10) === 'WARC/1.1\r\n') return true
  }
  return false
}

/**
 * The first member, without its header; damage after it changes nothing. The bytes may end anywhere: returns as much as
 * can be decompressed.
 */
function inflated(head: Buffer): Buffer {
  if (!head.subarray(0, memberStart.length).equals(memberStart)) return head
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 24 }
    return inflateRawSync(head.subarray(memberHeaderBytes), options)
  } catch {
    return Buffer.alloc(0)
  }
}
