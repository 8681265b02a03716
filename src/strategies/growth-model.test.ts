import { describe, expect, it } from 'vitest'
import { seededRandom } from '../lib/random.ts'
import { restoreState, savedState } from '../lib/state.ts'
import { GrowthModel } from './growth-model.ts'

const pages = Uint32Array.from({ length: 500 }, (_, page) => page)

/** Samples at 10, 30, 60 … crawled pages; pages grow as `growthOf` says, by `measures[1]` and chance. */
function trained(growthOf: (measure: number, chance: number) => number, rounds = 8): GrowthModel {
  const model = new GrowthModel(2)
  const generator = seededRandom(7)
  const random = (): number => generator.fraction()
  const ranks = Float64Array.from(pages, () => random())
  const measures = Float64Array.from(pages, () => random() * 2 - 1)
  let crawled = 10
  for (let round = 0; round < rounds; round++) {
    model.learn(crawled, (page) => ranks[page])
    model.sample(crawled, pages, (page, into) => into.set([ranks[page], measures[page]]))
    for (const page of pages) ranks[page] += growthOf(measures[page], random() * 2 - 1)
    crawled *= 2
  }
  return model
}

describe('the growth model', () => {
  it('forecasts nothing and has no trust before it has learned', () => {
    const model = new GrowthModel(2)
    expect(model.forecast(Float64Array.of(1, 1))).toBe(0)
    expect(model.trust).toBe(0)
  })

  it('learns how growth depends on a measure, and is then trusted', () => {
    const model = trained((measure) => 0.5 * measure)
    const difference = model.forecast(Float64Array.of(0, 1)) - model.forecast(Float64Array.of(0, -1))
    expect(difference).toBeGreaterThan(0.85)
    expect(difference).toBeLessThan(1.05)
    expect(model.trust).toBeGreaterThan(0.8)
  })

  it('is hardly trusted if growth does not depend on the measures', () => {
    const model = trained((_, chance) => 0.5 * chance)
    expect(model.trust).toBeLessThan(0.3)
  })

  it('loses trust when its forecasts turn out wrong', () => {
    let time = 0
    const turning = trained((measure) => (time++ < 6 * pages.length ? 0.5 : -0.5) * measure, 8)
    expect(turning.trust).toBeLessThan(0.5)
  })

  it('has the same weights and samples after its state is restored', () => {
    const model = trained((measure, chance) => 0.3 * measure + 0.2 * chance)
    const copy = new GrowthModel(2)
    restoreState([copy], savedState([model]))
    const logRank = (page: number): number => page / 500
    for (const one of [model, copy]) one.learn(1e6, logRank)
    expect(copy.forecast(Float64Array.of(1, 2))).toBe(model.forecast(Float64Array.of(1, 2)))
    expect(copy.trust).toBe(model.trust)
    expect(copy.isDue(1300)).toBe(model.isDue(1300))
  })
})
