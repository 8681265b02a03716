/** The clocks of all sites with enough held pages, and the times of their turns. */
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { transferList } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { Horizon } from './horizon.ts'

/** Bins in a horizon. */
const binsPerHorizon = 128

export class SiteClocks {
  readonly #pagesMin: number
  readonly #horizon: Horizon
  readonly #clocks = new Map<number, SiteClock>()
  /** Pages of each site that were held, those that are gone included. */
  readonly #pages = new GrowingUint32(64)
  /** Sites with a look since their last turn: in a bin before the present one, and others. */
  readonly #ready = new Set<number>()
  readonly #later = new Set<number>()
  #bin = 0

  constructor(pagesMin: number, horizon: Horizon) {
    this.#pagesMin = pagesMin
    this.#horizon = horizon
  }

  get #width(): number {
    return this.#horizon.days / binsPerHorizon
  }

  of(site: number): SiteClock | undefined {
    return this.#clocks.get(site)
  }

  /** The site has one more held page. */
  add(site: number): void {
    this.#pages.ensure(site)
    if (++this.#pages.array[site] === this.#pagesMin) this.#clocks.set(site, new SiteClock(this.#width))
  }

  looked(site: number): void {
    if (!this.#later.has(site)) this.#ready.add(site)
  }

  /** Turns the clocks that are due; `rekey` is called for their sites. Returns whether any was. */
  turn(day: number, rekey: (site: number) => void): boolean {
    const bin = binAt(day, this.#width)
    if (bin !== this.#bin) {
      this.#bin = bin
      for (const site of this.#later) this.#ready.add(site)
      this.#later.clear()
    }
    let any = false
    for (const site of this.#ready) {
      const clock = this.#clocks.get(site)!
      if (clock.binOf(day) > clock.turnBin) {
        clock.turn(day)
        any = true
        rekey(site)
      } else this.#later.add(site)
    }
    this.#ready.clear()
    return any
  }

  /** The horizon has doubled. */
  widen(day: number): void {
    for (const clock of this.#clocks.values()) clock.widen(day)
  }

  transfer(state: StateCodec): void {
    state.section('site clocks', 2)
    state.growing(this.#pages)
    const sites = [...this.#clocks.keys()]
    transferList(state, sites)
    if (state.isReading) {
      this.#clocks.clear()
      for (const site of sites) this.#clocks.set(site, new SiteClock(this.#width))
    }
    for (const site of sites) this.#clocks.get(site)!.transfer(state)
    if (!state.isReading) return
    this.#bin = 0
    this.#later.clear()
    this.#ready.clear()
    for (const [site, clock] of this.#clocks) if (clock.lookedSinceTurn) this.#ready.add(site)
  }

  get byteLength(): number {
    return [...this.#clocks.values()].reduce((sum, clock) => sum + clock.byteLength, 0)
  }
}

/**
 * The clock of a site. Sites publish in bulk: many pages change at once, and then none for a while. A look at one page is
 * therefore evidence about the other pages of its site. The clock runs at a variable speed, about 1 on average, and
 * measures the time since the last look at a page.
 *
 *   bins of w days      | x x | · | · | x | …      changes X and exposure E of each; speed v = (1 + X)/(1 + μE)
 *
 * Looks change X and E at once. Keys go by the speeds of the last *turn*, when all speeds are fixed and μ is computed anew; bins from
 * there on count 1, as do those more than 256 bins before. Between turns the time of a page runs at speed 1.
 */

const binsKept = 256
/** The bins kept, the current one, and one before the first. */
const ring = binsKept + 2
/** The place of a bin in the ring. Bins may be negative. */
const placeOf = (bin: number): number => (bin < 0 ? ring + (bin % ring) : bin) % ring
/** The bin of a time. Times that begin one but for rounding are in it, so that the unit of time makes no difference. */
const binAt = (time: number, width: number): number => Math.floor(time / width + 1e-6)
/** By this the sums behind μ fade at each turn. */
const fading = 255 / 256

export class SiteClock {
  #width: number
  readonly #changes = new Float64Array(ring)
  readonly #exposure = new Float64Array(ring)
  /** As of the last turn: by how much bins run ahead, summed from each bin to the turn. */
  readonly #ahead = new Float64Array(ring)
  #changeSum = 0
  #exposureSum = 0
  #mean = 1
  /** The bin of the last turn. Speeds are fixed for the bins before it. */
  turnBin = -1
  /** The last bin that the ring holds. */
  #newest = 0
  lookedSinceTurn = false

  constructor(width: number) {
    this.#width = width
  }

  /** μ: changes found for each change expected. */
  get mean(): number {
    return this.#mean
  }

  binOf(time: number): number {
    return binAt(time, this.#width)
  }

  /** The site's time from `since` to `now`, at the speeds of the last turn. */
  elapsed(since: number, now: number): number {
    const { turnBin } = this
    const bin = this.binOf(since)
    if (bin >= turnBin) return now - since
    const first = turnBin - binsKept
    if (bin < first) return now - since + this.#ahead[placeOf(first)]
    const from = placeOf(bin)
    const rest = this.#ahead[placeOf(bin + 1)]
    const own = this.#ahead[from] - (bin + 1 === turnBin ? 0 : rest)
    const left = (bin + 1) * this.#width - since
    return now - since + (bin + 1 === turnBin ? 0 : rest) + (own * left) / this.#width
  }

  /** A look at a page of Gamma(a, b) that was last looked at `since`: returns the time that its estimate counts. */
  looked(a: number, b: number, since: number, now: number, changed: boolean): number {
    this.#advance(this.binOf(now))
    const hazard = a / (b + this.elapsed(since, now))
    const before = changed ? this.between(since, now) : 0
    const found = before > 0 ? hazard / -Math.expm1(-hazard * before) : 0
    this.#learn(since, now, hazard, found)
    this.lookedSinceTurn = true
    return this.between(since, now)
  }

  /** Each bin of this time gets exposure, and changes in proportion to its speed. */
  #learn(since: number, now: number, hazard: number, found: number): void {
    const changes = this.#changes
    const exposure = this.#exposure
    const width = this.#width
    const last = this.binOf(now)
    let at = placeOf(this.#firstBin(since))
    for (let bin = this.#firstBin(since); bin <= last; bin++) {
      const days = Math.min(now, (bin + 1) * width) - Math.max(since, bin * width)
      if (days > 0) {
        const change = found * this.#speed(at) * days
        exposure[at] += hazard * days
        changes[at] += change
        this.#exposureSum += hazard * days
        this.#changeSum += change
      }
      if (++at === ring) at = 0
    }
  }

  /** The site's time between two moments, at the speeds as they are now. */
  between(since: number, now: number): number {
    const width = this.#width
    const last = this.binOf(now)
    let time = Math.max(0, (this.#newest - binsKept) * width - since)
    let at = placeOf(this.#firstBin(since))
    for (let bin = this.#firstBin(since); bin <= last; bin++) {
      const days = Math.min(now, (bin + 1) * width) - Math.max(since, bin * width)
      if (days > 0) time += this.#speed(at) * days
      if (++at === ring) at = 0
    }
    return time
  }

  /** The first bin from this time on that is kept. */
  #firstBin(since: number): number {
    return Math.max(this.binOf(since), this.#newest - binsKept)
  }

  /** Fixes the speeds of all bins before now's. */
  turn(now: number): void {
    const bin = this.binOf(now)
    this.#advance(bin)
    this.#mean = (1 + this.#changeSum) / (1 + this.#exposureSum)
    this.#changeSum *= fading
    this.#exposureSum *= fading
    this.turnBin = bin
    this.lookedSinceTurn = false
    this.#sumSpeeds()
  }

  /** The speed of a bin, as it is now. */
  speedOf(bin: number): number {
    return bin > this.#newest || bin < this.#newest - binsKept ? 1 : this.#speed(placeOf(bin))
  }

  /** Bins become twice as wide: they are joined in pairs. */
  widen(now: number): void {
    const changes = this.#changes.slice()
    const exposure = this.#exposure.slice()
    const newest = this.#newest
    this.#changes.fill(0)
    this.#exposure.fill(0)
    for (let bin = Math.max(0, newest - binsKept); bin <= newest; bin++) {
      const to = placeOf(Math.floor(bin / 2))
      this.#changes[to] += changes[placeOf(bin)]
      this.#exposure[to] += exposure[placeOf(bin)]
    }
    this.#newest = Math.floor(newest / 2)
    this.#width *= 2
    this.turnBin = Math.min(Math.floor(this.turnBin / 2), this.binOf(now))
    this.#sumSpeeds()
  }

  #sumSpeeds(): void {
    const { turnBin } = this
    let sum = 0
    this.#ahead[placeOf(turnBin)] = 0
    for (let each = turnBin - 1; each >= turnBin - binsKept; each--) {
      if (each >= Math.max(0, this.#newest - binsKept)) sum += (this.#speed(placeOf(each)) - 1) * this.#width
      this.#ahead[placeOf(each)] = sum
    }
  }

  #speed(at: number): number {
    return (1 + this.#changes[at]) / (1 + this.#mean * this.#exposure[at])
  }

  /** Makes room up to this bin. */
  #advance(bin: number): void {
    for (let each = Math.max(this.#newest + 1, bin - ring + 1); each <= bin; each++) {
      this.#changes[placeOf(each)] = 0
      this.#exposure[placeOf(each)] = 0
    }
    this.#newest = Math.max(this.#newest, bin)
  }

  transfer(state: StateCodec): void {
    state.section('site clock', 1)
    this.#width = state.number(this.#width)
    state.fixed(this.#changes)
    state.fixed(this.#exposure)
    state.fixed(this.#ahead)
    this.#changeSum = state.number(this.#changeSum)
    this.#exposureSum = state.number(this.#exposureSum)
    this.#mean = state.number(this.#mean)
    this.turnBin = state.number(this.turnBin)
    this.#newest = state.number(this.#newest)
    this.lookedSinceTurn = state.number(Number(this.lookedSinceTurn)) === 1
  }

  get byteLength(): number {
    return this.#changes.byteLength + this.#exposure.byteLength + this.#ahead.byteLength
  }
}
