import { describe, expect, it } from 'vitest'
import { hashId, unit } from '../../lib/hash.ts'
import { normalQuantile } from '../../lib/normal-quantile.ts'
import { restoreState, savedState } from '../../lib/state.ts'
import { afterLook } from './bayes.ts'
import { alwaysChanged, FastPages, someUnchanged, unseen } from './fast-pages.ts'
import { gammaSurvival } from './value.ts'

/** Looks at one page each, expected to be unchanged with this probability; every `every`-th one is. */
function looked(pages: FastPages, looks: number, survival: number, every: number): FastPages {
  for (let look = 1; look <= looks; look++) pages.looked(1, survival, look % every !== 0)
  return pages
}

describe('the expected freshness of pages that have always changed', () => {
  it('is that of their estimates before any look', () => {
    expect(new FastPages().survival(0.3)).toBe(0.3)
  })

  it('is what looks have found, whatever was expected', () => {
    expect(looked(new FastPages(), 4000, 0.5, 4).survival(0.5)).toBeCloseTo(0.25, 2)
    expect(looked(new FastPages(), 4000, 0.25, 2).survival(0.25)).toBeCloseTo(0.5, 2)
  })

  it('follows looks within some thousands of them', () => {
    const pages = looked(new FastPages(), 20_000, 0.5, 4)
    expect(looked(pages, 40_000, 0.5, 2).survival(0.5)).toBeCloseTo(0.5, 1)
  })

  it('counts looks by mass', () => {
    const pages = new FastPages()
    for (let look = 0; look < 2000; look++) pages.looked(look % 2 === 0 ? 9 : 1, 0.5, look % 2 === 0)
    expect(pages.survival(0.5)).toBeCloseTo(0.1, 2)
  })

  it('ignores pages without mass and looks that say nothing', () => {
    const pages = new FastPages()
    pages.looked(0, 0.5, true)
    pages.looked(1, 1, true)
    pages.looked(1, 0, true)
    expect(pages.survival(0.3)).toBe(0.3)
  })

  it('is restored from its state', () => {
    const pages = looked(new FastPages(), 100, 0.5, 4)
    const again = new FastPages()
    restoreState([again], savedState([pages]))
    expect(again.survival(0.4)).toBe(pages.survival(0.4))
  })

  it('is at most half as wrong where rates have a longer tail than the prior', () => {
    const pages = new FastPages()
    const truth = { fresh: 0, expected: 0, corrected: 0 }
    for (let page = 0; page < 3000; page++) {
      // Looks every ten days, log-normal rates with a median of 1/20 a day and σ = 2.
      const survival = Math.exp(-10 * Math.exp(Math.log(1 / 20) + 2 * normalQuantile(unit(hashId(page, 1)))))
      let estimate = { a: 1, b: 10 }
      let seen = unseen
      for (let look = 0; look < 6; look++) {
        const changed = unit(hashId(page, 10 + look)) > survival
        const expected = gammaSurvival(estimate.a, estimate.b, 10)
        if (seen === alwaysChanged) pages.looked(1, expected, changed)
        seen = changed && seen !== someUnchanged ? alwaysChanged : someUnchanged
        estimate = afterLook(estimate.a, estimate.b, 10, changed)
      }
      if (seen !== alwaysChanged) continue
      // Half an interval after the last look.
      const expected = gammaSurvival(estimate.a, estimate.b, 5)
      truth.fresh += Math.sqrt(survival)
      truth.expected += expected
      truth.corrected += pages.survival(expected)
    }
    const error = Math.abs(truth.corrected - truth.fresh)
    expect(error).toBeLessThan(0.5 * Math.abs(truth.expected - truth.fresh))
  })
})
