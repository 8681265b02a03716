/**
 * Partial PageRank: like PageRank, but a page found since the last recomputation has a score at once: the
 * sum, over its parents crawled since then, of the parent's score when it was crawled divided by its number
 * of links (S14).
 *
 * Castillo, "Effective Web Crawling", 2004, section 4.3.1.
 */
import type { Strategy } from '../engine/strategy.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import { KnownPageRank } from './known-pagerank.ts'

export function partialPageRank(options: { damping: number; every: number }): Strategy {
  const ranking = new KnownPageRank(options.damping)
  const scores = new GrowingFloat64()
  let known = 0
  /** Pages from here on were found since the last recomputation. */
  let firstNew = 0
  return {
    name: 'partial-pagerank',
    every: options.every,
    start: (services) => ranking.start(services),
    discovered(page) {
      ranking.discovered(page)
      known = page + 1
      scores.ensure(page)
      return 0
    },
    visited(page, linkCount) {
      ranking.visited(page)
      return linkCount === 0 ? 0 : scores.array[page] / linkCount
    },
    linked: (page, share) => (page >= firstNew ? (scores.array[page] += share) : scores.array[page]),
    score: (page) => scores.array[page],
    // A page found since the last recomputation has at least what its parents pass on.
    masses: () => (page) => Math.max(scores.array[page], ranking.score(page)),
    relinking: (page) => ranking.relinking(page),
    relinked: (page, linkCount) => (linkCount === 0 ? 0 : scores.array[page] / linkCount),
    rescore() {
      ranking.update()
      for (let page = 0; page < known; page++) scores.array[page] = ranking.score(page)
      firstNew = known
    },
    transfer(state) {
      state.section('partial-pagerank', 1)
      ranking.transfer(state)
      state.growing(scores)
      known = state.number(known)
      firstNew = state.number(firstNew)
    },
  }
}
