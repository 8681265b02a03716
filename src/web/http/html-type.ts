/**
 * Whether a response is HTML, by its Content-Type; if it has none, or its bytes may still be encoded, by its
 * first bytes according to the MIME Sniffing standard.
 *
 * https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type
 */
import { ascii, classes, greaterThan, spells, whiteSpace } from '../html/bytes.ts'
import { withoutSpace } from './header-text.ts'

const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])
/** Placeholder types of servers that do not know the type. */
const unknownTypes = new Set(['', 'unknown/unknown', 'application/unknown', '*/*'])

const doctype = ascii('doctype html')
const starts = 'html head script iframe h1 div font table a style title b body br p'.split(' ').map(ascii)

export function isHtml(contentType: string | undefined, body: Uint8Array, isCoded = false): boolean {
  const type = essence(contentType)
  if (htmlTypes.has(type)) return !isCoded || looksLikeHtml(body)
  return unknownTypes.has(type) && looksLikeHtml(body)
}

/** Whether it is XHTML, to be parsed by the rules of XML. */
export function isXhtml(contentType: string | undefined): boolean {
  return essence(contentType) === 'application/xhtml+xml'
}

/** `text/html` from `Text/HTML; charset=utf-8`. */
export function essence(contentType: string | undefined): string {
  if (contentType === undefined) return ''
  const end = contentType.indexOf(';')
  return withoutSpace(end < 0 ? contentType : contentType.slice(0, end)).toLowerCase()
}

function looksLikeHtml(body: Uint8Array): boolean {
  let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  while (at < body.length && (classes[body[at]] & whiteSpace) !== 0) at++
  if (body[at] !== 0x3c /* < */) return false
  at++
  if (body[at] === 0x21 /* ! */) {
    const isComment = body[at + 1] === 0x2d && body[at + 2] === 0x2d
    return isComment || (spells(body, at + 1, doctype) && endsTag(body[at + 1 + doctype.length]))
  }
  return starts.some((name) => spells(body, at, name) && endsTag(body[at + name.length]))
}

function endsTag(byte: number): boolean {
  return byte === greaterThan || byte === 0x20
}
