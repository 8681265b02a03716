/**
 * PageRank: the score of a waiting page is its PageRank in the known graph, recomputed every K pages (S12). A
 * page found since the last recomputation has score 0 until the next.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998.
 */
import type { Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import { KnownPageRank } from './known-pagerank.ts'

export function pageRank(options: RecomputedOptions): Strategy {
  return recomputed('pagerank', options)
}

/**
 * Batch PageRank: at each recomputation the K best waiting pages become the batch, crawled in that order
 * (S13).
 */
export function batchPageRank(options: RecomputedOptions): Strategy {
  const { every: _, ...strategy } = recomputed('batch-pagerank', options)
  return { ...strategy, batchSize: () => options.every }
}

export interface RecomputedOptions {
  readonly damping: number
  readonly every: number
  /** How far a score may be from PageRank (known-pagerank.ts). */
  readonly tolerance?: number | undefined
}

/**
 * The score of a waiting page is that of the last recomputation; 0 if it was found since. As a mass, that is too little: a
 * crawl that prefers refreshing to new pages of mass 0 would never get to the next recomputation. So masses include
 * what links have carried since.
 */
export function recomputed(
  name: string,
  { damping, every, tolerance }: RecomputedOptions,
  ranking = new KnownPageRank(damping, { tolerance }),
): Strategy {
  /** PageRank that links have carried to each page since the last recomputation, if `masses` was called. */
  let carried: GrowingFloat64 | undefined
  const mass = (page: number): number => ranking.score(page) + (carried?.array[page] ?? 0)
  const shareOf = (page: number, linkCount: number): number =>
    carried === undefined || linkCount === 0 ? 0 : (damping * mass(page)) / linkCount
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
      carried?.ensure(page)
      return 0
    },
    visited(page, linkCount) {
      ranking.visited(page)
      return shareOf(page, linkCount)
    },
    linked(page, share) {
      if (carried !== undefined) carried.array[page] += share
      return score(page)
    },
    score,
    masses() {
      carried = new GrowingFloat64()
      return mass
    },
    relinking: (page) => ranking.relinking(page),
    relinked: shareOf,
    rescore() {
      ranking.update()
      carried?.array.fill(0)
      firstNew = known
    },
    transfer(state) {
      state.section(name, 1)
      ranking.transfer(state)
      if (carried !== undefined) state.growing(carried)
      known = state.number(known)
      firstNew = state.number(firstNew)
    },
  }
}

/** Default intervals of strategies that recompute: a fraction of the web, at least one page. */
export const partOf = (pages: number, parts: number): number => Math.max(1, Math.ceil(pages / parts))
