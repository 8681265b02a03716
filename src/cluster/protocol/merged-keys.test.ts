import { describe, expect, it } from 'vitest'
import { bucketFloor, bucketOf, KeyHistogram } from '../../engine/key-histogram.ts'
import { seededRandom } from '../../lib/random.ts'
import { MergedKeys, usedBuckets } from './merged-keys.ts'

const random = seededRandom(Number(process.env.SEED ?? 1))

describe('a histogram of keys', () => {
  it('has every key in the bucket whose floor is the largest not above it', () => {
    for (let i = 0; i < 5000; i++) {
      const key = 2 ** (random.fraction() * 64 - 55)
      const bucket = bucketOf(key)
      expect(bucketFloor(bucket)).toBeLessThanOrEqual(key)
      if (bucket < 255) expect(bucketFloor(bucket + 1)).toBeGreaterThan(key)
    }
    expect([0, -1, Number.NaN, 2 ** -60].map(bucketOf)).toEqual([0, 0, 0, 0])
    expect(bucketOf(2 ** 40)).toBe(255)
  })

  it('counts the pages that are in it', () => {
    const histogram = new KeyHistogram()
    histogram.add(0, 0.5)
    histogram.add(1, 0.5)
    histogram.update(0, 0.25)
    histogram.remove(1)
    expect(usedBuckets(histogram.counts)).toEqual([bucketOf(0.25), 1])
  })
})

describe('the keys of all shards', () => {
  const pages = Array.from({ length: 300 }, () => 2 ** (-20 * random.fraction()))
  const parts = [0, 1, 2].map((part) => {
    const histogram = new KeyHistogram()
    pages.forEach((key, page) => page % 3 === part && histogram.add(page, key))
    return usedBuckets(histogram.counts)
  })
  const merged = new MergedKeys()
  for (const keys of parts) merged.add(keys)
  const sorted = pages.toSorted((a, b) => b - a)

  it('have a price that the best n pages pay, and at most a bucket of others', () => {
    for (const n of [1, 10, 100, 299]) {
      const price = merged.priceAt(n)
      expect(sorted[n - 1]).toBeGreaterThanOrEqual(price)
      expect(price).toBe(bucketFloor(bucketOf(sorted[n - 1])))
    }
    expect(merged.priceAt(301)).toBe(-Infinity)
  })

  it('are divided into whole pages, at most n together', () => {
    for (const n of [0, 1, 7, 150, 300, 1000]) {
      const divided = merged.divided(parts, n)
      expect(divided.reduce((sum, count) => sum + count, 0)).toBe(Math.min(n, 300))
    }
  })

  it('tell how many pages have a mass together, not more than are needed', () => {
    const sum = sorted.slice(0, 20).reduce((total, key) => total + key, 0)
    const needed = merged.pagesFor(sum)
    expect(needed).toBeGreaterThanOrEqual(20)
    expect(needed).toBeLessThan(40)
    expect(merged.pagesFor(1e9)).toBe(Infinity)
  })
})
