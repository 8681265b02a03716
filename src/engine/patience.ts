/**
 * Patience: under a page budget, an idle connection costs less than a bad page. While better pages are only resting, a
 * site that has nothing but pages put last (by trap detection) skips its turn: it rests as long as after a fetch.
 *
 *   site free ▷ is its best page one that was put last, and do others wait?
 *                 no ▷ take it                              page requested: credit + share
 *                 yes, and there is credit ▷ skip the turn                  credit - 1
 *
 * Invariant: at most `share` turns are skipped for each page requested. A skipped turn takes as much of its site's time as
 * a fetch, and no connection; so with equal fetch times and sites that do not run out of pages, the k-th page is
 * fetched no later than page ⌈(1 + share) · k⌉ is without patience (S69).
 *
 * 17 bytes per site.
 */
import { GrowingFloat64, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { batchSizes } from './batch.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Frontier } from './frontier.ts'
import type { PageStates } from './page-states.ts'
import type { FailureCause } from './world.ts'

/** In place of `#wasRequested`: a page of the connection waits again, so the site rests for another reason than its fetches. */
const isUnusual = 2

/** If no request was sent for this many cycles of a site, the site takes its turn. */
const cyclesMax = 8

/** A crawl with a page budget may take about half as long again; one with a time limit skips no turns. */
export function defaultPatience(budget: {
  readonly pages?: number | undefined
  readonly seconds?: number | undefined
}): number {
  return budget.pages !== undefined && budget.seconds === undefined ? 0.5 : 0
}

/**
 * Undefined if no turn is ever skipped. All pages of a batch are taken before others are chosen, so batches leave nothing
 * to skip. `held`: the frontier of held pages.
 */
export function patienceOf(
  options: EngineOptions,
  pages: PageStates,
  held: Frontier | undefined,
): Patience | undefined {
  const { patience: share = 0, frontier } = options
  if (share === 0 || batchSizes(options) !== undefined) return undefined
  return new Patience(share, pages, held === undefined ? [frontier] : [frontier, held])
}

export class Patience {
  readonly #share: number
  readonly #pages: PageStates
  /** A site rests in all of them. */
  readonly #frontiers: readonly Frontier[]
  /** Turns that may be skipped. */
  credit = 0
  /** Number of turns skipped. */
  skipped = 0
  /** Seconds from the last request of each site until the site was free again; 0 before its first. */
  readonly #cycles = new GrowingFloat64(64)
  readonly #takenAt = new GrowingFloat64(64)
  /** What the current connection of each site says about the cycle: nothing (0) until it has requested a page (1). */
  readonly #wasRequested = new GrowingUint8(64)
  /** The shortest cycle of any site. */
  #shortest = Infinity
  /** When the last page was taken that was then requested, as far as its outcome is known. */
  #lastRequested = 0

  constructor(share: number, pages: PageStates, frontiers: readonly Frontier[]) {
    this.#share = share
    this.#pages = pages
    this.#frontiers = frontiers
  }

  /** `page` would be taken now. Returns true if its site skips the turn instead, and rests. */
  skips(page: number, now: number): boolean {
    const pages = this.#pages
    if (this.credit < 1 || !pages.isDemoted(page) || pages.undemotedCount === 0) return false
    const site = pages.siteOf(page)
    const cycle = this.#cycleOf(site)
    if (cycle === Infinity || now - this.#lastRequested > cyclesMax * cycle) return false
    this.credit--
    this.skipped++
    for (const frontier of this.#frontiers) {
      frontier.occupy(site, now)
      frontier.release(site, now + cycle)
    }
    return true
  }

  /** The shortest of all sites if this one has not fetched a page yet. */
  #cycleOf(site: number): number {
    const own = site < this.#cycles.length ? this.#cycles.array[site] : 0
    return own > 0 ? own : this.#shortest
  }

  taken(site: number, now: number): void {
    for (const array of [this.#cycles, this.#takenAt, this.#wasRequested]) array.ensure(site)
    this.#takenAt.array[site] = now
  }

  /**
   * A page of the site was fetched. Each page counts once, with its outcome. An attempt that is repeated later (429, 503, a
   * timeout) and a refresh of a held page count neither as credit nor as the last request: they take nothing from the page budget, and
   * a crawl must not wait for sites that send nothing else.
   */
  fetched(site: number): void {
    this.credit += this.#share
    this.#lastRequested = Math.max(this.#lastRequested, this.#takenAt.array[site])
    if (this.#wasRequested.array[site] !== isUnusual) this.#wasRequested.array[site] = 1
  }

  /** A failed request counts as a requested page too. */
  failed(site: number, cause: FailureCause): void {
    if (cause === 'failed' || cause === 'temporary') this.fetched(site)
  }

  /**
   * A page of the current connection waits again: the server sent a Retry-After, or the crawl was killed, and the
   * connection ends when it is resumed. A skipped turn must not take that long.
   */
  postponed(site: number): void {
    this.#wasRequested.array[site] = isUnusual
  }

  closed(site: number, freeAt: number): void {
    const wasRequested = this.#wasRequested.array[site] === 1
    this.#wasRequested.array[site] = 0
    if (!wasRequested) return
    const cycle = freeAt - this.#takenAt.array[site]
    this.#cycles.array[site] = cycle
    if (cycle > 0) this.#shortest = Math.min(this.#shortest, cycle)
  }

  transfer(state: StateCodec): void {
    state.section('patience', 1)
    this.credit = state.number(this.credit)
    this.skipped = state.number(this.skipped)
    this.#shortest = state.number(this.#shortest)
    this.#lastRequested = state.number(this.#lastRequested)
    state.growing(this.#cycles)
    state.growing(this.#takenAt)
    state.growing(this.#wasRequested)
  }
}
