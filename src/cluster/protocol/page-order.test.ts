import { describe, expect, it } from 'vitest'
import { bucketOf } from '../../engine/key-histogram.ts'
import { outlookOf } from './page-order.ts'
import type { ShardHead } from './shard-group.ts'
import type { Shard } from './shard.ts'

/** A shard that has fetched 6,400 pages, and has 100 pages with the key 2^-10. */
const head = { fetched: 6400, keys: [bucketOf(2 ** -10), 100] } as unknown as ShardHead
const missing = (mass: number, damping = 0): number =>
  outlookOf([head], new Map(), { isPatient: true, coverage: 0.9, damping }, 0.9 - mass).ahead

describe('the number of pages that may be taken in any order', () => {
  it('is a 64th of the fetched pages, or that of the connections of one machine', () => {
    expect(outlookOf([head], new Map(), { isPatient: true }, 0).ahead).toBe(100)
    expect(outlookOf([head], new Map(), { isPatient: true, aheadMin: 200 }, 0).ahead).toBe(200)
    expect(outlookOf([head], new Map(), { isPatient: true, pages: 6410, aheadMin: 200 }, 0).ahead).toBe(10)
  })

  it('is a quarter of the pages that may complete the coverage', () => {
    expect(missing(40 * 2 ** -10)).toBe(10)
    expect(missing(80 * 2 ** -10, 0.5)).toBe(10)
    expect(missing(2 ** -10)).toBe(1)
  })
})

describe('with patience, a worker', () => {
  it('does not wait for a shard whose part of the budget is spent', () => {
    const granted = (pages: number, keys: readonly number[]): ShardHead =>
      ({ fetched: 10, granted: 10 + pages, returned: 0, keys }) as unknown as ShardHead
    const bucket = bucketOf(2 ** -10)
    const own = {
      keys: () => [bucket, 1],
      unspent: 3,
      engine: { pages: { fetchedCount: 10, inFlightCount: 0 } },
    }
    const priceBeside = (pages: number): number =>
      outlookOf(
        [granted(pages, [bucket, 100]), granted(3, [bucket, 1])],
        new Map([[1, own as unknown as Shard]]),
        { isPatient: true, pages: 40 },
        0,
      ).price
    expect(priceBeside(5)).toBe(Infinity)
    expect(priceBeside(0)).toBeLessThan(2 ** -9)
  })
})
