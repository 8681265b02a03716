/**
 * A style sheet as text. Its encoding, by CSS Syntax Level 3: the byte order mark, the Content-Type header, `@charset` as its first
 * bytes, else UTF-8. URLs are mostly ASCII; the encoding matters for the others.
 */
import { isUtf8 } from 'node:buffer'
import { normalizeEncoding, textDecoder } from '../../../web/charset/encodings.ts'
import { sniffEncoding } from '../../../web/charset/html-text.ts'

/** `@charset "…";` at the start, in ASCII. */
const charsetRule = /^@charset "([^"]*)";/

export function styleText(bytes: Uint8Array, contentType: string | undefined): string {
  const encoding = styleEncoding(bytes, contentType)
  return textDecoder(encoding).decode(bytes)
}

function styleEncoding(bytes: Uint8Array, contentType: string | undefined): string {
  const { encoding, how } = sniffEncoding(bytes, contentType)
  if (how === 'bom' || how === 'header') return known(encoding)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  const label = charsetRule.exec(head)?.[1]
  const declared = label === undefined ? null : normalizeEncoding(label)
  // In UTF-16, the rule itself would not be readable as ASCII.
  if (declared !== null) return known(declared.startsWith('utf-16') ? 'utf-8' : declared)
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** `replacement` cannot be decoded, and has no URLs. */
function known(encoding: string): string {
  return encoding === 'replacement' ? 'utf-8' : encoding
}
