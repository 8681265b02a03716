/** How many fetched pages were hot: of each site, of the children of each page, and of all. For learned-topic.ts. */
import { GrowingUint16, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

const countMax = 0xffff
/** Yields are drawn to the mean of the crawl as if so many pages had had it. */
const caution = 4

export class HotYield {
  readonly #childrenTried = new GrowingUint16()
  readonly #childrenHot = new GrowingUint16()
  readonly #siteTried = new GrowingUint32()
  readonly #siteHot = new GrowingUint32()
  #tried = 0
  #hot = 0

  discovered(page: number): void {
    this.#childrenTried.ensure(page)
    this.#childrenHot.ensure(page)
  }

  /** A page of this site was fetched; `parent` linked to it first. */
  tried(site: number, parent: number, isHot: boolean): void {
    this.#ensureSite(site)
    this.#siteTried.array[site]++
    if (this.#childrenTried.array[parent] < countMax) this.#childrenTried.array[parent]++
    this.#tried++
    if (!isHot) return
    this.#siteHot.array[site]++
    if (this.#childrenHot.array[parent] < countMax) this.#childrenHot.array[parent]++
    this.#hot++
  }

  /** The share of the site's pages that are hot, as far as can be said. */
  ofSite(site: number): number {
    this.#ensureSite(site)
    return this.#of(this.#siteHot.array[site], this.#siteTried.array[site])
  }

  /** The same of the pages that a page linked to first. */
  ofChildren(parent: number): number {
    return this.#of(this.#childrenHot.array[parent], this.#childrenTried.array[parent])
  }

  /** Fetched pages for each hot one. */
  get rarity(): number {
    return (this.#tried + 1) / (this.#hot + 1)
  }

  transfer(state: StateCodec): void {
    state.growing(this.#childrenTried)
    state.growing(this.#childrenHot)
    state.growing(this.#siteTried)
    state.growing(this.#siteHot)
    this.#tried = state.number(this.#tried)
    this.#hot = state.number(this.#hot)
  }

  #of(hot: number, tried: number): number {
    const mean = (this.#hot + 0.1) / (this.#tried + 1)
    return (hot + caution * mean) / (tried + caution)
  }

  #ensureSite(site: number): void {
    this.#siteTried.ensure(site)
    this.#siteHot.ensure(site)
  }
}
