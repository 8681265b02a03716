/**
 * A page's bytes and their encoding: that of the byte order mark, else of the Content-Type header, else of
 * the prescan, else UTF-8 if the bytes are valid UTF-8, else windows-1252. Decoding is lazy: the HTML scanner
 * reads bytes, and only the marked ranges become strings.
 *
 * Node 20's own TextDecoder reads windows-1252 as ISO-8859-1 (€ and curly quotes become control characters),
 * so everything except UTF-8 is decoded by @exodus/bytes.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js'
import { prescan } from './prescan.ts'

/** The source of the encoding: byte order mark, header, meta element, valid UTF-8, or the default. */
export type EncodingSource = 'bom' | 'header' | 'meta' | 'valid-utf-8' | 'fallback'

export interface DeclaredEncoding {
  readonly encoding: string
  readonly how: EncodingSource
}

/** Encodings in which ASCII bytes may be part of other characters: scanned after conversion to UTF-8. */
const notAsciiSupersets = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp', 'replacement'])

export class HtmlText {
  readonly encoding: string
  readonly how: EncodingSource
  /**
   * The page without its byte order mark, in an ASCII superset, for the scanner and `piece`. In UTF-8 if the
   * page's own encoding is not an ASCII superset (UTF-16, ISO-2022-JP).
   */
  readonly bytes: Buffer
  readonly #decoder: Decoder | undefined
  #text: string | undefined

  constructor(bytes: Uint8Array, declared: DeclaredEncoding) {
    this.encoding = declared.encoding
    this.how = declared.how
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(
      markBytes(bytes, declared),
    )
    if (notAsciiSupersets.has(declared.encoding)) {
      this.bytes = Buffer.from(decoded(body, declared.encoding))
    } else {
      this.bytes = body
      if (declared.encoding !== 'utf-8' && !isAscii(body)) this.#decoder = decoderOf(declared.encoding)
    }
  }

  /** The whole page; decoded on first access. */
  get text(): string {
    return (this.#text ??= this.piece(0, this.bytes.length))
  }

  /** A range of `bytes` as a string. Its ends must not split a character: ends at ASCII bytes never do. */
  piece(start: number, end: number): string {
    return this.decode(this.bytes, start, end)
  }

  /** The same for bytes joined from ranges. */
  decode(bytes: Buffer, start: number, end: number): string {
    if (this.#decoder) return this.#decoder.decode(bytes.subarray(start, end))
    return bytes.toString('utf8', start, end)
  }
}

export function decodeHtml(bytes: Uint8Array, contentType?: string): HtmlText {
  return new HtmlText(bytes, sniffEncoding(bytes, contentType))
}

export function sniffEncoding(bytes: Uint8Array, contentType?: string): DeclaredEncoding {
  const mark = markEncoding(bytes)
  if (mark) return { encoding: mark, how: 'bom' }
  const header = contentType === undefined ? undefined : charsetOfHeader(contentType)
  if (header) return { encoding: header, how: 'header' }
  const declared = prescan(bytes)
  if (declared) return { encoding: declared, how: 'meta' }
  return isUtf8(bytes)
    ? { encoding: 'utf-8', how: 'valid-utf-8' }
    : { encoding: 'windows-1252', how: 'fallback' }
}

/** The encoding in a Content-Type header, if known; the first charset parameter counts. */
export function charsetOfHeader(contentType: string): string | undefined {
  const match = /;[\t\n\r ]*charset[\t ]*=[\t ]*(?:"([^"]*)"?|([^;]*))/i.exec(contentType)
  const label = match?.[1] ?? match?.[2]?.replaceAll("'", '')
  return label === undefined ? undefined : (normalizeEncoding(label) ?? undefined)
}

function markEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function markBytes(bytes: Uint8Array, { encoding, how }: DeclaredEncoding): number {
  if (how !== 'bom') return 0
  return encoding === 'utf-8' ? 3 : 2
}

function decoded(bytes: Uint8Array, encoding: string): string {
  // Encodings that were used to smuggle scripts past filters: the standard decodes them as one replacement
  // character.
  if (encoding === 'replacement') return bytes.length === 0 ? '' : '\uFFFD'
  return decoderOf(encoding).decode(bytes)
}

type Decoder = InstanceType<typeof TextDecoder>

const decoders = new Map<string, Decoder>()

/** Decoders are cached: the tables of the East Asian ones are large. */
function decoderOf(encoding: string): Decoder {
  let decoder = decoders.get(encoding)
  if (!decoder) decoders.set(encoding, (decoder = new TextDecoder(encoding, { ignoreBOM: true })))
  return decoder
}
