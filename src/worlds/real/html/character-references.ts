/**
 * `&amp;`, `&#38;`, `&#x26;` and the rest, decoded as the standard does: in attributes a name without its semicolon
 * does not count before `=`, a letter or a digit, so that `?a=1&copy=2` stays what its author meant.
 */
import { namedReferences } from './named-references.ts'

/** What the numbers 0x80 to 0x9F mean in fact: windows-1252. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'

const withoutSemicolonMax = 6

export function decodeReferences(text: string, inAttribute: boolean): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([a-zA-Z][a-zA-Z0-9]*)(;?)(=?))/g,
    (whole, hex?: string, decimal?: string, name?: string, semicolon = '', equals = '') => {
      if (name !== undefined) return namedText(name, semicolon, equals, inAttribute) ?? whole
      return numberedText(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
    },
  )
}

function numberedText(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows1252[code - 0x80]
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}

function namedText(
  name: string,
  semicolon: string,
  equals: string,
  inAttribute: boolean,
): string | undefined {
  const { characters, withoutSemicolon } = namedReferences()
  if (semicolon !== '') {
    const character = characters.get(name)
    if (character !== undefined) return character + equals
  }
  for (let length = Math.min(name.length, withoutSemicolonMax); length >= 2; length--) {
    const start = name.slice(0, length)
    if (!withoutSemicolon.has(start)) continue
    const followed = length < name.length || (semicolon === '' && equals !== '')
    if (inAttribute && followed) return undefined
    return characters.get(start)! + name.slice(length) + semicolon + equals
  }
  return undefined
}
