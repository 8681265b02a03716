/**
 * Exact RankMass, our own: mass that reaches a crawled page is passed on at once, before the next download.
 * So mass rests only on pages that are not crawled, and the guarantee is one minus the probability that the
 * surfer has left the crawled pages, the tightest possible for any set of crawled pages (S21). The page with
 * the most mass is next.
 *
 * Passing on every crumb completely after every download would read the whole crawled graph each time.
 * Instead, a page passes its crumb on while that exceeds a 64th of the best waiting page's mass, times the
 * page's links over the mean if it has more than the mean: what a push costs, its links, bounds what it must move
 * (Andersen, Chung and Lang's local push), so that hubs are not read again and again for little. A smaller crumb
 * counts only where it rests, so the guarantee is valid at any time; on real webs it needs 1 to 2% more downloads
 * than with all crumbs settled. All crumbs are settled to the tolerance for the first pages, and when the coverage
 * goal comes within reach.
 */
import type { Strategy } from '../strategy.ts'
import { GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { Mass, type MassOptions } from './mass.ts'
import { PageQueue } from './page-queue.ts'

interface ExactRankMassOptions extends MassOptions {
  /** The share of all mass that may rest on crawled pages when they are settled; default 1e-9. */
  readonly tolerance?: number
  /** The coverage at which the crawl will stop. Crumbs are settled when it comes within reach. */
  readonly target?: number | undefined
}

/** Crumbs below this fraction of the best waiting page's mass rest. */
const crumb = 2 ** -6
/**
 * Crumbs rest once all obtainable mass except this share is certain: the other pages are taken in order of
 * mass, as in RankMass (S19). Does not apply to small crawls, which S21 requires to be settled to the
 * tolerance.
 */
const pushUntil = 1e-6
/** Up to this many crawled pages, all crumbs are settled before every choice. */
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
    discovered(page) {
      crumbs.discovered(page)
      return mass.discovered(page)
    },
    seeded: (seeds) => mass.seeded(seeds),
    visited: (page, linkCount) => crumbs.visited(page, linkCount),
    linked(page, share) {
      crumbs.receive(page, share)
      return mass.resting.array[page]
    },
    score: (page) => mass.resting.array[page],
    advance: (best) => settling.advance(best),
    ended: () => settling.end(),
    masses: () => mass.masses(),
    relinked: (...links) => crumbs.relinked(...links),
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
      state.section('exact-rankmass', 3)
      mass.transfer(state)
      crumbs.transfer(state)
      settling.transfer(state)
    },
  }
}

/** What becomes of mass that reaches a page. Kept in one byte: most pages that a push reaches are not in the processor's cache. */
const waits = 0
const hasLinks = 1
const hasNoLinks = 2

/** Mass that rests on crawled pages, and the links it is passed on along. */
class Crumbs {
  readonly #mass: Mass
  /** Maximum total of crumbs when they are settled. */
  readonly max: number
  /** Crawled pages whose mass may exceed the threshold, first in, first out, each at most once. */
  readonly #queue = new PageQueue()
  /** Pages that received mass. Each is rescored once at the end of a push, however often it received some. */
  readonly #changed = new PageQueue()
  /** Number of links of each crawled page. */
  readonly #linkCounts = new GrowingUint32()
  /** `waits` if the page is not crawled; otherwise whether it has links. */
  readonly #kinds = new GrowingUint8()
  /** Crawled pages in order, searched when the threshold falls. */
  readonly #crawled = new GrowingUint32()
  /** Number of crawled pages, and of their links. */
  count = 0
  #linksInAll = 0
  /**
   * Crawled pages with more mass than this are in the queue; pages with more links than `#meanLinks` only with
   * proportionally more. Initially 1, which no mass exceeds.
   */
  threshold = 1
  /** When the threshold last fell. Infinite while all crumbs are settled. */
  #meanLinks = Infinity
  /**
   * Mass that crawled pages without links return to the trusted pages, before it is distributed: gathered, so
   * that a thousand such pages cost each trusted page one addition. It counts as crumbs, and is gathered only
   * once all trusted pages are crawled.
   */
  #gathered = 0

  constructor(mass: Mass, tolerance: number) {
    this.#mass = mass
    this.max = tolerance * (1 - mass.damping)
  }

  /**
   * The threshold at which all crumbs together are within the tolerance: the sum over all pages of max(1, links / mean) is
   * at most twice their number.
   */
  get settledLimit(): number {
    return this.max / (2 * this.count + 1)
  }

  discovered(page: number): void {
    this.#kinds.ensure(page)
  }

  /** Counts a page as crawled; returns the share that each of its links carries. */
  visited(page: number, linkCount: number): number {
    this.#linkCounts.ensure(page)
    this.#setLinkCount(page, linkCount)
    this.#linksInAll += linkCount
    this.#crawled.ensure(this.count)
    this.#crawled.array[this.count++] = page
    const passed = this.#mass.lift(page)
    if (linkCount === 0) this.#giveBack(passed)
    this.#rescoreChanged()
    return linkCount === 0 ? 0 : passed / linkCount
  }

  #setLinkCount(page: number, linkCount: number): void {
    this.#linkCounts.array[page] = linkCount
    this.#kinds.array[page] = linkCount === 0 ? hasNoLinks : hasLinks
  }

  receive(page: number, share: number): void {
    const mass = this.#mass
    const kind = this.#kinds.array[page]
    if (kind === waits) mass.rest(page, share)
    else {
      if (kind === hasNoLinks && mass.seedsAreCrawled()) this.#passThrough(page, share)
      else if (this.#isDue(page, mass.addCrumb(page, share))) this.#queue.push(page)
      if (mass.isCounted) mass.services.rescored(page)
    }
  }

  /** A crawled page has other links than before: returns the share that each new one carries. */
  relinked(page: number, linkCount: number, newCount: number): number {
    this.#linksInAll += linkCount - this.#linkCounts.array[page]
    this.#setLinkCount(page, linkCount)
    return this.#mass.relinked(page, linkCount, newCount)
  }

  /**
   * Passes crumbs on until no crawled page has more than `limit` allows, or all crumbs are within the tolerance.
   * Returns whether mass moved.
   */
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
      if (!this.#isDue(page, mass.resting.array[page])) continue
      this.#push(page)
      pushed = true
    }
    this.#rescoreChanged()
    return pushed
  }

  /**
   * Lowers the threshold step by step until `isEnough`, or until all crumbs are settled. Returns whether mass
   * moved.
   */
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
    state.growing(this.#linkCounts)
    state.appended(this.#crawled)
    this.count = state.number(this.count)
    if (state.isReading) this.#restoreKinds()
    this.#linksInAll = state.number(this.#linksInAll)
    this.threshold = state.number(this.threshold)
    this.#meanLinks = state.number(this.#meanLinks)
    this.#gathered = state.number(this.#gathered)
  }

  #restoreKinds(): void {
    this.#kinds.ensure(Math.max(0, this.#mass.resting.length - 1))
    for (let i = 0; i < this.count; i++) {
      const page = this.#crawled.array[i]
      this.#setLinkCount(page, this.#linkCounts.array[page])
    }
  }

  /**
   * The threshold changes only if the limit leaves a range around it, so that small changes do not search all
   * pages.
   */
  #moveThreshold(limit: number): void {
    if (limit > 8 * this.threshold) this.threshold = limit
    else if (limit < this.threshold) {
      this.threshold = limit / 2
      if (this.count > settledPagesMax) this.#meanLinks = Math.max(1, this.#linksInAll / this.count)
      const resting = this.#mass.resting.array
      for (let i = 0; i < this.count; i++) {
        const page = this.#crawled.array[i]
        if (this.#isDue(page, resting[page])) this.#queue.push(page)
      }
    }
  }

  /** Whether a crawled page passes this mass on. */
  #isDue(page: number, mass: number): boolean {
    if (mass <= this.threshold) return false
    return mass * this.#meanLinks > this.threshold * this.#linkCounts.array[page]
  }

  #push(page: number): void {
    const { links } = this.#mass.services
    const passed = this.#mass.liftCrumbs(page)
    links.seek(page)
    const { targets, start, end } = links
    if (start === end) this.#giveBack(passed)
    const share = passed / (end - start)
    if (this.#mass.isCounted || !this.#mass.seedsAreCrawled()) {
      for (let i = start; i < end; i++) this.#moveTo(targets[i], share)
    } else this.#spread(targets, start, end, share)
  }

  /** As `#moveTo` for each target, without calls for crawled ones: nine of ten links lead to them. */
  #spread(targets: Uint32Array, start: number, end: number, share: number): void {
    const mass = this.#mass
    const { threshold } = this
    const kinds = this.#kinds.array
    const resting = mass.resting.array
    const passed = mass.damping * share
    let { certain, crumbs } = mass
    for (let i = start; i < end; i++) {
      const to = targets[i]
      const kind = kinds[to]
      if (kind === hasLinks) {
        crumbs += share
        const sum = (resting[to] += share)
        if (sum > threshold && this.#isDue(to, sum)) this.#queue.push(to)
      } else if (kind === hasNoLinks) {
        certain += share
        crumbs += passed
        this.#gathered += passed
      } else {
        mass.rest(to, share)
        this.#changed.push(to)
      }
    }
    mass.certain = certain
    mass.crumbs = crumbs
  }

  /** Mass that reaches a crawled page without links is returned at once: hubs link to thousands of them. */
  #passThrough(page: number, share: number): void {
    this.#mass.keep(page, share)
    this.#giveBack(this.#mass.damping * share)
  }

  #giveBack(passed: number): void {
    if (this.#mass.seedsAreCrawled()) {
      this.#gathered += passed
      this.#mass.crumbs += passed
    } else this.#mass.returnToSeeds(passed, this.#moveTo)
  }

  readonly #moveTo = (page: number, share: number): void => {
    this.receive(page, share)
    if (this.#kinds.array[page] === waits) this.#changed.push(page)
  }

  #handOut(): void {
    const passed = this.#gathered
    this.#gathered = 0
    this.#mass.crumbs -= passed
    this.#mass.returnToSeeds(passed, this.#moveTo)
  }

  #rescoreChanged(): void {
    while (this.#changed.length > 0) this.#mass.services.rescored(this.#changed.shift())
  }
}

/**
 * Decides how far crumbs are passed on: before each choice, when the coverage goal comes within reach, and at
 * the end.
 */
class Settling {
  readonly #mass: Mass
  readonly #crumbs: Crumbs
  readonly #target: number
  /** The target is not checked again before this many pages are crawled. */
  #decideAt = 0

  constructor(mass: Mass, crumbs: Crumbs, target: number) {
    this.#mass = mass
    this.#crumbs = crumbs
    this.#target = target
  }

  /** Returns whether mass moved. */
  advance(best: number): boolean {
    const limit = this.#crumbs.settledLimit
    if (this.#crumbs.count <= settledPagesMax) return this.#crumbs.pushDown(limit)
    const pushed = this.#crumbs.pushDown(Math.max(limit, crumb * this.#mass.yardstick(best)))
    return this.#decide() || pushed
  }

  /** Settles a small crawl to the tolerance, and a large one until almost nothing can be gained. */
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
   * If passing on the crumbs could reach the target, passes them on until it is reached or out of reach. The
   * upper bound assumes that no crumb meets an unobtainable page. Runs at most once per 0.1% of pages, so
   * that a slow approach costs little. Returns whether mass moved.
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
