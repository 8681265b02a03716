/**
 * Exact RankMass, our own: mass that falls on a crawled page is pushed on at once, before anything is downloaded. So
 * mass rests on pages alone that are not crawled, and the guarantee is one minus the probability that the surfer has left the
 * crawled pages, which is the tightest that any set of crawled pages allows (S21). The page with the most mass is next.
 *
 * Pushing every crumb to the end after every download would read the whole crawled graph each time. Crumbs are pushed
 * while a page has more than a 64th of the best waiting page's mass: each push costs a list of links, and at most about 64 /
 * (1 - d) of them follow a download. What rests below that is certain only where it rests, so that the guarantee is true
 * at every moment; on real webs it then needs a percent or two more downloads than if all were settled. The first pages, and
 * the moment when the wanted coverage comes within reach, are settled to the tolerance.
 */
import type { Strategy } from '../engine/strategy.ts'
import { GrowingUint8, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { Mass, type MassOptions } from './mass.ts'

export interface ExactRankMassOptions extends MassOptions {
  /** Of all mass, what may rest on crawled pages when it is settled; 1e-9 unless given. */
  readonly tolerance?: number
  /** The coverage at which the crawl will stop, to settle in time. */
  readonly target?: number | undefined
}

/** Crumbs below this part of the best waiting page's mass rest. */
const crumb = 2 ** -6
/**
 * Once all that is obtainable but this is certain, crumbs rest: the rest of the web is taken in order of mass, as by RankMass (S19). Not in small
 * crawls, which S21 holds to the tolerance.
 */
const pushUntil = 1e-6
/** Up to this many crawled pages, everything is settled before every choice. */
const settledPagesMax = 128

export function exactRankMass(options: ExactRankMassOptions): Strategy {
  const mass = new Mass(options)
  const { tolerance = 1e-9, target = Infinity } = options
  /** Crawled pages whose mass may exceed the threshold, first in first out in a ring, each at most once. */
  const queue = new PageQueue()
  /** Pages that mass came to: each is told once, when the pushing is over, however often it got some. */
  const changed = new PageQueue()
  /** 1: crawled, and without links. */
  const isDangling = new GrowingUint8()
  /** Crawled pages in order, to look through when the threshold falls. */
  const crawled = new GrowingUint32()
  let count = 0
  /** No crawled page is expected to hold more; no mass exceeds 1. */
  let threshold = 1
  /** The number of crawled pages from which on it is worth asking whether the target is reached. */
  let decideAt = 0
  /**
   * What crawled pages without links have passed on to the trusted pages and those have not been given yet: gathered, so that
   * a thousand such pages cost each trusted page one addition. It counts as crumbs, and is gathered only once all trusted
   * pages are crawled.
   */
  let gathered = 0

  /** Mass that comes to a crawled page without links is given back at once: hubs have thousands of those. */
  const passThrough = (share: number): void => {
    mass.certain += share
    giveBack(mass.damping * share)
  }

  const receive = (page: number, share: number): void => {
    if (!mass.services.isCrawled(page)) mass.rest(page, share)
    else if (isDangling.array[page] === 1 && mass.seedsAreCrawled()) passThrough(share)
    else if (mass.addCrumb(page, share) > threshold) queue.push(page)
  }

  const push = (page: number): void => {
    const { services } = mass
    const { links } = services
    const passed = mass.liftCrumbs(page)
    links.seek(page)
    const { targets, start, end } = links
    if (start === end) giveBack(passed)
    const share = passed / (end - start)
    for (let i = start; i < end; i++) {
      const to = targets[i]
      receive(to, share)
      changed.push(to)
    }
  }

  const giveBack = (passed: number): void => {
    if (mass.seedsAreCrawled()) {
      gathered += passed
      mass.crumbs += passed
    } else mass.returnToSeeds(passed, returned)
  }

  const returned = (seed: number, share: number): void => {
    receive(seed, share)
    changed.push(seed)
  }

  const handOut = (): void => {
    const passed = gathered
    gathered = 0
    mass.crumbs -= passed
    mass.returnToSeeds(passed, returned)
  }

  const tellChanged = (): void => {
    while (changed.length > 0) mass.services.rescored(changed.shift())
  }

  /** Crumbs that may rest in all, and on each page so that they do. */
  const crumbsMax = tolerance * (1 - mass.damping)
  const settledLimit = (): number => crumbsMax / (count + 1)

  /** Pushes until no crawled page has more than `limit`, or all crumbs are within the tolerance. True: something moved. */
  const pushDown = (limit: number): boolean => {
    if (mass.crumbs <= crumbsMax || (count > settledPagesMax && mass.certain >= mass.obtainable - pushUntil))
      return false
    // With room on both sides, so that a limit that moves a little does not look through all pages every time.
    if (limit > 8 * threshold) threshold = limit
    else if (limit < threshold) {
      threshold = limit / 2
      for (let i = 0; i < count; i++)
        if (mass.resting.array[crawled.array[i]] > threshold) queue.push(crawled.array[i])
    }
    let pushed = false
    while (mass.crumbs > crumbsMax) {
      if (queue.length === 0) {
        if (gathered <= threshold) break
        handOut()
        continue
      }
      const page = queue.shift()
      if (mass.resting.array[page] <= threshold) continue
      push(page)
      pushed = true
    }
    tellChanged()
    return pushed
  }

  /** Lets the threshold sink step by step until it is enough, or all is settled. True: something moved. */
  const sink = (enough: () => boolean): boolean => {
    const limit = settledLimit()
    let pushed = false
    for (;;) {
      const before = threshold
      if (before <= limit || enough()) return pushed
      pushed = pushDown(Math.max(limit, before / 4)) || pushed
      if (threshold === before) return pushed
    }
  }

  /**
   * Could the crumbs, pushed on, give the wanted coverage? They give most where none of them meets an unobtainable page. Pushes until it is clear whether they do. At most once for every
   * 0.1% of pages, so that coming closer step by step costs little.
   */
  const decide = (): boolean => {
    const reached = (): boolean => mass.coverage(mass.certain + mass.crumbs) >= target
    const reachable = (): boolean => mass.coverage(mass.certain + mass.crumbs / (1 - mass.damping)) >= target
    if (count < decideAt || reached() || !reachable()) return false
    decideAt = count + count / 1024
    return sink(() => reached() || !reachable())
  }

  return {
    name: 'exact-rankmass',
    start(services) {
      mass.start(services)
      void services.links
    },
    discovered: (page) => mass.discovered(page),
    seeded: (seeds) => mass.seeded(seeds),
    visited(page, linkCount) {
      isDangling.ensure(page)
      if (linkCount === 0) isDangling.array[page] = 1
      crawled.ensure(count)
      crawled.array[count++] = page
      const passed = mass.lift(page)
      if (linkCount === 0) giveBack(passed)
      tellChanged()
      return linkCount === 0 ? 0 : passed / linkCount
    },
    linked(page, share) {
      receive(page, share)
      return mass.resting.array[page]
    },
    score: (page) => mass.resting.array[page],
    advance(best) {
      const limit = settledLimit()
      if (count <= settledPagesMax) return pushDown(limit)
      const pushed = pushDown(Math.max(limit, crumb * mass.yardstick(best)))
      return decide() || pushed
    },
    ended() {
      // To the tolerance where few pages were crawled; else until next to nothing is left to gain.
      if (count <= settledPagesMax) pushDown(settledLimit())
      else {
        const missing = (): number => (1 - mass.damping) * (mass.obtainable - mass.certain)
        sink(() => mass.crumbs <= Math.max(crumbsMax, 1e-3 * missing()))
      }
    },
    failed: (page) => mass.failed(page),
    coverage: () => mass.coverage(mass.certain + mass.crumbs),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('exact-rankmass', 1)
      mass.transfer(state)
      queue.transfer(state)
      // `changed` is empty between two facts.
      state.growing(isDangling)
      state.appended(crawled)
      count = state.number(count)
      threshold = state.number(threshold)
      decideAt = state.number(decideAt)
      gathered = state.number(gathered)
    },
  }
}

/** Pages first in, first out, each at most once at a time. */
class PageQueue {
  #ring = new Uint32Array(1024)
  #from = 0
  length = 0
  readonly #queued = new GrowingUint8()

  push(page: number): void {
    this.#queued.ensure(page)
    if (this.#queued.array[page] === 1) return
    this.#queued.array[page] = 1
    if (this.length === this.#ring.length) this.#grow()
    this.#ring[(this.#from + this.length++) & (this.#ring.length - 1)] = page
  }

  shift(): number {
    const page = this.#ring[this.#from]
    this.#from = (this.#from + 1) & (this.#ring.length - 1)
    this.length--
    this.#queued.array[page] = 0
    return page
  }

  transfer(state: StateCodec): void {
    const pages = Uint32Array.from({ length: this.length }, (_, i) => this.#at(i))
    for (const page of state.array(pages)) if (state.isReading) this.push(page)
  }

  #at(index: number): number {
    return this.#ring[(this.#from + index) & (this.#ring.length - 1)]
  }

  #grow(): void {
    const larger = new Uint32Array(this.#ring.length * 2)
    for (let i = 0; i < this.length; i++) larger[i] = this.#at(i)
    this.#ring = larger
    this.#from = 0
  }
}
