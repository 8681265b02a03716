import { describe, expect, it } from 'vitest'
import { hasLimits, reachedLimit, roomOf, spentOf } from './spent.ts'

describe('what a crawl has spent', () => {
  it('is the sum over its shards; those without a group or counts have spent nothing', () => {
    const counts = [{ bytes: 10, failed: 1, temporary: 2, pages: 5 }, undefined, {}, { bytes: 5, failed: 4 }]
    expect(spentOf(counts)).toEqual({ bytes: 15, failures: 7 })
  })

  it('reaches a limit at its value', () => {
    const spent = { bytes: 15, failures: 7 }
    expect(reachedLimit(spent, {})).toBeUndefined()
    expect(reachedLimit(spent, { bytes: 16, failures: 8 })).toBeUndefined()
    expect(reachedLimit(spent, { bytes: 15 })).toBe('bytes')
    expect(reachedLimit(spent, { bytes: 16, failures: 7 })).toBe('failures')
    expect([{}, { bytes: 1 }, { failures: 0 }].map(hasLimits)).toEqual([false, true, true])
  })

  it('leaves each worker its part of the rest', () => {
    const spent = { bytes: 40, failures: 7 }
    expect(roomOf(spent, { bytes: 100 }, 3)).toEqual({ bytes: 20, failures: Infinity })
    expect(roomOf(spent, { bytes: 30, failures: 9 }, 2)).toEqual({ bytes: 0, failures: 1 })
  })
})
