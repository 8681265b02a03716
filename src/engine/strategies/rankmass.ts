/**
 * RankMass: the page with the most mass is next; a lower bound on the RankMass held is known at all times.
 *
 * Cho and Schonfeld, "RankMass Crawler: A Crawler with High PageRank Coverage Guarantee", 2007. If the page
 * with the most mass is already crawled, it is expanded again instead of downloaded (S19). Crawled pages with
 * mass are in a heap of their own, separate from the frontier.
 */
import { none } from '../page-forest.ts'
import type { Strategy } from '../strategy.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { CrumbHeap } from './crumb-heap.ts'
import { expandUntil, Mass, type MassOptions } from './mass.ts'

/** Smaller amounts of mass are not passed on by themselves, on several shards and at the end of a crawl. */
const restMin = 1e-12

export function rankMass(options: MassOptions): Strategy {
  const mass = new Mass(options)
  const heap = new CrumbHeap(mass)

  const receive = (page: number, share: number): void => {
    if (!mass.services.isCrawled(page)) {
      mass.rest(page, share)
      mass.services.rescored(page)
      return
    }
    const sum = mass.addCrumb(page, share)
    if (sum >= heap.floor) heap.set(page, sum)
    if (mass.isCounted) mass.services.rescored(page)
  }

  const isExpanded = (): boolean => mass.certain >= mass.obtainable - expandUntil * mass.total

  const expandBest = (): void => {
    const page = heap.pop()
    const { services } = mass
    const { links } = services
    const passed = mass.liftCrumbs(page)
    links.seek(page)
    const { targets, start, end } = links
    if (start === end) mass.returnToSeeds(passed, receive)
    const share = passed / (end - start)
    if (mass.isCounted) {
      for (let i = start; i < end; i++) receive(targets[i], share)
      return
    }
    // The same without calls: nine of ten links lead to crawled pages with little mass.
    const resting = mass.resting.array
    const { floor } = heap
    let { crumbs } = mass
    for (let i = start; i < end; i++) {
      const target = targets[i]
      if (services.isCrawled(target)) {
        crumbs += share
        const sum = (resting[target] += share)
        if (sum >= floor) heap.set(target, sum)
      } else {
        mass.rest(target, share)
        services.rescored(target)
      }
    }
    mass.crumbs = crumbs
  }

  return {
    name: 'rankmass',
    start(services) {
      mass.start(services)
      // Read here so that the engine stores links from the first page on.
      void services.links
    },
    discovered: (page) => mass.discovered(page),
    seeded: (seeds) => mass.seeded(seeds),
    visited(page, linkCount) {
      const passed = mass.lift(page)
      if (linkCount === 0) mass.returnToSeeds(passed, receive)
      return linkCount === 0 ? 0 : passed / linkCount
    },
    linked(page, share) {
      if (mass.services.isCrawled(page)) receive(page, share)
      else mass.rest(page, share)
      return mass.resting.array[page]
    },
    score: (page) => mass.resting.array[page],
    sharding: mass.sharding({
      arrived(page, amount) {
        receive(page, amount)
        return mass.resting.array[page]
      },
      settle(limit) {
        const least = Math.max(restMin, limit)
        while (heap.first(least) !== none && heap.firstKey() > least) expandBest()
      },
      limit: (best) => (best > 0 ? best / 64 : restMin),
    }),
    advance(best) {
      if (isExpanded()) return false
      const waiting = roundScore(mass.yardstick(best))
      const page = heap.first(waiting)
      if (page === none) return false
      const key = heap.firstKey()
      if (key < waiting || (key === waiting && page > best)) return false
      expandBest()
      return true
    },
    // Without a waiting page, S19 goes on with the crawled ones.
    ended() {
      if (mass.hasWaiting()) return
      while (!isExpanded() && heap.first(restMin) !== none && heap.firstKey() > restMin) expandBest()
    },
    masses: () => mass.masses(),
    relinked: (...links) => mass.relinked(...links),
    failed: (page) => mass.failed(page),
    coverage: () => mass.coverage(mass.certain),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('rankmass', 2)
      mass.transfer(state)
      // The heap follows from the masses.
      if (state.isReading) heap.clear()
    },
  }
}
