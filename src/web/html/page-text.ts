/** The text of an archived page: its title and its visible text. */
import { decodeHtml } from '../charset/html-text.ts'
import { isHtml } from '../http/html-type.ts'
import { languageBytes, pageLanguage } from './text.ts'
import { TextReader, type PageBody } from './text-reader.ts'

export { textCharsMax, type PageBody, type PageText } from './text-reader.ts'

/** Reads pages in any encoding. */
export class PageTextReader extends TextReader {
  constructor() {
    super(decodeHtml)
  }
}

/** The value of `<html lang>`. */
export function languageOf({ contentType, body, isCoded }: PageBody): string | undefined {
  if (!isHtml(contentType, body, isCoded)) return undefined
  return pageLanguage(decodeHtml(body.subarray(0, languageBytes), contentType))
}
