/**
 * Strings from the ranges that the scanner marked: attribute values, and visible text between tags
 * (references decoded, without tags, comments and scripts, white space collapsed).
 */
import { tagEnd } from './attributes.ts'
import { ascii, bang, classes, dash, greaterThan, lessThan, letter, nextByte, questionMark } from './bytes.ts'
import { slash, spells } from './bytes.ts'
import { decodeReferences } from './character-references.ts'
import { commentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import { cdataEndLength, cdataStartLength, cdataTextEnd, isCdata } from './xml-sections.ts'

/**
 * The bytes of a page and their decoding, also for other bytes in their encoding: HtmlText is an
 * implementation.
 */
export interface TextSource {
  readonly bytes: Uint8Array
  piece(start: number, end: number): string
  decode(bytes: Buffer, start: number, end: number): string
}

export function attributeText(source: TextSource, start: number, end: number): string {
  let text = source.piece(start, end)
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
  if (text.includes('\0')) text = text.replaceAll('\0', '\uFFFD')
  return decodeReferences(text, true)
}

/** Text without markup, such as a title's; in XML it may have CDATA sections. */
export function plainText(source: TextSource, start: number, end: number, isXml = false): string {
  if (isXml) return innerText(source, start, end, end - start, true)
  const text = decodeReferences(source.piece(start, end), false)
  return text
    .replaceAll('\0', '\uFFFD')
    .replace(/[\t\n\f\r ]+/g, ' ')
    .trim()
}

const script = ascii('script')
const style = ascii('style')

/** Text without its markup: the text of an anchor. Reads at most about `bytesMax` bytes. */
export function innerText(
  source: TextSource,
  start: number,
  end: number,
  bytesMax = 65_536,
  isXml = false,
): string {
  const stop = Math.min(end, start + bytesMax)
  // In XML an unclosed section does not end the page: no search may go beyond this text.
  const bytes = isXml ? source.bytes.subarray(0, stop) : source.bytes
  let text = ''
  let at = start
  let pieceStart = start
  for (;;) {
    at = Math.min(stop, nextByte(bytes, lessThan, at))
    if (at >= stop) break
    const isSection = isXml && isCdata(bytes, at)
    const after = isSection ? cdataTextEnd(bytes, at) + cdataEndLength : markupEnd(bytes, at, isXml)
    if (after === at) at++
    else {
      text += decodeReferences(source.piece(pieceStart, at), false)
      if (isSection) text += source.piece(at + cdataStartLength, Math.min(stop, after - cdataEndLength))
      at = pieceStart = after
    }
  }
  if (pieceStart < stop) text += decodeReferences(source.piece(pieceStart, stop), false)
  return text
    .replaceAll('\0', '')
    .replace(/[\t\n\f\r ]+/g, ' ')
    .trim()
}

/** The position after the tag or comment that starts at this `<`; the same position if there is none. */
function markupEnd(bytes: Uint8Array, at: number, isXml: boolean): number {
  const byte = bytes[at + 1]
  if ((classes[byte] & letter) !== 0) {
    const end = tagEnd(bytes, at + 1)
    if (end === -1) return bytes.length
    if (isXml && bytes[end - 2] === slash) return end
    if (spells(bytes, at + 1, script)) return scriptEnd(bytes, end)
    return spells(bytes, at + 1, style) ? rawTextEnd(bytes, end, style) : end
  }
  if (byte === bang && bytes[at + 2] === dash && bytes[at + 3] === dash) return commentEnd(bytes, at + 4)
  if (byte === slash || byte === bang || byte === questionMark)
    return nextByte(bytes, greaterThan, at + 1) + 1
  return at
}

/** The language of a page, from the `lang` of its html element: `en`, `pt-BR`; undefined if there is none. */

const htmlElement =
  /<html(?=\s)[^>]{0,1000}?\s(?:xml:)?lang\s*=\s*["']?\s*([a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,3})/i
/** The html element is expected within this many bytes, after comments and declarations. */
export const languageBytes = 4096

export function pageLanguage(source: TextSource): string | undefined {
  return htmlElement.exec(source.piece(0, Math.min(languageBytes, source.bytes.length)))?.[1]
}
