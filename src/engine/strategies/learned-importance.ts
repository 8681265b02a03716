/**
 * Learned importance: the score of a waiting page is an estimate of the PageRank that it will have once more
 * of the web is known. PageRank of the known graph, always up to date with the links of the pages just crawled, is
 * multiplied by a factor for what the known graph does not show yet (rank-correction.ts).
 *
 * Our own. One update for every 4% of growth of the crawl; without `every`, nothing depends on the size of
 * the web.
 */
import type { Strategy, StrategyServices } from '../strategy.ts'
import { KnownPageRank } from './known-pagerank.ts'
import { RankCorrection } from './rank-correction.ts'

const updateGrowth = 0.04
/** PageRank that a page may leave unpassed at an update; each page owns 1. */
const restMaxDefault = 0.005

interface LearnedImportanceOptions {
  readonly damping: number
  /** Default: at every 4% of growth. */
  readonly every?: number | undefined
  readonly restMax?: number | undefined
}

export function learnedImportance(options: LearnedImportanceOptions): Strategy {
  const { damping, every, restMax = restMaxDefault } = options
  const rank = new KnownPageRank(damping, { restMax })
  const correction = new RankCorrection()
  let services: StrategyServices | undefined

  const score = (page: number): number => rank.unscaled(page) * correction.factor(page)

  return {
    name: 'learned-importance',
    get every() {
      return every ?? Math.max(1, Math.floor((services?.crawledCount() ?? 0) * updateGrowth))
    },
    start(given) {
      services = given
      rank.start(given)
      correction.start(given)
    },
    discovered(page) {
      rank.discovered(page)
      correction.discovered(page)
      return score(page)
    },
    visited(page, linkCount) {
      rank.visited(page)
      correction.visited(page, linkCount)
      return rank.passOn(page, linkCount)
    },
    linked(page, share) {
      rank.receive(page, share)
      if (services!.isCrawled(page)) return 0
      correction.linked(page)
      return score(page)
    },
    score,
    masses: () => (page) => rank.unscaled(page),
    relinking: (page) => rank.relinking(page),
    rescore() {
      rank.update()
      correction.update()
    },
    transfer(state) {
      state.section('learned-importance', 3)
      rank.transfer(state)
      correction.transfer(state)
    },
  }
}
