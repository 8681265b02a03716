/**
 * The order of pages between workers, with the order `strict`: a worker takes pages that are among the best of all shards, and then
 * exchanges mass before it takes more (page-order.ts, page-pace.ts).
 *
 * What the other shards have to offer is read at every beat, and announced by their owners after every group. Offers of workers
 * that are gone do not count.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { coverageOf } from '../protocol/heads.ts'
import type { Members } from '../protocol/members.ts'
import { outlookOf } from '../protocol/page-order.ts'
import { PagePace } from '../protocol/page-pace.ts'
import { memberOf, type ShardHead } from '../protocol/shard-group.ts'
import type { ShardOwner } from '../protocol/shard-owner.ts'
import type { ClusterCrawl } from './cluster-crawl.ts'
import type { CrawlShard } from './crawl-shard.ts'
import type { Cuts } from './cuts.ts'
import type { Heads, HeldShards } from './held-shards.ts'
import type { LinkReader } from './link-reader.ts'
import type { WorkerTiming } from './worker-options.ts'

/** An exchange is over after this time, whether or not its messages are stored. */
const exchangeSecondsMax = 2
/** Pause between the beginnings of two exchanges, as a part of the time between two groups. */
const exchangePart = 1 / 2
const exchangeLookMs = 10

interface WorkerOrderOptions {
  readonly crawl: ClusterCrawl
  readonly shards: HeldShards
  readonly members: Members
  readonly cuts: Cuts
  readonly links: LinkReader
  readonly timing: Pick<WorkerTiming, 'groupSeconds' | 'orderSeconds'>
  readonly now: () => number
  readonly wake: () => void
  readonly failed: (error: unknown) => void
}

export class WorkerOrder {
  readonly #options: WorkerOrderOptions
  readonly #pace: PagePace
  #heads: (ShardHead | undefined)[] = []
  #isStale = true
  /** Pages of each shard that were in flight or had an outcome at the last exchange. */
  #spent = new Map<CrawlShard, number>()
  #isExchanging = false
  #exchangedAt = -Infinity

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

  get price(): number {
    return this.#pace.price(this.#options.now())
  }

  /** Whether a page may be taken. If not, mass is exchanged where that is due. */
  get hasRoom(): boolean {
    const now = this.#options.now()
    if (this.#options.crawl.shards === 1) return true
    if (this.#pace.room(now) >= 1 && (!this.#isExchanging || now >= this.#pace.overdueAt)) return true
    if (this.#pace.isSpent && !this.#isExchanging) void this.#exchange().catch(this.#options.failed)
    return false
  }

  took(): void {
    this.#pace.progressed()
    this.begin()
  }

  /** A page could be taken, and is not. */
  blocked(): void {
    this.#pace.blocked(this.#options.now())
  }

  get overdueAt(): number {
    return this.#pace.overdueAt
  }

  #baseOf(shard: CrawlShard): number {
    const base = this.#spent.get(shard) ?? spentOf(shard)
    this.#spent.set(shard, base)
    return base
  }

  #look(): void {
    const { crawl, shards, members } = this.#options
    const { pages, coverage, damping, connections } = crawl.settings
    const own = new Map([...shards.all()].map(({ shard }) => [shard.number, shard]))
    const heads = this.#heads.map((head) =>
      head === undefined || members.isLive(memberOf(head.writer)) ? head : { ...head, keys: [] },
    )
    const goal = { order: 'strict', pages, coverage, damping, aheadMin: connections } as const
    this.#pace.looked(outlookOf(heads, own, goal, coverageOf(this.#heads, damping)))
    this.#isStale = false
  }

  /** Sends the mass of away pages off, and reads what others have sent. */
  async #exchange(): Promise<void> {
    const { shards, cuts, links, now, wake, timing } = this.#options
    this.#isExchanging = true
    const earliest = this.#exchangedAt + exchangePart * timing.groupSeconds
    if (earliest > now()) await sleep(1000 * (earliest - now()))
    this.#exchangedAt = now()
    cuts.makeAll()
    const sent = new Map<ShardOwner, number>()
    for (const { owner } of shards.all()) {
      owner.flush()
      sent.set(owner, owner.shard.cut)
    }
    const isSent = (): boolean =>
      [...sent].every(([owner, cut]) => !owner.isOwning || owner.shard.published >= cut)
    while (!isSent() && now() < this.#exchangedAt + exchangeSecondsMax) {
      for (const { owner } of shards.all()) owner.flush()
      await sleep(exchangeLookMs)
    }
    await links.read([...shards.all()])
    this.#spent = new Map([...shards.all()].map((shard) => [shard, spentOf(shard)]))
    this.#isExchanging = false
    this.#isStale = true
    wake()
  }
}

/** Pages in flight, and those with an outcome. Postponed pages do not count. */
function spentOf({ engine: { pages } }: CrawlShard): number {
  return pages.crawledCount + pages.failedCount + pages.inFlightCount
}
