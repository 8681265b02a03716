/**
 * WARC 1.1 records as bytes: a version line, named fields, an empty line, the block, two line ends.
 * Deterministic: the caller supplies dates and ids.
 *
 * ISO 28500:2017, https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
 */
import { assert } from '../lib/assert.ts'
import { sha1Digest } from './digest.ts'

export type WarcType =
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

export type WarcField = readonly [name: string, value: string | undefined]

export interface RecordDraft {
  readonly type: WarcType
  /** A UUID, without `urn:uuid:`. */
  readonly id: string
  readonly dateMs: number
  readonly contentType: string
  /** Further fields; those without a value are omitted. */
  readonly fields: readonly WarcField[]
  /** The block, in parts: usually an HTTP head and a body. */
  readonly block: readonly Uint8Array[]
}

/** Valid until the next call. */
export function recordBytes({ type, id, dateMs, contentType, fields, block }: RecordDraft): Buffer {
  const all: WarcField[] = [
    ['WARC-Type', type],
    ['WARC-Record-ID', recordUri(id)],
    ['WARC-Date', warcDate(dateMs)],
    ...fields,
    ['WARC-Block-Digest', sha1Digest(...block)],
    ['Content-Type', contentType],
    ['Content-Length', String(block.reduce((bytes, part) => bytes + part.length, 0))],
  ]
  let head = 'WARC/1.1\r\n'
  for (const [name, value] of all) if (value !== undefined) head += `${name}: ${fieldValue(value)}\r\n`
  return joined([Buffer.from(`${head}\r\n`), ...block, twoLineEnds])
}

const twoLineEnds = Buffer.from('\r\n\r\n')
let memory = Buffer.allocUnsafeSlow(1 << 18)
/** Memory for longer records is not kept. */
const memoryBytesMax = 1 << 22

/** In memory that is used again for the next record. */
function joined(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((bytes, part) => bytes + part.length, 0)
  if (length > memoryBytesMax) return Buffer.concat(parts, length)
  if (length > memory.length) memory = Buffer.allocUnsafeSlow(memoryBytesMax)
  let at = 0
  for (const part of parts) {
    memory.set(part, at)
    at += part.length
  }
  return memory.subarray(0, length)
}

export function recordUri(id: string): string {
  assert(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id), `a record id must be a UUID, not ${id}`)
  return `<urn:uuid:${id}>`
}

export function warcDate(dateMs: number): string {
  return new Date(dateMs).toISOString()
}

/** A field value must not end its line: control characters are percent-encoded, as in a URL. */
export function fieldValue(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters must be replaced
  return value.replace(/[\0-\x1f\x7f]/g, (char) => {
    return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}
