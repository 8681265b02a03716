import { describe, expect, it } from 'vitest'
import { restoreState, savedState } from '../../../lib/state.ts'
import { ChangeSignals, type Reading } from './change-signals.ts'

const day = 86_400
const now = Date.UTC(2026, 10, 16) / 1000
const year2038 = 2 ** 31 - 1
const year2200 = Date.UTC(2200, 0) / 1000

/** Pages 0 to 9 are held since yesterday, later ones are not; odd pages are of site 1. */
const lastLookOf = (page: number): number | undefined => (page < 10 ? now - day : undefined)
const newSignals = (): ChangeSignals => new ChangeSignals({ lastLookOf, siteOf: (page) => page % 2 })

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
    expect(newSignals().pagesOf(reading(entries))).toEqual([0])
  })

  it('signals no page of another site', () => {
    const entries: [number, number][] = [
      [0, now - 100],
      [1, now - 100],
    ]
    expect(newSignals().pagesOf(reading(entries))).toEqual([0])
    expect(newSignals().pagesOf(reading(entries, { site: 1 }))).toEqual([1])
  })

  it('signals each date of a page once, whichever source has it', () => {
    const signals = newSignals()
    const entry = (date: number): [number, number][] => [[0, date]]
    expect(signals.pagesOf(reading(entry(now - 500)))).toEqual([0])
    expect(signals.pagesOf(reading(entry(now - 500)))).toEqual([])
    expect(signals.pagesOf(reading(entry(now - 500), { source: 1 }))).toEqual([])
    expect(signals.pagesOf(reading(entry(now - 100)))).toEqual([0])
    expect(signals.pagesOf(reading(entry(now - 100)))).toEqual([])
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
    expect(signals.pagesOf(reading(entries))).toEqual([2])
    expect(signals.isBelieved(0)).toBe(true)
  })

  it('signals a date that is no longer in the future', () => {
    const signals = newSignals()
    expect(signals.pagesOf(reading([[0, now + 3600]]))).toEqual([])
    expect(signals.pagesOf(reading([[0, now + 3600]], { at: now + 7200, date: now + 7200 }))).toEqual([0])
  })

  it('may be ahead of our clock if the server is', () => {
    const entries: [number, number][] = [
      [0, now + 60],
      [2, now - 100],
    ]
    expect(newSignals().pagesOf(reading(entries, { date: now + 90 }))).toEqual([0, 2])
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
    expect(signals.pagesOf(allAt(now))).toEqual([])
    expect(signals.isBelieved(0)).toBe(true)
    expect(signals.pagesOf(allAt(now + day))).toEqual([])
    expect(signals.isBelieved(0)).toBe(false)
    expect(signals.pagesOf(reading([[0, now - 100]]))).toEqual([])
    expect(signals.pagesOf(reading([[0, now - 100]], { source: 1 }))).toEqual([0])
  })

  it('is recognised by either clock, if they differ', () => {
    const signals = newSignals()
    expect(signals.pagesOf(allAt(now, now - 3600))).toEqual([])
    expect(signals.pagesOf({ ...allAt(now + day), date: now - 3600 })).toEqual([])
    expect(signals.isBelieved(0)).toBe(false)
  })

  it('signals nothing either if only most of its dates are now', () => {
    const signals = newSignals()
    const mixed = (at: number): Reading =>
      reading(
        pages.map((page, i) => [page, i === 0 ? now - 100 : at]),
        { at, date: at },
      )
    expect(signals.pagesOf(mixed(now))).toEqual([0])
    expect(signals.pagesOf(mixed(now + day))).toEqual([])
    expect(signals.isBelieved(0)).toBe(true)
  })

  it('keeps its credit if it was so only once', () => {
    const signals = newSignals()
    signals.pagesOf(allAt(now))
    expect(signals.pagesOf(reading([[0, now - 100]]))).toEqual([0])
    signals.pagesOf(allAt(now + day))
    expect(signals.isBelieved(0)).toBe(true)
  })

  it('is remembered in a saved state, as are the dates signalled', () => {
    const signals = newSignals()
    signals.pagesOf(allAt(now))
    signals.pagesOf(allAt(now))
    signals.pagesOf(reading([[2, now - 100]], { source: 1 }))
    const restored = newSignals()
    restoreState([restored], savedState([signals]))
    expect(restored.isBelieved(0)).toBe(false)
    expect(restored.pagesOf(reading([[2, now - 100]], { source: 1 }))).toEqual([])
  })
})

describe('the memory for signals', () => {
  it('is four bytes a page at most, however often a sitemap of a million pages changes', () => {
    const count = 1_000_000
    const signals = new ChangeSignals({ lastLookOf: () => 0, siteOf: () => 0 })
    const pages = Uint32Array.from({ length: count }, (_, i) => i)
    for (let times = 0; times < 3; times++) {
      const dates = new Float64Array(count).fill(now - 1000 + times)
      expect(signals.pagesOf({ ...reading([]), pages, dates })).toHaveLength(count)
    }
    expect(signals.byteLength).toBeLessThan(6 * count + 2000)
  })
})
