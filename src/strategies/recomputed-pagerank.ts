/**
 * PageRank: the score of a waiting page is its PageRank in the known graph, recomputed every K pages (S12). A
 * page found since the last recomputation has score 0 until the next.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998.
 */
import type { Strategy } from '../engine/strategy.ts'
import { KnownPageRank } from './known-pagerank.ts'

export function pageRank(options: { damping: number; every: number }): Strategy {
  return recomputed('pagerank', new KnownPageRank(options.damping), options.every)
}

/**
 * Batch PageRank: at each recomputation the K best waiting pages become the batch, crawled in that order
 * (S13).
 */
export function batchPageRank(options: { damping: number; every: number }): Strategy {
  const { every: _, ...strategy } = recomputed(
    'batch-pagerank',
    new KnownPageRank(options.damping),
    options.every,
  )
  return { ...strategy, batchSize: () => options.every }
}

/** The score of a waiting page is that of the last recomputation; 0 if it was found since. */
export function recomputed(name: string, ranking: KnownPageRank, every: number): Strategy {
  let known = 0
  /** Pages from here on were found since the last recomputation. */
  let firstNew = 0
  const score = (page: number): number => (page < firstNew ? ranking.score(page) : 0)
  return {
    name,
    every,
    start: (services) => ranking.start(services),
    discovered(page) {
      ranking.discovered(page)
      known = page + 1
      return 0
    },
    visited(page) {
      ranking.visited(page)
      return 0
    },
    linked: score,
    score,
    rescore() {
      ranking.update()
      firstNew = known
    },
    transfer(state) {
      state.section(name, 1)
      ranking.transfer(state)
      known = state.number(known)
      firstNew = state.number(firstNew)
    },
  }
}
