/**
 * The mass that RankMass and its kin move about. It starts at the trusted pages, (1 - d) in all; a page that is expanded
 * keeps its mass as certain RankMass and passes d times as much on, in equal parts along its links, or to the trusted
 * pages where it has none (S19). All mass there is, and all that it will ever give, sums to 1:
 *
 *   certain + resting / (1 - d) = 1
 *
 * Mass that rests on pages that cannot be had, or that the user's limits exclude, stays there. It is counted as it arrives:
 * coverage is a share of what is obtainable (engine/coverage.ts).
 */
import { heldShare, shareWithinReach } from '../engine/coverage.ts'
import { excluded, obtainable } from '../engine/page-states.ts'
import type { StrategyServices } from '../engine/strategy.ts'
import { assert } from '../lib/assert.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

export interface MassOptions {
  readonly damping: number
  /** The weight of the i-th seed; equal weights unless given. They need not sum to 1. */
  readonly trust?: ((seedIndex: number) => number) | undefined
}

/** A little under 1: where all waiting pages have the same mass, sums that differ in the last digit decide nothing. */
const belowEqual = 1 - 1e-6

export class Mass {
  readonly resting = new GrowingFloat64()
  readonly damping: number
  /** RankMass that crawled pages certainly hold. */
  certain = 0
  /** Mass that rests on crawled pages: what was added to them and not lifted since. */
  crumbs = 0
  /** Mass that rests on unobtainable pages. */
  #unobtainable = 0
  /** Mass that rests on excluded pages. */
  #excluded = 0
  readonly #trust: ((seedIndex: number) => number) | undefined
  #services: StrategyServices | undefined
  #seeds: readonly number[] = []
  #weights: Float64Array = new Float64Array(0)
  /** The first of the seeds up to here are crawled. */
  #crawledSeeds = 0

  constructor(options: MassOptions) {
    this.damping = options.damping
    this.#trust = options.trust
  }

  start(services: StrategyServices): void {
    this.#services = services
  }

  get services(): StrategyServices {
    assert(this.#services !== undefined, 'mass is moved before the crawl has begun')
    return this.#services
  }

  discovered(page: number): number {
    this.resting.ensure(page)
    return this.resting.array[page]
  }

  seeded(seeds: readonly number[]): void {
    this.#seeds = seeds
    this.#weights = Float64Array.from(seeds, (_, i) => this.#trust?.(i) ?? 1)
    const sum = this.#weights.reduce((total, weight) => total + weight, 0)
    seeds.forEach((seed, i) => {
      this.#weights[i] /= sum
      this.resting.array[seed] += (1 - this.damping) * this.#weights[i]
    })
  }

  /** Mass comes to rest on a page that is not crawled; returns what that has now. */
  rest(page: number, share: number): number {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#lose(loss, share)
    return (this.resting.array[page] += share)
  }

  /** A page does not come, with the mass that rests on it. */
  failed(page: number): void {
    const loss = this.services.lossOf(page)
    if (loss !== obtainable) this.#lose(loss, this.resting.array[page])
  }

  /** A page that failed waits again: its mass is no longer excluded. */
  retried(page: number): void {
    if (this.services.lossOf(page) === excluded) this.#excluded -= this.resting.array[page]
  }

  #lose(loss: number, mass: number): void {
    if (loss === excluded) this.#excluded += mass
    else this.#unobtainable += mass
  }

  /** Counts mass on unobtainable and excluded pages anew, after it was moved without `rest`. */
  countLosses(): void {
    this.#unobtainable = this.#excluded = 0
    const { services } = this
    for (let page = services.known() - 1; page >= 0; page--) {
      const loss = services.lossOf(page)
      if (loss !== obtainable) this.#lose(loss, this.resting.array[page])
    }
  }

  /** The RankMass that can be had, as far as known: an upper bound. */
  get obtainable(): number {
    return 1 - this.#unobtainable / (1 - this.damping)
  }

  coverage(held: number): number {
    return heldShare(held, this.#unobtainable / (1 - this.damping))
  }

  reach(): number {
    return shareWithinReach(this.#excluded / (1 - this.damping), this.#unobtainable / (1 - this.damping))
  }

  /** Takes all mass off a page, as certain; returns what it passes on. */
  lift(page: number): number {
    const mass = this.resting.array[page]
    this.resting.array[page] = 0
    this.certain += mass
    return this.damping * mass
  }

  /** Mass comes to rest on a crawled page; returns what that has now. */
  addCrumb(page: number, share: number): number {
    this.crumbs += share
    return (this.resting.array[page] += share)
  }

  /** Takes all mass off a page that was crawled before. */
  liftCrumbs(page: number): number {
    this.crumbs -= this.resting.array[page]
    return this.lift(page)
  }

  /**
   * What a strategy may measure crawled pages against before a choice: the mass of the page that would be chosen, or of the
   * average waiting page where that is more. A frontier that takes the best first always offers more than the average; one
   * that does not may offer next to nothing, and to push all mass below that would take forever.
   */
  yardstick(best: number): number {
    const { services } = this
    const waiting = services.known() - services.crawledCount()
    const stuck = this.crumbs + this.#unobtainable + this.#excluded
    const average = ((1 - this.damping) * (1 - this.certain) - stuck) / Math.max(1, waiting)
    return Math.max(this.resting.array[best], average * belowEqual)
  }

  /** Are all trusted pages crawled? Once so, always so. */
  seedsAreCrawled(): boolean {
    while (
      this.#crawledSeeds < this.#seeds.length &&
      this.services.isCrawled(this.#seeds[this.#crawledSeeds])
    )
      this.#crawledSeeds++
    return this.#crawledSeeds === this.#seeds.length
  }

  /** A page without links passes its mass on to the trusted pages: `receive` is told what each of them gets. */
  returnToSeeds(passed: number, receive: (page: number, share: number) => void): void {
    for (let i = 0; i < this.#seeds.length; i++) {
      if (this.#weights[i] > 0) receive(this.#seeds[i], passed * this.#weights[i])
    }
  }

  transfer(state: StateCodec): void {
    state.section('mass', 1)
    state.growing(this.resting)
    this.certain = state.number(this.certain)
    this.crumbs = state.number(this.crumbs)
    this.#unobtainable = state.number(this.#unobtainable)
    this.#excluded = state.number(this.#excluded)
    this.#seeds = Array.from(state.array(Uint32Array.from(this.#seeds)))
    this.#weights = state.array(this.#weights)
    this.#crawledSeeds = state.number(this.#crawledSeeds)
  }
}
