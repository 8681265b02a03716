/**
 * Conditions in small languages: `and`, `or`, `not` and brackets around what the caller reads.
 *
 *   any      all (or all)*
 *   all      single (and single)*
 *   single   not single · (any) · what the caller reads
 */

/** A piece of the text; its kind is the name of the group that matched. `end` comes after the last one. */
interface Token {
  readonly kind: string
  readonly text: string
}

const end: Token = { kind: 'end', text: '' }

export type Test<Subject> = (subject: Subject) => boolean

export class ConditionReader {
  readonly #tokens: readonly Token[]
  readonly #refused: (why: string) => Error
  #at = 0

  /** `tokens` is sticky; its named groups are the kinds of tokens. Kind `text` stands in quotes, and is no keyword. */
  constructor(text: string, tokens: RegExp, refused: (why: string) => Error) {
    this.#refused = refused
    const found: Token[] = []
    const length = text.trimEnd().length
    for (tokens.lastIndex = 0; tokens.lastIndex < length;) {
      const at = tokens.lastIndex
      const groups = Object.entries(tokens.exec(text)?.groups ?? {})
      const [kind, part] = groups.find(([, each]) => each !== undefined) ?? []
      if (kind === undefined) throw refused(`nothing fits at "${text.slice(at).trim()}"`)
      found.push({ kind, text: kind === 'text' ? part!.slice(1, -1) : part! })
    }
    this.#tokens = found
  }

  /** Reads all of the text. `single` reads one part of the caller's language. */
  whole<Subject>(single: () => Test<Subject>): Test<Subject> {
    const test = this.#any(single)
    if (this.next.kind !== 'end') throw this.unexpected('and, or, or the end')
    return test
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? end
  }

  /** Passes the next token if it is of one of these kinds. */
  take(...kinds: string[]): string | undefined {
    const { kind, text } = this.next
    if (!kinds.includes(kind)) return undefined
    this.#at++
    return text
  }

  /** Passes the next token if it is this keyword or sign, in upper or lower case. */
  takes(keyword: string): boolean {
    const { kind, text } = this.next
    if (kind === 'text' || text.toLowerCase() !== keyword) return false
    this.#at++
    return true
  }

  unexpected(expected: string): Error {
    const { kind, text } = this.next
    return this.#refused(`expected ${expected}, but found ${kind === 'end' ? 'the end' : text}`)
  }

  #any<Subject>(single: () => Test<Subject>): Test<Subject> {
    let test = this.#all(single)
    while (this.takes('or')) {
      const [left, right] = [test, this.#all(single)]
      test = (subject) => left(subject) || right(subject)
    }
    return test
  }

  #all<Subject>(single: () => Test<Subject>): Test<Subject> {
    let test = this.#single(single)
    while (this.takes('and')) {
      const [left, right] = [test, this.#single(single)]
      test = (subject) => left(subject) && right(subject)
    }
    return test
  }

  #single<Subject>(single: () => Test<Subject>): Test<Subject> {
    if (this.takes('not')) {
      const test = this.#single(single)
      return (subject) => !test(subject)
    }
    if (!this.takes('(')) return single()
    const test = this.#any(single)
    if (!this.takes(')')) throw this.unexpected(')')
    return test
  }
}
