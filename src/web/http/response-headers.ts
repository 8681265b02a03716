/**
 * The few headers of a response that a crawl uses. Names are compared as bytes: of a dozen headers only the
 * relevant ones become strings. Of repeated headers the first counts, except for Content-Encoding and
 * X-Robots-Tag, which are lists.
 *
 * Content-Type, ETag and Last-Modified are recorded with every page, so their length is bounded: a longer type is cut off,
 * and a longer validator counts as absent, since a part of it would be another one.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { ascii, spells } from '../html/bytes.ts'
import { withoutSpace } from './header-text.ts'

export class ResponseHeaders {
  contentType: string | undefined
  contentEncoding: string | undefined
  location: string | undefined
  retryAfter: string | undefined
  date: string | undefined
  etag: string | undefined
  lastModified: string | undefined
  robotsTags: string[] | undefined

  /** Names and values in turn. */
  constructor(raw: readonly Buffer[]) {
    for (let i = 0; i + 1 < raw.length; i += 2) this.#take(raw[i], raw[i + 1])
  }

  #take(name: Buffer, value: Buffer): void {
    for (const [word, take] of takersByLength[name.length] ?? []) if (is(name, word)) take(this, value)
  }
}

type Taker = (headers: ResponseHeaders, value: Buffer) => void

const takers: Readonly<Record<string, Taker>> = {
  etag: (headers, value) => (headers.etag ??= validatorText(value)),
  date: (headers, value) => (headers.date ??= headerText(value)),
  location: (headers, value) => (headers.location ??= headerText(value)),
  'retry-after': (headers, value) => (headers.retryAfter ??= headerText(value)),
  'content-type': (headers, value) =>
    (headers.contentType ??= headerText(value.subarray(0, recordedBytesMax))),
  'x-robots-tag': (headers, value) => (headers.robotsTags ??= []).push(headerText(value)),
  'last-modified': (headers, value) => (headers.lastModified ??= validatorText(value)),
  'content-encoding': (headers, value) =>
    (headers.contentEncoding = listed(headers.contentEncoding, headerText(value))),
}

/** By the length of the name. */
const takersByLength: [name: Uint8Array, take: Taker][][] = []
for (const [name, take] of Object.entries(takers))
  (takersByLength[name.length] ??= []).push([ascii(name), take])

const setCookie = ascii('set-cookie')

/**
 * Setting the lower-case bit leaves a dash unchanged. It also turns CR into a dash, but header names contain
 * no CR.
 */
function is(name: Buffer, word: Uint8Array): boolean {
  return spells(name, 0, word)
}

function listed(list: string | undefined, value: string): string {
  return list === undefined ? value : `${list}, ${value}`
}

/** Maximum bytes of a header value that is recorded. The longest ETags in use have some hundred. */
const recordedBytesMax = 1024

/** Undefined if it is too long to be recorded and sent back. */
function validatorText(value: Buffer): string | undefined {
  return value.length > recordedBytesMax ? undefined : byteText(value)
}

/** Headers are bytes; non-ASCII ones are mostly UTF-8. */
function headerText(value: Buffer): string {
  const isUtf8Text = !isAscii(value) && isUtf8(value)
  return withoutSpace(value.toString(isUtf8Text ? 'utf8' : 'latin1'))
}

/** One character per byte: what is sent back to the server must have the same bytes (ETag, cookies). */
function byteText(value: Buffer): string {
  return withoutSpace(value.toString('latin1'))
}

/** The values of all Set-Cookie headers. */
export function setCookieLines(raw: readonly Buffer[]): string[] {
  const lines: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (raw[i].length === setCookie.length && is(raw[i], setCookie)) lines.push(byteText(raw[i + 1]))
  }
  return lines
}

/** The bytes of status line and headers, without Set-Cookie. */
export function headWithoutCookies(head: Buffer): Buffer {
  let isDropped = false
  const lines = head
    .toString('latin1')
    .split(/(?<=\n)/)
    .filter((line) => {
      // A line that starts with white space continues the one before.
      if (!/^[ \t]+\S/.test(line)) isDropped = /^set-cookie[ \t]*:/i.test(line)
      return !isDropped
    })
  return Buffer.from(lines.join(''), 'latin1')
}

/** All headers, one character per byte, for the archive and for users. */
export function headerPairs(raw: readonly Buffer[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    pairs.push([raw[i].toString('latin1'), raw[i + 1].toString('latin1')])
  }
  return pairs
}
