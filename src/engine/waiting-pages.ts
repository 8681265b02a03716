/**
 * Waiting pages. They are in the frontier or, if pages are chosen in batches, in the reserve until a batch
 * takes them.
 *
 *   page found ──▶ reserve ──batch──▶ frontier ──▶ taken        without batches: straight to the frontier
 */
import type { StateCodec } from '../lib/state.ts'
import { Batch, batchSizes } from './batch.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Frontier } from './frontier.ts'
import { KeyHistogram } from './key-histogram.ts'
import { AwayPages } from './away-pages.ts'
import { away, type PageStates, reserved, waiting } from './page-states.ts'
import { awaySite } from './world.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import { none, PageForest } from './page-forest.ts'
import { SiteHeap } from './site-heap.ts'

export class WaitingPages {
  readonly #pages: PageStates
  readonly #frontier: Frontier
  readonly #isBatched: boolean
  readonly #reserve: Reserve
  readonly batch = new Batch()
  /** Pages of other shards; none if the crawl has one shard. */
  readonly away = new AwayPages()
  /** The keys of waiting pages; undefined if the crawl has one engine. */
  readonly keys: KeyHistogram | undefined

  constructor(pages: PageStates, options: EngineOptions) {
    this.#pages = pages
    this.#frontier = options.frontier
    this.#isBatched = batchSizes(options) !== undefined
    this.keys = options.isShard === true ? new KeyHistogram() : undefined
    this.#reserve = new Reserve({
      ranksSites: options.strategy.ranksSites === true,
      heaps: options.frontier.heaps,
    })
  }

  get count(): number {
    return this.#frontier.waiting + this.#reserve.count
  }

  get reservedCount(): number {
    return this.#reserve.count
  }

  /** Adds a page. */
  add(page: number, score: number): void {
    const site = this.#pages.siteOf(page)
    if (site === awaySite) return this.#addAway(page)
    const key = this.#pages.key(page, score)
    this.#pages.set(page, this.#isBatched ? reserved : waiting)
    if (this.#isBatched) this.#reserve.add(page, site, key)
    else {
      this.#frontier.add(page, site, key)
      this.keys?.add(page, key)
    }
  }

  #addAway(page: number): void {
    this.#pages.set(page, away)
    this.away.add(page)
  }

  rekey(page: number, score: number): void {
    const state = this.#pages.of(page)
    if (state === reserved) {
      this.#reserve.update(page, this.#pages.siteOf(page), this.#pages.key(page, score))
    }
    // Pages of a batch keep the order in which they were chosen.
    else if (state === waiting && !this.#isBatched) {
      const key = this.#pages.key(page, score)
      this.#frontier.update(page, this.#pages.siteOf(page), key)
      this.keys?.update(page, key)
    } else if (state === away) this.away.mark(page)
  }

  /** Rescores every waiting page except those of the current batch. */
  rekeyAll(score: (page: number) => number): void {
    const old = this.#isBatched ? reserved : waiting
    if (!this.#isBatched) this.#frontier.clear()
    this.#reserve.clear()
    for (let page = 0; page < this.#pages.known; page++) {
      if (this.#pages.of(page) === old) this.add(page, score(page))
    }
  }

  /** Moves the best pages of the reserve to the frontier, in order. */
  beginBatch(size: number): void {
    this.batch.clear()
    for (let i = 0; i < size; i++) {
      const page = this.#reserve.take()
      this.batch.add(page)
      this.#pages.set(page, waiting)
      this.#frontier.add(page, this.#pages.siteOf(page), size - i)
    }
  }

  /** Returns the pages of the batch that were not taken to the reserve. */
  endBatch(score: (page: number) => number): void {
    this.#frontier.clear()
    for (let i = 0; i < this.batch.length; i++) {
      const page = this.batch.at(i)
      if (this.#pages.of(page) === waiting) this.add(page, score(page))
    }
  }

  transfer(state: StateCodec): void {
    this.#reserve.transfer(state)
    this.batch.transfer(state)
    this.keys?.transfer(state)
  }

  get byteLength(): number {
    const keys = this.keys?.byteLength ?? 0
    return this.#reserve.byteLength + this.batch.byteLength + this.away.byteLength + keys
  }
}

/**
 * The pages waiting to be put into a batch, in the strategy's long-term order: by score, then by discovery
 * order. If sites are ranked (S16), the site with the most pages here is first, and its pages are first in,
 * first out.
 *
 *   sites ▷ site, site, …             by number of pages here; a single one if sites are not ranked
 *             └▷ page, page, …        by score
 */

class Reserve {
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
