/**
 * Windowed RankMass: the best `window` percent of the waiting pages are downloaded, then one sweep over all
 * crawled pages passes their mass on; this repeats. Less greedy than RankMass, and cheaper: the graph is read
 * in order, not at random.
 *
 * Most sweeps come when almost all mass is certain, each after a window of a few pages. What moves then only orders the
 * last pages, so a page waits until it has received a thousandth of what it has passed on: the mass of a waiting page is
 * exact to that share, and such a sweep reads few links.
 *
 * Cho and Schonfeld, 2007; S20.
 */
import { ChangedLinks } from '../mass/changed-links.ts'
import type { Strategy } from '../strategy.ts'
import { noSite } from '../world.ts'
import { GrowingFloat32, GrowingUint32 } from '../../lib/growing-array.ts'
import { expandUntil, Mass, type MassOptions } from './mass.ts'

export function windowedRankMass(options: MassOptions & { window: number }): Strategy {
  const mass = new Mass(options)
  /** Crawled pages in the order they were downloaded. */
  const downloads = new GrowingUint32()
  /** The places of their links in the same order: the list of the next page is known before its mass. */
  const places = new GrowingUint32()
  let arePlacesValid = true
  let count = 0
  /** The mass that each of them has passed on in sweeps. */
  const expanded = new GrowingFloat32()
  /** Pages of the current window that are still to be fetched. */
  let left = 0
  /** True if the mass of some page may be unobtainable. */
  let hasLosses = false
  const receive = (page: number, share: number): void => {
    mass.resting.array[page] += share
  }
  /** Unlike a sweep, changes of links keep the sums up to date. */
  const changes = new ChangedLinks({
    mass,
    receive(page, share) {
      if (mass.services.isHeld(page)) mass.addCrumb(page, share)
      else mass.rest(page, share)
      mass.services.rescored(page)
    },
  })
  const findPlaces = (): void => {
    if (count > 0) places.ensure(count - 1)
    for (let i = 0; i < count; i++) places.array[i] = mass.services.links.placeOf(downloads.array[i])
    arePlacesValid = true
  }
  /** The share of what a page has passed on that it may keep. */
  const keptShare = (): number => {
    const isAlmostAll = mass.certain >= mass.obtainable - expandUntil * mass.total
    return isAlmostAll && !mass.isSigned ? 2 ** -10 : 0
  }
  const sweep = (kept: number): void => {
    const { links } = mass.services
    if (!arePlacesValid) findPlaces()
    for (let i = 0; i < count; i++) {
      const page = downloads.array[i]
      const resting = mass.resting.array
      if (resting[page] === 0 || (mass.isSigned && !mass.services.isHeld(page))) continue
      if (resting[page] < kept * expanded.array[i]) continue
      expanded.array[i] += resting[page]
      const passed = mass.lift(page)
      links.seekPlace(places.array[i])
      const { targets, start, end } = links
      if (start === end) mass.returnToSeeds(passed, receive)
      const share = passed / (end - start)
      for (let j = start; j < end; j++) resting[targets[j]] += share
    }
    if (mass.isSigned) changes.count()
    else if (hasLosses) mass.countLosses()
  }

  const massOnCrawled = (): number => {
    let sum = 0
    for (let i = 0; i < count; i++)
      if (mass.services.isHeld(downloads.array[i])) sum += Math.abs(mass.resting.array[downloads.array[i]])
    return sum
  }

  return {
    name: 'windowed-rankmass',
    start(services) {
      mass.start(services)
      void services.links
    },
    discovered(page, parent) {
      if (mass.services.siteOf(page) === noSite) hasLosses = true
      return mass.discovered(page, parent)
    },
    seeded: (seeds) => mass.seeded(seeds),
    visited(page) {
      downloads.ensure(count)
      places.ensure(count)
      expanded.ensure(count)
      places.array[count] = mass.services.links.placeOf(page)
      downloads.array[count++] = page
      left--
      if (mass.isSigned) mass.crawled(page)
      changes.joined(page)
      return 0
    },
    // Never called: links carry nothing at once.
    linked: (page) => mass.score(page),
    score: (page) => mass.score(page),
    batchSize(waiting) {
      left = Math.max(1, Math.ceil((options.window * waiting) / 100 - 1e-9))
      return left
    },
    rescore: () => sweep(keptShare()),
    // The last window is also swept, if it was completed. Without a waiting page, windows are empty and S20 goes on with sweeps.
    ended() {
      if (left <= 0) sweep(keptShare())
      if (!mass.hasWaiting()) while (massOnCrawled() > expandUntil * (1 - mass.damping) * mass.total) sweep(0)
    },
    masses: () => mass.masses(),
    ...changes.methods,
    rerouted(page) {
      arePlacesValid = false
      changes.rerouted(page)
    },
    failed(page) {
      hasLosses = true
      if (!mass.services.isCrawled(page)) left--
      mass.failed(page)
    },
    coverage: () => mass.guaranteed(false),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('windowed-rankmass', 3)
      mass.transfer(state)
      changes.transfer(state)
      state.appended(downloads)
      count = state.number(count)
      state.growing(expanded)
      left = state.number(left)
      hasLosses = state.number(Number(hasLosses)) === 1
      if (state.isReading) arePlacesValid = false
    },
  }
}
