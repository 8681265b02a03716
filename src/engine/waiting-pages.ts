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
import { Reserve } from './reserve.ts'
import { awaySite } from './world.ts'

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
