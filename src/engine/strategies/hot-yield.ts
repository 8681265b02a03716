/**
 * The share of fetched pages that are hot: per site, among the children of a page, and overall. For
 * learned-topic.ts.
 */
import { GrowingUint16, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

const countMax = 0xffff
/** Shares are smoothed towards the mean of the crawl, which counts as this many pages. */
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

  /** Counts a fetched page of this site; `parent` has the first link to it. */
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

  /** The estimated share of the site's pages that are hot. */
  ofSite(site: number): number {
    this.#ensureSite(site)
    return this.#of(this.#siteHot.array[site], this.#siteTried.array[site])
  }

  /** The estimated share of hot pages among those first linked by this page. */
  ofChildren(parent: number): number {
    return this.#of(this.#childrenHot.array[parent], this.#childrenTried.array[parent])
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
