import { describe, expect, it } from 'vitest'
import { PagePace } from './page-pace.ts'

const waitSecondsMax = 5

/** A worker that always has a page with this key, looks every tenth of a second, and exchanges mass at once. */
function run(pace: PagePace, key: number, seconds: number): number {
  let taken = 0
  let pages = 0
  for (let now = 0; now < seconds; now += 0.1) {
    if (key >= pace.price(now) && pace.room(now) >= 1) {
      pages++
      taken++
      pace.progressed()
    } else pace.blocked(now)
    pace.took(taken)
    if (pace.isSpent) {
      taken = 0
      pace.took(0)
    }
  }
  return pages
}

describe('a patient worker', () => {
  it('takes the pages that it has among the best, and then exchanges mass', () => {
    const pace = new PagePace(waitSecondsMax)
    pace.looked({ ahead: 10, own: 3, price: 0.5 })
    expect(pace.room(0)).toBe(3)
    pace.took(2)
    expect([pace.room(0), pace.isSpent]).toEqual([1, false])
    pace.took(3)
    expect([pace.room(0), pace.isSpent]).toEqual([0, true])
  })

  it('takes a page every few seconds, whatever the price and whoever owns the best pages', () => {
    const pace = new PagePace(waitSecondsMax)
    pace.looked({ ahead: 10, own: 0, price: Infinity })
    // The page is taken at the first look after the wait.
    expect(run(pace, 0.1, 100)).toBeGreaterThanOrEqual(100 / (waitSecondsMax + 0.3) - 1)
    expect(run(pace, 0.1, 100)).toBeLessThanOrEqual(100 / waitSecondsMax)
  })

  it('takes no page below the price before that', () => {
    const pace = new PagePace(waitSecondsMax)
    pace.looked({ ahead: 10, own: 5, price: 0.5 })
    expect(run(pace, 0.49, waitSecondsMax - 0.1)).toBe(0)
    expect(run(pace, 0.5, waitSecondsMax)).toBeGreaterThan(40)
  })
})
