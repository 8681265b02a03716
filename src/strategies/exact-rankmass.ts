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
import { PageQueue } from './page-queue.ts'

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
  const crumbs = new Crumbs(mass, options.tolerance ?? 1e-9)
  const settling = new Settling(mass, crumbs, options.target ?? Infinity)
  return {
    name: 'exact-rankmass',
    start(services) {
      mass.start(services)
      void services.links
    },
    discovered: (page) => mass.discovered(page),
    seeded: (seeds) => mass.seeded(seeds),
    visited: (page, linkCount) => crumbs.visited(page, linkCount),
    linked(page, share) {
      crumbs.receive(page, share)
      return mass.resting.array[page]
    },
    score: (page) => mass.resting.array[page],
    advance: (best) => settling.advance(best),
    ended: () => settling.end(),
    failed: (page) => mass.failed(page),
    coverage: () => mass.coverage(mass.certain + mass.crumbs),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    sharding: mass.sharding({
      arrived(page, amount) {
        crumbs.receive(page, amount)
        return mass.resting.array[page]
      },
      settle: (limit) => void crumbs.pushDown(Math.max(crumbs.settledLimit, limit)),
      limit: (best) => (best > 0 ? crumb * best : crumbs.settledLimit),
    }),
    transfer(state) {
      state.section('exact-rankmass', 2)
      mass.transfer(state)
      crumbs.transfer(state)
      settling.transfer(state)
    },
  }
}

/** Mass that rests on crawled pages, and its way on along their links. */
class Crumbs {
  readonly #mass: Mass
  /** Crumbs that may rest in all. */
  readonly max: number
  /** Crawled pages whose mass may exceed the threshold, first in first out, each at most once. */
  readonly #queue = new PageQueue()
  /** Pages that mass came to: each is rescored once, when the pushing is over, however often it got some. */
  readonly #changed = new PageQueue()
  /** 1: crawled, and without links. */
  readonly #isDangling = new GrowingUint8()
  /** Crawled pages in order, to look through when the threshold falls. */
  readonly #crawled = new GrowingUint32()
  /** Crawled pages. */
  count = 0
  /** No crawled page is expected to hold more; no mass exceeds 1. */
  threshold = 1
  /**
   * What crawled pages without links have passed on to the trusted pages and those have not been given yet: gathered, so that
   * a thousand such pages cost each trusted page one addition. It counts as crumbs, and is gathered only once all trusted
   * pages are crawled.
   */
  #gathered = 0

  constructor(mass: Mass, tolerance: number) {
    this.#mass = mass
    this.max = tolerance * (1 - mass.damping)
  }

  /** The most that may rest on each page so that all crumbs are within the tolerance. */
  get settledLimit(): number {
    return this.max / (this.count + 1)
  }

  /** A page is crawled: returns the share that each of its links carries. */
  visited(page: number, linkCount: number): number {
    this.#isDangling.ensure(page)
    if (linkCount === 0) this.#isDangling.array[page] = 1
    this.#crawled.ensure(this.count)
    this.#crawled.array[this.count++] = page
    const passed = this.#mass.lift(page)
    if (linkCount === 0) this.#giveBack(passed)
    this.#rescoreChanged()
    return linkCount === 0 ? 0 : passed / linkCount
  }

  receive(page: number, share: number): void {
    const mass = this.#mass
    if (!mass.services.isCrawled(page)) mass.rest(page, share)
    else if (this.#isDangling.array[page] === 1 && mass.seedsAreCrawled()) this.#passThrough(share)
    else if (mass.addCrumb(page, share) > this.threshold) this.#queue.push(page)
  }

  /** Pushes until no crawled page has more than `limit`, or all crumbs are within the tolerance. True: something moved. */
  pushDown(limit: number): boolean {
    const mass = this.#mass
    const isNearlyAllCertain = mass.certain >= mass.obtainable - pushUntil * mass.total
    if (mass.crumbs <= this.max || (this.count > settledPagesMax && isNearlyAllCertain)) return false
    this.#moveThreshold(limit)
    let pushed = false
    while (mass.crumbs > this.max) {
      if (this.#queue.length === 0) {
        if (this.#gathered <= this.threshold) break
        this.#handOut()
        continue
      }
      const page = this.#queue.shift()
      if (mass.resting.array[page] <= this.threshold) continue
      this.#push(page)
      pushed = true
    }
    this.#rescoreChanged()
    return pushed
  }

  /** Lets the threshold sink step by step until it is enough, or all is settled. True: something moved. */
  sink(isEnough: () => boolean): boolean {
    const limit = this.settledLimit
    let pushed = false
    for (;;) {
      const before = this.threshold
      if (before <= limit || isEnough()) return pushed
      pushed = this.pushDown(Math.max(limit, before / 4)) || pushed
      if (this.threshold === before) return pushed
    }
  }

  transfer(state: StateCodec): void {
    this.#queue.transfer(state)
    // `#changed` is empty between two facts.
    state.growing(this.#isDangling)
    state.appended(this.#crawled)
    this.count = state.number(this.count)
    this.threshold = state.number(this.threshold)
    this.#gathered = state.number(this.#gathered)
  }

  /** With room on both sides, so that a limit that moves a little does not look through all pages every time. */
  #moveThreshold(limit: number): void {
    if (limit > 8 * this.threshold) this.threshold = limit
    else if (limit < this.threshold) {
      this.threshold = limit / 2
      const resting = this.#mass.resting.array
      for (let i = 0; i < this.count; i++)
        if (resting[this.#crawled.array[i]] > this.threshold) this.#queue.push(this.#crawled.array[i])
    }
  }

  #push(page: number): void {
    const { links } = this.#mass.services
    const passed = this.#mass.liftCrumbs(page)
    links.seek(page)
    const { targets, start, end } = links
    if (start === end) this.#giveBack(passed)
    const share = passed / (end - start)
    for (let i = start; i < end; i++) {
      const to = targets[i]
      this.receive(to, share)
      this.#changed.push(to)
    }
  }

  /** Mass that comes to a crawled page without links is given back at once: hubs have thousands of those. */
  #passThrough(share: number): void {
    this.#mass.certain += share
    this.#giveBack(this.#mass.damping * share)
  }

  #giveBack(passed: number): void {
    if (this.#mass.seedsAreCrawled()) {
      this.#gathered += passed
      this.#mass.crumbs += passed
    } else this.#mass.returnToSeeds(passed, this.#returned)
  }

  readonly #returned = (seed: number, share: number): void => {
    this.receive(seed, share)
    this.#changed.push(seed)
  }

  #handOut(): void {
    const passed = this.#gathered
    this.#gathered = 0
    this.#mass.crumbs -= passed
    this.#mass.returnToSeeds(passed, this.#returned)
  }

  #rescoreChanged(): void {
    while (this.#changed.length > 0) this.#mass.services.rescored(this.#changed.shift())
  }
}

/** How far crumbs are pushed: before each choice, when the wanted coverage comes within reach, and at the end. */
class Settling {
  readonly #mass: Mass
  readonly #crumbs: Crumbs
  readonly #target: number
  /** The number of crawled pages from which on it is worth asking whether the target is reached. */
  #decideAt = 0

  constructor(mass: Mass, crumbs: Crumbs, target: number) {
    this.#mass = mass
    this.#crumbs = crumbs
    this.#target = target
  }

  /** True: something moved. */
  advance(best: number): boolean {
    const limit = this.#crumbs.settledLimit
    if (this.#crumbs.count <= settledPagesMax) return this.#crumbs.pushDown(limit)
    const pushed = this.#crumbs.pushDown(Math.max(limit, crumb * this.#mass.yardstick(best)))
    return this.#decide() || pushed
  }

  /** Pushes to the tolerance where few pages were crawled; else until next to nothing is left to gain. */
  end(): void {
    const mass = this.#mass
    const crumbs = this.#crumbs
    if (crumbs.count <= settledPagesMax) crumbs.pushDown(crumbs.settledLimit)
    else {
      const missing = (): number => (1 - mass.damping) * (mass.obtainable - mass.certain)
      crumbs.sink(() => mass.crumbs <= Math.max(crumbs.max, 1e-3 * missing()))
    }
  }

  transfer(state: StateCodec): void {
    this.#decideAt = state.number(this.#decideAt)
  }

  /**
   * Could the crumbs, pushed on, give the wanted coverage? They give most where none of them meets an unobtainable page. Pushes until it is clear whether they do. At most once for every
   * 0.1% of pages, so that coming closer step by step costs little.
   */
  #decide(): boolean {
    const { count } = this.#crumbs
    if (count < this.#decideAt || this.#isReached() || !this.#isReachable()) return false
    this.#decideAt = count + count / 1024
    return this.#crumbs.sink(() => this.#isReached() || !this.#isReachable())
  }

  #isReached(): boolean {
    const { certain, crumbs } = this.#mass
    return this.#mass.coverage(certain + crumbs) >= this.#target
  }

  #isReachable(): boolean {
    const { certain, crumbs, damping } = this.#mass
    return this.#mass.coverage(certain + crumbs / (1 - damping)) >= this.#target
  }
}
