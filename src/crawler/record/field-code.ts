/**
 * Records as bytes: a bit for each optional field, then the fields that are there. A new field is one line at the end of its table; its
 * place in the table is its bit.
 */
import { base32, fromBase32 } from '../../lib/base32.ts'
import type { ByteReader } from '../../lib/byte-reader.ts'
import type { ByteWriter } from '../../lib/byte-writer.ts'
import type { WarcPlace } from './outcome-record.ts'

/** A type of values. */
export interface Typed<Value> {
  /** Never set. */
  readonly valueType?: Value
}

/** How a type of values is written and read. */
interface Code<Value> extends Typed<Value> {
  readonly write: (into: ByteWriter, value: Value) => void
  readonly read: (from: ByteReader) => Value
  /** A value that is not written. It is read as undefined. */
  readonly default?: Value
}

export const count: Code<number> = {
  write: (into, value) => into.varint(value),
  read: (from) => from.varint(),
}
/** A count whose usual value, the default, is not written. */
export const countOver = (usual: number): Code<number> => ({ ...count, default: usual })
export const double: Code<number> = {
  write: (into, value) => into.double(value),
  read: (from) => from.double(),
}
export const text: Code<string> = { write: (into, value) => into.text(value), read: (from) => from.text() }
/** Its bit is its value. */
export const flag: Code<boolean> = { write: () => {}, read: () => true, default: false }

export const words: Code<Uint32Array> = {
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

const commonTypes = [
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
export const mediaType = oneOf(commonTypes)

const commonErrors = [
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
export const errorName = oneOf(commonErrors)

/** One of a few texts and no other. */
export function oneOfThese<Text extends string>(these: readonly Text[]): Code<Text> {
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
export function name<Name extends string>(): Code<Name> {
  return { write: (into, value) => into.text(value), read: (from) => from.text() as Name }
}

export function names<Name extends string>(): Code<readonly Name[]> {
  return {
    write(into, value) {
      into.varint(value.length)
      for (const each of value) into.text(each)
    },
    read: (from) => Array.from({ length: from.varint() }, () => from.text() as Name),
  }
}

/** A date of HTTP in seconds; any other text as it is. */
export const httpDate: Code<string> = {
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

export const place: Code<WarcPlace> = {
  write(into, { worker, thread, serial, offset, length, id, payloadDigest }) {
    for (const number of [thread, serial, offset, length]) into.varint(number)
    const isUuid = uuid.test(id)
    const digest = sha1.exec(payloadDigest ?? '')?.[1]
    into.byte(
      (isUuid ? hasUuid : 0) |
        (digest === undefined ? 0 : hasDigest) |
        (worker === undefined ? 0 : hasWorker),
    )
    if (isUuid) into.raw(Buffer.from(id.replaceAll('-', ''), 'hex'))
    else into.text(id)
    if (digest !== undefined) into.raw(fromBase32(digest))
    if (worker !== undefined) into.text(worker)
  },
  read(from) {
    const [thread, serial, offset, length] = [from.varint(), from.varint(), from.varint(), from.varint()]
    const flags = from.byte()
    const id = (flags & hasUuid) === 0 ? from.text() : uuidOf(from.raw(16).toString('hex'))
    const payloadDigest = (flags & hasDigest) === 0 ? undefined : `sha1:${base32(from.raw(sha1Bytes))}`
    const worker = (flags & hasWorker) === 0 ? undefined : from.text()
    return {
      thread,
      serial,
      offset,
      length,
      id,
      ...(payloadDigest === undefined ? {} : { payloadDigest }),
      ...(worker === undefined ? {} : { worker }),
    }
  },
}

const hasUuid = 1
const hasDigest = 2
const hasWorker = 4
const sha1 = /^sha1:([A-Z2-7]{32})$/
const sha1Bytes = 20

function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The name and the code of an optional field of `Record`. */
export type Field<Record, Name extends keyof Record = keyof Record> = {
  [Each in Name]-?: readonly [Each, Code<NonNullable<Record[Each]>>]
}[Name]

/** A code whose type of values is not known. */
export interface AnyCode {
  readonly write: (into: ByteWriter, value: never) => void
  readonly read: (from: ByteReader) => unknown
  readonly default?: unknown
}

/** Optional fields of a record, by their bits. */
export class FieldsCode {
  readonly #names: readonly string[]
  readonly #codes: readonly AnyCode[]
  readonly #defaults: readonly unknown[]
  /** The values of the record that is being written. Fields of a record take longer to read than elements of an array. */
  readonly #values: unknown[]

  constructor(fields: readonly (readonly [name: string, code: AnyCode])[]) {
    this.#names = fields.map(([name]) => name)
    this.#codes = fields.map(([, code]) => code)
    this.#defaults = this.#codes.map((code) => code.default)
    this.#values = fields.map(() => undefined)
  }

  write(into: ByteWriter, record: object): void {
    const fields = record as Readonly<Record<string, unknown>>
    const names = this.#names
    const values = this.#values
    let bits = 0
    for (let i = 0; i < names.length; i++) {
      const value = fields[names[i]]
      const isWritten = value !== undefined && value !== this.#defaults[i]
      values[i] = isWritten ? value : undefined
      if (isWritten) bits |= 1 << (i & 7)
      if ((i & 7) !== 7 && i !== names.length - 1) continue
      into.byte(bits)
      bits = 0
    }
    for (let i = 0; i < values.length; i++) {
      if (values[i] !== undefined) this.#codes[i].write(into, values[i] as never)
    }
  }

  /** Adds the fields that are there to a record. */
  read(from: ByteReader, record: object): void {
    const fields = record as Record<string, unknown>
    const names = this.#names
    const bits = from.raw(Math.ceil(names.length / 8))
    for (let i = 0; i < names.length; i++) {
      if ((bits[i >> 3] & (1 << (i & 7))) !== 0) fields[names[i]] = this.#codes[i].read(from)
    }
  }
}
