/**
 * Requests the best pages of all shards of a worker, one at a time, within one limit of connections. Each engine decides on its
 * own pages; how many connections it may open is a fact of its journal.
 */
import { unprovenMaxOf } from '../../engine/connections.ts'
import type { HeldShard } from './held-shard.ts'
import type { HeldShards } from './held-shards.ts'
import type { WorkerOrder } from './worker-order.ts'
import type { WorkerRate } from './worker-rate.ts'

interface DispatcherOptions {
  readonly shards: HeldShards
  readonly connections: number
  readonly now: () => number
  /** Undefined without patience. */
  readonly order?: WorkerOrder | undefined
  /** Undefined if every page is fetched once. */
  readonly rate?: WorkerRate | undefined
}

/** The keys that pages need beside those of other workers, and of this one. */
interface Prices {
  readonly price: number
  readonly ownPrice: number
}

const noPrices: Prices = { price: -Infinity, ownPrice: -Infinity }

/** The best keys of all shards during one dispatch: after a page is taken, only that of its shard is computed again. */
class Offers {
  readonly #shards: HeldShards
  /** Those without a key have no page. */
  readonly #keys = new Map<HeldShard, number>()
  readonly #withoutPage = new Set<HeldShard>()
  #provenOnly: boolean | undefined

  constructor(shards: HeldShards) {
    this.#shards = shards
  }

  keys(provenOnly: boolean): ReadonlyMap<HeldShard, number> {
    if (provenOnly !== this.#provenOnly) {
      this.#provenOnly = provenOnly
      for (const shard of this.#shards.all()) this.#update(shard)
    }
    return this.#keys
  }

  /** The shard was asked for a page. */
  took(shard: HeldShard, hasTaken: boolean): void {
    if (!hasTaken) this.#withoutPage.add(shard)
    this.#update(shard)
  }

  #update(shard: HeldShard): void {
    const key = this.#withoutPage.has(shard) ? undefined : shard.bestKey(this.#provenOnly === true)
    if (key === undefined) this.#keys.delete(shard)
    else this.#keys.set(shard, key)
  }
}

export class Dispatcher {
  readonly #options: DispatcherOptions
  /** Shards in order of their last request, to break ties. */
  readonly #lastRequest = new WeakMap<HeldShard, number>()
  #requests = 0
  #isStarved = false

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** At the last dispatch, a shard had a page worth taking, and no page of the budget. */
  get isStarved(): boolean {
    return this.#isStarved
  }

  /** Returns when more pages may be due; Infinity if only an outcome can change that. */
  dispatch(): number {
    const { shards, connections, order, rate } = this.#options
    order?.begin()
    this.#isStarved = false
    const unprovenMax = unprovenMaxOf(connections)
    let open = 0
    let unproven = 0
    for (const { engine } of shards.all()) {
      open += engine.open.count
      unproven += engine.open.unproven
    }
    const offers = new Offers(shards)
    for (;;) {
      if (rate?.hasToken() === false) return this.#soon(rate.nextToken())
      if (open >= connections) return Infinity
      const prices = order === undefined ? noPrices : { price: order.price, ownPrice: order.ownPrice }
      const best = this.#bestShard(offers.keys(unproven >= unprovenMax), prices)
      if (best === undefined) return this.#nextDue()
      if (order?.hasRoom === false) {
        order.blocked()
        return this.#nextDue()
      }
      if (order !== undefined) best.engine.price(Math.max(prices.price, prices.ownPrice))
      this.#lastRequest.set(best, this.#requests++)
      const ownOpen = best.engine.open
      const { count, unproven: ownUnproven } = ownOpen
      best.dispatch({ connections: count + 1, unproven: ownUnproven + unprovenMax - unproven })
      open += ownOpen.count - count
      unproven += ownOpen.unproven - ownUnproven
      offers.took(best, ownOpen.count > count)
      if (ownOpen.count > count) order?.took()
    }
  }

  #bestShard(keys: Iterable<[HeldShard, number]>, { price, ownPrice }: Prices): HeldShard | undefined {
    let found: HeldShard | undefined
    let best = -Infinity
    for (const [shard, key] of keys) {
      // A page of this worker is awaited until its site is free, so there is nothing to bound.
      if (key < ownPrice || !this.#mayTake(shard, key >= price)) continue
      const isEarlier = found !== undefined && this.#lastOf(shard) < this.#lastOf(found)
      if (found === undefined || key > best || (key === best && isEarlier)) {
        found = shard
        best = key
      }
    }
    return found
  }

  /** Notes what a page waits for that may not be taken. */
  #mayTake({ shard }: HeldShard, isWorthIt: boolean): boolean {
    const hasBudget = shard.unspent > 0
    const { recrawl, waitingCount } = shard.engine
    if (!hasBudget) this.#isStarved ||= isWorthIt && waitingCount > 0
    else if (!isWorthIt) this.#options.order?.blocked()
    // Held pages need none of the budget, and the engine takes no other without it.
    return (hasBudget || recrawl !== undefined) && isWorthIt
  }

  #lastOf(shard: HeldShard): number {
    return this.#lastRequest.get(shard) ?? -1
  }

  #nextDue(): number {
    let due = this.#options.order?.overdueAt ?? Infinity
    for (const held of this.#options.shards.all()) {
      // Without pages of the budget, only an outcome or a grant can change that.
      if (held.shard.unspent > 0 || held.engine.recrawl !== undefined) due = Math.min(due, held.nextDue())
    }
    // A page that may not be requested although its site is free: it is tried again soon.
    return this.#soon(due)
  }

  #soon(due: number): number {
    return Math.max(due, this.#options.now() + 0.005)
  }
}
