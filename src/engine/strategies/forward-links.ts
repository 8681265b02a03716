/**
 * Forward links: a page that links to many pages has a high score, IF(p). Before the download, the expected
 * number of links is the average over the crawled pages that link to it.
 *
 * Cho, Garcia-Molina and Page, 1998, section 2 (the metric; the predictor is our interpretation). Two numbers
 * per page.
 */
import type { Strategy } from '../strategy.ts'
import { FirstMentions } from '../../lib/first-mentions.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'

export function forwardLinks(): Strategy {
  const sums = new GrowingFloat64()
  const parents = new GrowingUint32()
  const mentions = new FirstMentions()
  const share = (_page: number, linkCount: number): number => {
    mentions.next()
    return linkCount
  }
  const score = (page: number): number =>
    parents.array[page] === 0 ? 0 : sums.array[page] / parents.array[page]
  return {
    name: 'forward-links',
    discovered(page) {
      sums.ensure(page)
      parents.ensure(page)
      return 0
    },
    visited: share,
    linked(page, links) {
      if (mentions.isFirst(page)) {
        sums.array[page] += links
        parents.array[page]++
      }
      return score(page)
    },
    score,
    masses: () => (page) => 1 + score(page),
    relinked: share,
    transfer(state) {
      state.section('forward-links', 1)
      state.growing(sums)
      state.growing(parents)
    },
  }
}
