import { describe, expect, it } from 'vitest'
import { bucketOf } from '../../engine/key-histogram.ts'
import { ControlState, type ControlMessage } from './control.ts'
import { excessOf, grantsOf } from './page-grants.ts'
import { perDayOf, rateDivisionOf, rateShares } from './rate-shares.ts'
import type { ShardHead } from './shard-group.ts'

const perDay = 864_000
const all = rateShares(4)

function head(worker: string, part: Partial<ShardHead>): ShardHead {
  return {
    writer: `${worker}.1`,
    known: 100,
    waiting: 0,
    looks: 5,
    due: [],
    sharesReturned: 0,
    ...part,
  } as ShardHead
}

/** Pages of this value. */
const worth = (value: number, pages: number): number[] => [bucketOf(value), pages]

describe('the rate of a crawl on several shards', () => {
  it('is granted to the shards that have the most valuable pages, in proportion', () => {
    const heads = [
      head('a', { due: worth(8, 60) }),
      head('a', { due: worth(8, 20) }),
      head('b', { due: worth(1, 500) }),
      undefined,
    ]
    // 200 pages count: 80 of the better ones, and 120 of the others.
    const { needed, free, price } = rateDivisionOf(heads, { granted: [0, 0, 0, 0], perDay, secondsSince: 0 })
    expect(free).toBe(all)
    expect(needed).toEqual(
      [all * 0.3, all * 0.1, all * 0.6, 0].map((share, i) => expect.closeTo(share, i === 3 ? 5 : -0.5)),
    )
    expect(needed.reduce((sum, shares) => sum + shares)).toBe(all)
    expect(price).toBe(1)
  })

  it('never grants more shares than there are, however old the heads are', () => {
    const granted = new Float64Array(4)
    const returned = new Float64Array(4)
    for (let round = 0; round < 200; round++) {
      const heads = Array.from({ length: 4 }, (_, shard) =>
        // Some heads are older than what the shard has given back since.
        head(`w${shard % 2}`, {
          due: worth(2 ** ((round + shard) % 3), 10 + ((round * 7 + shard * 13) % 40)),
          sharesReturned: round % 3 === 0 ? Math.floor(returned[shard] / 2) : returned[shard],
        }),
      )
      const division = rateDivisionOf(heads, { granted, perDay, secondsSince: 1000 })
      for (const [shard, shares] of grantsOf(division)) granted[shard] += shares
      if (division.mayMove)
        for (let shard = 0; shard < 4; shard++)
          returned[shard] += Math.min(excessOf(division, shard), granted[shard] - returned[shard])
      const used = granted.reduce((sum, shares, shard) => sum + shares - returned[shard], 0)
      expect(used).toBeLessThanOrEqual(all)
    }
    expect(returned.every((shares) => shares > 0)).toBe(true)
  })

  it('moves between workers if much is with the wrong one, not at once if little is, and not within a worker', () => {
    const moment = (granted: number[], secondsSince: number) => ({ granted, perDay, secondsSince })
    const even = [head('a', { due: worth(1, 50) }), head('b', { due: worth(1, 50) })]
    expect(rateDivisionOf(even, moment([900, 124], 0)).mayMove).toBe(true)
    expect(rateDivisionOf(even, moment([612, 412], 0)).mayMove).toBe(false)
    expect(rateDivisionOf(even, moment([612, 412], 60)).mayMove).toBe(true)
    expect(rateDivisionOf(even, moment([530, 494], 60)).mayMove).toBe(false)
    const one = [head('a', { due: worth(1, 50) }), head('a', { due: worth(1, 50) })]
    expect(rateDivisionOf(one, moment([900, 124], 60)).mayMove).toBe(false)
  })

  it('follows from the known pages unless the user sets it', () => {
    const heads = [head('a', { known: 2000, waiting: 3 }), head('b', { known: 1000 }), undefined]
    expect(perDayOf(heads, 500, true)).toBe(500)
    expect(perDayOf(heads, undefined, true)).toBe(100 + 3 * 24 * 60)
    expect(perDayOf(heads, undefined, false)).toBe(100)
    expect(perDayOf([undefined], undefined, true)).toBe(86_400)
  })

  it('is part of the control log, which refuses shards that do not exist', () => {
    const settings = { kind: 'settings', shards: 2 } as ControlMessage
    const state = new ControlState('news', 1, settings)
    state.apply(
      2,
      {
        kind: 'rate',
        shares: [
          [0, 600],
          [1, 24],
        ],
        returned: [0, 0],
      },
      5000,
    )
    state.apply(3, { kind: 'rate', shares: [[1, 300]], returned: [300, 0] }, 9000)
    expect([...state.shares, ...state.sharesReturned, state.sharesMs]).toEqual([600, 324, 300, 0, 9000])
    expect(() => state.apply(4, { kind: 'rate', shares: [[2, 1]], returned: [] })).toThrow(/does not exist/)
  })
})
