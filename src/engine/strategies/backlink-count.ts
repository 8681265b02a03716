/**
 * Backlink count: a page is worth the number of crawled pages that link to it.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998. One counter per page;
 * constant time per link.
 */
import { earliness, steppedPower, tieBroken } from '../found-order.ts'
import type { Strategy } from '../strategy.ts'
import { FirstMentions } from '../../lib/first-mentions.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'

export function backlinkCount(): Strategy {
  const counts = new GrowingUint32()
  const mentions = new FirstMentions()
  const share = (): number => {
    mentions.next()
    return 1
  }
  return {
    name: 'backlink-count',
    discovered(page) {
      counts.ensure(page)
      return 0
    },
    visited: share,
    linked: (page) => (mentions.isFirst(page) ? ++counts.array[page] : counts.array[page]),
    score: (page) => counts.array[page],
    sharding: {
      amount: (page) => counts.array[page],
      take: (page) => {
        counts.array[page] = 0
      },
      arrived: (page, amount) => (counts.array[page] += amount),
      limit: () => 0,
      key: countKey,
    },
    relinked: share,
    masses: () => (page) => 1 + counts.array[page],
    transfer(state) {
      state.section('backlink-count', 1)
      state.growing(counts)
    },
  }
}

/**
 * Most waiting pages have one to four links, and tie. Shards compare their pages by the quarter of an octave of the key
 * (key-histogram.ts), so that these counts have several octaves each, for the times at which pages were found.
 */
const octavesOf = [0, 16, 8, 4, 4]
const lowest = -55
const rest = lowest + 32

function countKey(_page: number, count: number, seconds: number): number {
  if (count === 0) return 0
  if (count >= octavesOf.length) return 2 ** rest * tieBroken(count / (octavesOf.length - 1), seconds)
  let base = lowest
  for (let fewer = 1; fewer < count; fewer++) base += octavesOf[fewer]
  return steppedPower(base + octavesOf[count] * earliness(seconds))
}
