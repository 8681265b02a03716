/**
 * A page as words are looked for in it: its title, and the text between its tags as far as a reader sees it. A tag ends a word, unless it only
 * changes how letters look: menus put links side by side without a space.
 */
import { decodeHtml } from '../worlds/real/charset/html-text.ts'
import type { HtmlText } from '../worlds/real/charset/html-text.ts'
import { essence, isHtml } from '../worlds/real/fetch/html-type.ts'
import { decodeReferences } from '../worlds/real/html/character-references.ts'
import { titleMark, type Marks } from '../worlds/real/html/marks.ts'
import { HtmlScanner } from '../worlds/real/html/scanner.ts'
import { plainText } from '../worlds/real/html/text.ts'

/** Characters of a page's text that are looked at. */
export const textCharsMax = 1_000_000
const titleBytesMax = 4096
/** Markup between two texts that is longer does more than change letters. */
const formattingBytesMax = 200
const formatting = /^(?:<\/?(?:abbr|b|big|em|font|i|mark|s|small|strong|tt|u|wbr)(?:[\s/][^>]*)?>)+$/i
const languageBytes = 4096
const declaredLanguage = /<html\s(?:[^>]*\s)?lang\s*=\s*["']?\s*([A-Za-z][A-Za-z0-9_-]*)/i

export interface PageText {
  readonly title: string
  readonly text: string
}

export interface PageBody {
  readonly contentType: string | undefined
  readonly body: Uint8Array
  /** May the body still be in some coding? */
  readonly isCoded: boolean
}

export class PageTextReader {
  readonly #scanner = new HtmlScanner()

  /** Undefined: it is neither HTML nor plain text. */
  read({ contentType, body, isCoded }: PageBody): PageText | undefined {
    if (isHtml(contentType, body, isCoded)) {
      const source = decodeHtml(body, contentType)
      const marks = this.#scanner.scan(source.bytes)
      return { title: titleOf(source, marks), text: textOf(source, marks) }
    }
    if (essence(contentType) !== 'text/plain' || isCoded) return undefined
    // A character has four bytes at most.
    const text = decodeHtml(body.subarray(0, 4 * textCharsMax), contentType).text
    return { title: '', text: text.slice(0, textCharsMax) }
  }
}

/** What `<html lang>` says. */
export function languageOf({ contentType, body, isCoded }: PageBody): string | undefined {
  if (!isHtml(contentType, body, isCoded)) return undefined
  const start = decodeHtml(body.subarray(0, languageBytes), contentType).bytes.toString('latin1')
  return declaredLanguage.exec(start)?.[1]
}

function titleOf(source: HtmlText, { kind, count, textStart, textEnd }: Marks): string {
  for (let mark = 0; mark < count; mark++) {
    if (kind[mark] !== titleMark) continue
    return plainText(source, textStart[mark], Math.min(textEnd[mark], textStart[mark] + titleBytesMax))
  }
  return ''
}

function textOf(source: HtmlText, { texts, textsLength }: Marks): string {
  let text = ''
  let end = 0
  for (let range = 0; range < textsLength && text.length < textCharsMax; range += 2) {
    const start = texts[range]
    if (start > end && !isFormatting(source.bytes, end, start)) text += ' '
    end = texts[range + 1]
    text += decodeReferences(source.piece(start, Math.min(end, start + 4 * textCharsMax)), false)
  }
  return text.slice(0, textCharsMax)
}

function isFormatting(bytes: Buffer, start: number, end: number): boolean {
  return end - start <= formattingBytesMax && formatting.test(bytes.toString('latin1', start, end))
}
