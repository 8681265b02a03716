/**
 * Windowed RankMass: the best `window` percent of the waiting pages are downloaded, then one sweep over all
 * crawled pages passes their mass on; this repeats. Less greedy than RankMass, and cheaper: the graph is read
 * in order, not at random.
 *
 * Cho and Schonfeld, 2007; S20.
 */
import type { Strategy } from '../strategy.ts'
import { noSite } from '../world.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { expandUntil, Mass, type MassOptions } from './mass.ts'

export function windowedRankMass(options: MassOptions & { window: number }): Strategy {
  const mass = new Mass(options)
  /** Crawled pages in the order they were downloaded. */
  const downloads = new GrowingUint32()
  /** The places of their links in the same order: the list of the next page is known before its mass. */
  const places = new GrowingUint32()
  let arePlacesValid = true
  let count = 0
  /** Pages of the current window that are still to be fetched. */
  let left = 0
  /** True if the mass of some page may be unobtainable. */
  let hasLosses = false
  const receive = (page: number, share: number): void => {
    mass.resting.array[page] += share
  }
  const findPlaces = (): void => {
    if (count > 0) places.ensure(count - 1)
    for (let i = 0; i < count; i++) places.array[i] = mass.services.links.placeOf(downloads.array[i])
    arePlacesValid = true
  }
  const sweep = (): void => {
    const { links } = mass.services
    if (!arePlacesValid) findPlaces()
    for (let i = 0; i < count; i++) {
      const page = downloads.array[i]
      const resting = mass.resting.array
      if (resting[page] === 0) continue
      const passed = mass.lift(page)
      links.seekPlace(places.array[i])
      const { targets, start, end } = links
      if (start === end) mass.returnToSeeds(passed, receive)
      const share = passed / (end - start)
      for (let j = start; j < end; j++) resting[targets[j]] += share
    }
    if (hasLosses) mass.countLosses()
  }

  const massOnCrawled = (): number => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += mass.resting.array[downloads.array[i]]
    return sum
  }

  return {
    name: 'windowed-rankmass',
    start(services) {
      mass.start(services)
      void services.links
    },
    discovered(page) {
      if (mass.services.siteOf(page) === noSite) hasLosses = true
      return mass.discovered(page)
    },
    seeded: (seeds) => mass.seeded(seeds),
    visited(page) {
      downloads.ensure(count)
      places.ensure(count)
      places.array[count] = mass.services.links.placeOf(page)
      downloads.array[count++] = page
      left--
      return 0
    },
    // Only new links of refetched pages carry anything at once.
    linked: (page, share) => (mass.resting.array[page] += share),
    score: (page) => mass.resting.array[page],
    batchSize(waiting) {
      left = Math.max(1, Math.ceil((options.window * waiting) / 100 - 1e-9))
      return left
    },
    rescore: sweep,
    // The last window is also swept, if it was completed. Without a waiting page, windows are empty and S20 goes on with sweeps.
    ended() {
      if (left <= 0) sweep()
      if (!mass.hasWaiting()) while (massOnCrawled() > expandUntil * (1 - mass.damping) * mass.total) sweep()
    },
    masses: () => mass.masses(),
    relinked(...links) {
      arePlacesValid = false
      return mass.relinked(...links)
    },
    failed(page) {
      hasLosses = true
      left--
      mass.failed(page)
    },
    coverage: () => mass.coverage(mass.certain),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('windowed-rankmass', 1)
      mass.transfer(state)
      state.appended(downloads)
      count = state.number(count)
      left = state.number(left)
      hasLosses = state.number(Number(hasLosses)) === 1
      if (state.isReading) arePlacesValid = false
    },
  }
}
