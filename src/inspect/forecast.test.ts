import { describe, expect, it } from 'vitest'
import { forecast, type CurvePoint } from './forecast.ts'

interface Law {
  readonly guaranteed?: (pages: number) => number
  readonly known?: (pages: number) => number
}

/** A crawl of ten pages and a megabyte a second, seen each second. */
function course(
  seconds: number,
  { guaranteed, known = (pages) => 100 + 20 * pages }: Law = {},
): CurvePoint[] {
  return Array.from({ length: seconds + 1 }, (_, second) => {
    const pages = 10 * second
    return {
      seconds: second,
      pages,
      bytes: 1e6 * second,
      known: known(pages),
      waiting: known(pages) - pages,
      guaranteed: guaranteed?.(pages),
    }
  })
}

/** What is not covered falls as the root of the pages. */
const root = (pages: number): number => (pages === 0 ? 0 : 1 - pages ** -0.5)

describe('a forecast', () => {
  it('is not made of too little', () => {
    expect(forecast([], { pages: 10 })).toBeUndefined()
    expect(forecast(course(1), { pages: 100 })).toBeUndefined()
    const idle = course(30).map((point) => ({ ...point, pages: 7 }))
    expect(forecast(idle, { pages: 100 })).toBeUndefined()
  })

  it('is not made of an early curve that would have to be extrapolated far', () => {
    // Two seconds of a crawl whose coverage hardly rises yet: the law would give 10^9 pages.
    const slow = (pages: number): number => (pages === 0 ? 0 : 1 - pages ** -0.15)
    expect(forecast(course(20, { guaranteed: slow }), { coverage: 0.95 })).toBeUndefined()
    // Each page finds 0.99 new ones: a hundred times the waiting pages.
    const endless = course(20, { known: (pages) => 1000 + 0.99 * pages })
    expect(forecast(endless, {})).toBeUndefined()
    expect(forecast(endless, { pages: 1e6 })?.because).toBe('pages')
  })

  it('predicts no end for a crawl without a budget that keeps discovering pages', () => {
    expect(forecast(course(60), {})).toBeUndefined()
  })

  it('of a page budget uses the recent rate', () => {
    const end = forecast(course(60, { guaranteed: root }), { pages: 2400 })
    expect(end).toMatchObject({ because: 'pages', pages: 2400 })
    expect(end?.secondsLeft).toBeCloseTo(180, 6)
    expect(end?.coverage).toBeCloseTo(root(2400), 6)
  })

  it('of a coverage solves the fitted power', () => {
    const end = forecast(course(60, { guaranteed: root }), { coverage: 0.98 })
    expect(end?.because).toBe('coverage')
    expect(end?.pages).toBeCloseTo(2500, -1)
    expect(end?.secondsLeft).toBeCloseTo((2500 - 600) / 10, 3)
    expect(end?.coverage).toBeCloseTo(0.98, 4)
  })

  it('names the budget that is reached first', () => {
    const curve = course(100, { guaranteed: root })
    expect(forecast(curve, { pages: 2000, seconds: 150 })).toMatchObject({ because: 'time', secondsLeft: 50 })
    expect(forecast(curve, { bytes: 110e6, seconds: 150 })).toMatchObject({ because: 'bytes', pages: 1100 })
    expect(forecast(curve, { pages: 1001, seconds: 150 })?.because).toBe('pages')
  })

  it('of a budget that is used up is now', () => {
    expect(forecast(course(100), { pages: 900 })).toMatchObject({ because: 'pages', secondsLeft: 0 })
  })

  it('sees a web that comes to its end', () => {
    // Half a new page for each: of 600 known pages 300 wait, and 600 will have been fetched before none does.
    const end = forecast(course(60, { known: (pages) => 600 + pages / 2 }), { pages: 1_000_000 })
    expect(end).toMatchObject({ because: 'finished', pages: 1200 })
    expect(end?.secondsLeft).toBeCloseTo(60, 6)
  })

  it('takes the recent rate, not that of the beginning', () => {
    const slow = course(100).map((point) =>
      point.seconds <= 50 ? point : { ...point, pages: 500 + (point.seconds - 50) },
    )
    expect(forecast(slow, { pages: 650 })?.secondsLeft).toBeCloseTo(100, 6)
  })

  it('of a coverage that does not rise any more is no end', () => {
    const flat = course(60, { guaranteed: () => 0.6 })
    expect(forecast(flat, { coverage: 0.9 })).toBeUndefined()
    expect(forecast(flat, { pages: 6000 })?.coverage).toBeCloseTo(0.6, 9)
  })

  it('promises no coverage where the strategy guarantees none', () => {
    expect(forecast(course(60), { pages: 6000 })).toMatchObject({ because: 'pages', coverage: undefined })
  })
})
