import { describe, expect, it } from 'vitest'
import { bucketCount, bucketOf } from '../../engine/key-histogram.ts'
import { TwoLevelFrontier } from '../../engine/frontiers/two-level.ts'
import { haveChanged, usedBuckets } from '../protocol/merged-keys.ts'
import { soonOffers, soonSeconds } from './soon-offers.ts'

/** Pages by site, each a key; `rests` are the times at which sites are free. */
function offersOf(
  sites: readonly (readonly number[])[],
  rests: readonly number[],
  gapSeconds: number,
): [key: number, pages: number][] {
  const frontier = new TwoLevelFrontier()
  const keyCounts = new Uint32Array(bucketCount)
  let page = 0
  for (const [site, keys] of sites.entries()) {
    for (const key of keys) {
      frontier.add(page++, site, key)
      keyCounts[bucketOf(key)]++
    }
  }
  for (const [site, freeAt] of rests.entries()) {
    if (freeAt === 0) continue
    frontier.occupy(site, 0)
    frontier.release(site, freeAt)
  }
  const exchange = { keyCounts } as Parameters<typeof soonOffers>[0]['exchange']
  const keys = soonOffers({ frontier, exchange }, { gapSeconds, now: () => 100 })!()
  const found: [number, number][] = []
  for (let i = 0; i < keys.length; i += 2) found.push([keys[i], keys[i + 1]])
  return found
}

const bucket = (key: number): number => bucketOf(key)

describe('the pages of a shard that others wait for', () => {
  it('are not those of a site that rests for long or is unreachable, with and without a gap', () => {
    const sites = [
      [1, 0.5, 0.5],
      [0.25, 0.125],
    ]
    const isDown = [100 + soonSeconds + 1, 0]
    expect(offersOf(sites, isDown, 0)).toEqual([
      [bucket(0.125), 1],
      [bucket(0.25), 1],
    ])
    expect(offersOf(sites, isDown, 1)).toEqual([[bucket(0.25), 2]])
    expect(offersOf(sites, [100 + soonSeconds - 1, 0], 0)).toHaveLength(4)
  })

  it('are no more pages of a site than its gap allows', () => {
    const pages = Array.from({ length: 1000 }, () => 1)
    expect(offersOf([pages], [0], 1)).toEqual([[bucket(1), 1 + soonSeconds]])
    expect(offersOf([pages], [0], 60)).toEqual([[bucket(1), 1]])
    expect(offersOf([pages], [100 + soonSeconds - 2], 1)).toEqual([[bucket(1), 3]])
    expect(offersOf([pages], [0], 0)).toEqual([[bucket(1), 1000]])
  })

  it('are stored again when a site can be requested again, and not for every page', () => {
    const keysOf = (pages: number, key = 1): number[] => {
      const counts = new Uint32Array(bucketCount)
      counts[bucketOf(key)] = pages
      return usedBuckets(counts)
    }
    expect(haveChanged([], keysOf(1))).toBe(true)
    expect(haveChanged(keysOf(1), [])).toBe(true)
    expect(haveChanged(keysOf(5, 0.5), keysOf(5))).toBe(true)
    expect(haveChanged(keysOf(10), keysOf(20))).toBe(true)
    expect(haveChanged(keysOf(10), keysOf(11))).toBe(false)
    expect(haveChanged([], [])).toBe(false)
  })
})
