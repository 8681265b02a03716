import { describe, expect, it } from 'vitest'
import { gapsBelow, overlaps } from './access-log.ts'

/** `a` was asked from 0 to 10 ms: `at('a', 0, 10)`. */
const at = (site: string, startMs: number, endMs: number) => ({ site, startMs, endMs })

describe('overlaps', () => {
  it.each([
    ['nothing', []],
    ['one request', [at('a', 0, 10)]],
    ['one after the other', [at('a', 0, 10), at('a', 11, 20)]],
    ['one at the very end of the other', [at('a', 0, 10), at('a', 10, 20)]],
    ['two sites at once', [at('a', 0, 10), at('b', 5, 15), at('a', 10, 20)]],
    ['the order of ending', [at('a', 20, 30), at('a', 0, 10)]],
    ['two that took no time', [at('a', 5, 5), at('a', 5, 5)]],
  ])('finds none in %s', (_, accesses) => {
    expect(overlaps(accesses)).toEqual([])
  })

  it('finds two at once, whichever is named first', () => {
    const [first, second] = [at('a', 0, 10), at('a', 9, 20)]
    const pair = { previous: first, next: second, gapMs: -1 }
    expect(overlaps([first, second])).toEqual([pair])
    expect(overlaps([second, first])).toEqual([pair])
  })

  it('finds two that started together', () => {
    expect(overlaps([at('a', 0, 10), at('a', 0, 10)])).toHaveLength(1)
  })

  it('finds one within another, and one that comes after that but still within the first', () => {
    const [long, inside, later] = [at('a', 0, 100), at('a', 10, 20), at('a', 30, 40)]
    expect(overlaps([inside, later, long])).toEqual([
      { previous: long, next: inside, gapMs: -90 },
      { previous: long, next: later, gapMs: -70 },
    ])
  })

  it('accepts differences within the tolerance of a coarse clock', () => {
    const accesses = [at('a', 0, 10), at('a', 9, 20), at('a', 15, 30)]
    expect(overlaps(accesses, { toleranceMs: 1 }).map(({ gapMs }) => gapMs)).toEqual([-5])
  })
})

describe('gapsBelow', () => {
  it('finds a start too soon after the end before it, not one in time', () => {
    const accesses = [at('a', 0, 500), at('a', 1499, 1600), at('a', 2600, 2700)]
    expect(gapsBelow(accesses, 1)).toEqual([{ previous: accesses[0], next: accesses[1], gapMs: 999 }])
  })

  it('counts from the end of the request before, not from its start', () => {
    expect(gapsBelow([at('a', 0, 900), at('a', 1000, 1100)], 0.5)).toHaveLength(1)
  })

  it('counts overlaps, and keeps to the one that ended last', () => {
    const accesses = [at('a', 0, 5000), at('a', 1000, 1100), at('a', 5500, 5600)]
    expect(gapsBelow(accesses, 1).map(({ gapMs }) => gapMs)).toEqual([-4000, 500])
  })

  it('accepts simultaneous requests to different sites', () => {
    expect(gapsBelow([at('a', 0, 10), at('b', 11, 20), at('c', 12, 20)], 60)).toEqual([])
  })

  it('accepts differences within the tolerance of a coarse clock', () => {
    const accesses = [at('a', 0, 0), at('a', 999, 999), at('a', 1997, 1998)]
    expect(gapsBelow(accesses, 1, { toleranceMs: 1 }).map(({ gapMs }) => gapMs)).toEqual([998])
  })
})
