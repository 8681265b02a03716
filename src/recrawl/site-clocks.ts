/** The clocks of all sites with enough held pages, and the times of their turns. */
import { GrowingUint32 } from '../lib/growing-array.ts'
import { transferList } from '../lib/state-collections.ts'
import type { StateCodec } from '../lib/state.ts'
import { SiteClock } from './site-clock.ts'

/** Bins in a horizon. */
const binsPerHorizon = 128

export class SiteClocks {
  readonly #pagesMin: number
  #width: number
  readonly #clocks = new Map<number, SiteClock>()
  /** Held pages of each site, those that are gone included. */
  readonly #pages: number[][] = []
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
  add(site: number, page: number): void {
    const pages = (this.#pages[site] ??= [])
    pages.push(page)
    if (pages.length === this.#pagesMin) this.#clocks.set(site, new SiteClock(this.#width))
  }

  looked(site: number): void {
    if (!this.#later.has(site)) this.#ready.add(site)
  }

  /** Turns the clocks that are due; `rekey` is called for every page of theirs. Returns whether any was. */
  turn(day: number, rekey: (page: number) => void): boolean {
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
        for (const page of this.#pages[site]) rekey(page)
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
    this.#transferPages(state)
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

  #transferPages(state: StateCodec): void {
    const lengths = new GrowingUint32(0)
    const all: number[] = []
    for (let site = 0; site < this.#pages.length; site++) {
      lengths.ensure(site)
      lengths.array[site] = this.#pages[site]?.length ?? 0
      for (const page of this.#pages[site] ?? []) all.push(page)
    }
    state.growing(lengths)
    transferList(state, all)
    if (!state.isReading) return
    let at = 0
    this.#pages.length = 0
    for (let site = 0; site < lengths.length; site++)
      this.#pages.push(all.slice(at, (at += lengths.array[site])))
  }

  get byteLength(): number {
    return [...this.#clocks.values()].reduce((sum, clock) => sum + clock.byteLength, 0)
  }
}
