import { describe, expect, it } from 'vitest'
import { restoreState, savedState } from '../../../lib/state.ts'
import { ChangeSignals, type Reading } from './change-signals.ts'

const day = 86_400
const now = Date.UTC(2026, 10, 16) / 1000
const year2038 = 2 ** 31 - 1
const year2200 = Date.UTC(2200, 0) / 1000

/** Pages 0 to 9 are held since yesterday, later ones are not; odd pages are of site 1. */
function newSignals(): ChangeSignals {
  const signals = new ChangeSignals((page) => page % 2)
  for (let page = 0; page < 10; page++) signals.looked(page, now - day)
  return signals
}
const pagesOf = (signals: ChangeSignals, from: Reading): number[] =>
  signals.entriesOf(from).map((entry) => from.pages[entry])

function reading(
  entries: readonly (readonly [page: number, date: number])[],
  more: Partial<Reading> = {},
): Reading {
  return {
    source: 0,
    site: 0,
    at: now,
    date: now,
    pages: entries.map(([page]) => page),
    dates: entries.map(([, date]) => date),
    ...more,
  }
}

describe('an entry of a sitemap or feed', () => {
  it('signals a held page if its date is after the last look', () => {
    const entries: [number, number][] = [
      [0, now - 100],
      [2, now - day - 100],
      [4, Number.NaN],
      [12, now - 100],
      [-1, now - 100],
    ]
    expect(pagesOf(newSignals(), reading(entries))).toEqual([0])
  })

  it('signals no page of another site', () => {
    const entries: [number, number][] = [
      [0, now - 100],
      [1, now - 100],
    ]
    expect(pagesOf(newSignals(), reading(entries))).toEqual([0])
    expect(pagesOf(newSignals(), reading(entries, { site: 1 }))).toEqual([1])
  })

  it('signals each date of a page once, whichever source has it', () => {
    const signals = newSignals()
    const entry = (date: number): [number, number][] => [[0, date]]
    expect(pagesOf(signals, reading(entry(now - 500)))).toEqual([0])
    expect(pagesOf(signals, reading(entry(now - 500)))).toEqual([])
    expect(pagesOf(signals, reading(entry(now - 500), { source: 1 }))).toEqual([])
    expect(pagesOf(signals, reading(entry(now - 100)))).toEqual([0])
    expect(pagesOf(signals, reading(entry(now - 100)))).toEqual([])
  })

  it('signals nothing after a look that is later than its date', () => {
    const signals = newSignals()
    signals.looked(0, now - 50)
    signals.looked(0, now - 200)
    expect(pagesOf(signals, reading([[0, now - 100]]))).toEqual([])
    expect(pagesOf(signals, reading([[0, now - 40]]))).toEqual([0])
  })

  it.each([
    ['an hour ahead', now + 3600],
    ['in 2038', year2038],
    ['in 2200', year2200],
    ['before 1970', -5],
  ])('signals nothing if its date is %s', (_, date) => {
    const signals = newSignals()
    const entries: [number, number][] = [
      [0, date],
      [2, now - 100],
    ]
    expect(pagesOf(signals, reading(entries))).toEqual([2])
    expect(signals.isBelieved(0)).toBe(true)
  })

  it('signals a date that is no longer in the future', () => {
    const signals = newSignals()
    expect(pagesOf(signals, reading([[0, now + 3600]]))).toEqual([])
    expect(pagesOf(signals, reading([[0, now + 3600]], { at: now + 7200, date: now + 7200 }))).toEqual([0])
  })

  it('may be ahead of our clock if the server is', () => {
    const entries: [number, number][] = [
      [0, now + 60],
      [2, now - 100],
    ]
    expect(pagesOf(newSignals(), reading(entries, { date: now + 90 }))).toEqual([0, 2])
  })
})

describe('a source whose dates are always now', () => {
  const pages = [0, 2, 4, 6]
  const allAt = (at: number, date: number | undefined = at): Reading =>
    reading(
      pages.map((page, i) => [page, (date ?? at) - i]),
      { at, date },
    )

  it('signals nothing, and is not believed any more after two readings', () => {
    const signals = newSignals()
    expect(pagesOf(signals, allAt(now))).toEqual([])
    expect(signals.isBelieved(0)).toBe(true)
    expect(pagesOf(signals, allAt(now + day))).toEqual([])
    expect(signals.isBelieved(0)).toBe(false)
    expect(pagesOf(signals, reading([[0, now - 100]]))).toEqual([])
    expect(pagesOf(signals, reading([[0, now - 100]], { source: 1 }))).toEqual([0])
  })

  it('is recognised by either clock, if they differ', () => {
    const signals = newSignals()
    expect(pagesOf(signals, allAt(now, now - 3600))).toEqual([])
    expect(pagesOf(signals, { ...allAt(now + day), date: now - 3600 })).toEqual([])
    expect(signals.isBelieved(0)).toBe(false)
  })

  it('signals nothing either if only most of its dates are now', () => {
    const signals = newSignals()
    const mixed = (at: number): Reading =>
      reading(
        pages.map((page, i) => [page, i === 0 ? now - 100 : at]),
        { at, date: at },
      )
    expect(pagesOf(signals, mixed(now))).toEqual([0])
    expect(pagesOf(signals, mixed(now + day))).toEqual([])
    expect(signals.isBelieved(0)).toBe(true)
  })

  it('keeps its credit if it was so only once', () => {
    const signals = newSignals()
    pagesOf(signals, allAt(now))
    expect(pagesOf(signals, reading([[0, now - 100]]))).toEqual([0])
    pagesOf(signals, allAt(now + day))
    expect(signals.isBelieved(0)).toBe(true)
  })

  it('is remembered in a saved state, as are the dates signalled', () => {
    const signals = newSignals()
    pagesOf(signals, allAt(now))
    pagesOf(signals, allAt(now))
    pagesOf(signals, reading([[2, now - 100]], { source: 1 }))
    const restored = newSignals()
    restoreState([restored], savedState([signals]))
    expect(restored.isBelieved(0)).toBe(false)
    expect(pagesOf(restored, reading([[2, now - 100]], { source: 1 }))).toEqual([])
  })
})

describe('the memory for signals', () => {
  it('is four bytes a page at most, however often a sitemap of a million pages changes', () => {
    const count = 1_000_000
    const signals = new ChangeSignals(() => 0)
    for (let page = 0; page < count; page++) signals.looked(page, now - day)
    const pages = Uint32Array.from({ length: count }, (_, i) => i)
    for (let times = 0; times < 3; times++) {
      const dates = new Float64Array(count).fill(now - 1000 + times)
      expect(signals.entriesOf({ ...reading([]), pages, dates })).toHaveLength(count)
    }
    expect(signals.byteLength).toBeLessThan(6 * count + 2000)
  })
})
