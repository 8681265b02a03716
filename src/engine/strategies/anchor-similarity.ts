/**
 * Orders pages by the similarity of anchors to the topic, IS(A, Q): the score of a waiting page is the
 * maximum over the links to it seen so far.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, section 4: the anchor
 * describes the page that it links to.
 */
import { emptyReading, type Reading } from '../reading.ts'
import type { Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'

export function anchorSimilarity(): Strategy {
  const best = new GrowingFloat64()
  let reading: Reading = emptyReading
  let link = 0
  return {
    name: 'anchor-similarity',
    discovered(page) {
      best.ensure(page)
      return 0
    },
    read(_page, read) {
      reading = read
      link = 0
    },
    visited: () => 1,
    linked(page) {
      const likeness = reading.similarity[link++] ?? 0
      if (likeness > best.array[page]) best.array[page] = likeness
      return best.array[page]
    },
    score: (page) => best.array[page],
    // Words of refetched pages are not known.
    relinked() {
      reading = emptyReading
      return 0
    },
    transfer(state) {
      state.section('anchor-similarity', 1)
      state.growing(best)
    },
  }
}
