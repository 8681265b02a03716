/**
 * The pages waiting to be put into a batch, in the strategy's long-term order: by score, then by discovery
 * order. If sites are ranked (S16), the site with the most pages here is first, and its pages are first in,
 * first out.
 *
 *   sites ▷ site, site, …             by number of pages here; a single one if sites are not ranked
 *             └▷ page, page, …        by score
 */
import { GrowingUint32 } from '../lib/growing-array.ts'
import { none, PageForest } from './page-forest.ts'
import { SiteHeap } from './site-heap.ts'
import type { StateCodec } from '../lib/state.ts'

export class Reserve {
  /** Number of pages in the reserve. */
  count = 0
  readonly #ranksSites: boolean
  readonly #pages: PageForest
  readonly #ownsPages: boolean
  readonly #roots = new GrowingUint32(16)
  readonly #counts = new GrowingUint32(16)
  readonly #sites = new SiteHeap()
  #known = 0

  /** `heaps`: those of the frontier, if the reserve can use them too; no page is in both. */
  constructor(options: { ranksSites: boolean; heaps?: PageForest | undefined }) {
    this.#ranksSites = options.ranksSites
    this.#ownsPages = options.heaps === undefined
    this.#pages = options.heaps ?? new PageForest(16)
  }

  /** Adds a page. It must not be in the reserve. */
  add(page: number, siteOfPage: number, key: number): void {
    const site = this.#ranksSites ? siteOfPage : 0
    this.#admit(site)
    this.#roots.array[site] = this.#pages.add(this.#roots.array[site], page, key)
    this.#counts.array[site]++
    this.count++
    if (this.#ranksSites) this.#rank(site)
  }

  /** Changes the key of a page in the reserve. */
  update(page: number, siteOfPage: number, key: number): void {
    const site = this.#ranksSites ? siteOfPage : 0
    this.#roots.array[site] = this.#pages.update(this.#roots.array[site], page, key)
  }

  /** Takes the first page. The reserve must not be empty. */
  take(): number {
    const site = this.#ranksSites ? this.#sites.first() : 0
    const page = this.#roots.array[site]
    this.#roots.array[site] = this.#pages.pop(page)
    this.#counts.array[site]--
    this.count--
    if (this.#ranksSites) this.#rank(site)
    return page
  }

  /** Removes all pages. */
  clear(): void {
    this.#roots.array.fill(none, 0, this.#known)
    this.#counts.array.fill(0, 0, this.#known)
    this.#sites.clear()
    this.count = 0
  }

  #rank(site: number): void {
    const count = this.#counts.array[site]
    if (count === 0) this.#sites.delete(site)
    else this.#sites.set(site, count, site)
  }

  #admit(site: number): void {
    if (site < this.#known) return
    this.#roots.ensure(site)
    this.#counts.ensure(site)
    this.#roots.array.fill(none, this.#known, site + 1)
    this.#known = site + 1
  }

  transfer(state: StateCodec): void {
    state.section('reserve', 2)
    this.count = state.number(this.count)
    this.#known = state.number(this.#known)
    if (this.#ownsPages) this.#pages.transfer(state)
    state.growing(this.#roots)
    state.growing(this.#counts)
    if (!state.isReading || !this.#ranksSites) return
    for (let site = 0; site < this.#known; site++) this.#rank(site)
  }

  get byteLength(): number {
    return (
      (this.#ownsPages ? this.#pages.byteLength : 0) +
      this.#roots.array.byteLength +
      this.#counts.array.byteLength +
      this.#sites.byteLength
    )
  }
}
