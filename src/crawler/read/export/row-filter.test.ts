import { describe, expect, it } from 'vitest'
import { RankwardError } from '../../../lib/errors.ts'
import { filtered, rowFilter } from './row-filter.ts'
import type { Batch, Column } from './table.ts'

const columns: readonly Column[] = [
  { name: 'page', type: 'int' },
  { name: 'url', type: 'text' },
  { name: 'status', type: 'int' },
  { name: 'state', type: 'name' },
  { name: 'noindex', type: 'flag' },
  { name: 'fetched_at', type: 'time' },
  { name: 'faults', type: 'list' },
]

const batch: Batch = [
  Uint32Array.of(0, 1, 2, 3),
  ['http://h/', 'http://h/docs/a', 'http://h/docs/b?c=and', 'http://other/docs/'],
  [200, 404, undefined, 200],
  ['fetched', 'failed', 'waiting', 'fetched'],
  [false, true, undefined, true],
  [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2), undefined, Date.UTC(2026, 0, 3)],
  [undefined, ['bare-lf', 'bad-chunk'], [], undefined],
]

function pagesWhere(condition: string): number[] {
  const test = rowFilter(condition, columns)
  return [...filtered([batch], test)].flatMap(([pages]) => [...pages] as number[])
}

describe('a condition for rows', () => {
  it.each([
    ['status=200', [0, 3]],
    ['status != 200', [1]],
    ['status>=400 or page<1', [0, 1]],
    ['page >0 and page<= 2', [1, 2]],
    ['not status=200', [1, 2]],
    ['status is empty', [2]],
    ['status is not empty and not (page=0 or page=1)', [3]],
    ['state = fetched and noindex', [3]],
    ['noindex=false', [0]],
    ["url ~ '/docs/**'", [1, 2, 3]],
    ['url ~ "http://h/*" or url = "http://h/docs/b?c=and"', [0, 2]],
    ['url !~ **docs**', [0]],
    ['fetched_at > 2026-01-01T12:00:00Z', [1, 3]],
    ['fetched_at<=2026-01-01', [0]],
    ['faults = bare-lf', [1]],
    ['faults ~ bad-*', [1]],
    ['page=0 or page=1 and page=2', [0]],
    ['NOT page=0 AND status=200', [3]],
  ])('%s', (condition, pages) => {
    expect(pagesWhere(condition)).toEqual(pages)
  })

  it.each([
    ['', 'a column'],
    ['size=3', 'no column size'],
    ['status', 'an operator after status'],
    ['status=', 'a value after status ='],
    ['status=many', 'status is a number'],
    ['fetched_at<soon', 'fetched_at is a time'],
    ['noindex=1', 'true or false'],
    ['(status=200', 'expected ), but found the end'],
    ['status=200 page=1', 'expected and, or, or the end'],
    ['status is 3', 'expected empty'],
    ["url='http", 'nothing fits'],
    ['status = 200 and', 'a column'],
  ])('%j is refused with the reason', (condition, why) => {
    expect(() => rowFilter(condition, columns)).toThrow(RankwardError)
    expect(() => rowFilter(condition, columns)).toThrow(why)
  })
})
