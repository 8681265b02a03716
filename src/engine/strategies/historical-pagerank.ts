/**
 * Historical PageRank: pages are ordered by their scores in an earlier crawl. The four variants differ in the
 * score of a page that the earlier crawl did not have (S17): its true PageRank (`omniscient`), one of the
 * earlier scores at random (`random`), nothing (`zero`), or its parent's score over the parent's number of
 * links (`parent`).
 *
 * Castillo, "Effective Web Crawling", 2004, section 4.3.2.
 */
import { namesOnly, type Sharding } from '../sharding.ts'
import { noParent, type Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'

export type NewPages = 'omniscient' | 'random' | 'zero' | 'parent'

interface HistoricalOptions {
  readonly newPages: NewPages
  /** The score in the earlier crawl; undefined if that crawl did not have the page. */
  readonly earlier: (page: number) => number | undefined
  /** A random score of the earlier crawl, drawn for this page. */
  readonly drawn: (page: number) => number
  readonly truth: (page: number) => number
}

export function historicalPageRank({ newPages, earlier, drawn, truth }: HistoricalOptions): Strategy {
  const scores = new GrowingFloat64()
  let parentShare = 0
  /** The lowest score above 0 so far. */
  let least = Infinity
  const unknown = (page: number, parent: number): number => {
    if (newPages === 'omniscient') return truth(page)
    if (newPages === 'random') return drawn(page)
    return newPages === 'parent' && parent !== noParent ? parentShare : 0
  }
  const score = (page: number): number => scores.array[page]
  // A page on another shard has its earlier score there. Otherwise the share of its first parent travels to it.
  const sharding: Sharding =
    newPages === 'parent'
      ? {
          amount: score,
          take: (page) => {
            scores.array[page] = 0
          },
          arrived: (page, amount) => (scores.array[page] ||= earlier(page) ?? amount),
          limit: () => 0,
        }
      : namesOnly(score)
  return {
    name: `historical-pagerank-${newPages}`,
    discovered(page, parent) {
      scores.ensure(page)
      const score = earlier(page) ?? unknown(page, parent)
      if (score > 0 && score < least) least = score
      return (scores.array[page] = score)
    },
    visited(page, linkCount) {
      parentShare = linkCount === 0 ? 0 : scores.array[page] / linkCount
      return 0
    },
    linked: (page) => scores.array[page],
    ...(newPages !== 'omniscient' && { sharding }),
    score,
    relinked(page, linkCount) {
      parentShare = linkCount === 0 ? 0 : scores.array[page] / linkCount
      return 0
    },
    // Pages without a score weigh as little as the least important one that has one: a mass of 0 would never be fetched.
    masses: () => (page) => (scores.array[page] > 0 ? scores.array[page] : least === Infinity ? 1 : least),
    // The scores of known pages are stored; those of future pages are read from the options again.
    transfer(state) {
      state.section(`historical-pagerank-${newPages}`, 1)
      state.growing(scores)
      if (!state.isReading) return
      for (const score of scores.array.subarray(0, scores.length))
        if (score > 0 && score < least) least = score
    },
  }
}
