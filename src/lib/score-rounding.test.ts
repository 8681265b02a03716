import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { roundScore } from './score-rounding.ts'

/** S8 word for word, on the 64-bit pattern. */
function roundedByBigInt(score: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, score)
  const pattern = view.getBigUint64(0) + (1n << 21n)
  view.setBigUint64(0, pattern & ~((1n << 22n) - 1n))
  return view.getFloat64(0)
}

describe('a rounded score', () => {
  it('is that of the 64-bit pattern, for every finite number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (score) => {
        expect(roundScore(score)).toBe(roundedByBigInt(score))
      }),
      seeded(20_000),
    )
  })

  it('is the same where the carry goes into the upper word', () => {
    fc.assert(
      fc.property(fc.nat(0x7fef_ffff), fc.integer({ min: -4, max: 4 }), (upper, offset) => {
        const words = new BigUint64Array([(BigInt(upper) << 32n) + 0xffe0_0000n + BigInt(offset)])
        const score = new Float64Array(words.buffer)[0]
        expect(roundScore(score)).toBe(roundedByBigInt(score))
      }),
      seeded(5000),
    )
  })

  it('keeps whole numbers up to 2^31 and the ends of the scale', () => {
    for (const score of [0, -0, 1, 13, 100, 2 ** 31, -7, Infinity, -Infinity])
      expect(roundScore(score)).toBe(score)
    expect(roundScore(NaN)).toBeNaN()
    expect(roundScore(Number.MIN_VALUE)).toBe(0)
  })

  it('ties sums that differ only in the order of their terms', () => {
    expect(0.1 + 0.2 + 0.3).not.toBe(0.3 + 0.2 + 0.1)
    expect(roundScore(0.1 + 0.2 + 0.3)).toBe(roundScore(0.3 + 0.2 + 0.1))
  })

  it('tells scores apart that differ by more than a part in 2^29', () => {
    expect(roundScore(1 + 2 ** -29)).toBeGreaterThan(roundScore(1))
  })

  it('never turns an order round', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        expect(roundScore(Math.min(a, b))).toBeLessThanOrEqual(roundScore(Math.max(a, b)))
      }),
      seeded(5000),
    )
  })
})
