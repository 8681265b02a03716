/**
 * When the shards of a worker send the mass of away pages to their owners: every few seconds, and at the next tick if the worker
 * has taken more pages than may be taken in any order (page-order.ts), because the mass on its way would change which pages are best.
 * A shard without pages to fetch sends all it has, the others what matters.
 *
 * A worker without pages to fetch sends at once what its last pages have released: other workers may wait for it. After that, the
 * rest of the mass goes back and forth between shards in many small amounts. This can wait until no shard has pages to fetch; before,
 * every message of a busy shard would begin it anew.
 */
import { coverageOf } from '../protocol/heads.ts'
import { outlookOf } from '../protocol/page-order.ts'
import { totalsOf } from '../protocol/rate-shares.ts'
import type { HeldShard } from './held-shard.ts'
import type { HeldShards } from './held-shards.ts'
import type { Heads, WorkerClock, WorkerCrawl } from './ports.ts'

/** A part of what a page has on average. The changes of links between shards would otherwise go back and forth for ever. */
const changesLimit = 1 / 64

interface CutsOptions {
  readonly crawl: WorkerCrawl
  readonly clock: WorkerClock
  readonly shards: HeldShards
  /** Longest time between two cuts of a shard that is not idle. */
  readonly cutSeconds: number
}

interface CutMoment {
  /** The longest time between two cuts has passed. */
  readonly isOverdue: boolean
  /** Pages that the worker has taken since the last cut, and that the whole crawl may take in any order. */
  readonly taken: number
  readonly ahead: number
  /** The worker has no pages to fetch. */
  readonly isIdle: boolean
  /** No shard of the crawl has. */
  readonly isQuiet: boolean
}

export function isCutDue({ isOverdue, taken, ahead, isIdle, isQuiet }: CutMoment): boolean {
  return isOverdue || taken >= ahead || (isIdle && (taken > 0 || isQuiet))
}

export class Cuts {
  readonly #options: CutsOptions
  /** When the next cut is due at the latest. */
  #dueAt = -Infinity
  /** Pages of the whole crawl that may be taken in any order. */
  #ahead = 1
  /** The key that a page needs to be taken, in any shard. */
  #price = -Infinity
  /** Pages of this worker that have an outcome since the last cut. */
  #taken = 0
  /** No shard of the crawl had pages to fetch when the last groups were read. */
  #isQuiet = false
  /** If pages are fetched again: smaller amounts are left for a later cut. */
  #limitOfChanges = 0

  constructor(options: CutsOptions) {
    this.#options = options
  }

  /** So many pages of the worker have an outcome. */
  took(pages: number): void {
    this.#taken += pages
  }

  /** The worker has taken the pages that may be taken in any order: what they carry would change which are best. */
  get isSpent(): boolean {
    return this.#taken >= this.#ahead
  }

  /** The last groups of all shards were read. */
  looked(heads: Heads): void {
    const { crawl, shards } = this.#options
    this.#limitOfChanges = (changesLimit * (1 - crawl.settings.damping)) / Math.max(1, totalsOf(heads).known)
    const { pages, coverage, damping, patience } = crawl.settings
    const own = new Map([...shards.all()].map(({ shard }) => [shard.number, shard]))
    this.#isQuiet = heads.every(
      (head) => head !== undefined && (head.isIdle || head.waiting + head.inFlight === 0),
    )
    const covered = coverageOf(heads, damping)
    const outlook = outlookOf(heads, own, { isPatient: patience > 0, pages, coverage, damping }, covered)
    this.#ahead = outlook.ahead
    this.#price = outlook.price
  }

  /** Makes the cuts of all shards now. */
  makeAll(): void {
    this.#dueAt = -Infinity
    this.make()
  }

  /** Mass has arrived. It may have to travel on before any page is worth its price. */
  arrived(): void {
    this.#dueAt = -Infinity
  }

  /** Called at each tick: makes the cuts that are due. */
  make(): void {
    const now = this.#options.clock.now()
    const isDue = isCutDue({
      isOverdue: now >= this.#dueAt,
      taken: this.#taken,
      ahead: this.#ahead,
      isIdle: this.#isIdle,
      isQuiet: this.#isQuiet,
    })
    if (!isDue) return
    this.#dueAt = now + this.#options.cutSeconds
    this.#taken = 0
    const best = this.#bestScore()
    for (const shard of this.#options.shards.all()) if (shard.owner.isOwning) this.#cut(shard, best)
  }

  /** No shard of the crawl has pages to fetch: they exchange the rest of their mass, as fast as they can. */
  get isFinishing(): boolean {
    return this.#isQuiet && this.#isIdle
  }

  get #isIdle(): boolean {
    for (const { isIdle } of this.#options.shards.all()) if (!isIdle) return false
    return true
  }

  #cut({ shard, isIdle, hasUnstoredCut }: HeldShard, best: number): void {
    const sharding = shard.engine.strategy.sharding!
    if (shard.engine.recrawl !== undefined) {
      const limit = Math.max(sharding.limit(best), this.#limitOfChanges)
      if (shard.isUnsettled && !hasUnstoredCut && shard.isSeeded && shard.hasToSend(limit))
        shard.makeCut(limit, true)
    } else if (isIdle && shard.isUnsettled && shard.isSeeded && shard.published === shard.cut)
      shard.makeCut(sharding.limit(0), true)
    else if (!isIdle && !hasUnstoredCut && this.#options.crawl.shards > 1) {
      const limit = sharding.limit(best)
      if (shard.hasToSend(limit)) shard.makeCut(limit, false)
    }
  }

  #bestScore(): number {
    let best = Number.isFinite(this.#price) ? Math.max(0, this.#price) : 0
    for (const shard of this.#options.shards.all()) best = Math.max(best, shard.bestScore() ?? 0)
    return best
  }
}
