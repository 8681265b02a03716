/** The text of an archived page: its title and its visible text. */
import { decodeHtml } from '../worlds/real/charset/html-text.ts'
import type { HtmlText } from '../worlds/real/charset/html-text.ts'
import { essence, isHtml, isXhtml } from '../worlds/real/fetch/html-type.ts'
import { titleMark, type Marks } from '../worlds/real/html/marks.ts'
import { languageBytes, pageLanguage } from '../worlds/real/html/page-language.ts'
import { HtmlScanner } from '../worlds/real/html/scanner.ts'
import { plainText } from '../worlds/real/html/text.ts'
import { visibleText } from '../worlds/real/html/visible-text.ts'

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

export class PageTextReader {
  readonly #scanner = new HtmlScanner()

  /** Undefined if it is neither HTML nor plain text. */
  read({ contentType, body, isCoded }: PageBody): PageText | undefined {
    if (isHtml(contentType, body, isCoded)) {
      const source = decodeHtml(body, contentType)
      const marks = this.#scanner.scan(source.bytes, isXhtml(contentType))
      return { title: titleOf(source, marks), text: visibleText(source, marks, textCharsMax) }
    }
    if (essence(contentType) !== 'text/plain' || isCoded) return undefined
    // A character has at most four bytes.
    const text = decodeHtml(body.subarray(0, 4 * textCharsMax), contentType).text
    return { title: '', text: text.slice(0, textCharsMax) }
  }
}

/** The value of `<html lang>`. */
export function languageOf({ contentType, body, isCoded }: PageBody): string | undefined {
  if (!isHtml(contentType, body, isCoded)) return undefined
  return pageLanguage(decodeHtml(body.subarray(0, languageBytes), contentType))
}

function titleOf(source: HtmlText, { kind, count, textStart, textEnd, isXml }: Marks): string {
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] !== titleMark) continue
    const start = textStart[mark]
    return plainText(source, start, Math.min(textEnd[mark], start + titleBytesMax), isXml)
  }
  return ''
}
