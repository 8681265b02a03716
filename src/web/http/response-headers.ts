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
    switch (name.length) {
      case 4:
        if (is(name, etag)) this.etag ??= validatorText(value)
        else if (is(name, date)) this.date ??= headerText(value)
        break
      case 8:
        if (is(name, location)) this.location ??= headerText(value)
        break
      case 11:
        if (is(name, retryAfter)) this.retryAfter ??= headerText(value)
        break
      case 12:
        if (is(name, contentType)) this.contentType ??= headerText(value.subarray(0, recordedBytesMax))
        else if (is(name, robotsTag)) (this.robotsTags ??= []).push(headerText(value))
        break
      case 13:
        if (is(name, lastModified)) this.lastModified ??= validatorText(value)
        break
      case 16:
        if (is(name, contentEncoding)) this.contentEncoding = listed(this.contentEncoding, headerText(value))
        break
      default:
    }
  }
}

const etag = ascii('etag')
const date = ascii('date')
const location = ascii('location')
const retryAfter = ascii('retry-after')
const contentType = ascii('content-type')
const robotsTag = ascii('x-robots-tag')
const lastModified = ascii('last-modified')
const contentEncoding = ascii('content-encoding')
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
