/**
 * Fractional PageRank: the score of a waiting page is the fraction of its PageRank that has reached it along
 * crawled paths. Like RankMass, but a page passes mass on only once, when it is downloaded; mass that reaches
 * it later stays there. So no link is ever read twice, at the price of a weaker guarantee.
 *
 * Alam, Ha and Lee, "Novel Approaches to Crawling Important Pages Early", 2012 (the basic crawler, without
 * titles and hosts; mass of pages without links returns to the trusted pages as in RankMass).
 */
import { ChangedLinks } from '../mass/changed-links.ts'
import type { Strategy } from '../strategy.ts'
import { Mass, type MassOptions } from './mass.ts'

/** Smaller amounts stay on away pages, once no page waits. */
const amountMin = 1e-12

export function fractionalPageRank(options: MassOptions): Strategy {
  const mass = new Mass(options)
  const receive = (page: number, share: number): number => {
    // Mass that reaches a crawled page goes no further and is certainly part of its RankMass. If its links may change, it stays
    // apart from the mass that the page has passed on.
    if (!mass.services.isHeld(page)) mass.rest(page, share)
    else if (mass.isCounted) mass.addCrumb(page, share)
    else mass.keep(page, share)
    return mass.score(page)
  }
  const receiveAndRescore = (page: number, share: number): void => {
    receive(page, share)
    mass.services.rescored(page)
  }
  const changes = new ChangedLinks({ mass, receive: receiveAndRescore })
  return {
    name: 'fractional-pagerank',
    start: (services) => mass.start(services),
    discovered: (page, parent) => mass.discovered(page, parent),
    seeded: (seeds) => mass.seeded(seeds),
    visited(page, linkCount) {
      const passed = mass.lift(page)
      changes.joined(page)
      if (linkCount === 0) mass.returnToSeeds(passed, receiveAndRescore)
      return linkCount === 0 ? 0 : passed / linkCount
    },
    linked: receive,
    score: (page) => mass.score(page),
    // Mass that arrives at a crawled page stays there, as mass of this shard does.
    sharding: mass.sharding({
      arrived(page, amount) {
        if (amount < 0) changes.begin()
        return receive(page, amount)
      },
      settle: () => changes.repair(),
      limit: (best) => (best > 0 ? best / 64 : amountMin),
    }),
    masses: () => mass.masses(),
    ...changes.methods,
    failed: (page) => mass.failed(page),
    coverage: () => mass.guaranteed(true),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('fractional-pagerank', 2)
      mass.transfer(state)
      changes.transfer(state)
    },
  }
}
