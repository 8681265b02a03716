/**
 * `&amp;`, `&#38;`, `&#x26;` and the rest, decoded by `entities` according to the HTML standard. In
 * attributes a name without its semicolon does not count before `=`, a letter or a digit: `?a=1&copy=2` keeps
 * its parameter.
 */
import { createRequire } from 'node:module'
import type * as Entities from 'entities/decode'

/** Loaded with the first reference: the table of names takes 4 ms. */
let entities: typeof Entities | undefined
const load = createRequire(import.meta.url)

export function decodeReferences(text: string, inAttribute: boolean): string {
  entities ??= load('entities/decode') as typeof Entities
  return inAttribute ? entities.decodeHTMLAttribute(text) : entities.decodeHTML(text)
}
