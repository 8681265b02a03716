/** Mass that rests on the crawled pages of exact RankMass, and the links it is passed on along (strategies/exact-rankmass.ts). */
import { GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { Mass } from '../strategies/mass.ts'
import { PageQueue } from '../strategies/page-queue.ts'
import { ChangedLinks } from './changed-links.ts'

/**
 * Crumbs rest once all obtainable mass except this share is certain: the other pages are taken in order of
 * mass, as in RankMass (S19). Does not apply to small crawls, which S21 requires to be settled to the
 * tolerance.
 */
const pushUntil = 1e-6
/** Up to this many crawled pages, all crumbs are settled before every choice. */
export const settledPagesMax = 128

/** How far below the limit the threshold falls. Nearer to it, fewer pages push, but all pages are searched more often. */
const fallBelow = 0.75

/** What becomes of mass that reaches a page. Kept in one byte: most pages that a push reaches are not in the processor's cache. */
const waits = 0
const hasLinks = 1
const hasNoLinks = 2

export class Crumbs {
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

  readonly changes: ChangedLinks

  constructor(mass: Mass, tolerance: number) {
    this.#mass = mass
    this.max = tolerance * (1 - mass.damping)
    const gathered = {
      mass: () => this.#gathered,
      add: (amount: number) => this.#giveBack(amount),
      handOut: () => {
        this.#handOut()
        this.#rescoreChanged()
      },
    }
    this.changes = new ChangedLinks({ mass, receive: this.#receiveAndRescore, gathered })
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
    this.changes.joined(page)
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

  /** While its links are replaced, a page passes nothing on. */
  relinking(page: number): void {
    if (this.#kinds.array[page] !== waits) this.#kinds.array[page] = hasLinks
    this.changes.relinking(page)
  }

  rerouted(page: number): void {
    const { links } = this.#mass.services
    links.seek(page)
    const linkCount = links.end - links.start
    this.#linksInAll += linkCount - this.#linkCounts.array[page]
    this.#linkCounts.array[page] = linkCount
    this.changes.rerouted(page)
    if (this.#kinds.array[page] !== waits) this.#setLinkCount(page, linkCount)
  }

  left(page: number): void {
    this.#kinds.array[page] = waits
    this.changes.left(page)
  }

  rejoined(page: number): void {
    this.#setLinkCount(page, this.#linkCounts.array[page])
    this.changes.rejoined(page)
  }

  readonly #receiveAndRescore = (page: number, share: number): void => {
    this.receive(page, share)
    if (this.#kinds.array[page] === waits) this.#mass.services.rescored(page)
  }

  /**
   * Passes crumbs on until no crawled page has more than `limit` allows, or all crumbs are within the tolerance.
   * Returns whether mass moved.
   */
  pushDown(limit: number): boolean {
    const mass = this.#mass
    const isNearlyAllCertain = mass.certain >= mass.obtainable - pushUntil * mass.total
    if (mass.positiveCrumbs <= this.max || (this.count > settledPagesMax && isNearlyAllCertain)) return false
    this.#moveThreshold(limit)
    let pushed = false
    while ((mass.isSigned ? mass.positiveCrumbs : mass.crumbs) > this.max) {
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
    this.changes.transfer(state)
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
      if (this.#mass.services.isHeld(page)) this.#setLinkCount(page, this.#linkCounts.array[page])
    }
  }

  /**
   * The threshold changes only if the limit leaves a range around it, so that small changes do not search all
   * pages.
   */
  #moveThreshold(limit: number): void {
    if (limit > 8 * this.threshold) this.threshold = limit
    else if (limit < this.threshold) {
      this.threshold = fallBelow * limit
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
    if (mass <= this.threshold || this.#kinds.array[page] === waits) return false
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
      if (this.#mass.isSigned) this.#mass.owes(this.#gathered, this.#gathered + passed)
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
    if (passed < 0) this.#mass.owes(passed, 0)
    this.#mass.returnToSeeds(passed, this.#moveTo)
  }

  #rescoreChanged(): void {
    while (this.#changed.length > 0) this.#mass.services.rescored(this.#changed.shift())
  }
}
