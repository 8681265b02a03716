/**
 * Requests the best pages of all shards of a worker, one at a time, within one limit of connections. Each engine decides on its
 * own pages; how many connections it may open is a fact of its journal.
 */
import { unprovenMaxOf } from '../../replay/crawl-engine.ts'
import type { CrawlShard } from './crawl-shard.ts'
import type { HeldShards } from './held-shards.ts'

export class Dispatcher {
  readonly #shards: HeldShards
  readonly #connections: number
  readonly #now: () => number
  /** Shards in order of their last request, to break ties. */
  readonly #lastRequest = new WeakMap<CrawlShard, number>()
  #requests = 0

  constructor(shards: HeldShards, connections: number, now: () => number) {
    this.#shards = shards
    this.#connections = connections
    this.#now = now
  }

  /** Returns when more pages may be due; Infinity if only an outcome can change that. */
  dispatch(): number {
    const unprovenMax = unprovenMaxOf(this.#connections)
    const withoutPage = new Set<CrawlShard>()
    for (;;) {
      let open = 0
      let unproven = 0
      for (const { engine } of this.#shards.all()) {
        open += engine.open.count
        unproven += engine.open.unproven
      }
      if (open >= this.#connections) return Infinity
      const best = this.#bestShard(unproven >= unprovenMax, withoutPage)
      if (best === undefined) return this.#nextDue()
      this.#lastRequest.set(best, this.#requests++)
      const { count, unproven: ownUnproven } = best.engine.open
      best.dispatch({ connections: count + 1, unproven: ownUnproven + unprovenMax - unproven })
      if (best.engine.open.count === count) withoutPage.add(best)
    }
  }

  #bestShard(provenOnly: boolean, withoutPage: ReadonlySet<CrawlShard>): CrawlShard | undefined {
    const now = this.#now()
    let found: CrawlShard | undefined
    let best = -Infinity
    for (const shard of this.#shards.all()) {
      if (withoutPage.has(shard) || shard.shard.unspent <= 0) continue
      const score = shard.bestScore(now, provenOnly)
      if (score === undefined) continue
      const isEarlier = found !== undefined && this.#lastOf(shard) < this.#lastOf(found)
      if (found === undefined || score > best || (score === best && isEarlier)) {
        found = shard
        best = score
      }
    }
    return found
  }

  #lastOf(shard: CrawlShard): number {
    return this.#lastRequest.get(shard) ?? -1
  }

  #nextDue(): number {
    let due = Infinity
    for (const { engine, shard } of this.#shards.all()) {
      // Without pages of the budget, only an outcome or a grant can change that.
      if (shard.unspent > 0) due = Math.min(due, engine.frontier.nextFree())
    }
    // A page that may not be requested although its site is free: it is tried again soon.
    return Math.max(due, this.#now() + 0.005)
  }
}
