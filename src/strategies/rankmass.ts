/**
 * RankMass: the page with the most mass is next; a lower bound on the RankMass held is known at all times.
 *
 * Cho and Schonfeld, "RankMass Crawler: A Crawler with High PageRank Coverage Guarantee", 2007. If the page
 * with the most mass is already crawled, it is expanded again instead of downloaded (S19). Crawled pages with
 * mass are in a heap of their own, separate from the frontier.
 */
import type { Strategy } from '../engine/strategy.ts'
import { GrowingUint8 } from '../lib/growing-array.ts'
import { none, PageForest } from '../engine/page-forest.ts'
import { roundScore } from '../lib/score-rounding.ts'
import { Mass, type MassOptions } from './mass.ts'

/**
 * Once all obtainable mass except this share is certain, crawled pages are no longer expanded: the remaining
 * pages are taken in order of mass.
 */
const expandUntil = 1e-6
/** On several shards, smaller amounts of mass are not passed on by themselves. */
const restMin = 1e-12

export function rankMass(options: MassOptions): Strategy {
  const mass = new Mass(options)
  const heap = new PageForest()
  let root = none
  const inHeap = new GrowingUint8()

  const receive = (page: number, share: number): void => {
    if (!mass.services.isCrawled(page)) {
      mass.rest(page, share)
      mass.services.rescored(page)
      return
    }
    const key = roundScore(mass.addCrumb(page, share))
    inHeap.ensure(page)
    root = inHeap.array[page] === 1 ? heap.update(root, page, key) : heap.add(root, page, key)
    inHeap.array[page] = 1
    if (mass.isCounted) mass.services.rescored(page)
  }

  const expand = (page: number): void => {
    const { links } = mass.services
    const passed = mass.liftCrumbs(page)
    links.seek(page)
    const { targets, start, end } = links
    if (start === end) mass.returnToSeeds(passed, receive)
    const share = passed / (end - start)
    for (let i = start; i < end; i++) receive(targets[i], share)
  }

  const expandBest = (): void => {
    const page = root
    root = heap.pop(page)
    inHeap.array[page] = 0
    expand(page)
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
        const isAbove = (): boolean => root !== none && heap.key(root) > least
        while (isAbove()) expandBest()
      },
      limit: (best) => (best > 0 ? best / 64 : restMin),
    }),
    advance(best) {
      if (root === none || mass.certain >= mass.obtainable - expandUntil * mass.total) return false
      const key = heap.key(root)
      const waiting = roundScore(mass.yardstick(best))
      if (key < waiting || (key === waiting && root > best)) return false
      expandBest()
      return true
    },
    masses: () => mass.masses(),
    relinked: (...links) => mass.relinked(...links),
    failed: (page) => mass.failed(page),
    coverage: () => mass.coverage(mass.certain),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('rankmass', 1)
      mass.transfer(state)
      heap.transfer(state)
      root = state.number(root)
      state.growing(inHeap)
    },
  }
}
