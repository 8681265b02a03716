import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { checkpoints, pagesAtPercent } from './percent.ts'

describe('p% of a web', () => {
  it('is the product rounded up in whole numbers, at least one page', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 0xffff_ffff }),
        (percent, pages) => {
          const exact = Number((BigInt(percent) * BigInt(pages) + 99n) / 100n)
          expect(pagesAtPercent(percent, pages)).toBe(exact)
        },
      ),
      seeded(5000),
    )
  })

  it('gives the checkpoints of the worked case', () => {
    expect([10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((p) => pagesAtPercent(p, 7))).toEqual([
      1, 2, 3, 3, 4, 5, 5, 6, 7, 7,
    ])
    expect(pagesAtPercent(28, 7)).toBe(2)
  })

  it('is never more than the web, and nothing of nothing', () => {
    expect(new Set(checkpoints(1))).toEqual(new Set([1]))
    expect(new Set(checkpoints(0))).toEqual(new Set([0]))
    expect(checkpoints(100)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
  })
})
