/**
 * Conditions for rows, such as `status=200 and depth<3` or `url ~ '/docs/**' and not noindex`:
 *
 *   single      column · column operator value · column is [not] empty
 *   operator    = != < <= > >=, and ~ and !~ for patterns (glob.ts)
 *
 * They are joined as lib/condition.ts says. A row without a value in the column fulfils no comparison with it; `not` then makes it true.
 */
import { ConditionReader, type Test } from '../../../lib/condition.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { Globs } from '../../../web/url/glob.ts'
import { urlPatterns } from '../../../web/url/scope.ts'
import { contentNames } from './destination.ts'
import type { Batch, Column, Value } from './table.ts'

/** Whether a value that is there fulfils a comparison. */
type Comparison = (value: string | number | boolean) => boolean

/** A row of a batch. */
interface Row {
  readonly batch: Batch
  index: number
}

/** A condition for rows. */
export interface RowFilter {
  readonly test: Test<Row>
  /** Number of columns, from the first on, that the condition needs. */
  readonly columns: number
}

/** The rows of each batch that fulfil the condition; batches without any are left out. */
export function* filtered(batches: Iterable<Batch>, { test }: RowFilter): Generator<Batch> {
  for (const batch of batches) {
    const rows: number[] = []
    const row: Row = { batch, index: 0 }
    for (; row.index < batch[0].length; row.index++) if (test(row)) rows.push(row.index)
    if (rows.length > 0) yield batch.map((values) => rows.map((index) => values[index]))
  }
}

const tokens = /\s*(?:(?<text>'[^']*'|"[^"]*")|(?<sign>!=|<=|>=|!~|[=<>~()])|(?<word>[^\s=<>!~()'"]+))/y

/** Compiles a condition for rows with these columns. */
export function rowFilter(condition: string, columns: readonly Column[]): RowFilter {
  const wrong = (why: string): RankwardError =>
    new RankwardError('USAGE', `"${condition}" is not a condition for rows: ${why}.`)
  const reader = new ConditionReader(condition, tokens, wrong)
  let needed = 0

  const columnIndex = (): number => {
    const named = reader.take('word')
    if (named === undefined) throw reader.unexpected('a column')
    const index = columns.findIndex(({ name }) => name === named)
    if (index < 0) {
      const names = columns.map(({ name }) => name).join(', ')
      const isContent = (contentNames as readonly string[]).includes(named)
      const hint = isContent ? `; ${named} is a column of --content, which was not given` : ''
      throw wrong(`there is no column ${named}; the table has ${names}${hint}`)
    }
    needed = Math.max(needed, index + 1)
    return index
  }
  const single = (): Test<Row> => {
    const column = columnIndex()
    const { name, type } = columns[column]
    if (reader.takes('is')) {
      const isFilled = reader.takes('not')
      if (!reader.takes('empty')) throw reader.unexpected('empty')
      return ({ batch, index }) => (batch[column][index] !== undefined) === isFilled
    }
    const isBare = reader.next.kind !== 'sign' || reader.next.text === ')' || reader.next.text === '('
    if (isBare) {
      if (type !== 'flag') throw reader.unexpected(`an operator after ${name}`)
      return ({ batch, index }) => batch[column][index] === true
    }
    const sign = reader.take('sign')!
    const value = reader.take('word', 'text')
    if (value === undefined) throw reader.unexpected(`a value after ${name} ${sign}`)
    const compare = comparison(columns[column], sign, value, wrong)
    return ({ batch, index }) => fulfils(batch[column][index], compare)
  }
  return { test: reader.whole(single), columns: needed }
}

const comparisons: Readonly<Record<string, (wanted: string | number | boolean) => Comparison>> = {
  '=': (wanted) => (value) => value === wanted,
  '!=': (wanted) => (value) => value !== wanted,
  '<': (wanted) => (value) => value < wanted,
  '<=': (wanted) => (value) => value <= wanted,
  '>': (wanted) => (value) => value > wanted,
  '>=': (wanted) => (value) => value >= wanted,
}

function comparison(column: Column, sign: string, text: string, wrong: (why: string) => Error): Comparison {
  if (sign !== '~' && sign !== '!~') return comparisons[sign](valueOf(column, text, wrong))
  const matches = patternOf(column, text)
  return (value) => matches(String(value)) === (sign === '~')
}

function valueOf(
  { name, type }: Column,
  text: string,
  wrong: (why: string) => Error,
): string | number | boolean {
  if (type === 'text' || type === 'name' || type === 'list' || type === 'json') return text
  if (type === 'flag') {
    if (text !== 'true' && text !== 'false') throw wrong(`${name} is true or false, not ${text}`)
    return text === 'true'
  }
  const value = type === 'time' ? Date.parse(text) : Number(text)
  if (!Number.isNaN(value)) return value
  throw wrong(`${name} is a ${type === 'time' ? 'time such as 2026-01-31T12:00Z' : 'number'}, not ${text}`)
}

/** A list fulfils a comparison if one of its texts does. */
function fulfils(value: Value, compare: Comparison): boolean {
  if (value === undefined) return false
  return typeof value === 'object' ? value.some(compare) : compare(value)
}

function patternOf({ name }: Column, pattern: string): (text: string) => boolean {
  if (name === 'url') return urlPatterns([pattern])
  const globs = new Globs([pattern])
  return (text) => globs.matches(text)
}
