/**
 * RankMass: the page with the most mass is next; a lower bound on the RankMass held is known at all times.
 *
 * Cho and Schonfeld, "RankMass Crawler: A Crawler with High PageRank Coverage Guarantee", 2007. If the page
 * with the most mass is already crawled, it is expanded again instead of downloaded (S19). Crawled pages with
 * mass are in a heap of their own, separate from the frontier.
 */
import { none } from '../page-forest.ts'
import { ChangedLinks } from '../mass/changed-links.ts'
import type { Strategy, StrategyServices } from '../strategy.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { expandUntil, Mass, type MassOptions } from './mass.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'

/** Smaller amounts of mass are not passed on by themselves, on several shards and at the end of a crawl. */
const restMin = 1e-12

export function rankMass(options: MassOptions): Strategy {
  const mass = new Mass(options)
  const heap = new CrumbHeap(mass)
  const lifted = (page: number): void => heap.set(page, 0)

  const receive = (page: number, share: number): void => {
    if (!mass.services.isHeld(page)) {
      mass.rest(page, share)
      mass.services.rescored(page)
      return
    }
    const sum = mass.addCrumb(page, share)
    if (sum >= heap.floor || share < 0) heap.set(page, sum)
    if (mass.isCounted) mass.services.rescored(page)
  }

  const changes = new ChangedLinks({ mass, receive, lifted })

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
    discovered: (page, parent) => mass.discovered(page, parent),
    seeded: (seeds) => mass.seeded(seeds),
    visited(page, linkCount) {
      const passed = mass.lift(page)
      changes.joined(page)
      if (linkCount === 0) mass.returnToSeeds(passed, receive)
      return linkCount === 0 ? 0 : passed / linkCount
    },
    linked(page, share) {
      if (mass.services.isHeld(page)) receive(page, share)
      else mass.rest(page, share)
      return mass.score(page)
    },
    score: (page) => mass.score(page),
    sharding: mass.sharding({
      arrived(page, amount) {
        if (amount < 0) changes.begin()
        receive(page, amount)
        return mass.score(page)
      },
      settle(limit) {
        changes.repair()
        const least = Math.max(restMin, limit)
        while (heap.first(least) !== none && heap.firstKey() > least) expandBest()
      },
      limit: (best) => (best > 0 ? best / 64 : restMin),
    }),
    advance(best) {
      if (isExpanded()) return false
      // Once mass is signed, some of it may stay on its way, so crawled pages are not expanded for less and less.
      const waiting = Math.max(roundScore(mass.yardstick(best)), mass.isSigned ? restMin : 0)
      const page = heap.first(waiting)
      if (page === none) return false
      const key = heap.firstKey()
      // A crumb of 0 moves nothing: two pages would pass it to each other without end while the best page has no mass, as on a shard.
      if (key <= 0 || key < waiting || (key === waiting && page > best)) return false
      expandBest()
      return true
    },
    // Without a waiting page, S19 goes on with the crawled ones.
    ended() {
      if (mass.hasWaiting()) return
      while (!isExpanded() && heap.first(restMin) !== none && heap.firstKey() > restMin) expandBest()
    },
    masses: () => mass.masses(),
    ...changes.methods,
    failed: (page) => mass.failed(page),
    coverage: () => mass.guaranteed(false),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('rankmass', 3)
      mass.transfer(state)
      changes.transfer(state)
      // The heap follows from the masses.
      if (state.isReading) heap.clear()
    },
  }
}

/**
 * The crawled pages with the most mass, best first (S8): highest rounded mass, then lowest page number.
 *
 * Mass reaches a crawled page about ten times before the page is the best, so only pages with at least `floor`
 * are kept in order: an indexed heap with four children to a node. When less than that is required, the floor
 * falls and all pages are searched once for those that now belong into the heap. It falls to 0.7 of what
 * is required, so there are two searches per octave; it rises again once the work since the last search has paid for
 * another one.
 *
 * Everything here follows from the masses: it is not part of a saved state.
 */

/** The floor as a share of what is required. */
const below = 0.7
/** Masses below this share of a key are below the key after rounding too. */
const roundedDown = 1 - 1e-6
/** The floor rises once it is below this share of what is required. */
const farBelow = 0.125

/** Where mass rests. */
interface RestingMass {
  readonly services: Pick<StrategyServices, 'known' | 'isHeld'>
  readonly resting: Pick<GrowingFloat64, 'array'>
}

export class CrumbHeap {
  readonly #mass: RestingMass
  readonly #pages = new GrowingUint32(64)
  /** The rounded mass of the page at each place of the heap. */
  readonly #keys = new GrowingFloat64(64)
  /** One more than the place of each page in the heap; 0: not in it. */
  readonly #places = new GrowingUint32(64)
  #length = 0
  /** Crawled pages with at least this mass are in the heap. */
  floor = Infinity
  /** Pages set since the last search. */
  #work = 0

  constructor(mass: RestingMass) {
    this.#mass = mass
  }

  /** The best page, if its key is at least `least`; otherwise `none`. */
  first(least: number): number {
    if (!(this.floor <= least * roundedDown) || this.#isFarBelow(least)) this.#search(least * below)
    return this.#length === 0 ? none : this.#pages.array[0]
  }

  #isFarBelow(least: number): boolean {
    return this.floor < least * farBelow && this.#work > this.#mass.services.known()
  }

  /** The rounded mass of the first page. */
  firstKey(): number {
    return this.#keys.array[0]
  }

  /** Adds a crawled page or updates its mass. A page whose mass has fallen below `floor` is taken out. */
  set(page: number, mass: number): void {
    this.#work++
    this.#places.ensure(page)
    let place = this.#places.array[page] - 1
    if (!(mass >= this.floor)) {
      if (place >= 0) this.#remove(place)
      return
    }
    if (place >= 0 && roundScore(mass) < this.#keys.array[place]) this.#remove(place)
    place = this.#places.array[page] - 1
    if (place < 0) {
      place = this.#length++
      this.#pages.ensure(place)
      this.#keys.ensure(place)
    }
    this.#rise(place, page, roundScore(mass))
  }

  /** Takes the first page out. */
  pop(): number {
    const pages = this.#pages.array
    const first = pages[0]
    this.#places.array[first] = 0
    const last = --this.#length
    if (last > 0) this.#sink(0, pages[last], this.#keys.array[last])
    return first
  }

  #remove(place: number): void {
    const pages = this.#pages.array
    this.#places.array[pages[place]] = 0
    const last = --this.#length
    if (place === last) return
    this.#sink(place, pages[last], this.#keys.array[last])
    const now = this.#places.array[pages[last]] - 1
    this.#rise(now, pages[now], this.#keys.array[now])
  }

  /** Forgets all pages, before masses change other than by `set`. */
  clear(): void {
    for (let place = 0; place < this.#length; place++) this.#places.array[this.#pages.array[place]] = 0
    this.#length = 0
    this.floor = Infinity
  }

  #search(floor: number): void {
    this.clear()
    this.floor = floor
    const { services, resting } = this.#mass
    const masses = resting.array
    const count = services.known()
    for (let page = 0; page < count; page++)
      if (masses[page] > 0 && masses[page] >= floor && services.isHeld(page)) this.set(page, masses[page])
    this.#work = 0
  }

  #rise(from: number, page: number, key: number): void {
    const pages = this.#pages.array
    const keys = this.#keys.array
    const places = this.#places.array
    let place = from
    while (place > 0) {
      const parent = (place - 1) >>> 2
      if (keys[parent] > key || (keys[parent] === key && pages[parent] < page)) break
      keys[place] = keys[parent]
      pages[place] = pages[parent]
      places[pages[place]] = place + 1
      place = parent
    }
    keys[place] = key
    pages[place] = page
    places[page] = place + 1
  }

  /** Puts a page at a place and moves it down from there. */
  #sink(from: number, page: number, key: number): void {
    const pages = this.#pages.array
    const keys = this.#keys.array
    const places = this.#places.array
    const length = this.#length
    let place = from
    for (;;) {
      const eldest = 4 * place + 1
      if (eldest >= length) break
      let best = eldest
      const end = Math.min(eldest + 4, length)
      for (let child = eldest + 1; child < end; child++)
        if (keys[child] > keys[best] || (keys[child] === keys[best] && pages[child] < pages[best]))
          best = child
      if (keys[best] < key || (keys[best] === key && pages[best] > page)) break
      keys[place] = keys[best]
      pages[place] = pages[best]
      places[pages[place]] = place + 1
      place = best
    }
    keys[place] = key
    pages[place] = page
    places[page] = place + 1
  }
}
