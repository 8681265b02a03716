/**
 * Windowed RankMass: the best `window` percent of the waiting pages are downloaded, then one sweep over all
 * crawled pages passes their mass on; this repeats. Less greedy than RankMass, and cheaper: the graph is read
 * in order, not at random.
 *
 * Most sweeps come when almost all mass is certain, each after a window of a few pages. What moves then only orders the
 * last pages, so a page waits until it has received a thousandth of what it has passed on: the mass of a waiting page is
 * exact to that share, and such a sweep reads few links. It looks only at pages that have received something since the last one.
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
  const changed = new ChangedDownloads()
  const receive = (page: number, share: number): void => {
    mass.resting.array[page] += share
    changed.mark(page)
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
  /** Passes on what the i-th download has. */
  const pass = (i: number): void => {
    const { links } = mass.services
    const resting = mass.resting.array
    const page = downloads.array[i]
    expanded.array[i] += resting[page]
    const passed = mass.lift(page)
    links.seekPlace(places.array[i])
    const { targets, start, end } = links
    if (start === end) mass.returnToSeeds(passed, receive)
    const share = passed / (end - start)
    for (let j = start; j < end; j++) resting[targets[j]] += share
    if (changed.isKept) for (let j = start; j < end; j++) changed.mark(targets[j])
  }
  const sweepAll = (): void => {
    changed.forget()
    for (let i = 0; i < count; i++) {
      const page = downloads.array[i]
      if (mass.resting.array[page] === 0 || (mass.isSigned && !mass.services.isHeld(page))) continue
      pass(i)
    }
  }
  const sweepChanged = (kept: number): void => {
    changed.keep(downloads.array, count, mass.services.known())
    changed.each((i) => {
      const resting = mass.resting.array[downloads.array[i]]
      if (resting !== 0 && resting >= kept * expanded.array[i]) pass(i)
    })
  }
  const sweep = (kept: number): void => {
    if (!arePlacesValid) findPlaces()
    if (kept === 0) sweepAll()
    else sweepChanged(kept)
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
      changed.joined(page, count - 1)
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
      if (state.isReading) changed.forget()
    },
  }
}

/**
 * The downloads whose mass has changed since a sweep looked at them, as bits in download order. What a sweep leaves on a page is too
 * little to be passed on until more arrives. Kept only while sweeps ask for it; it follows from the masses, and is not part of a saved state.
 */
class ChangedDownloads {
  isKept = false
  /** One more than the place of each page among the downloads; 0: not crawled. */
  readonly #places = new GrowingUint32()
  readonly #bits = new GrowingUint32()

  /** Starts with all downloads, unless they are known already. */
  keep(downloads: Uint32Array, count: number, known: number): void {
    this.#places.ensure(known - 1)
    if (this.isKept) return
    this.isKept = true
    for (let i = 0; i < count; i++) this.joined(downloads[i], i)
  }

  forget(): void {
    this.isKept = false
  }

  joined(page: number, place: number): void {
    if (!this.isKept) return
    this.#places.ensure(page)
    this.#bits.ensure(place >>> 5)
    this.#places.array[page] = place + 1
    this.mark(page)
  }

  mark(page: number): void {
    if (!this.isKept) return
    const place = this.#places.array[page] - 1
    if (place >= 0) this.#bits.array[place >>> 5] |= 1 << (place & 31)
  }

  /** Calls `look` for each, in download order, also for those marked meanwhile that are still ahead. */
  each(look: (place: number) => void): void {
    const bits = this.#bits.array
    for (let i = 0; i < this.#bits.length; i++) {
      /** Bits of this word up to the last one looked at. */
      let seen = 0
      for (let word = bits[i]; word !== 0; word = bits[i] & ~seen) {
        const bit = word & -word
        seen = bit | (bit - 1)
        bits[i] &= ~bit
        look(32 * i + 31 - Math.clz32(bit))
      }
    }
  }
}
