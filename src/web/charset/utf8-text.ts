/**
 * A page in UTF-8 as text, without the tables of all other encodings: loading them takes half as long as a search.
 */
import { HtmlText, type Decoder } from './encoded-text.ts'
import { sniffed } from './sniffing.ts'

/** The labels of UTF-8 in the Encoding Standard. */
const labels = new Set([
  'utf-8',
  'utf8',
  'unicode-1-1-utf-8',
  'unicode11utf8',
  'unicode20utf8',
  'x-unicode20utf8',
])

/** Undefined if the page is in another encoding, or declares one that only the full table knows. */
export function decodeUtf8Html(bytes: Uint8Array, contentType?: string): HtmlText | undefined {
  let isCertain = true
  const normalize = (label: string): string | null => {
    // The standard removes these characters around a label.
    if (labels.has(label.replaceAll(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase())) return 'utf-8'
    isCertain = false
    return null
  }
  const declared = sniffed(bytes, contentType, normalize)
  return isCertain && declared.encoding === 'utf-8' ? new HtmlText(bytes, declared, noDecoder) : undefined
}

function noDecoder(encoding: string): Decoder {
  throw new Error(`${encoding} is not UTF-8`)
}
