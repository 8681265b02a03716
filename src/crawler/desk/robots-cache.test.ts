import { describe, expect, it } from 'vitest'
import { RobotsCache, type RobotsRecord } from './robots-cache.ts'

function cacheOf(
  shelf = new Map<string, RobotsRecord>(),
  freshSince?: number,
): {
  cache: RobotsCache
  shelf: Map<string, RobotsRecord>
} {
  const cache = new RobotsCache(
    'Rankward/1',
    {
      readRobots: (origin) => shelf.get(origin),
      writeRobots: (origin, record) => void shelf.set(origin, record),
    },
    freshSince,
  )
  return { cache, shelf }
}

const origin = 'https://example.org'
const text = 'User-agent: *\nDisallow: /a\n'
const day = 24 * 3600

describe('a robots.txt', () => {
  it('counts for a day, and is then asked for again', () => {
    const { cache } = cacheOf()
    expect(cache.rules(origin, 1000)).toBeUndefined()
    cache.put(origin, { at: 1000, status: 200, text })
    expect(cache.rules(origin, 1000 + day - 1)?.allows('/a')).toBe(false)
    expect(cache.rules(origin, 1000 + day - 1)?.allows('/b')).toBe(true)
    expect(cache.rules(origin, 1000 + day)).toBeUndefined()
  })

  it('is read back from the crawl after a resume', () => {
    const { cache, shelf } = cacheOf()
    cache.put(origin, { at: 1000, status: 200, text })
    const resumed = cacheOf(shelf).cache
    expect(resumed.rules(origin, 2000)?.allows('/a')).toBe(false)
    expect(resumed.rules(origin, 1000 + day)).toBeUndefined()
  })

  it('allows everything where there is none, and nothing where it is out of reach', () => {
    const { cache } = cacheOf()
    expect(cache.put(origin, { at: 0, status: 404, text }).allows('/a')).toBe(true)
    expect(cache.put(origin, { at: 0, status: 500, text }).allows('/b')).toBe(false)
    expect(cache.put(origin, { at: 0, status: undefined, text: '' }).allows('/b')).toBe(false)
  })

  it('of unknown age, since the clock was set back, is requested again', () => {
    const { cache, shelf } = cacheOf()
    cache.put(origin, { at: 1000, status: 200, text })
    const resumed = cacheOf(shelf, 1001).cache
    expect(resumed.rules(origin, 1001)).toBeUndefined()
    resumed.put(origin, { at: 1002, status: 200, text })
    expect(resumed.rules(origin, 1003)?.allows('/a')).toBe(false)
  })

  it('that was out of reach is requested again after ten minutes', () => {
    const { cache } = cacheOf()
    cache.put(origin, { at: 0, status: 503, text: '' })
    expect(cache.rules(origin, 599)?.allows('/')).toBe(false)
    expect(cache.rules(origin, 600)).toBeUndefined()
  })
})
