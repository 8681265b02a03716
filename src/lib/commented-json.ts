/**
 * JSON with comments (`//` and `/* … *\/`) and trailing commas, as editors know it for settings. Errors have a
 * line and a column, and the keys of the outermost object have lines, so that messages can name them.
 */

export class JsonError extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.name = 'JsonError'
    this.line = line
  }
}

export interface CommentedJson {
  readonly value: unknown
  /** The lines of the outermost object's keys, from 1; empty if the value is not an object. */
  readonly lines: ReadonlyMap<string, number>
}

export function parseCommentedJson(text: string): CommentedJson {
  const reader = new Reader(text.replace(/^\uFEFF/, ''))
  const value = reader.document()
  return { value, lines: reader.lines }
}

/** Blank space and comments. */
const gap = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const string = /"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"/uy
const word = /(?:true|false|null)(?!\w)/y
const depthMax = 100

class Reader {
  readonly lines = new Map<string, number>()
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): unknown {
    const value = this.#value(0)
    this.#skip()
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the file')
    return value
  }

  #value(depth: number): unknown {
    if (depth > depthMax) throw this.#error('the values are nested too deeply')
    this.#skip()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      default: {
        const plain = this.#match(number) ?? this.#match(word)
        if (plain === undefined) throw this.#unexpected('a value')
        return JSON.parse(plain)
      }
    }
  }

  #object(depth: number): object {
    const entries = new Map<string, unknown>()
    this.#at++
    while (!this.#ends('}')) {
      const line = this.#line()
      if (this.#text[this.#at] !== '"') throw this.#unexpected('a name in double quotes, or }')
      const key = this.#string()
      if (entries.has(key)) throw this.#error(`"${key}" is there twice`)
      if (depth === 0) this.lines.set(key, line)
      this.#skip()
      if (this.#text[this.#at] !== ':') throw this.#unexpected(`a colon after "${key}"`)
      this.#at++
      entries.set(key, this.#value(depth + 1))
      this.#separator('}')
    }
    return Object.fromEntries(entries)
  }

  #array(depth: number): unknown[] {
    const values: unknown[] = []
    this.#at++
    while (!this.#ends(']')) {
      values.push(this.#value(depth + 1))
      this.#separator(']')
    }
    return values
  }

  /** Passes the closing bracket, if it is next. */
  #ends(bracket: string): boolean {
    this.#skip()
    if (this.#text[this.#at] !== bracket) return false
    this.#at++
    return true
  }

  /** A comma, or the bracket that closes the list, which is not passed. */
  #separator(bracket: string): void {
    this.#skip()
    if (this.#text[this.#at] === ',') this.#at++
    else if (this.#text[this.#at] !== bracket) throw this.#unexpected(`a comma or ${bracket}`)
  }

  #string(): string {
    const quoted = this.#match(string)
    if (quoted === undefined) throw this.#error('a text in double quotes does not end, or has a bad escape')
    return JSON.parse(quoted) as string
  }

  #skip(): void {
    this.#match(gap)
    if (this.#text.startsWith('/*', this.#at)) throw this.#error('a comment does not end')
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split('\n').length
  }

  #unexpected(expected: string): JsonError {
    const rest = this.#text.slice(this.#at)
    const [found = ''] = /^(?:[\w.+-]+|[^])/.exec(rest) ?? []
    return this.#error(
      `expected ${expected}, not ${found === '' ? 'the end of the file' : `"${found.slice(0, 40)}"`}`,
    )
  }

  #error(message: string): JsonError {
    return new JsonError(message, this.#line())
  }
}
