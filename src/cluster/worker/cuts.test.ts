import { describe, expect, it } from 'vitest'
import { isCutDue } from './cuts.ts'
import { groupInterval } from './held-shard.ts'

describe('a cut is due', () => {
  const busy = { isOverdue: false, taken: 5, ahead: 10, isIdle: false, isQuiet: false }

  it('when the time has passed, or the worker has taken the pages that may be taken in any order', () => {
    expect(isCutDue(busy)).toBe(false)
    expect(isCutDue({ ...busy, isOverdue: true })).toBe(true)
    expect(isCutDue({ ...busy, taken: 10 })).toBe(true)
  })

  it('at once when a worker has run out of pages, for those that it has taken', () => {
    expect(isCutDue({ ...busy, isIdle: true })).toBe(true)
    expect(isCutDue({ ...busy, isIdle: true, taken: 0 })).toBe(false)
  })

  it('again and again once no shard has pages to fetch', () => {
    expect(isCutDue({ ...busy, isIdle: true, taken: 0, isQuiet: true })).toBe(true)
    expect(isCutDue({ ...busy, taken: 0, isQuiet: true })).toBe(false)
  })
})

describe('the interval between groups', () => {
  it('is below a tick for up to 16 shards, and grows with the shards of a worker beyond', () => {
    for (const shards of [0, 1, 16]) expect(groupInterval(0.5, shards)).toBe(0.25)
    // Ticks are half a second apart: the fourth one is 2 s after the last group.
    expect(groupInterval(0.5, 64)).toBe(1.75)
  })
})
