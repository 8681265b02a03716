import { describe, expect, it } from 'vitest'
import { hashId, unit } from '../../lib/hash.ts'
import { normalQuantile } from '../../lib/normal-quantile.ts'
import { savedState, restoreState } from '../../lib/state.ts'
import { MassPrior } from './mass-prior.ts'

const scale = 15
const time = 10

/** First looks at pages with log-normal masses, whose b is 15·m^slope. Returns ln of the factor by ln m. */
function learned(slope: number, pages: number, prior = new MassPrior()): (logarithm: number) => number {
  for (let page = 0; page < pages; page++) {
    const logarithm = 2 * normalQuantile(unit(hashId(page, 1)))
    const mass = Math.exp(logarithm)
    // Of Gamma(1, b), the probability of no change within t is b/(b + t).
    const b = scale * Math.exp(slope * logarithm)
    const changed = unit(hashId(page, 2)) > b / (b + time)
    prior.fetched(mass)
    prior.looked(mass, 1, scale * prior.factor(mass), time, changed)
  }
  return (at) => Math.log(prior.factor(Math.exp(at)))
}

describe('the prior by mass', () => {
  it.each([-0.5, 0, 0.5])('learns that b is proportional to the power %f of the mass', (slope) => {
    const logarithmOf = learned(slope, 20_000)
    for (const at of [-3, 0, 3]) expect(logarithmOf(at)).toBeCloseTo(slope * at, 0.5)
  })

  it('is the given one before any look, and for pages without mass', () => {
    const prior = new MassPrior()
    expect(prior.factor(3)).toBe(1)
    learned(-0.5, 100, prior)
    expect(prior.factor(0)).toBe(1)
    const before = prior.factor(2)
    prior.looked(0, 1, scale, time, true)
    prior.looked(2, 1, scale, 0, true)
    expect(prior.factor(2)).toBe(before)
  })

  it('of ordinary pages moves less than that of important pages when those change', () => {
    const prior = new MassPrior()
    for (let page = 0; page < 1000; page++) prior.fetched(1)
    for (let page = 0; page < 20; page++) prior.looked(1000, 1, scale * prior.factor(1000), time, true)
    expect(prior.factor(1000)).toBeLessThan(0.2)
    expect(prior.factor(1)).toBeGreaterThan(0.7)
  })

  it('keeps b when the prior doubles, once there are many looks', () => {
    const prior = new MassPrior()
    const logarithmOf = learned(0.5, 20_000, prior)
    const before = logarithmOf(1)
    prior.doubled()
    expect(before - logarithmOf(1)).toBeCloseTo(Math.LN2, 2)
  })

  it('is restored from its state', () => {
    const prior = new MassPrior()
    learned(-0.5, 100, prior)
    const again = new MassPrior()
    restoreState([again], savedState([prior]))
    expect(again.factor(7)).toBe(prior.factor(7))
    const more = [learned(0.5, 50, prior)(2), learned(0.5, 50, again)(2)]
    expect(more[1]).toBe(more[0])
  })
})
