import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { learningRate, noneStart, SignalWorth, type SignalledPage } from './signal-worth.ts'
import { gammaSurvival } from './value.ts'

const page = (signals: number, { a = 1, b = 10, time = 2 } = {}): SignalledPage => ({
  a,
  b,
  time,
  signals,
  horizon: 30,
})

/** The weight of a signal after looks at pages with one signal, of which this share found a change. */
function keptAfter(looks: number, changedEvery: number): number {
  const worth = new SignalWorth()
  for (let look = 0; look < looks; look++) worth.looked(page(1), look % changedEvery === 0, 0.9)
  return worth.kept(page(1))
}

describe('what signals are worth', () => {
  it('is half of what experts say before any look, and nothing without a signal', () => {
    const worth = new SignalWorth()
    expect(worth.kept(page(0))).toBe(1)
    const experts = [
      ...[0.03, 0.1, 0.3, 1, 3].map((odds) => Math.exp(-2 * odds)),
      // Gamma(1, 10) after 2 and 2 + 30φ·2 more: 12/(12 + 60φ).
      ...[1 / 64, 1 / 16, 1 / 4, 1, 4].map((time) => 12 / (12 + 60 * time)),
    ]
    const mean = experts.reduce((sum, kept) => sum + kept, 0) / experts.length
    expect(worth.kept(page(2))).toBeCloseTo(0.5 + 0.5 * mean, 12)
  })

  it('vanishes if signals go with no more changes than expected, and grows if they go with all', () => {
    expect(keptAfter(2000, 10)).toBeGreaterThan(0.97)
    const worth = new SignalWorth()
    // A look with a signal finds a change, a look without one does not.
    for (let look = 0; look < 200; look++) worth.looked(page(look % 2), look % 2 === 1, 0.9)
    expect(worth.kept(page(1))).toBeLessThan(0.1)
  })

  it('grows less if pages without signals change more than expected, too', () => {
    const worth = (isForAll: boolean): number => {
      const worths = new SignalWorth()
      for (let look = 0; look < 400; look++) {
        const hasSignal = look % 2 === 1
        worths.looked(
          page(Number(hasSignal)),
          look % 10 < 2 || ((hasSignal || isForAll) && look % 10 < 4),
          0.9,
        )
      }
      return 1 - worths.kept(page(1))
    }
    expect(worth(true)).toBeLessThan(0.7 * worth(false))
  })

  it('loses at most 4·ln 2 against predictions without signals, whatever happens', () => {
    const look = fc.record({
      signals: fc.nat(5),
      a: fc.double({ min: 0.1, max: 32, noNaN: true }),
      b: fc.double({ min: 0.1, max: 1000, noNaN: true }),
      time: fc.double({ min: 0.01, max: 100, noNaN: true }),
      changed: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(look, { maxLength: 300 }), fc.nat(20), (looks, repeats) => {
        const worth = new SignalWorth()
        let lost = 0
        for (let round = 0; round <= repeats; round++) {
          for (const { signals, changed, ...rate } of looks) {
            const each = page(signals, rate)
            const survival = gammaSurvival(each.a, each.b, each.time)
            const without = worth.presentSurvival(survival)
            const mixed = without * worth.kept(each)
            const loss = (unchanged: number): number => -Math.log(changed ? 1 - unchanged : unchanged)
            lost += loss(mixed) - loss(without)
            expect(lost).toBeLessThanOrEqual(-Math.log(noneStart) / learningRate + 1e-6)
            worth.looked(each, changed, survival)
          }
        }
      }),
      seeded(100),
    )
  })
})
