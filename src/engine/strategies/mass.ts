/**
 * The mass that RankMass and related strategies distribute. It starts at the trusted pages, (1 - d) in total.
 * An expanded page keeps its mass as certain RankMass and passes d times as much on, in equal parts along its
 * links, or to the trusted pages if it has none (S19). The certain RankMass and everything that the resting
 * mass can still become sum to 1:
 *
 *   certain + resting / (1 - d) = 1
 *
 * On one of several shards this sum is `total`: it grows by what arrives from other shards and shrinks by what is cut.
 *
 * If the links of a crawled page change, what it has passed on along the old ones is called back, and resting mass can be
 * negative (mass/changed-links.ts). The sum above stays the same.
 *
 * Mass on unobtainable pages, or on pages that the user's limits exclude, stays there. It is counted on
 * arrival: coverage is a share of the obtainable importance (engine/coverage.ts).
 */
import { heldShare, shareWithinReach } from '../coverage.ts'
import { Hints } from '../mass/hints.ts'
import { Losses } from '../mass/losses.ts'
import type { Stays } from '../mass/stays.ts'
import { TrustedPages } from '../mass/trusted-pages.ts'
import { elsewhere, obtainable, unobtainable } from '../page-states.ts'
import type { Sharding } from '../sharding.ts'
import type { StrategyServices } from '../strategy.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

export interface MassOptions {
  readonly damping: number
  /** The weight of the i-th seed; equal weights by default. They need not sum to 1. */
  readonly trust?: ((seedIndex: number) => number) | undefined
}

/**
 * Once all obtainable mass except this share is certain, crawled pages are no longer expanded: the remaining
 * pages are taken in order of mass.
 */
export const expandUntil = 1e-6

/** Slightly below 1: if all waiting pages have the same mass, rounding errors must not decide. */
const belowEqual = 1 - 1e-6

export class Mass {
  /** Negative where more was called back than rests there. */
  readonly resting = new GrowingFloat64()
  readonly damping: number
  /** RankMass that crawled pages certainly hold. */
  certain = 0
  /** Mass on crawled pages: added to them and not lifted since. */
  crumbs = 0
  /** Mass that each page has passed on, if `masses` was called. */
  #passed: GrowingFloat64 | undefined
  /** True if `masses` was called. */
  isCounted = false
  readonly hints: Hints
  /** True once mass may have been called back, here or on another shard; or no choice passes crumbs on any more. */
  isSigned = false
  /** How much crumbs become, once mass is signed; not on several shards. */
  stays: Stays | undefined
  /** Of the crumbs, the sum of the negative ones, without sign. */
  #owed = 0
  /** Called with every crumb that changes once mass is signed, and its new value. */
  onCrumb: (page: number, mass: number) => void = () => {}
  readonly #losses = new Losses()
  /** The RankMass that began in this shard or has arrived, less what was cut; 1 if there is one shard. */
  #own = 1
  readonly #trust: ((seedIndex: number) => number) | undefined
  readonly trusted = new TrustedPages()
  #services: StrategyServices | undefined

  constructor(options: MassOptions) {
    this.damping = options.damping
    this.#trust = options.trust
    this.hints = new Hints(options.damping, () => this.services)
  }

  start(services: StrategyServices): void {
    this.#services = services
  }

  get services(): StrategyServices {
    assert(this.#services !== undefined, 'mass must not move before the crawl starts')
    return this.#services
  }

  discovered(page: number, parent: number): number {
    this.resting.ensure(page)
    this.#passed?.ensure(page)
    this.stays?.discovered(page)
    if (this.isCounted) this.hints.discovered(page, parent)
    return this.score(page)
  }

  /** What a page is ordered by. */
  score(page: number): number {
    const mass = this.resting.array[page]
    return this.#passed === undefined ? mass : Math.max(0, mass) + this.hints.of(page)
  }

  seeded(seeds: readonly number[]): void {
    this.trusted.set(seeds, this.#trust)
    let foreign = 0
    this.trusted.forEach((seed, weight) => {
      if (this.#isAway(seed)) foreign += weight
      else this.resting.array[seed] += (1 - this.damping) * weight
    })
    this.#own = 1 - foreign
  }

  #isAway(page: number): boolean {
    return this.services.lossOf(page) === elsewhere
  }

  /** The mass of every page from now on: what it has passed on, and what rests on it. */
  masses(): (page: number) => number {
    this.#passed = new GrowingFloat64()
    this.isCounted = true
    return (page) => this.massOf(page)
  }

  massOf(page: number): number {
    const passed = this.#passed?.array[page] ?? 0
    return Math.max(0, passed + this.resting.array[page]) + this.hints.of(page)
  }

  /** The mass that a crawled page has passed on. */
  passedBy(page: number): number {
    return this.#passed!.array[page]
  }

  /** Counts mass that reaches a crawled page as certain without letting it rest there. */
  keep(page: number, share: number): void {
    this.certain += share
    if (this.#passed !== undefined) this.#passed.array[page] += share
  }

  /** Crumbs without the negative ones. */
  get positiveCrumbs(): number {
    return this.crumbs + this.owed
  }

  /** The sum of the negative crumbs, without sign. */
  get owed(): number {
    return Math.max(0, this.#owed)
  }

  /** Mass on unobtainable pages. */
  get lost(): number {
    return this.#losses.unobtainable
  }

  /** The RankMass that the mass is or can become: 1, unless there are other shards. */
  get total(): number {
    return this.#own
  }

  /**
   * RankMass that crawled pages certainly hold, with their crumbs. A crumb becomes one to 1 / (1 - d) times its mass, so a
   * negative one costs the latter (S70). Before any link has changed, strategies that do not count crumbs keep to S19.
   */
  held(countsCrumbs: boolean): number {
    if (!this.isSigned) return countsCrumbs ? this.certain + this.crumbs : this.certain
    return Math.max(0, this.certain + this.crumbs - this.#debt / (1 - this.damping))
  }

  /** What negative amounts may still take from certain mass and crumbs, as mass at rest. */
  get #debt(): number {
    return this.damping * this.owed + Math.max(0, this.#losses.awayOwed)
  }

  /** Adds mass to a page that is not crawled; returns its new mass. */
  rest(page: number, share: number): number {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#losses.add(loss, share, this.resting.array[page])
    this.stays?.moved(page, share)
    return (this.resting.array[page] += share)
  }

  /** Takes all mass from a page. */
  #taken(page: number): number {
    const mass = this.resting.array[page]
    this.stays?.moved(page, -mass)
    this.resting.array[page] = 0
    return mass
  }

  /** A page is not fetched; counts the mass that rests on it. */
  failed(page: number): void {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#losses.add(loss, this.resting.array[page], 0)
    if (loss === unobtainable) this.stays?.lost(page)
  }

  /** A page that failed or left waits again: its mass is no longer lost. */
  retried(page: number): void {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#losses.add(loss, -this.resting.array[page], this.resting.array[page])
    if (loss === unobtainable) this.stays?.reopened(page)
  }

  /** A crawled page has left: what it had passed on waits there, as on a page that was never fetched. */
  left(page: number): void {
    const mass = this.#taken(page)
    this.crumbs -= mass
    this.owes(mass, 0)
    const passed = this.passedBy(page)
    this.#passed!.array[page] = 0
    this.certain -= passed
    this.rest(page, mass + passed)
    this.stays?.lost(page)
    this.trusted.left(page)
  }

  /** What rests on a page is a crumb from now on. */
  crawled(page: number): void {
    this.addCrumb(page, this.#taken(page))
  }

  /** A page that had left is held again. */
  rejoined(page: number): void {
    this.crawled(page)
    this.stays?.rejoined(page)
    this.trusted.rejoined(page)
  }

  /** Recounts the mass on unobtainable and excluded pages after it was moved without `rest`. */
  countLosses(): void {
    this.#losses.clear()
    const { services } = this
    for (let page = services.known() - 1; page >= 0; page--) {
      const loss = services.lossOf(page)
      if (loss !== obtainable) this.#losses.add(loss, this.resting.array[page], 0)
    }
  }

  /** Recounts all sums, after mass was moved without `addCrumb`. `gathered`: crumbs that are on no page. */
  recount(gathered: number): void {
    if (this.#passed !== undefined) this.certain = 0
    this.crumbs = gathered
    this.#owed = -Math.min(0, gathered)
    const { services } = this
    for (let page = services.known() - 1; page >= 0; page--) {
      if (!services.isHeld(page)) continue
      const mass = this.resting.array[page]
      this.certain += this.#passed?.array[page] ?? 0
      this.crumbs += mass
      if (mass < 0) this.#owed -= mass
    }
    this.countLosses()
    this.stays?.recount()
  }

  /** The obtainable RankMass as far as known: an upper bound. */
  get obtainable(): number {
    return this.total - this.#losses.unobtainable / (1 - this.damping)
  }

  coverage(held: number): number {
    const { total } = this
    return heldShare(held / total, this.#losses.unobtainable / (1 - this.damping) / total)
  }

  /** The share of the obtainable RankMass that crawled pages certainly hold: the better of two bounds (S70). */
  guaranteed(countsCrumbs: boolean): number {
    return Math.min(1, Math.max(this.coverage(this.held(countsCrumbs)), this.stays?.bound() ?? 0))
  }

  reach(): number {
    const all = (1 - this.damping) * this.total
    const lost = (mass: number): number => Math.max(0, mass - this.#debt) / all
    return shareWithinReach(lost(this.#losses.excluded), lost(this.#losses.unobtainable))
  }

  /** Lifts all mass from a page, as certain; returns what it passes on. */
  lift(page: number): number {
    const mass = this.#taken(page)
    this.keep(page, mass)
    return this.damping * mass
  }

  /** Adds mass to a crawled page; returns its new mass. */
  addCrumb(page: number, share: number): number {
    this.crumbs += share
    if (!this.isSigned) return (this.resting.array[page] += share)
    const before = this.resting.array[page]
    const sum = (this.resting.array[page] += share)
    this.owes(before, sum)
    this.stays?.moved(page, share)
    this.onCrumb(page, sum)
    return sum
  }

  /** A crumb has changed, on a page or elsewhere. */
  owes(before: number, after: number): void {
    this.#owed += Math.min(0, before) - Math.min(0, after)
  }

  /** Lifts all mass from a page that was crawled before. */
  liftCrumbs(page: number): number {
    const mass = this.resting.array[page]
    this.crumbs -= mass
    if (mass < 0) this.#owed += mass
    return this.lift(page)
  }

  /**
   * The mass that crawled pages are compared with before a choice: that of the page that would be chosen or
   * of the average waiting page, whichever is larger. A best-first frontier always offers more than the
   * average; other frontiers may offer almost nothing, and pushing all mass down to that would take far too
   * long.
   */
  yardstick(best: number): number {
    const { services } = this
    const waiting = services.known() - services.crawledCount() - services.awayCount()
    const average = this.#waitingMass / Math.max(1, waiting)
    return Math.max(this.resting.array[best], average * belowEqual)
  }

  /** True if a page may still be fetched. Visits all known pages. */
  hasWaiting(): boolean {
    const { services } = this
    for (let page = services.known() - 1; page >= 0; page--) if (services.isWaiting(page)) return true
    return false
  }

  /** Mass on pages that may still be fetched. */
  get #waitingMass(): number {
    const stuck = this.crumbs + this.#losses.unobtainable + this.#losses.excluded + this.#losses.away
    return (1 - this.damping) * (this.total - this.certain) - stuck
  }

  /**
   * What a strategy needs to run on several shards. `receive` adds mass to any page and returns its new mass; `settle` passes
   * on what crawled pages hold above a limit.
   */
  sharding(parts: Pick<Sharding, 'arrived' | 'settle' | 'limit'>): Sharding {
    return {
      ...parts,
      amount: (page) => this.resting.array[page],
      take: (page) => {
        const mass = this.resting.array[page]
        this.resting.array[page] = 0
        this.#losses.add(elsewhere, -mass, mass)
        this.#own -= mass / (1 - this.damping)
      },
      arrived: (page, amount) => {
        this.#own += amount / (1 - this.damping)
        return parts.arrived(page, amount)
      },
      returned: (amount) => {
        this.#own += amount / (1 - this.damping)
        let own = 0
        this.trusted.forEach((seed, weight) => (own += this.#isAway(seed) ? 0 : weight))
        this.trusted.forEach((seed, weight) => {
          if (this.#isAway(seed)) return
          parts.arrived(seed, (amount * weight) / own)
          this.services.rescored(seed)
        })
      },
      account: () => ({
        certain: this.certain,
        crumbs: this.crumbs,
        // Before the crawl begins, the seeds hold nothing.
        waiting: this.trusted.count === 0 ? 0 : this.#waitingMass,
        away: this.#losses.away,
        excluded: this.#losses.excluded,
        unobtainable: this.lost,
        owed: this.#debt,
      }),
    }
  }

  /** True once all trusted pages are crawled, unless one has left. */
  readonly seedsAreCrawled = (): boolean => this.trusted.areHeld(this.services)

  /** A page without links passes its mass on to the trusted pages: calls `receive` with the part of each. */
  returnToSeeds(passed: number, receive: (page: number, share: number) => void): void {
    this.trusted.forEach((seed, weight) => receive(seed, passed * weight))
  }

  transfer(state: StateCodec): void {
    state.section('mass', 4)
    state.growing(this.resting)
    if (this.#passed !== undefined) {
      state.growing(this.#passed)
      this.hints.transfer(state)
    }
    if (this.#passed !== undefined || this.services.isShard) {
      this.isSigned = state.number(Number(this.isSigned)) === 1
      this.#owed = state.number(this.#owed)
      this.#losses.awayOwed = state.number(this.#losses.awayOwed)
    }
    this.certain = state.number(this.certain)
    this.crumbs = state.number(this.crumbs)
    this.#losses.transfer(state)
    this.#own = state.number(this.#own)
    this.trusted.transfer(state, this.isCounted)
  }
}
