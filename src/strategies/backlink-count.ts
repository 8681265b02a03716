/**
 * Backlink count: a page is worth the number of crawled pages that link to it.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998. One counter per page;
 * constant time per link.
 */
import type { Strategy } from '../engine/strategy.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'

export function backlinkCount(): Strategy {
  const counts = new GrowingUint32()
  return {
    name: 'backlink-count',
    discovered(page) {
      counts.ensure(page)
      return 0
    },
    visited: () => 1,
    linked: (page) => ++counts.array[page],
    score: (page) => counts.array[page],
    sharding: {
      amount: (page) => counts.array[page],
      take: (page) => {
        counts.array[page] = 0
      },
      arrived: (page, amount) => (counts.array[page] += amount),
      limit: () => 0,
    },
    relinked: () => 1,
    masses: () => (page) => 1 + counts.array[page],
    transfer(state) {
      state.section('backlink-count', 1)
      state.growing(counts)
    },
  }
}
