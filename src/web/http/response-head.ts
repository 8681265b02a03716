/**
 * Parses the head of an HTTP/1.1 response: status line, headers, and the framing of the body (RFC 9112).
 * Faults that every browser tolerates are tolerated and named (http-fault.ts); a head whose framing or
 * meaning is in doubt is refused.
 */
import { ascii, spells } from '../html/bytes.ts'
import { listElements } from './header-text.ts'
import type { HttpFault } from './http-fault.ts'

export interface ResponseHead {
  readonly status: number
  readonly reason: string
  /**
   * Alternating names and values. Control characters in values are replaced by spaces, and folded values are
   * joined.
   */
  readonly headers: readonly Buffer[]
  /** All bytes as received, including the empty line at the end. */
  readonly raw: Buffer
  readonly faults: readonly HttpFault[]
  /** `close`: the body ends with the connection. */
  readonly framing: 'none' | 'length' | 'chunked' | 'close'
  /** For a body framed by its length. */
  readonly length: number
  /** Whether the connection may carry another request. */
  readonly isPersistent: boolean
  /** How long the server keeps an idle connection, if it says so. */
  readonly keepAliveSeconds: number | undefined
}

/** Maximum bytes of empty lines before a status line. */
export const leadingBytesMax = 8

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const del = 0x7f

const statusLine = /^HTTP\/([0-2]\.\d) ([1-9]\d\d)(?: (.*))?$/s
const versions = new Set(['0.9', '1.0', '1.1', '2.0'])
const bodiless = new Set([204, 304])
/** Maximum digits of a length: 2^63 has 19. */
const lengthDigitsMax = 19
const int64Max = 9_223_372_036_854_775_807n

const isNameByte = new Uint8Array(256)
for (const char of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  isNameByte[char.charCodeAt(0)] = 1
}

const connectionName = ascii('connection')
const keepAliveName = ascii('keep-alive')
const contentLengthName = ascii('content-length')
const transferEncodingName = ascii('transfer-encoding')

/** `raw` ends with the first empty line. Returns the reason if the head is refused. */
export function readHead(raw: Buffer): ResponseHead | string {
  return new HeadReader(raw).read()
}

class HeadReader {
  readonly #raw: Buffer
  readonly #faults = new Set<HttpFault>()
  readonly #headers: Buffer[] = []
  /** Values that had control characters. */
  readonly #cleanedValues = new Set<Buffer>()
  #connection = ''
  #keepAlive = ''
  #lengths = ''
  #transferEncoding = ''
  #hasUnclearFraming = false

  constructor(raw: Buffer) {
    this.#raw = raw
  }

  read(): ResponseHead | string {
    const raw = this.#raw
    if (raw.includes(0)) return 'NUL in the headers'
    let at = 0
    while (at < leadingBytesMax && (raw[at] === carriageReturn || raw[at] === lineFeed)) at++
    if (at > 0) this.#faults.add('empty-line-first')
    const end = raw.indexOf(lineFeed, at)
    const line = statusLine.exec(this.#value(at, end < 0 ? raw.length : end).toString('latin1'))
    if (line === null || !versions.has(line[1])) return 'not an HTTP status line'
    const refusal = this.#readHeaders(end + 1)
    if (refusal !== undefined) return refusal
    return this.#finished(line[1], Number(line[2]), line[3] ?? '')
  }

  #readHeaders(from: number): string | undefined {
    const raw = this.#raw
    let at = from
    while (at < raw.length) {
      const end = raw.indexOf(lineFeed, at)
      if (end < 0) return 'headers without an end'
      if (end === at || (end === at + 1 && raw[at] === carriageReturn)) {
        if (end === at) this.#faults.add('bare-lf')
        return undefined
      }
      const refusal =
        raw[at] === space || raw[at] === tab ? this.#readFold(at, end) : this.#readHeader(at, end)
      if (refusal !== undefined) return refusal
      at = end + 1
    }
    return 'headers without an end'
  }

  #readHeader(start: number, end: number): string | undefined {
    const raw = this.#raw
    let nameEnd = start
    while (isNameByte[raw[nameEnd]] === 1) nameEnd++
    let at = nameEnd
    while (raw[at] === space || raw[at] === tab) at++
    if (nameEnd === start || raw[at] !== colon) {
      const hasColon = raw.subarray(start, end).includes(colon)
      return hasColon ? 'an invalid header name' : 'a header without a colon'
    }
    if (at > nameEnd) this.#faults.add('space-before-colon')
    this.#headers.push(raw.subarray(start, nameEnd), this.#value(at + 1, end))
    return undefined
  }

  #readFold(start: number, end: number): string | undefined {
    const last = this.#headers.length - 1
    if (last < 0) return 'a folded line without a header before it'
    this.#faults.add('folded-header')
    const before = this.#headers[last]
    const rest = this.#value(start, end)
    const value = Buffer.concat([before, Buffer.from(' '), rest])
    if (this.#cleanedValues.has(before) || this.#cleanedValues.has(rest)) this.#cleanedValues.add(value)
    this.#headers[last] = value
    return undefined
  }

  /** Without surrounding white space. `end` is the position of the line feed. */
  #value(start: number, end: number): Buffer {
    const raw = this.#raw
    let to = end
    if (raw[to - 1] === carriageReturn && to > start) to--
    else this.#faults.add('bare-lf')
    let from = start
    while (from < to && (raw[from] === space || raw[from] === tab)) from++
    while (to > from && (raw[to - 1] === space || raw[to - 1] === tab)) to--
    for (let at = from; at < to; at++) {
      if ((raw[at] < space && raw[at] !== tab) || raw[at] === del) return this.#cleaned(from, to)
    }
    return raw.subarray(from, to)
  }

  #cleaned(from: number, to: number): Buffer {
    this.#faults.add('control-character')
    const value = Buffer.from(this.#raw.subarray(from, to))
    for (let at = 0; at < value.length; at++) if (value[at] < space || value[at] === del) value[at] = space
    this.#cleanedValues.add(value)
    return value
  }

  #finished(version: string, status: number, reason: string): ResponseHead | string {
    for (let i = 0; i < this.#headers.length; i += 2) this.#note(this.#headers[i], this.#headers[i + 1])
    if (this.#hasUnclearFraming) return 'a control character in a header that frames the body'
    const framed = this.#framing(status)
    if (typeof framed === 'string') return framed
    const connection = this.#connection.toLowerCase()
    // HTTP/1.0 has no chunks: their framing is not trusted (RFC 9112, 6.1).
    const stays =
      version === '1.1'
        ? !hasToken(connection, 'close')
        : hasToken(connection, 'keep-alive') && framed.framing !== 'chunked'
    const told = /(?:^|[,; ])timeout=(\d{1,6})\b/i.exec(this.#keepAlive)
    return {
      status,
      reason,
      headers: this.#headers,
      raw: this.#raw,
      faults: [...this.#faults],
      ...framed,
      isPersistent: stays && framed.framing !== 'close' && this.#faults.size === 0,
      keepAliveSeconds: told === null ? undefined : Number(told[1]),
    }
  }

  /** The headers that frame the body. Repeated ones are lists. */
  #note(name: Buffer, value: Buffer): void {
    const isClear = this.#cleanedValues.size === 0 || !this.#cleanedValues.has(value)
    switch (name.length) {
      case 10:
        if (spells(name, 0, connectionName)) this.#connection += `,${value.toString('latin1')}`
        else if (spells(name, 0, keepAliveName)) this.#keepAlive += `,${value.toString('latin1')}`
        break
      case 14:
        if (!spells(name, 0, contentLengthName)) break
        this.#lengths += `,${value.toString('latin1')}`
        this.#hasUnclearFraming ||= !isClear
        break
      case 17:
        if (!spells(name, 0, transferEncodingName)) break
        this.#transferEncoding += `,${value.toString('latin1')}`
        this.#hasUnclearFraming ||= !isClear
        break
      default:
    }
  }

  #framing(status: number): Pick<ResponseHead, 'framing' | 'length'> | string {
    if (status < 200 || bodiless.has(status)) return { framing: 'none', length: 0 }
    const isChunked = this.#isChunked()
    if (isChunked === undefined) return 'a transfer coding that was not requested'
    if (!isChunked) return this.#byLength()
    if (this.#lengths !== '') this.#faults.add('length-and-chunked')
    return { framing: 'chunked', length: 0 }
  }

  /** Undefined if the body has another transfer coding. */
  #isChunked(): boolean | undefined {
    if (this.#transferEncoding === '') return false
    const codings = listElements(this.#transferEncoding.toLowerCase())
    if (codings.length === 0 || codings.includes('identity')) this.#faults.add('identity-coding')
    const [first, second] = codings.filter((coding) => coding !== 'identity')
    if (first === undefined) return false
    return first === 'chunked' && second === undefined ? true : undefined
  }

  #byLength(): Pick<ResponseHead, 'framing' | 'length'> | string {
    if (this.#lengths === '') return { framing: 'close', length: 0 }
    const [length, ...others] = this.#lengths.slice(1).split(',').map(lengthOf)
    if (length === undefined || others.includes(undefined)) return 'an invalid Content-Length'
    if (others.some((other) => other !== length)) return 'Content-Lengths that differ'
    if (others.length > 0) this.#faults.add('repeated-length')
    return { framing: 'length', length: Number(length) }
  }
}

/** Undefined if it is not a length. */
function lengthOf(text: string): bigint | undefined {
  const digits = /^[\t ]*0*(\d+)[\t ]*$/.exec(text)?.[1]
  if (digits === undefined || digits.length > lengthDigitsMax) return undefined
  const length = BigInt(digits)
  return length > int64Max ? undefined : length
}

function hasToken(list: string, token: string): boolean {
  return list !== '' && listElements(list).includes(token)
}
