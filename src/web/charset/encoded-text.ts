/**
 * A page's bytes in their encoding. Decoding is lazy: the HTML scanner reads bytes, and only the marked ranges become strings.
 */
import { isAscii } from 'node:buffer'

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

  /** `decoderOf`: a decoder of an encoding other than UTF-8. */
  constructor(bytes: Uint8Array, declared: DeclaredEncoding, decoderOf: (encoding: string) => Decoder) {
    this.encoding = declared.encoding
    this.how = declared.how
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(
      markBytes(bytes, declared),
    )
    if (notAsciiSupersets.has(declared.encoding)) {
      this.bytes = Buffer.from(decoded(body, declared.encoding, decoderOf))
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

export interface Decoder {
  decode(bytes: Uint8Array): string
}

function markBytes(bytes: Uint8Array, { encoding, how }: DeclaredEncoding): number {
  if (how !== 'bom') return 0
  return encoding === 'utf-8' ? 3 : 2
}

function decoded(bytes: Uint8Array, encoding: string, decoderOf: (encoding: string) => Decoder): string {
  // Encodings that were used to smuggle scripts past filters: the standard decodes them as one replacement
  // character.
  if (encoding === 'replacement') return bytes.length === 0 ? '' : '\uFFFD'
  return decoderOf(encoding).decode(bytes)
}
