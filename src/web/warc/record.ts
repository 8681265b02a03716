/**
 * WARC 1.1 records as bytes: a version line, named fields, an empty line, the block, two line ends.
 * Deterministic: the caller supplies dates and ids.
 *
 * ISO 28500:2017, https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
 */
import { hash } from 'node:crypto'
import { assert } from '../../lib/assert.ts'
import { base32 } from '../../lib/base32.ts'

type WarcType =
  | 'warcinfo'
  | 'response'
  | 'resource'
  | 'request'
  | 'metadata'
  | 'revisit'
  | 'conversion'
  | 'continuation'

/** Why a block is truncated. */
export type Truncation = 'length' | 'time' | 'disconnect' | 'unspecified'

export interface RecordDraft {
  readonly type: WarcType
  /** `<urn:uuid:…>` */
  readonly uri: string
  /** As `warcDate` returns it. */
  readonly date: string
  readonly contentType: string
  /** Lines of further fields (`fieldLine`). */
  readonly fields: string
  /** The block, in parts: usually an HTTP head and a body. */
  readonly block: readonly Uint8Array[]
}

const digestRoom = '='.repeat(32)
const twoLineEnds = Buffer.from('\r\n\r\n')
/** After the block. */
export const recordEndBytes = twoLineEnds.length
let memory = Buffer.allocUnsafeSlow(1 << 18)
/** Memory for longer records is not kept. */
const memoryBytesMax = 1 << 22

/**
 * In memory that is used for the next record again. Everything is copied there first; the digest of the block is then computed
 * from one piece of memory and written into the room for it.
 */
export function recordBytes({ type, uri, date, contentType, fields, block }: RecordDraft): Buffer {
  let blockBytes = 0
  for (const part of block) blockBytes += part.length
  const rest = `\r\nContent-Type: ${contentType}\r\nContent-Length: ${blockBytes}\r\n\r\n`
  const head = `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: ${uri}\r\nWARC-Date: ${date}\r\n${fields}WARC-Block-Digest: sha1:${digestRoom}${rest}`
  // A character takes three bytes at most.
  const bytes = memoryOf(3 * head.length + blockBytes + twoLineEnds.length)
  const blockAt = bytes.write(head)
  let at = blockAt
  for (const part of block) {
    bytes.set(part, at)
    at += part.length
  }
  bytes.set(twoLineEnds, at)
  const digest = base32(hash('sha1', bytes.subarray(blockAt, at), 'buffer'))
  bytes.write(digest, blockAt - rest.length - digestRoom.length, 'latin1')
  return bytes.subarray(0, at + twoLineEnds.length)
}

function memoryOf(length: number): Buffer {
  if (length > memoryBytesMax) return Buffer.allocUnsafeSlow(length)
  if (length > memory.length) memory = Buffer.allocUnsafeSlow(memoryBytesMax)
  return memory
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function recordUri(id: string): string {
  assert(uuid.test(id), 'a record id must be a UUID')
  return `<urn:uuid:${id}>`
}

export function warcDate(dateMs: number): string {
  return new Date(dateMs).toISOString()
}

/** Empty for a field without a value. */
export function fieldLine(name: string, value: string | undefined): string {
  return value === undefined ? '' : `${name}: ${fieldValue(value)}\r\n`
}

/** A field value must not end its line: control characters are percent-encoded, as in a URL. */
function fieldValue(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters must be replaced
  return value.replace(/[\0-\x1f\x7f]/g, (char) => {
    return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}
