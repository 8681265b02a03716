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
import { elsewhere, obtainable } from '../page-states.ts'
import type { MassAccount, Sharding } from '../sharding.ts'
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
  readonly hints: Hints
  /** True once mass was called back, here or on another shard. */
  isSigned = false
  /** Of the crumbs, the sum of the negative ones, without sign. */
  #owed = 0
  /** Called with every crumb that changes once mass is signed, and its new value. */
  onCrumb: (page: number, mass: number) => void = () => {}
  readonly #losses = new Losses()
  /** The RankMass that began in this shard or has arrived, less what was cut; 1 if there is one shard. */
  #own = 1
  readonly #trust: ((seedIndex: number) => number) | undefined
  #services: StrategyServices | undefined
  #seeds: readonly number[] = []
  #weights: Float64Array = new Float64Array(0)
  /** The first of the seeds up to this index are crawled. */
  #crawledSeeds = 0
  /** Seeds that have left. */
  #lostSeeds = 0

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
    if (this.isCounted) this.hints.discovered(page, parent)
    return this.score(page)
  }

  /** What a page is ordered by. */
  score(page: number): number {
    const mass = this.resting.array[page]
    return this.#passed === undefined ? mass : Math.max(0, mass) + this.hints.of(page)
  }

  seeded(seeds: readonly number[]): void {
    this.#seeds = seeds
    this.#weights = Float64Array.from(seeds, (_, i) => this.#trust?.(i) ?? 1)
    const sum = this.#weights.reduce((total, weight) => total + weight, 0)
    let foreign = 0
    seeds.forEach((seed, i) => {
      this.#weights[i] /= sum
      if (this.#isAway(seed)) foreign += this.#weights[i]
      else this.resting.array[seed] += (1 - this.damping) * this.#weights[i]
    })
    this.#own = 1 - foreign
  }

  #isAway(page: number): boolean {
    return this.services.lossOf(page) === elsewhere
  }

  /** The mass of every page from now on: what it has passed on, and what rests on it. */
  masses(): (page: number) => number {
    this.#passed = new GrowingFloat64()
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

  /** True if `masses` was called. */
  get isCounted(): boolean {
    return this.#passed !== undefined
  }

  /** Counts mass that reaches a crawled page as certain without letting it rest there. */
  keep(page: number, share: number): void {
    this.certain += share
    if (this.#passed !== undefined) this.#passed.array[page] += share
  }

  /** Crumbs without the negative ones. */
  get positiveCrumbs(): number {
    return this.crumbs + Math.max(0, this.#owed)
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
    return this.damping * Math.max(0, this.#owed) + Math.max(0, this.#losses.awayOwed)
  }

  /** Adds mass to a page that is not crawled; returns its new mass. */
  rest(page: number, share: number): number {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#losses.add(loss, share, this.resting.array[page])
    return (this.resting.array[page] += share)
  }

  /** A page is not fetched; counts the mass that rests on it. */
  failed(page: number): void {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#losses.add(loss, this.resting.array[page], 0)
  }

  /** A page that failed or left waits again: its mass is no longer lost. */
  retried(page: number): void {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#losses.add(loss, -this.resting.array[page], this.resting.array[page])
  }

  /** A crawled page has left: what it had passed on waits there, as on a page that was never fetched. */
  left(page: number): void {
    const mass = this.resting.array[page]
    this.resting.array[page] = 0
    this.crumbs -= mass
    this.owes(mass, 0)
    const passed = this.passedBy(page)
    this.#passed!.array[page] = 0
    this.certain -= passed
    this.rest(page, mass + passed)
    if (page < this.seedCount()) this.#lostSeeds++
  }

  /** What rests on a page is a crumb from now on. */
  crawled(page: number): void {
    const mass = this.resting.array[page]
    this.resting.array[page] = 0
    this.addCrumb(page, mass)
  }

  /** A page that had left is held again. */
  rejoined(page: number): void {
    this.crawled(page)
    if (page < this.seedCount()) this.#lostSeeds--
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
  }

  /** The obtainable RankMass as far as known: an upper bound. */
  get obtainable(): number {
    return this.total - this.#losses.unobtainable / (1 - this.damping)
  }

  coverage(held: number): number {
    const { total } = this
    return heldShare(held / total, this.#losses.unobtainable / (1 - this.damping) / total)
  }

  reach(): number {
    const all = (1 - this.damping) * this.total
    const lost = (mass: number): number => Math.max(0, mass - this.#debt) / all
    return shareWithinReach(lost(this.#losses.excluded), lost(this.#losses.unobtainable))
  }

  /** Lifts all mass from a page, as certain; returns what it passes on. */
  lift(page: number): number {
    const mass = this.resting.array[page]
    this.resting.array[page] = 0
    this.keep(page, mass)
    return this.damping * mass
  }

  /** Adds mass to a crawled page; returns its new mass. */
  addCrumb(page: number, share: number): number {
    this.crumbs += share
    if (this.isSigned) this.owes(this.resting.array[page], this.resting.array[page] + share)
    const sum = (this.resting.array[page] += share)
    if (this.isSigned) this.onCrumb(page, sum)
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
        const own = this.#seeds.reduce((sum, seed, i) => sum + (this.#isAway(seed) ? 0 : this.#weights[i]), 0)
        this.#seeds.forEach((seed, i) => {
          if (!this.#isAway(seed) && this.#weights[i] > 0) {
            parts.arrived(seed, (amount * this.#weights[i]) / own)
            this.services.rescored(seed)
          }
        })
      },
      account: () => this.#account(),
    }
  }

  #account(): MassAccount {
    return {
      certain: this.certain,
      crumbs: this.crumbs,
      // Before the crawl begins, the seeds hold nothing.
      waiting: this.#weights.length === 0 ? 0 : this.#waitingMass,
      away: this.#losses.away,
      excluded: this.#losses.excluded,
      unobtainable: this.#losses.unobtainable,
      owed: this.#debt,
    }
  }

  readonly seedCount = (): number => this.#seeds.length

  /** True once all trusted pages are crawled, unless one has left. */
  seedsAreCrawled(): boolean {
    while (
      this.#crawledSeeds < this.#seeds.length &&
      this.services.isCrawled(this.#seeds[this.#crawledSeeds])
    )
      this.#crawledSeeds++
    return this.#crawledSeeds === this.#seeds.length && this.#lostSeeds === 0
  }

  /** A page without links passes its mass on to the trusted pages: calls `receive` with the part of each. */
  returnToSeeds(passed: number, receive: (page: number, share: number) => void): void {
    for (let i = 0; i < this.#seeds.length; i++) {
      if (this.#weights[i] > 0) receive(this.#seeds[i], passed * this.#weights[i])
    }
  }

  transfer(state: StateCodec): void {
    state.section('mass', 3)
    state.growing(this.resting)
    if (this.#passed !== undefined) {
      state.growing(this.#passed)
      this.hints.transfer(state)
      this.#lostSeeds = state.number(this.#lostSeeds)
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
    this.#seeds = Array.from(state.array(Uint32Array.from(this.#seeds)))
    this.#weights = state.array(this.#weights)
    this.#crawledSeeds = state.number(this.#crawledSeeds)
  }
}
