/** The clocks of all sites with enough held pages, and the times of their turns. */
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { transferList } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'
import { SiteClock } from './site-clock.ts'

/** Bins in a horizon. */
const binsPerHorizon = 128

export class SiteClocks {
  readonly #pagesMin: number
  #width: number
  readonly #clocks = new Map<number, SiteClock>()
  /** Pages of each site that were held, those that are gone included. */
  readonly #pages = new GrowingUint32(64)
  /** Sites with a look since their last turn: in a bin before the present one, and others. */
  readonly #ready = new Set<number>()
  readonly #later = new Set<number>()
  #bin = 0

  constructor(pagesMin: number, horizon: number) {
    this.#pagesMin = pagesMin
    this.#width = horizon / binsPerHorizon
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
    const bin = Math.floor(day / this.#width)
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
    this.#width *= 2
    for (const clock of this.#clocks.values()) clock.widen(day)
  }

  transfer(state: StateCodec): void {
    state.section('site clocks', 1)
    this.#width = state.number(this.#width)
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
