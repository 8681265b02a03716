/**
 * How much crumbs become (S70). The *stay* of a held page is the number of held pages that a surfer visits from there on average,
 * itself included, before it stops or leaves the held pages. A crumb becomes its mass times the stay of its page. So with
 * exact stays w, the sum of what held pages certainly have were known however large the crumbs are: Σ p + Σ e · w.
 *
 *   w(u) = 1 + d · (mean of w over the targets of u)        w = 0 outside of the held pages
 *
 * Kept here are estimates x of w, and for each page its residual 1 + d · mean x - x(u). If no residual exceeds s in size, no
 * estimate is wrong by more than s / (1 - d), because a surfer visits at most 1 / (1 - d) pages. So
 *
 *   Σ p + Σ e · x - Σ |e| · s / (1 - d)  ≤  Σ p + Σ e · w
 *
 * An error of the estimates times an error of the masses: both may be rough, which is what makes changes cheap. If the links of a page
 * change, its residual is computed anew. Where a residual exceeds `residualMax` it is added to the estimate, and the residuals of the pages
 * that link there change. They have a sign, so that changes up and down cancel each other out.
 *
 * Coverage is g / (1 - f) with f, the mass that meets unobtainable pages F. Their stay is c / (1 - d), with c the coverage at some
 * earlier time, so that the sum above is g + c · f, and g / (1 - f) follows from it almost without knowing f.
 */
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import { unobtainable } from '../page-states.ts'
import { PageQueue } from '../strategies/page-queue.ts'
import type { StrategyServices } from '../strategy.ts'
import { IncomingLinks } from './incoming-links.ts'
import type { TrustedPages } from './trusted-pages.ts'

export const residualMax = 0.05
/** The mean stay of the trusted pages may be out of date by this share of the largest residual. */
const driftShare = 0.25
/** Residuals are sums of many numbers, with rounding errors. */
const rounding = 1e-9
/** Links read per call of `settle`. */
const linksMax = 65_536
/** The coverage that the stay of unobtainable pages is based on may be out of date by this. */
const coverageDrift = 0.02
/** Less obtainable mass than this proves nothing. */
const obtainableMin = 1e-6

/** The masses that stays are applied to. */
interface StayingMass {
  readonly services: Pick<StrategyServices, 'known' | 'isCrawled' | 'isHeld' | 'links' | 'lossOf'>
  readonly resting: Pick<GrowingFloat64, 'array'>
  readonly damping: number
  readonly certain: number
  /** Sums of the positive and of the negative crumbs, the latter without sign; and mass on unobtainable pages. */
  readonly positiveCrumbs: number
  readonly owed: number
  readonly lost: number
  readonly trusted: Pick<TrustedPages, 'of'>
}

export class Stays {
  readonly #mass: StayingMass
  /** Crumbs on their way to the trusted pages. */
  readonly #gathered: () => number
  readonly #residualMax: number
  readonly #stays = new GrowingFloat64()
  readonly #residuals = new GrowingFloat64()
  /** Held pages whose residual may exceed the limit, or is not known (NaN). */
  readonly #queue = new PageQueue()
  readonly #incoming = new IncomingLinks()
  /** Over all pages: mass at rest times stay. */
  #sum = 0
  /** No residual of a page that is not in the queue is larger in size. */
  #residualPeak = 0
  /** The mean stay of the trusted pages; and what it was when residuals of pages without links were computed. */
  #returning = 0
  #returningBefore = 0
  /** The coverage that the stay of unobtainable pages is based on, and the number of these pages. */
  #coverage: number
  #lostCount = 0
  /** By how much the stay of a page has changed whose sources are being marked, times d. */
  #change = 0
  linksRead = 0

  constructor(mass: StayingMass, gathered: () => number, coverage: number, most = residualMax) {
    this.#mass = mass
    this.#gathered = gathered
    this.#coverage = coverage
    this.#residualMax = most
  }

  /** Estimates all stays. At first as if a surfer never left: that is exact if everything is held. */
  begin(): void {
    const { services, damping } = this.#mass
    this.#incoming.rebuild(services)
    const known = services.known()
    if (known > 0) this.discovered(known - 1)
    for (let page = 0; page < known; page++) {
      const isLost = services.lossOf(page) === unobtainable
      if (isLost) this.#lostCount++
      const isHeld = services.isHeld(page)
      this.#stays.array[page] = isHeld ? 1 / (1 - damping) : isLost ? this.#lostStay : 0
      this.#returning += this.#mass.trusted.of(page) * this.#stays.array[page]
      if (isHeld) this.#doubt(page)
    }
    this.#returningBefore = this.#returning
    this.#settle(Infinity)
    this.recount()
  }

  get #lostStay(): number {
    return this.#coverage / (1 - this.#mass.damping)
  }

  discovered(page: number): void {
    this.#stays.ensure(page)
    this.#residuals.ensure(page)
  }

  /** Mass was added to a page, or lifted from it. */
  moved(page: number, share: number): void {
    this.#sum += share * this.#stays.array[page]
  }

  /** The links of a page are known for the first time. */
  joined(page: number): void {
    const { links } = this.#mass.services
    links.seek(page)
    for (let i = links.start; i < links.end; i++) this.#incoming.add(links.targets[i], page)
    this.#doubt(page)
  }

  /** The links of a page have changed. */
  relinked(page: number, old: Uint32Array, targets: Uint32Array): void {
    const counts = new Map<number, number>()
    for (const target of old) counts.set(target, (counts.get(target) ?? 0) - 1)
    for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1)
    for (const [target, count] of counts) {
      for (let i = count; i > 0; i--) this.#incoming.add(target, page)
      for (let i = count; i < 0; i++) this.linksRead += this.#incoming.remove(target, page)
    }
    this.#doubt(page)
  }

  /** A page is unobtainable from now on. */
  lost(page: number): void {
    this.#lostCount++
    this.#set(page, this.#lostStay)
    this.settle()
  }

  /** A page is no longer unobtainable. */
  reopened(page: number): void {
    this.#lostCount--
    this.#set(page, 0)
    this.settle()
  }

  /** A page that had left is held again. */
  rejoined(page: number): void {
    this.#doubt(page)
  }

  /** Updates estimates whose residual is too large, as far as the work of one look goes. */
  settle(): void {
    this.#settle(linksMax)
  }

  /** Sets the stay of unobtainable pages anew if the coverage has changed much. */
  revalue(): void {
    const reached = Math.min(1, this.#reached)
    if (this.#lostCount === 0 || reached <= 0 || Math.abs(reached - this.#coverage) <= coverageDrift) return
    this.#coverage = reached
    const { services } = this.#mass
    for (let page = services.known() - 1; page >= 0; page--)
      if (services.lossOf(page) === unobtainable) this.#set(page, this.#lostStay)
    this.settle()
  }

  /** A lower bound of the coverage; 0 if stays are not settled. */
  bound(): number {
    const reached = this.#reached
    if (this.#lostCount === 0 || reached <= 0) return Math.max(0, reached)
    const { damping, positiveCrumbs, owed, lost } = this.#mass
    // f, with what crumbs may add to it or take from it. The bound on g + c · f is worth least at one end of this range.
    const most = (lost + positiveCrumbs) / (1 - damping)
    const least = Math.max(0, lost - owed) / (1 - damping)
    if (1 - most < obtainableMin) return 0
    const met = reached < this.#coverage ? most : least
    return Math.max(0, (reached - this.#coverage * met) / (1 - met))
  }

  /** A lower bound of g + c · f; 0 if stays are not settled. */
  get #reached(): number {
    if (this.#queue.length > 0) return 0
    const { damping, certain, positiveCrumbs, owed } = this.#mass
    const residual = this.#residualPeak + damping * Math.abs(this.#drift) + rounding
    const error = ((positiveCrumbs + owed) * residual) / (1 - damping)
    return certain + this.#sum + this.#gathered() * this.#returning - error
  }

  /** Removes rounding errors of sums, and links that are no more. */
  recount(): void {
    const { services, resting } = this.#mass
    this.#incoming.rebuild(services)
    this.#sum = this.#residualPeak = this.#returning = 0
    for (let page = services.known() - 1; page >= 0; page--) {
      this.#sum += resting.array[page] * this.#stays.array[page]
      this.#returning += this.#mass.trusted.of(page) * this.#stays.array[page]
      const size = Math.abs(this.#residuals.array[page])
      // Pages with larger ones, and with unknown ones, are in the queue.
      if (services.isHeld(page) && size <= this.#residualMax)
        this.#residualPeak = Math.max(this.#residualPeak, size)
    }
  }

  get #drift(): number {
    return this.#returning - this.#returningBefore
  }

  #settle(most: number): void {
    const { damping } = this.#mass
    const end = this.linksRead + most
    while (this.linksRead < end) {
      if (this.#queue.length > 0) this.#update(this.#queue.shift())
      else if (damping * Math.abs(this.#drift) > driftShare * this.#residualMax) {
        this.#returningBefore = this.#returning
        this.linksRead += this.#incoming.forEachWithoutLinks(this.#markWithoutLinks)
      } else return
    }
  }

  #update(page: number): void {
    if (!this.#mass.services.isHeld(page)) return
    const residuals = this.#residuals.array
    if (Number.isNaN(residuals[page])) this.#put(page, this.#computed(page))
    if (Math.abs(residuals[page]) > this.#residualMax)
      this.#set(page, this.#stays.array[page] + residuals[page])
  }

  /** The residual of a held page, from its links. */
  #computed(page: number): number {
    const { services, damping } = this.#mass
    const stays = this.#stays.array
    services.links.seek(page)
    const { targets, start, end } = services.links
    this.linksRead += Math.max(1, end - start)
    let sum = 0
    for (let i = start; i < end; i++) sum += stays[targets[i]]
    return 1 + damping * (start === end ? this.#returningBefore : sum / (end - start)) - stays[page]
  }

  #set(page: number, stay: number): void {
    const { damping, resting } = this.#mass
    const change = stay - this.#stays.array[page]
    this.#stays.array[page] = stay
    this.#residuals.array[page] = 0
    this.#sum += resting.array[page] * change
    this.#returning += this.#mass.trusted.of(page) * change
    this.#change = damping * change
    if (change !== 0) this.linksRead += this.#incoming.forEachTo(page, this.#mark)
  }

  /** The stay of a target has changed. */
  readonly #mark = (source: number): void => {
    const { links } = this.#mass.services
    if (!this.#mass.services.isHeld(source)) return
    links.seek(source)
    this.#put(source, this.#residuals.array[source] + this.#change / (links.end - links.start))
  }

  readonly #markWithoutLinks = (page: number): void => {
    const { services } = this.#mass
    services.links.seek(page)
    if (services.links.start === services.links.end && services.isHeld(page))
      this.#put(page, this.#computed(page))
  }

  #put(page: number, residual: number): void {
    this.#residuals.array[page] = residual
    const size = Math.abs(residual)
    // A residual that is not known stays in the queue.
    if (size > this.#residualMax) this.#queue.push(page)
    else if (size > this.#residualPeak) this.#residualPeak = size
  }

  /** Nothing is known of the residual of a page. */
  #doubt(page: number): void {
    const { links } = this.#mass.services
    links.seek(page)
    if (links.start === links.end) this.#incoming.addWithoutLinks(page)
    this.#residuals.array[page] = NaN
    this.#queue.push(page)
  }

  transfer(state: StateCodec): void {
    state.growing(this.#stays)
    state.growing(this.#residuals)
    this.#queue.transfer(state)
    this.#incoming.transfer(state)
    this.#sum = state.number(this.#sum)
    this.#residualPeak = state.number(this.#residualPeak)
    this.#returning = state.number(this.#returning)
    this.#returningBefore = state.number(this.#returningBefore)
    this.#coverage = state.number(this.#coverage)
    this.#lostCount = state.number(this.#lostCount)
  }
}
