/**
 * Fractional PageRank: the score of a waiting page is the fraction of its PageRank that has reached it along
 * crawled paths. Like RankMass, but a page passes mass on only once, when it is downloaded; mass that reaches
 * it later stays there. So no link is ever read twice, at the price of a weaker guarantee.
 *
 * Alam, Ha and Lee, "Novel Approaches to Crawling Important Pages Early", 2012 (the basic crawler, without
 * titles and hosts; mass of pages without links returns to the trusted pages as in RankMass).
 */
import type { Strategy } from '../strategy.ts'
import { Mass, type MassOptions } from './mass.ts'

export function fractionalPageRank(options: MassOptions): Strategy {
  const mass = new Mass(options)
  const receive = (page: number, share: number): number => {
    // Mass that reaches a crawled page goes no further and is certainly part of its RankMass.
    if (mass.services.isCrawled(page)) mass.keep(page, share)
    else mass.rest(page, share)
    return mass.resting.array[page]
  }
  return {
    name: 'fractional-pagerank',
    start: (services) => mass.start(services),
    discovered: (page) => mass.discovered(page),
    seeded: (seeds) => mass.seeded(seeds),
    visited(page, linkCount) {
      const passed = mass.lift(page)
      if (linkCount === 0) {
        mass.returnToSeeds(passed, (seed, share) => {
          receive(seed, share)
          mass.services.rescored(seed)
        })
      }
      return linkCount === 0 ? 0 : passed / linkCount
    },
    linked: receive,
    score: (page) => mass.resting.array[page],
    masses: () => mass.masses(),
    relinked: (...links) => mass.relinked(...links),
    failed: (page) => mass.failed(page),
    coverage: () => mass.coverage(mass.certain),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('fractional-pagerank', 1)
      mass.transfer(state)
    },
  }
}
