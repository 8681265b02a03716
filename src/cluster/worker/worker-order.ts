/**
 * The order of pages between workers, with patience: a worker takes pages that are among the best of all shards, and then exchanges
 * mass before it takes more (page-order.ts, page-pace.ts). Nor does it take pages that are worth too little beside the best page of any
 * shard that waits for politeness (S73).
 *
 * What the other shards have to offer is read at every beat, and announced by their owners after every group. Offers of workers
 * that are gone do not count.
 */
import { bucketFloor } from '../../engine/key-histogram.ts'
import { coverageOf } from '../protocol/heads.ts'
import type { Members } from '../protocol/members.ts'
import { outlookOf } from '../protocol/page-order.ts'
import { PagePace } from '../protocol/page-pace.ts'
import { memberOf, type ShardHead } from '../protocol/shard-group.ts'
import type { Exchange } from './exchange.ts'
import type { HeldShard } from './held-shard.ts'
import type { HeldShards } from './held-shards.ts'
import type { Heads, WorkerClock, WorkerCrawl, WorkerTiming } from './ports.ts'

interface WorkerOrderOptions {
  readonly crawl: WorkerCrawl
  readonly clock: WorkerClock
  readonly shards: HeldShards
  readonly members: Members
  readonly exchange: Exchange
  readonly timing: Pick<WorkerTiming, 'orderSeconds'>
  readonly wake: () => void
  /** The announced groups prove the coverage at which the crawl ends. */
  readonly reached: () => void
}

export class WorkerOrder {
  readonly #options: WorkerOrderOptions
  readonly #pace: PagePace
  #heads: (ShardHead | undefined)[] = []
  #isStale = true
  /** The bucket of the best page of other workers that waits for politeness. */
  #awaited = 0
  /** Pages of each shard that were in flight or had an outcome at the last exchange. */
  #spent = new Map<HeldShard, number>()

  constructor(options: WorkerOrderOptions) {
    this.#options = options
    this.#pace = new PagePace(options.timing.orderSeconds)
  }

  /** The last groups of all shards were read. */
  looked(heads: Heads): void {
    this.#heads = [...heads]
    this.#isStale = true
  }

  /** The owner of a shard has announced its last group. */
  heard(shard: number, head: ShardHead): void {
    if (shard >= this.#heads.length) return
    this.#heads[shard] = head
    this.#isStale = true
    this.#options.wake()
  }

  /** Called before pages are taken. */
  begin(): void {
    if (this.#isStale) this.#look()
    let taken = 0
    for (const shard of this.#options.shards.all()) taken += spentOf(shard) - this.#baseOf(shard)
    this.#pace.took(taken)
  }

  /** The key that a page needs beside the pages of other workers. Waiting for them is bounded. */
  get price(): number {
    return this.#pace.price(this.#options.clock.now(), this.#priceOf(this.#awaited))
  }

  /** The key that a page needs beside the pages of this worker. */
  get ownPrice(): number {
    let best = 0
    for (const { shard } of this.#options.shards.all()) best = Math.max(best, shard.awaited())
    return this.#priceOf(best)
  }

  /** By buckets, so that the price changes seldom: it is a fact of journals. */
  #priceOf(awaited: number): number {
    return awaited === 0 ? -Infinity : this.#options.crawl.settings.patience * bucketFloor(awaited)
  }

  /** Whether a page may be taken. If not, mass is exchanged where that is due. */
  get hasRoom(): boolean {
    const { crawl, clock, exchange } = this.#options
    const now = clock.now()
    if (crawl.shards === 1) return true
    if (this.#pace.room(now) >= 1 && (!exchange.isRunning || now >= this.#pace.overdueAt)) return true
    if (this.#pace.isSpent) exchange.start(() => this.#exchanged())
    return false
  }

  took(): void {
    this.#pace.progressed()
    this.begin()
  }

  /** A page could be taken, and is not. */
  blocked(): void {
    this.#pace.blocked(this.#options.clock.now())
  }

  get overdueAt(): number {
    return this.#pace.overdueAt
  }

  #baseOf(shard: HeldShard): number {
    const base = this.#spent.get(shard) ?? spentOf(shard)
    this.#spent.set(shard, base)
    return base
  }

  #exchanged(): void {
    this.#spent = new Map([...this.#options.shards.all()].map((shard) => [shard, spentOf(shard)]))
    this.#isStale = true
    this.#options.wake()
  }

  #look(): void {
    const { crawl, shards, members } = this.#options
    const { pages, coverage, damping, connections } = crawl.settings
    const own = new Map([...shards.all()].map(({ shard }) => [shard.number, shard]))
    const heads = this.#heads.map((head) =>
      head === undefined || members.isLive(memberOf(head.writer)) ? head : { ...head, keys: [], awaited: 0 },
    )
    const goal = { isPatient: true, pages, coverage, damping, aheadMin: connections }
    this.#awaited = heads.reduce(
      (best, head, shard) => Math.max(best, own.has(shard) ? 0 : (head?.awaited ?? 0)),
      0,
    )
    const covered = coverageOf(this.#heads, damping)
    this.#pace.looked(outlookOf(heads, own, goal, covered))
    this.#isStale = false
    if (covered >= (coverage ?? Infinity)) this.#options.reached()
  }
}

/** Pages in flight, and those with an outcome. Postponed pages do not count. */
function spentOf({ engine: { pages } }: HeldShard): number {
  return pages.crawledCount + pages.failedCount + pages.inFlightCount
}
