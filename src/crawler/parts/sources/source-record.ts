/** Changes of the schedule of sitemaps and feeds as bytes. They are read from front to back only. */
import { ByteReader } from '../../../lib/byte-reader.ts'
import type { ByteWriter } from '../../../lib/byte-writer.ts'
import { sourceKinds, type SourceEvent, type SourceResult } from './source-schedule.ts'
import { oneOfThese } from '../../record/field-code.ts'

const eventCode = oneOfThese(['added', 'settled', 'announced'] as const)
const kindCode = oneOfThese(sourceKinds)
const resultCode = oneOfThese(['read', 'not-modified', 'missing', 'failed'] as const)

export function encodeSource(into: ByteWriter, event: SourceEvent): void {
  eventCode.write(into, event.kind)
  into.double(event.at)
  if (event.kind === 'added') {
    const { url, kind, site, parent } = event.source
    into.text(url)
    kindCode.write(into, kind)
    into.varint(site)
    into.varint(parent)
    return
  }
  into.varint(event.source)
  if (event.kind === 'announced') into.double(event.modified)
  else encodeResult(into, event.result)
}

function encodeResult(into: ByteWriter, result: SourceResult): void {
  resultCode.write(into, result.kind)
  if (result.kind !== 'read') return
  const { low, high, validator } = result
  into.uint32(low)
  into.uint32(high)
  into.text(validator.etag ?? '')
  into.text(validator.lastModified ?? '')
}

/** The events of a section, in order. */
export function* decodeSources(section: Uint8Array): Generator<SourceEvent> {
  const from = new ByteReader(section)
  while (!from.isAtEnd) yield decodeSource(from)
}

function decodeSource(from: ByteReader): SourceEvent {
  const kind = eventCode.read(from)
  const at = from.double()
  if (kind === 'added') {
    const source = {
      url: from.text(),
      kind: kindCode.read(from),
      site: from.varint(),
      parent: from.varint(),
    }
    return { kind, source, at }
  }
  const source = from.varint()
  return kind === 'announced'
    ? { kind, source, at, modified: from.double() }
    : { kind, source, at, result: decodeResult(from) }
}

function decodeResult(from: ByteReader): SourceResult {
  const kind = resultCode.read(from)
  if (kind !== 'read') return { kind }
  const [low, high] = [from.uint32(), from.uint32()]
  return { kind, low, high, validator: { etag: from.text(), lastModified: from.text() } }
}
