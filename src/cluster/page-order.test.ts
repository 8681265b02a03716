import { describe, expect, it } from 'vitest'
import { bucketOf } from '../engine/key-histogram.ts'
import { outlookOf } from './page-order.ts'
import type { ShardHead } from './shard-group.ts'

/** A shard that has fetched 6,400 pages, and has 100 pages with the key 2^-10. */
const head = { fetched: 6400, keys: [bucketOf(2 ** -10), 100] } as unknown as ShardHead
const missing = (mass: number, damping = 0): number =>
  outlookOf([head], new Map(), { order: 'strict', coverage: 0.9, damping }, 0.9 - mass).ahead

describe('the number of pages that may be taken in any order', () => {
  it('is a 64th of the fetched pages, or that of the connections of one machine', () => {
    expect(outlookOf([head], new Map(), { order: 'strict' }, 0).ahead).toBe(100)
    expect(outlookOf([head], new Map(), { order: 'strict', aheadMin: 200 }, 0).ahead).toBe(200)
    expect(outlookOf([head], new Map(), { order: 'strict', pages: 6410, aheadMin: 200 }, 0).ahead).toBe(10)
  })

  it('is a quarter of the pages that may complete the coverage', () => {
    expect(missing(40 * 2 ** -10)).toBe(10)
    expect(missing(80 * 2 ** -10, 0.5)).toBe(10)
    expect(missing(2 ** -10)).toBe(1)
  })
})
