import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { normalQuantile } from './normal-quantile.ts'

describe('the normal quantile', () => {
  // From the inverse error function worked out to 40 digits; the last two from another implementation of
  // Wichura's.
  it.each([
    [0.5, 0],
    [0.75, 0.6744897501960817],
    [0.9, 1.2815515655446004],
    [0.925, 1.439531470938456],
    [0.075, -1.439531470938456],
    [0.975, 1.9599639845400543],
    [0.999, 3.0902323061678136],
    [1e-10, -6.361340902404057],
    [1e-11, -6.706023155495136],
    [1e-12, -7.034483825301132],
    [1e-20, -9.262340089798405],
    [1e-300, -37.0470962993612],
  ])('of %d is %d', (probability, expected) => {
    expect(Math.abs(normalQuantile(probability) - expected)).toBeLessThanOrEqual(2e-15 * Math.abs(expected))
  })

  it('grows with the probability, also where one approximation hands over to the next', () => {
    const probability = fc.double({ min: 1e-300, max: 1 - 2 ** -53, noNaN: true })
    fc.assert(
      fc.property(probability, probability, (a, b) => {
        if (b > a * (1 + 1e-12)) expect(normalQuantile(b)).toBeGreaterThanOrEqual(normalQuantile(a))
      }),
      seeded(2000),
    )
    for (const border of [0.075, 0.925, Math.exp(-25)]) {
      const [below, above] = [normalQuantile(border * (1 - 1e-9)), normalQuantile(border * (1 + 1e-9))]
      expect(above).toBeGreaterThan(below)
      expect(above - below).toBeLessThan(1e-7)
    }
  })

  it('is odd about one half', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (n) => {
        const probability = n / 2 ** 32
        expect(normalQuantile(1 - probability)).toBe(-normalQuantile(probability) || 0)
      }),
      seeded(1000),
    )
  })
})
