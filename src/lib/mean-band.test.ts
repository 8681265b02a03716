import { describe, expect, it } from 'vitest'
import { meanBand } from './mean-band.ts'
import { seededRandom } from './random.ts'

describe('the mean with a 95% band', () => {
  it('is that of the textbook', () => {
    // 4.5 ± t(7) · s / √8 with t = 2.3646 and s = 2.4495
    const { mean, low, high } = meanBand([1, 2, 3, 4, 5, 6, 7, 8])
    expect(mean).toBe(4.5)
    expect(low).toBeCloseTo(2.4522, 4)
    expect(high).toBeCloseTo(6.5478, 4)
    expect(meanBand([3])).toEqual({ mean: 3, low: 3, high: 3 })
    expect(meanBand([2, 2, 2])).toEqual({ mean: 2, low: 2, high: 2 })
  })

  it('contains the true mean in 95% of the cases', () => {
    for (const count of [2, 5, 40]) {
      const random = seededRandom(7)
      let hits = 0
      for (let i = 0; i < 4000; i++) {
        const normal = (): number =>
          Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
        const { low, high } = meanBand(Array.from({ length: count }, normal))
        if (low <= 0 && high >= 0) hits++
      }
      expect(hits / 4000).toBeGreaterThan(0.94)
      expect(hits / 4000).toBeLessThan(0.96)
    }
  })
})
