import { describe, expect, it } from 'vitest'
import { agreement, jaccard, minima } from './min-wise.cases.ts'

describe('min-wise sketches', () => {
  // The lecture to IIR 20: s1, s3 and s4 are in d1; s2, s3 and s5 in d2.
  const d1 = [1, 3, 4]
  const d2 = [2, 3, 5]
  const h = (x: number): number => x % 5
  const g = (x: number): number => (2 * x + 1) % 5

  it('of the lecture’s d1 and d2 under h and g are 1, 2 and 0, 0, which agree nowhere', () => {
    expect(minima(d1, [h, g])).toEqual([1, 2])
    expect(minima(d2, [h, g])).toEqual([0, 0])
    expect(agreement(minima(d1, [h, g]), minima(d2, [h, g]))).toBe(0)
  })

  it('go through the lecture’s slots, shingle by shingle', () => {
    const slots = (document: number[]): number[][] =>
      [1, 2, 3, 4, 5].map((last) =>
        minima(
          document.filter((x) => x <= last),
          [h, g],
        ),
      )
    expect(slots(d1)).toEqual([
      [1, 3],
      [1, 3],
      [1, 2],
      [1, 2],
      [1, 2],
    ])
    expect(slots(d2)).toEqual([
      [Infinity, Infinity],
      [2, 0],
      [2, 0],
      [2, 0],
      [0, 0],
    ])
  })

  it('agree, over all permutations, as often as the Jaccard coefficient says', () => {
    const orders = permutations([0, 1, 2, 3, 4])
    const functions = orders.map(
      (order) =>
        (x: number): number =>
          order[x - 1],
    )
    expect(functions).toHaveLength(120)
    expect(jaccard(new Set(d1), new Set(d2))).toBe(1 / 5)
    expect(agreement(minima(d1, functions), minima(d2, functions))).toBeCloseTo(1 / 5, 12)
  })

  it('of empty sets are alike', () => {
    expect(jaccard(new Set(), new Set())).toBe(1)
  })
})

function permutations(values: readonly number[]): number[][] {
  if (values.length === 0) return [[]]
  return values.flatMap((first) =>
    permutations(values.filter((value) => value !== first)).map((rest) => [first, ...rest]),
  )
}
