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
  const raise = (page: number, likeness: number): number =>
    (best.array[page] = Math.max(best.array[page], likeness))
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
    linked: (page) => raise(page, reading.similarity[link++] ?? 0),
    score: (page) => best.array[page],
    // The best anchor of a page on another shard travels there.
    sharding: {
      amount: (page) => best.array[page],
      take: (page) => {
        best.array[page] = 0
      },
      arrived: raise,
      limit: () => 0,
    },
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
