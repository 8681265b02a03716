/**
 * Best-first search: a waiting page is worth the relevance of the most relevant page that links to it. It needs no words of links, so it
 * also follows the scores of a user's scorer without a topic.
 *
 * Menczer, Pant and Srinivasan, "Topical Web Crawlers: Evaluating Adaptive Algorithms", 2004 ("naive best-first").
 */
import type { Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'

export function bestFirst(): Strategy {
  const best = new GrowingFloat64()
  const raise = (page: number, relevance: number): number =>
    (best.array[page] = Math.max(best.array[page], relevance))
  let relevance = 0
  return {
    name: 'best-first',
    discovered(page) {
      best.ensure(page)
      return 0
    },
    read(_page, read) {
      ;({ relevance } = read)
    },
    visited: () => 1,
    linked: (page) => raise(page, relevance),
    score: (page) => best.array[page],
    // The best score of a page on another shard travels there.
    sharding: {
      amount: (page) => best.array[page],
      take: (page) => {
        best.array[page] = 0
      },
      arrived: raise,
      limit: () => 0,
    },
    // Words of refetched pages are not known.
    relinked: () => 0,
    transfer(state) {
      state.section('best-first', 1)
      state.growing(best)
    },
  }
}
