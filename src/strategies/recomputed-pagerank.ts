/**
 * PageRank: a waiting page is worth its PageRank in the known graph, recomputed every K pages (S12); a page found since
 * the last time is worth nothing until the next.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998.
 */
import type { Strategy } from '../engine/strategy.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import { KnownPageRank } from './known-pagerank.ts'

export function pageRank(options: { damping: number; every: number }): Strategy {
  return recomputed('pagerank', options)
}

/** Batch PageRank: at each recomputation the K best waiting pages become the batch, crawled in that order (S13). */
export function batchPageRank(options: { damping: number; every: number }): Strategy {
  const { every: _, ...strategy } = recomputed('batch-pagerank', options)
  return { ...strategy, batchSize: () => options.every }
}

function recomputed(name: string, { damping, every }: { damping: number; every: number }): Strategy {
  const ranking = new KnownPageRank(damping)
  const scores = new GrowingFloat64()
  let known = 0
  return {
    name,
    every,
    start: (services) => ranking.start(services),
    discovered(page) {
      ranking.discovered(page)
      known = page + 1
      scores.ensure(page)
      return 0
    },
    visited(page) {
      ranking.visited(page)
      return 0
    },
    linked: (page) => scores.array[page],
    score: (page) => scores.array[page],
    rescore() {
      ranking.update()
      for (let page = 0; page < known; page++) scores.array[page] = ranking.score(page)
    },
    state: () => [...ranking.state(), scores.array],
  }
}
