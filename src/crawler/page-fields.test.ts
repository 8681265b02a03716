import { describe, expect, it } from 'vitest'
import { blankOf, copyFields, type Field, type Fields } from './page-field.ts'
import { decidedFields, fetchedFields } from './page-fields.ts'

const rows: (readonly [name: string, field: Field])[] = [fetchedFields, decidedFields].flatMap(
  (table: Fields) => Object.entries(table),
)
const positions = (of: (field: Field) => number | undefined): number[] =>
  rows.flatMap(([, field]) => of(field) ?? []).toSorted((a, b) => a - b)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('the fields of a page', () => {
  it('have bits and positions of their own, without gaps', () => {
    const bits = positions(({ bit }) => bit)
    expect(bits).toEqual(upTo(bits.length))
    const head = positions(({ head }) => head)
    expect(head).toEqual(upTo(head.length))
    const tail = positions(({ tail }) => tail)
    expect(tail).toEqual(upTo(tail.length))
    expect(rows.filter(([, { bit, head }]) => bit !== undefined && head !== undefined)).toEqual([])
  })

  it('have a code exactly if they are recorded', () => {
    for (const [name, { bit, head, code }] of rows)
      expect([name, 'write' in code]).toEqual([name, (bit ?? head) !== undefined])
  })

  it('have one name in the record, and one column each', () => {
    const kept = rows.filter(([, { bit, head }]) => (bit ?? head) !== undefined).map(([name]) => name)
    expect(new Set(kept).size).toBe(kept.length)
    const columns = rows.flatMap(([, { column }]) => column?.name ?? [])
    expect(new Set(columns).size).toBe(columns.length)
  })

  it('are shown and exported only if they are recorded', () => {
    const shown = rows.filter(([, { tail, column }]) => tail !== undefined || column !== undefined)
    expect(shown.filter(([, { bit, head }]) => (bit ?? head) === undefined)).toEqual([])
  })
})

it('a blank object has all its fields, and values are copied to it', () => {
  const blank = blankOf(['a', 'b', 'c'])
  expect(blank).toStrictEqual({ a: undefined, b: undefined, c: undefined })
  const copy = { ...blank }
  copyFields(['a', 'b'], { a: 1, b: undefined, c: 3 }, copy)
  expect(copy).toStrictEqual({ a: 1, b: undefined, c: undefined })
})
