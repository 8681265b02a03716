import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { divisionOf, excessOf, grantsOf } from './page-grants.ts'
import type { ShardHead } from './shard-group.ts'

const head = (parts: Partial<ShardHead>): ShardHead =>
  ({ fetched: 0, inFlight: 0, returned: 0, keys: [], ...parts }) as unknown as ShardHead

describe('grants', () => {
  it('never exceed the free pages, and are whole', () => {
    const random = seededRandom(Number(process.env.SEED ?? 1))
    for (let i = 0; i < 2000; i++) {
      const budget = random.below(1000)
      const granted = Array.from({ length: 1 + random.below(6) }, () => random.below(50))
      const heads = granted.map((pages) => {
        const returned = random.below(1 + pages)
        return head({
          returned,
          fetched: random.below(1 + pages - returned),
          keys: [random.below(256), random.below(100)],
        })
      })
      const division = divisionOf(budget, granted, heads)
      const grants = grantsOf(division)
      const sum = grants.reduce((total, [, pages]) => total + pages, 0)
      expect(sum).toBeLessThanOrEqual(Math.max(0, division.free))
      expect(grants.every(([, pages]) => Number.isInteger(pages) && pages > 0)).toBe(true)
    }
  })

  it('go to the shards with the best pages', () => {
    const heads = [head({ keys: [100, 50] }), head({ keys: [200, 3] }), head({ keys: [150, 2] })]
    expect(grantsOf(divisionOf(5, [0, 0, 0], heads))).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  it('are given back where another shard has better pages and none are free', () => {
    const heads = [head({ keys: [100, 50] }), head({ keys: [200, 3] })]
    const division = divisionOf(8, [8, 0], heads)
    expect(division).toMatchObject({ free: 0, left: 8, needed: [5, 3] })
    expect(excessOf(division, 0)).toBe(2)
    expect(excessOf(division, 1)).toBe(0)
    expect(excessOf(divisionOf(9, [8, 0], heads), 0)).toBe(0)
  })

  it('are given back by a shard that has only pages of unreachable sites', () => {
    const heads = [head({ keys: [200, 50], isIdle: true }), head({ keys: [100, 3] })]
    const division = divisionOf(8, [8, 0], heads)
    expect(division.needed[0]).toBe(0)
    expect(excessOf(division, 0)).toBe(4)
  })
})
