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
import { Crumbs, settledPagesMax } from '../mass/crumbs.ts'
import type { Strategy } from '../strategy.ts'
import type { StateCodec } from '../../lib/state.ts'
import { Mass, type MassOptions } from './mass.ts'

interface ExactRankMassOptions extends MassOptions {
  /** The share of all mass that may rest on crawled pages when they are settled; default 1e-9. */
  readonly tolerance?: number
  /** The coverage at which the crawl will stop. Crumbs are settled when it comes within reach. */
  readonly target?: number | undefined
}

/** Crumbs below this fraction of the best waiting page's mass rest. */
const crumb = 2 ** -6
export function exactRankMass(options: ExactRankMassOptions): Strategy {
  const mass = new Mass(options)
  const crumbs = new Crumbs(mass, options.tolerance ?? 1e-9)
  const { changes } = crumbs
  const settling = new Settling(mass, crumbs, options.target ?? Infinity)
  return {
    name: 'exact-rankmass',
    start(services) {
      mass.start(services)
      void services.links
    },
    discovered(page, parent) {
      crumbs.discovered(page)
      return mass.discovered(page, parent)
    },
    seeded: (seeds) => mass.seeded(seeds),
    visited: (page, linkCount) => crumbs.visited(page, linkCount),
    linked(page, share) {
      crumbs.receive(page, share)
      return mass.score(page)
    },
    score: (page) => mass.score(page),
    advance: (best) => settling.advance(best),
    ended: () => settling.end(),
    masses: () => mass.masses(),
    ...changes.methods,
    relinking: (page) => crumbs.relinking(page),
    rerouted: (page) => crumbs.rerouted(page),
    left: (page) => crumbs.left(page),
    rejoined: (page) => crumbs.rejoined(page),
    failed: (page) => mass.failed(page),
    coverage: () => mass.guaranteed(true),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    sharding: mass.sharding({
      arrived(page, amount) {
        if (amount < 0) changes.begin()
        crumbs.receive(page, amount)
        return mass.score(page)
      },
      settle(limit) {
        changes.repair()
        crumbs.pushDown(Math.max(crumbs.settledLimit, limit))
      },
      limit: (best) => (best > 0 ? crumb * best : crumbs.settledLimit),
    }),
    transfer(state) {
      state.section('exact-rankmass', 4)
      mass.transfer(state)
      crumbs.transfer(state)
      settling.transfer(state)
    },
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
      crumbs.sink(() => mass.positiveCrumbs <= Math.max(crumbs.max, 1e-3 * missing()))
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
    return this.#mass.guaranteed(true) >= this.#target
  }

  #isReachable(): boolean {
    const { certain, crumbs, damping } = this.#mass
    return this.#mass.coverage(certain + crumbs / (1 - damping)) >= this.#target
  }
}
