/**
 * Conditions for rows, such as `status=200 and depth<3` or `url ~ '/docs/**' and not noindex`:
 *
 *   condition   any: all (or all)*           all: single (and single)*
 *   single      not single · (any) · column · column operator value · column is [not] empty
 *   operator    = != < <= > >=, and ~ and !~ for patterns (glob.ts)
 *
 * A row without a value in the column fulfils no comparison with it; `not` then makes it true.
 */
import { RankwardError } from '../../../lib/errors.ts'
import { Glob } from '../../../web/url/glob.ts'
import { urlPattern } from '../../../web/url/scope.ts'
import { contentNames } from './destination.ts'
import type { Batch, Column, Value } from './table.ts'

type Test = (batch: Batch, row: number) => boolean
/** Whether a value that is there fulfils a comparison. */
type Comparison = (value: string | number | boolean) => boolean

/** A condition for rows. */
export interface RowFilter {
  readonly test: Test
  /** Number of columns, from the first on, that the condition needs. */
  readonly columns: number
}

/** Compiles a condition for rows with these columns. */
export function rowFilter(condition: string, columns: readonly Column[]): RowFilter {
  const parser = new Parser(condition, columns)
  return { test: parser.whole(), columns: parser.needed }
}

/** The rows of each batch that fulfil the condition; batches without any are left out. */
export function* filtered(batches: Iterable<Batch>, { test }: RowFilter): Generator<Batch> {
  for (const batch of batches) {
    const rows: number[] = []
    for (let row = 0; row < batch[0].length; row++) if (test(batch, row)) rows.push(row)
    if (rows.length > 0) yield batch.map((values) => rows.map((row) => values[row]))
  }
}

const tokens = /\s*(?:(?<text>'[^']*'|"[^"]*")|(?<sign>!=|<=|>=|!~|[=<>~()])|(?<word>[^\s=<>!~()'"]+))/y

interface Token {
  readonly kind: 'text' | 'sign' | 'word' | 'end'
  readonly text: string
}

const end: Token = { kind: 'end', text: '' }

class Parser {
  readonly #condition: string
  readonly #columns: readonly Column[]
  readonly #tokens: Token[]
  #at = 0
  /** Number of columns up to the last one that is named. */
  needed = 0

  constructor(condition: string, columns: readonly Column[]) {
    this.#condition = condition
    this.#columns = columns
    this.#tokens = this.#scan()
  }

  whole(): Test {
    const test = this.#any()
    if (this.#next.kind !== 'end') throw this.#unexpected('and, or, or the end')
    return test
  }

  #scan(): Token[] {
    const found: Token[] = []
    tokens.lastIndex = 0
    const length = this.#condition.trimEnd().length
    while (tokens.lastIndex < length) {
      const at = tokens.lastIndex
      const groups = tokens.exec(this.#condition)?.groups
      if (groups === undefined) throw this.#wrong(`nothing fits at "${this.#condition.slice(at)}"`)
      if (groups.text !== undefined) found.push({ kind: 'text', text: groups.text.slice(1, -1) })
      else if (groups.sign !== undefined) found.push({ kind: 'sign', text: groups.sign })
      else found.push({ kind: 'word', text: groups.word })
    }
    return found
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? end
  }

  /** Takes the next token if it is this word or sign. */
  #take(text: string): boolean {
    const { kind, text: next } = this.#next
    if (kind === 'text' || next.toLowerCase() !== text) return false
    this.#at++
    return true
  }

  #any(): Test {
    let test = this.#all()
    while (this.#take('or')) {
      const [left, right] = [test, this.#all()]
      test = (batch, row) => left(batch, row) || right(batch, row)
    }
    return test
  }

  #all(): Test {
    let test = this.#single()
    while (this.#take('and')) {
      const [left, right] = [test, this.#single()]
      test = (batch, row) => left(batch, row) && right(batch, row)
    }
    return test
  }

  #single(): Test {
    if (this.#take('not')) {
      const test = this.#single()
      return (batch, row) => !test(batch, row)
    }
    if (this.#take('(')) {
      const test = this.#any()
      if (!this.#take(')')) throw this.#unexpected(')')
      return test
    }
    return this.#comparison()
  }

  #comparison(): Test {
    const index = this.#column()
    const column = this.#columns[index]
    if (this.#take('is')) {
      const isFilled = this.#take('not')
      if (!this.#take('empty')) throw this.#unexpected('empty')
      return (batch, row) => (batch[index][row] !== undefined) === isFilled
    }
    const { kind, text: sign } = this.#next
    if (kind !== 'sign' || sign === ')' || sign === '(') {
      if (column.type !== 'flag') throw this.#unexpected(`an operator after ${column.name}`)
      return (batch, row) => batch[index][row] === true
    }
    this.#at++
    const compare = this.#compare(column, sign)
    return (batch, row) => fulfils(batch[index][row], compare)
  }

  #column(): number {
    const { kind, text } = this.#next
    if (kind !== 'word') throw this.#unexpected('a column')
    const index = this.#columns.findIndex(({ name }) => name === text)
    if (index < 0) {
      const names = this.#columns.map(({ name }) => name).join(', ')
      const isContent = (contentNames as readonly string[]).includes(text)
      const hint = isContent ? `; ${text} is a column of --content, which was not given` : ''
      throw this.#wrong(`there is no column ${text}; the table has ${names}${hint}`)
    }
    this.#at++
    this.needed = Math.max(this.needed, index + 1)
    return index
  }

  #compare(column: Column, sign: string): Comparison {
    const { kind, text } = this.#next
    if (kind !== 'word' && kind !== 'text') throw this.#unexpected(`a value after ${column.name} ${sign}`)
    this.#at++
    if (sign === '~' || sign === '!~') {
      const matches = patternOf(column, text)
      return (value) => matches(String(value)) === (sign === '~')
    }
    const wanted = this.#value(column, text)
    switch (sign) {
      case '=':
        return (value) => value === wanted
      case '!=':
        return (value) => value !== wanted
      case '<':
        return (value) => value < wanted
      case '<=':
        return (value) => value <= wanted
      case '>':
        return (value) => value > wanted
      default:
        return (value) => value >= wanted
    }
  }

  #value({ name, type }: Column, text: string): string | number | boolean {
    if (type === 'text' || type === 'name' || type === 'list') return text
    if (type === 'flag') {
      if (text !== 'true' && text !== 'false') throw this.#wrong(`${name} is true or false, not ${text}`)
      return text === 'true'
    }
    const value = type === 'time' ? Date.parse(text) : Number(text)
    if (Number.isNaN(value)) {
      throw this.#wrong(
        `${name} is a ${type === 'time' ? 'time such as 2026-01-31T12:00Z' : 'number'}, not ${text}`,
      )
    }
    return value
  }

  #unexpected(expected: string): RankwardError {
    const { kind, text } = this.#next
    return this.#wrong(`expected ${expected}, but found ${kind === 'end' ? 'the end' : text}`)
  }

  #wrong(why: string): RankwardError {
    return new RankwardError('USAGE', `"${this.#condition}" is not a condition for rows: ${why}.`)
  }
}

/** A list fulfils a comparison if one of its texts does. */
function fulfils(value: Value, compare: Comparison): boolean {
  if (value === undefined) return false
  return typeof value === 'object' ? value.some(compare) : compare(value)
}

function patternOf({ name }: Column, pattern: string): (text: string) => boolean {
  if (name === 'url') return urlPattern(pattern)
  const glob = new Glob(pattern)
  return (text) => glob.matches(text)
}
