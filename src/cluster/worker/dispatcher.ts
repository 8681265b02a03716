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
    const withoutPage = new Set<HeldShard>()
    for (;;) {
      if (rate?.hasToken() === false) return this.#soon(rate.nextToken())
      let open = 0
      let unproven = 0
      for (const { engine } of shards.all()) {
        open += engine.open.count
        unproven += engine.open.unproven
      }
      if (open >= connections) return Infinity
      const best = this.#bestShard(unproven >= unprovenMax, withoutPage)
      if (best === undefined) return this.#nextDue()
      if (order?.hasRoom === false) {
        order.blocked()
        return this.#nextDue()
      }
      if (order !== undefined) best.engine.price(Math.max(order.price, order.ownPrice))
      this.#lastRequest.set(best, this.#requests++)
      const ownOpen = best.engine.open
      const { count, unproven: ownUnproven } = ownOpen
      best.dispatch({ connections: count + 1, unproven: ownUnproven + unprovenMax - unproven })
      if (ownOpen.count === count) withoutPage.add(best)
      else order?.took()
    }
  }

  #bestShard(provenOnly: boolean, withoutPage: ReadonlySet<HeldShard>): HeldShard | undefined {
    const { price, ownPrice } = this.#options.order ?? { price: -Infinity, ownPrice: -Infinity }
    let found: HeldShard | undefined
    let best = -Infinity
    for (const shard of this.#options.shards.all()) {
      if (withoutPage.has(shard)) continue
      const key = shard.bestKey(provenOnly)
      // A page of this worker is awaited until its site is free, so there is nothing to bound.
      if (key === undefined || key < ownPrice || !this.#mayTake(shard, key >= price)) continue
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
