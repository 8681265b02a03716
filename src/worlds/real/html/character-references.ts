/**
 * `&amp;`, `&#38;`, `&#x26;` and the rest, decoded by `entities` according to the HTML standard. In
 * attributes a name without its semicolon does not count before `=`, a letter or a digit: `?a=1&copy=2` keeps
 * its parameter.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

export function decodeReferences(text: string, inAttribute: boolean): string {
  return inAttribute ? decodeHTMLAttribute(text) : decodeHTML(text)
}
