/** The language of a page, from the `lang` of its html element: `en`, `pt-BR`; undefined if there is none. */
import type { TextSource } from './text.ts'

const htmlElement =
  /<html(?=\s)[^>]{0,1000}?\s(?:xml:)?lang\s*=\s*["']?\s*([a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,3})/i
/** The html element is expected within this many bytes, after comments and declarations. */
export const languageBytes = 4096

export function pageLanguage(source: TextSource): string | undefined {
  return htmlElement.exec(source.piece(0, Math.min(languageBytes, source.bytes.length)))?.[1]
}
