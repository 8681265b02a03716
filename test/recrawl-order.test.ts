/** Continuous crawls so small that their order is worked out by hand: one fetch a day. */
import { describe, expect, it } from 'vitest'
import { recrawlOf } from './recrawl-cases.ts'

describe('a continuous crawl by uniform', () => {
  it('takes pages in turn, and finds a change at the next look', () => {
    const pages = [[], [2.5], [3, 5.5]].map((changes, site) => ({ mass: 1, site, changes }))
    const { log } = recrawlOf({ pages, policy: 'uniform', rate: 1, end: 9 })
    expect(log).toEqual([
      [0, 0, 'first'],
      [1, 1, 'first'],
      [2, 2, 'first'],
      [3, 0, 'same'],
      [4, 1, 'changed'],
      [5, 2, 'changed'],
      [6, 0, 'same'],
      [7, 1, 'same'],
      [8, 2, 'changed'],
    ])
  })

  it('takes another site while a site rests', () => {
    const pages = [0, 0, 1].map((site) => ({ mass: 1, site, changes: [] }))
    const { log } = recrawlOf({ pages, policy: 'uniform', rate: 1, end: 6, gap: 2 })
    // Pages 0 and 1 share a site, which rests for two days after each fetch.
    expect(log.map(([day, page]) => [day, page])).toEqual([
      [0, 0],
      [1, 2],
      [2, 1],
      [3, 2],
      [4, 0],
      [5, 2],
    ])
  })

  it('knows a page from its birth, and fetches it before it looks at others again', () => {
    const pages = [0, 0, 1.5].map((born, site) => ({ mass: 1, site, changes: [], born }))
    const { log } = recrawlOf({ pages, policy: 'uniform', rate: 1, end: 5 })
    expect(log).toEqual([
      [0, 0, 'first'],
      [1, 1, 'first'],
      [2, 2, 'first'],
      [3, 0, 'same'],
      [4, 1, 'same'],
    ])
  })
})
