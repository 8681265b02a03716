/**
 * How fast a worker fetches in a crawl that fetches pages again: at the rate of the shares of its shards (rate-shares.ts), one *token* per
 * fetch. All its shards share the tokens, so the most valuable page of all of them is next.
 *
 * Tokens of the last second are kept, and at least one. So all workers together fetch no more than the rate of the crawl, and one page
 * for each worker. A worker that starts has none, unless nothing was fetched yet.
 */
import type { ControlState } from '../protocol/control.ts'
import { aheadOf, perDayOf, rateDivisionOf, rateShares, totalsOf } from '../protocol/rate-shares.ts'
import type { RateDivision } from '../protocol/rate-shares.ts'
import type { HeldShard } from './held-shard.ts'
import type { HeldShards } from './held-shards.ts'
import type { Heads, WorkerClock, WorkerCrawl, WorkerOptions } from './ports.ts'

const daySeconds = 86_400
const keptSeconds = 1
/** Numbers of the whole crawl are facts of each shard: smaller changes are not worth one. */
const knownTolerance = 1.05
const rateTolerance = 1.25
/** Pages that are worth less than this part of the price do not count. */
const countedPart = 1 / 2
/** Due pages are counted so often in the time in which the best pages are fetched, within these limits. */
const countsPerTime = 16
const countSecondsMin = 1
const countSecondsMax = 10
/** Of all shards together, so that counting costs little. */
const visitedPerSecond = 20_000

interface WorkerRateOptions {
  readonly crawl: WorkerCrawl
  readonly clock: WorkerClock
  readonly shards: HeldShards
  readonly members: Pick<WorkerOptions['members'], 'beatMs'>
}

export class WorkerRate {
  readonly #options: WorkerRateOptions
  #perDay = 0
  /** The seconds in which the best pages of all shards are fetched. */
  #aheadSeconds = 0
  #price = -Infinity
  #tokens = 0
  #tokensAt: number
  /** Tokens that each shard has used. */
  readonly #used = new WeakMap<HeldShard, number>()
  /** The number of all known pages that each shard was told. */
  readonly #told = new WeakMap<HeldShard, number>()
  #hasLooked = false
  #countAt = -Infinity

  constructor(options: WorkerRateOptions) {
    this.#options = options
    this.#tokensAt = options.clock.now()
  }

  /** The last groups of all shards were read. */
  looked(heads: Heads): void {
    const { crawl, shards } = this.#options
    const { pages = Infinity, recrawl } = crawl.settings
    const fetched = heads.reduce((sum, head) => sum + (head?.fetched ?? 0), 0)
    this.#addTokens()
    this.#perDay = perDayOf(heads, recrawl?.rate, fetched < pages)
    this.#aheadSeconds = (aheadOf(heads, this.#perDay) * daySeconds) / this.#perDay
    const { known, looks } = totalsOf(heads)
    if (!this.#hasLooked && looks === 0) this.#tokens = 1
    this.#hasLooked = true
    for (const shard of shards.all()) if (shard.owner.isOwning) this.#tell(shard, known)
  }

  #tell(shard: HeldShard, known: number): void {
    const { engine } = shard
    const told = this.#told.get(shard) ?? 0
    if (known > 0 && !isClose(known, told, knownTolerance)) {
      engine.allKnown(known)
      this.#told.set(shard, known)
    }
    // Until the first fetch, the rate decides the unit of time, which is the same for all shards.
    const isBegun = engine.pages.crawledCount > 0
    if (isBegun && !isClose(this.#perDay, engine.recrawl!.horizon.perDay, rateTolerance))
      engine.rate(this.#perDay)
  }

  divisionOf(heads: Heads, { shares: granted, sharesMs }: ControlState): RateDivision {
    const secondsSince = (this.#options.members.beatMs - sharesMs) / 1000
    const division = rateDivisionOf(heads, { granted, perDay: this.#perDay, secondsSince })
    this.#price = division.price
    return division
  }

  /** Called at each tick: what the shards have to fetch, for the next division. */
  countDue(): void {
    const { shards, clock } = this.#options
    if (!this.#hasLooked || clock.now() < this.#countAt) return
    let visited = 0
    const valueMin = this.#price > 0 ? countedPart * this.#price : -Infinity
    for (const shard of shards.all()) visited += shard.countDue(this.#aheadSeconds, valueMin)
    const seconds = Math.min(countSecondsMax, Math.max(countSecondsMin, this.#aheadSeconds / countsPerTime))
    this.#countAt = clock.now() + Math.max(seconds, visited / visitedPerSecond)
  }

  hasToken(): boolean {
    this.#addTokens()
    return this.#perSecond > 0 && this.#tokens >= 1
  }

  /** When there is a token; Infinity if shares must be granted first. */
  nextToken(): number {
    const perSecond = this.#perSecond
    return perSecond > 0 ? this.#tokensAt + Math.max(0, 1 - this.#tokens) / perSecond : Infinity
  }

  get #perSecond(): number {
    const { crawl, shards } = this.#options
    let shares = 0
    for (const { shard, owner } of shards.all()) if (owner.isOwning) shares += shard.rate.shares
    return ((this.#perDay / daySeconds) * shares) / rateShares(crawl.shards)
  }

  #addTokens(): void {
    const { clock, shards } = this.#options
    const now = clock.now()
    const perSecond = this.#perSecond
    const most = Math.max(1, perSecond * keptSeconds)
    this.#tokens = Math.min(most, this.#tokens + perSecond * Math.max(0, now - this.#tokensAt))
    this.#tokensAt = now
    for (const shard of shards.all()) {
      const { used } = shard.engine.recrawl!.tokens
      this.#tokens -= used - (this.#used.get(shard) ?? used)
      this.#used.set(shard, used)
    }
  }
}

function isClose(one: number, other: number, tolerance: number): boolean {
  return one < other * tolerance && one * tolerance > other
}
