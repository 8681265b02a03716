import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { budgetLeft, type Budgets } from './budget-left.ts'

const seed = Number(process.env['SEED'] ?? 1)
const spent = { pages: 1234, bytes: 54_000_000, seconds: 30, freshness: undefined }
const rates = { pagesPerSecond: 41, bytesPerSecond: 1_800_000 }

describe('what is left of the budgets', () => {
  it('is of the budget that is spent first at these rates', () => {
    expect(budgetLeft(spent, { pages: 5000, seconds: 900 }, rates)).toEqual({
      budget: 'pages',
      amount: 3766,
      seconds: 3766 / 41,
    })
    expect(budgetLeft(spent, { pages: 5000, seconds: 60 }, rates)).toEqual({
      budget: 'time',
      amount: 30,
      seconds: 30,
    })
    expect(budgetLeft(spent, { bytes: 60e6, seconds: 60 }, rates)).toMatchObject({
      budget: 'bytes',
      amount: 6e6,
    })
  })

  it('has no time at a rate of 0, and nothing without a budget', () => {
    const idle = { pagesPerSecond: 0, bytesPerSecond: 0 }
    expect(budgetLeft(spent, { pages: 5000 }, idle)).toEqual({ budget: 'pages', amount: 3766 })
    expect(budgetLeft(spent, { pages: 5000, seconds: 60 }, idle)).toMatchObject({ budget: 'time' })
    expect(budgetLeft(spent, { coverage: 0.95 }, rates)).toBeUndefined()
    expect(budgetLeft(spent, {}, rates)).toBeUndefined()
  })

  it('of a budget that is used up is 0', () => {
    expect(budgetLeft(spent, { pages: 1000 }, rates)).toEqual({ budget: 'pages', amount: 0, seconds: 0 })
  })

  it('says nothing of the pages of a crawl that fetches pages again: they do not end it', () => {
    const freshness = {} as never
    expect(budgetLeft({ ...spent, freshness }, { pages: 5000 }, rates)).toBeUndefined()
  })

  it('is never less than what a crawl still gets, and its time is exact if the rate stays', () => {
    const random = seededRandom(seed)
    const draw = (): number => 1 + random.below(5000)
    const wrong: string[] = []
    for (let i = 0; i < 2000; i++) {
      // A crawl that ends at its first budget, or before, when no page waits.
      const rate = { pagesPerSecond: draw() / 100, bytesPerSecond: draw() * 10 }
      const budgets: Budgets = {
        ...(random.below(2) === 0 ? {} : { pages: draw() }),
        ...(random.below(2) === 0 ? {} : { seconds: draw() }),
        ...(random.below(2) === 0 ? {} : { bytes: 1000 * draw() }),
      }
      const at = (seconds: number) => ({
        pages: rate.pagesPerSecond * seconds,
        bytes: rate.bytesPerSecond * seconds,
        seconds,
        freshness: undefined,
      })
      const budgetEnds = Math.min(
        (budgets.pages ?? Infinity) / rate.pagesPerSecond,
        budgets.seconds ?? Infinity,
        (budgets.bytes ?? Infinity) / rate.bytesPerSecond,
      )
      const ends = Math.min(budgetEnds, draw())
      const now = at(random.fraction() * ends)
      const left = budgetLeft(now, budgets, rate)
      const end = at(ends)
      const got = {
        pages: end.pages - now.pages,
        time: end.seconds - now.seconds,
        bytes: end.bytes - now.bytes,
      }
      const isTrue =
        left === undefined
          ? budgetEnds === Infinity
          : got[left.budget] <= left.amount * (1 + 1e-9) + 1e-9 &&
            Math.abs(now.seconds + left.seconds! - budgetEnds) < 1e-6 * budgetEnds
      if (!isTrue) wrong.push(`seed ${seed}, draw ${i}: ${JSON.stringify({ budgets, now, left, end })}`)
    }
    expect(wrong).toEqual([])
  })
})
