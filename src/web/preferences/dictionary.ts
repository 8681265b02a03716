/**
 * Dictionaries of structured fields (RFC 9651, 3.2), as far as preferences need them: keys with their bare items. Values that are no
 * token, and all parameters, are read over. One pass over the text, whatever it is.
 */

const key = /[a-z*][a-z0-9_.*-]*/y
const space = /[ \t]*/y
const bareItem =
  /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"|-?\d{1,15}(?:\.\d{1,3})?|\?[01]|:[A-Za-z0-9+/=]*:|@-?\d{1,15}|%"[\x20\x21\x23-\x7e]*"/y

/** The tokens by key; `true` for a key without a value; undefined for other values. The last of equal keys counts. */
export type Dictionary = ReadonlyMap<string, string | true | undefined>

/** Undefined if the text is no dictionary: then a field counts as absent. */
export function parseDictionary(text: string): Dictionary | undefined {
  const reader = new Reader(text)
  const members = new Map<string, string | true | undefined>()
  reader.take(space)
  while (!reader.isAtEnd) {
    const name = reader.take(key)
    if (name === undefined) return undefined
    const isBare = !reader.skip('=')
    const value = isBare ? 'true' : reader.skip('(') ? innerList(reader) : reader.take(bareItem)
    if (value === undefined || !parameters(reader)) return undefined
    members.set(name, isBare || value === '?1' ? true : /^[A-Za-z*]/.test(value) ? value : undefined)
    reader.take(space)
    if (reader.isAtEnd) break
    if (!reader.skip(',')) return undefined
    reader.take(space)
    // A comma at the end.
    if (reader.isAtEnd) return undefined
  }
  return members
}

/** After its opening parenthesis. Undefined if it does not end. */
function innerList(reader: Reader): string | undefined {
  for (;;) {
    reader.take(space)
    if (reader.skip(')')) return '()'
    if (reader.take(bareItem) === undefined || !parameters(reader)) return undefined
  }
}

function parameters(reader: Reader): boolean {
  while (reader.skip(';')) {
    reader.take(space)
    if (reader.take(key) === undefined) return false
    if (reader.skip('=') && reader.take(bareItem) === undefined) return false
  }
  return true
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** What this pattern (sticky) matches here; undefined if nothing. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  skip(character: string): boolean {
    const isHere = this.#text[this.#at] === character
    if (isHere) this.#at++
    return isHere
  }
}
