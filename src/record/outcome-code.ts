/**
 * Outcome records as bytes: the fields that every record has, a bit for each optional field, then the fields that are there. A new
 * field is one line at the end of the table; the place in the table is its bit.
 */
import type { ByteReader } from '../lib/byte-reader.ts'
import type { ByteWriter } from '../lib/byte-writer.ts'
import type { OutcomeRecord, WarcPlace } from './outcome-record.ts'

/** How a kind of value is written and read. */
interface Code<Value> {
  readonly write: (into: ByteWriter, value: Value) => void
  readonly read: (from: ByteReader) => Value
  /** A value that is not written. It is read as undefined. */
  readonly default?: Value
}

const count: Code<number> = { write: (into, value) => into.varint(value), read: (from) => from.varint() }
/** A count whose usual value, the default, is not written. */
const countOver = (usual: number): Code<number> => ({ ...count, default: usual })
const double: Code<number> = { write: (into, value) => into.double(value), read: (from) => from.double() }
const text: Code<string> = { write: (into, value) => into.text(value), read: (from) => from.text() }
/** Its bit is its value. */
const flag: Code<boolean> = { write: () => {}, read: () => true, default: false }

const words: Code<Uint32Array> = {
  write(into, value) {
    into.varint(value.length)
    for (const word of value) into.uint32(word)
  },
  read: (from) => Uint32Array.from({ length: from.varint() }, () => from.uint32()),
}

/** Texts of which some are common: those take one byte. */
function oneOf(common: readonly string[]): Code<string> {
  return {
    write(into, value) {
      const at = common.indexOf(value)
      into.varint(at + 1)
      if (at < 0) into.text(value)
    },
    read(from) {
      const at = from.varint()
      if (at === 0) return from.text()
      if (at > common.length) throw new RangeError('a text has no meaning')
      return common[at - 1]
    },
  }
}

/** One of a few texts and no other. */
function oneOfThese<Text extends string>(these: readonly Text[]): Code<Text> {
  return {
    write: (into, value) => into.byte(these.indexOf(value)),
    read(from) {
      const at = from.byte()
      if (at >= these.length) throw new RangeError('a text has no meaning')
      return these[at]
    },
  }
}

/** A name is read as it was written, also if only a newer version uses it. */
function name<Name extends string>(): Code<Name> {
  return { write: (into, value) => into.text(value), read: (from) => from.text() as Name }
}

function names<Name extends string>(): Code<readonly Name[]> {
  return {
    write(into, value) {
      into.varint(value.length)
      for (const each of value) into.text(each)
    },
    read: (from) => Array.from({ length: from.varint() }, () => from.text() as Name),
  }
}

/** A date of HTTP in seconds; any other text as it is. */
const httpDate: Code<string> = {
  write(into, value) {
    const ms = Date.parse(value)
    const isDate = ms >= 0 && new Date(ms).toUTCString() === value
    into.varint(isDate ? ms / 1000 + 1 : 0)
    if (!isDate) into.text(value)
  },
  read(from) {
    const seconds = from.varint()
    return seconds === 0 ? from.text() : new Date((seconds - 1) * 1000).toUTCString()
  },
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const place: Code<WarcPlace> = {
  write(into, { thread, serial, offset, length, id }) {
    for (const number of [thread, serial, offset, length]) into.varint(number)
    const isUuid = uuid.test(id)
    into.byte(isUuid ? 1 : 0)
    if (isUuid) into.raw(Buffer.from(id.replaceAll('-', ''), 'hex'))
    else into.text(id)
  },
  read(from) {
    const [thread, serial, offset, length] = [from.varint(), from.varint(), from.varint(), from.varint()]
    const id = from.byte() === 1 ? uuidOf(from.raw(16).toString('hex')) : from.text()
    return { thread, serial, offset, length, id }
  },
}

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

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
type Field = { [Name in Optional]: readonly [Name, Code<Of<Name>>] }[Optional]

const fields: readonly Field[] = [
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
  for (let from = 0; from < fields.length; from += 8) into.byte(presence(record, from))
  for (const [name, code] of fields) {
    const value = record[name]
    if (isWritten(value, code)) (code as Code<unknown>).write(into, value)
  }
}

function isWritten(value: unknown, code: { readonly default?: unknown }): boolean {
  return value !== undefined && value !== code.default
}

function presence(record: OutcomeRecord, from: number): number {
  let bits = 0
  for (let bit = 0; bit < 8 && from + bit < fields.length; bit++) {
    const [name, code] = fields[from + bit]
    if (isWritten(record[name], code)) bits |= 1 << bit
  }
  return bits
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
  const bits = from.raw(Math.ceil(fields.length / 8))
  fields.forEach(([name, code], i) => {
    if ((bits[i >> 3] & (1 << (i & 7))) !== 0) record[name] = code.read(from)
  })
  return record as unknown as OutcomeRecord
}
