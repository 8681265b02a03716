/**
 * The encoding of a page: that of the byte order mark, else of the Content-Type header, else of the prescan, else UTF-8 if the
 * bytes are valid UTF-8, else windows-1252.
 */
import { isUtf8 } from 'node:buffer'
import type { DeclaredEncoding } from './encoded-text.ts'
import { prescan, type NormalizeLabel } from './prescan.ts'

export function sniffed(
  bytes: Uint8Array,
  contentType: string | undefined,
  normalize: NormalizeLabel,
): DeclaredEncoding {
  const mark = markEncoding(bytes)
  if (mark) return { encoding: mark, how: 'bom' }
  const header = contentType === undefined ? undefined : headerCharset(contentType, normalize)
  if (header) return { encoding: header, how: 'header' }
  const declared = prescan(bytes, normalize)
  if (declared) return { encoding: declared, how: 'meta' }
  return isUtf8(bytes)
    ? { encoding: 'utf-8', how: 'valid-utf-8' }
    : { encoding: 'windows-1252', how: 'fallback' }
}

/** The encoding in a Content-Type header, if known; the first charset parameter counts. */
export function headerCharset(contentType: string, normalize: NormalizeLabel): string | undefined {
  const match = /;[\t\n\r ]*charset[\t ]*=[\t ]*(?:"([^"]*)"?|([^;]*))/i.exec(contentType)
  const label = match?.[1] ?? match?.[2]?.replaceAll("'", '')
  return label === undefined ? undefined : (normalize(label) ?? undefined)
}

function markEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
