/** Outcome records as bytes: the fields that every record has, then the optional ones. */
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import {
  count,
  countOver,
  decodeFields,
  double,
  encodeFields,
  flag,
  httpDate,
  name,
  names,
  oneOf,
} from './field-code.ts'
import { oneOfThese, place, text, words, type Field } from './field-code.ts'
import type { OutcomeRecord } from './outcome-record.ts'

const types = [
  'text/html',
  'text/html; charset=utf-8',
  'text/html; charset=UTF-8',
  'text/html;charset=utf-8',
  'text/html;charset=UTF-8',
  'text/html; charset=iso-8859-1',
  'text/html; charset=ISO-8859-1',
  'application/xhtml+xml',
  'text/plain',
  'text/plain; charset=utf-8',
  'application/pdf',
  'application/xml',
  'text/xml',
  'application/json',
  'image/jpeg',
  'image/png',
]
const errors = [
  'robots',
  'http-404',
  'http-410',
  'http-403',
  'http-500',
  'http-503',
  'timeout',
  'reset',
  'site-limit',
]

type Optional = Exclude<
  keyof OutcomeRecord,
  'startMs' | 'durationMs' | 'status' | 'score' | 'order' | 'bytes'
>
type Of<Name extends Optional> = NonNullable<OutcomeRecord[Name]>

const fields: readonly Field<OutcomeRecord, Optional>[] = [
  ['attempts', countOver(1)],
  ['contentType', oneOf(types)],
  ['title', text],
  ['error', oneOf(errors)],
  ['failureText', text],
  ['truncated', name<Of<'truncated'>>()],
  ['miscoded', name<Of<'miscoded'>>()],
  ['faults', names<Of<'faults'>[number]>()],
  ['noindex', flag],
  ['nofollow', flag],
  ['canonical', text],
  ['location', text],
  ['etag', text],
  ['lastModified', httpDate],
  ['duplicateOf', count],
  ['sameText', flag],
  ['sameLinks', flag],
  ['siteOriginal', count],
  ['copyOnCopy', oneOfThese(['followed', 'known'] as const)],
  ['unfollowed', countOver(0)],
  ['nearDuplicateOf', count],
  ['similarity', double],
  ['sketch', words],
  ['relevance', double],
  ['hot', flag],
  ['links', count],
  ['outside', countOver(0)],
  ['tooDeep', countOver(0)],
  ['linksNofollow', countOver(0)],
  ['linksRel', countOver(0)],
  ['linksIgnoredRel', countOver(0)],
  ['linksElsewhere', countOver(0)],
  ['shape', count],
  ['prints', words],
  ['warc', place],
]

export function encodeOutcome(into: ByteWriter, record: OutcomeRecord): void {
  into.varint(record.startMs)
  into.varint(record.durationMs)
  into.varint(record.status)
  into.double(record.score)
  into.varint(record.order)
  into.varint(record.bytes)
  encodeFields(into, fields, record)
}

export function decodeOutcome(from: ByteReader): OutcomeRecord {
  const record: Record<string, unknown> = {
    startMs: from.varint(),
    durationMs: from.varint(),
    status: from.varint(),
    score: from.double(),
    order: from.varint(),
    bytes: from.varint(),
  }
  decodeFields(from, fields, record)
  return record as unknown as OutcomeRecord
}
