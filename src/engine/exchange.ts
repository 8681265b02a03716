/**
 * What an engine exchanges with the engines of other shards. A *cut* empties the accounts of away pages; the amounts go to the
 * shards that own the pages, where they *arrive*. Both are facts: the content of a cut is a function of the facts before it,
 * and the fact of an arrival has its content.
 *
 * The seeds of other shards are represented by one page each, their *home*: the first pages of the engine, after its own
 * seeds. What rests on a home belongs to the seeds of that shard, in proportion to their trust.
 */
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import { assert } from '../lib/assert.ts'
import type { StateCodec } from '../lib/state.ts'
import { namedBefore, type FactListener } from './fact.ts'
import type { FoundLinks } from './found-links.ts'
import { FoundOrder } from './found-order.ts'
import { ShardOffers, type OffersParts } from './shard-offers.ts'
import type { Sharding } from './sharding.ts'
import { noParent } from './strategy.ts'
import type { WaitingPages } from './waiting-pages.ts'

interface ExchangeParts extends OffersParts {
  readonly waiting: WaitingPages
  readonly found: FoundLinks
  /** Starts the crawl, if nothing has started it. */
  begin(): void
}

export class Exchange {
  readonly #parts: ExchangeParts
  readonly #sharding: Sharding
  readonly #order: FoundOrder
  readonly offers: ShardOffers
  readonly #pages = new GrowingUint32(0)
  readonly #amounts = new GrowingFloat64(0)
  readonly #foundMs = new GrowingUint32(0)
  /** Seeds and homes: the first pages. */
  #seedCount = 0
  /** Pages with a smaller key are not taken. */
  #price = -Infinity

  constructor(parts: ExchangeParts) {
    const { sharding } = parts.options.strategy
    assert(sharding !== undefined, `the strategy ${parts.options.strategy.name} cannot run on several shards`)
    this.#parts = parts
    this.offers = new ShardOffers(parts)
    this.#sharding = sharding
    this.#order = new FoundOrder(sharding, parts.options.beganAt ?? 0)
    parts.pages.order = this.#order
  }

  /**
   * Passes on mass above `limit`, and takes every amount of at least `limit` from the away pages; with `all`, also the pages
   * that no cut has named yet. `onCut` receives them.
   */
  readonly cut = (limit: number, all: boolean): void => {
    const { options, waiting } = this.#parts
    this.#parts.begin()
    options.facts?.cut(limit, all)
    this.#sharding.settle?.(limit)
    let count = 0
    waiting.away.sweep((page) => {
      if (!this.#isDue(page, limit, all)) return false
      this.#pages.ensure(count)
      this.#amounts.ensure(count)
      this.#foundMs.ensure(count)
      this.#pages.array[count] = page
      this.#foundMs.array[count] = waiting.away.isSent(page) ? namedBefore : this.#order.msOf(page)
      this.#amounts.array[count++] = this.#sharding.amount(page)
      this.#sharding.take(page)
      return true
    })
    const [pages, amounts, foundMs] = [this.#pages.array, this.#amounts.array, this.#foundMs.array]
    options.onCut?.({ pages, amounts, foundMs, count })
  }

  readonly arrived: NonNullable<FactListener['arrived']> = (source, number, arrival) => {
    const { options, waiting, pages } = this.#parts
    const { home, amounts, count, newSites } = arrival
    this.#parts.begin()
    const knownBefore = pages.known
    for (let i = 0; i < count; i++) {
      const page = arrival.pages[i]
      if (page >= pages.known) {
        assert(page === pages.known, 'pages must be numbered in discovery order')
        this.#order.nextFoundAt(arrival.foundMs[page - knownBefore])
        this.#parts.found.discover(newSites[page - knownBefore], noParent)
      }
      if (amounts[i] === 0) continue
      waiting.rekey(page, this.#sharding.arrived(page, amounts[i]))
      this.#parts.recrawl?.massMoved(page)
    }
    if (home !== 0) this.#sharding.returned?.(home)
    options.facts?.arrived(source, number, arrival, pages.known - knownBefore)
  }

  /** Amounts may be negative (S70). A page that no cut has named is due even without an amount, where all are wanted. */
  #isDue(page: number, limit: number, all: boolean): boolean {
    const { away } = this.#parts.waiting
    const amount = Math.abs(this.#sharding.amount(page))
    if (this.isHome(page)) return amount > 0 && amount >= limit
    return away.isSent(page) ? amount > 0 && amount >= limit : all || amount >= limit
  }

  /** True for the page that stands for the seeds of another shard. */
  isHome(page: number): boolean {
    return page < this.#seedCount
  }

  /** Pages that this shard owns, without those that are gone or failed. */
  get ownKnown(): number {
    const { pages, waiting, recrawl } = this.#parts
    return pages.known - waiting.away.count - pages.failedCount - (recrawl?.held.gone ?? 0)
  }

  /** Number of away pages that something has reached since they were last cut. */
  get changedCount(): number {
    return this.#parts.waiting.away.changedCount
  }

  /** Number of waiting pages by bucket of their keys (key-histogram.ts). */
  get keyCounts(): Uint32Array {
    return this.#parts.waiting.keys!.counts
  }

  get currentPrice(): number {
    return this.#price
  }

  /** The price is a fact, because it decides which pages are taken. */
  readonly price = (key: number): void => {
    if (key === this.#price) return
    this.#parts.options.facts?.price(key)
    this.#price = key
  }

  isBelowPrice(page: number): boolean {
    const { pages, options } = this.#parts
    return this.#price > -Infinity && pages.key(page, options.strategy.score(page)) < this.#price
  }

  /** Called once, before anything is crawled. */
  seeded(count: number): void {
    this.#seedCount = count
  }

  transfer(state: StateCodec): void {
    this.#seedCount = state.number(this.#seedCount)
    this.#price = state.number(this.#price)
    this.#parts.waiting.away.transfer(state)
  }
}
