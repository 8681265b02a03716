/**
 * A page as text, in any encoding of the web.
 *
 * Node 20's own TextDecoder reads windows-1252 as ISO-8859-1 (€ and curly quotes become control characters),
 * so everything except UTF-8 is decoded by @exodus/bytes.
 */
import { HtmlText, type DeclaredEncoding, type Decoder } from './encoded-text.ts'
import { normalizeEncoding, textDecoder } from './encodings.ts'
import { headerCharset, sniffed } from './sniffing.ts'

export { HtmlText, type DeclaredEncoding, type EncodingSource } from './encoded-text.ts'

export function decodeHtml(bytes: Uint8Array, contentType?: string): HtmlText {
  return new HtmlText(bytes, sniffEncoding(bytes, contentType), decoderOf)
}

export function sniffEncoding(bytes: Uint8Array, contentType?: string): DeclaredEncoding {
  return sniffed(bytes, contentType, normalizeEncoding)
}

/** The encoding in a Content-Type header, if known; the first charset parameter counts. */
export function charsetOfHeader(contentType: string): string | undefined {
  return headerCharset(contentType, normalizeEncoding)
}

const decoders = new Map<string, Decoder>()

/** Decoders are cached: the tables of the East Asian ones are large. */
function decoderOf(encoding: string): Decoder {
  let decoder = decoders.get(encoding)
  if (!decoder) decoders.set(encoding, (decoder = textDecoder(encoding, { ignoreBOM: true })))
  return decoder
}
