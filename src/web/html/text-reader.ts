/** Title and visible text of an archived page, with the decoder of its encoding passed in. */
import type { HtmlText } from '../charset/encoded-text.ts'
import { essence, isHtml, isXhtml } from '../http/html-type.ts'
import { titleMark, type Marks } from './marks.ts'
import { HtmlScanner } from './scanner.ts'
import { plainText } from './text.ts'
import { visibleText } from './visible-text.ts'

/** Undefined if the bytes cannot be decoded. */
type DecodeHtml = (bytes: Uint8Array, contentType: string | undefined) => HtmlText | undefined

/** Maximum number of characters read per page. */
export const textCharsMax = 1_000_000
const titleBytesMax = 4096

export interface PageText {
  readonly title: string
  readonly text: string
}

export interface PageBody {
  readonly contentType: string | undefined
  readonly body: Uint8Array
  /** Whether the body may still have a content encoding. */
  readonly isCoded: boolean
}

export class TextReader {
  readonly #scanner = new HtmlScanner()
  readonly #decode: DecodeHtml

  constructor(decode: DecodeHtml) {
    this.#decode = decode
  }

  /** Undefined if it is neither HTML nor plain text, or cannot be decoded. */
  read({ contentType, body, isCoded }: PageBody): PageText | undefined {
    if (isHtml(contentType, body, isCoded)) {
      const source = this.#decode(body, contentType)
      if (source === undefined) return undefined
      const marks = this.#scanner.scan(source.bytes, isXhtml(contentType))
      return { title: titleOf(source, marks), text: visibleText(source, marks, textCharsMax) }
    }
    if (essence(contentType) !== 'text/plain' || isCoded) return undefined
    // A character has at most four bytes.
    const source = this.#decode(body.subarray(0, 4 * textCharsMax), contentType)
    return source && { title: '', text: source.text.slice(0, textCharsMax) }
  }
}

function titleOf(source: HtmlText, { kind, count, textStart, textEnd, isXml }: Marks): string {
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] !== titleMark) continue
    const start = textStart[mark]
    return plainText(source, start, Math.min(textEnd[mark], start + titleBytesMax), isXml)
  }
  return ''
}
