/**
 * Depth-first: the page found last is crawled first, as in the simple crawler of "Introduction to Information
 * Retrieval", chapter 20. The first link to a page decides its position; later links change nothing.
 */
import { namesOnly } from '../sharding.ts'
import type { Strategy } from '../strategy.ts'

export function depthFirst(): Strategy {
  return {
    name: 'depth-first',
    discovered: (page) => page,
    visited: () => 0,
    linked: () => 0,
    score: (page) => page,
    // The page number counts in the last bits: of the pages found at once, the last one is best.
    sharding: namesOnly(
      (page) => page,
      (page, _score, seconds) => 2 ** -30 * (1 + seconds) * (1 + page * 2 ** -52),
    ),
    shown: () => 0,
    transfer: (state) => state.section('depth-first', 1),
  }
}
