/**
 * A shard that the worker owns or claims: when it takes pages, when its groups are closed, and when it is released.
 *
 * A lost shard stops at once: its requests are aborted, and nothing of it is written or sent any more.
 */
import { CrawlClock } from '../../engine/crawl-clock.ts'
import type { Engine } from '../../engine/engine.ts'
import { none } from '../../engine/page-forest.ts'
import type { ShardOffers } from '../../engine/shard-offers.ts'
import type { AppendRecord } from '../protocol/append.ts'
import { usedBuckets } from '../protocol/merged-keys.ts'
import { firstPagesPerDay } from '../protocol/rate-shares.ts'
import { ShardOwner } from '../protocol/shard-owner.ts'
import type { Shard } from '../protocol/shard.ts'
import type { Spent } from '../protocol/spent.ts'
import { sleep } from './alarm.ts'
import type { ShardCrawl, WorkerClock, WorkerCrawl, WorkerStreams } from './ports.ts'
import { soonOffers } from './soon-offers.ts'

/** Pause before a message is published again without an acknowledgement. */
const retrySeconds = 0.1
/** While more bytes of facts than this wait for an append, no page is requested. */
const factBytesMax = 1 << 17
/** With more shards than this, the groups of a worker's shards are further apart. */
const closeShardsMax = 16
/** Ticks are late at times. */
const intervalSlack = 0.5

/**
 * The time between two small groups of a shard grows with the shards that its worker owns, so that the number of groups per second does not:
 * a group has a head and a request of its own, and with 64 shards at two groups per second these cost as much as the pages.
 */
export function groupInterval(groupSeconds: number, shards: number): number {
  return groupSeconds * (Math.max(1, shards / closeShardsMax) - intervalSlack)
}

/** What all shards of a worker share. */
export interface ShardKeeper {
  readonly crawl: WorkerCrawl
  readonly clock: WorkerClock
  readonly streams: WorkerStreams
  /** Reports by how many seconds the clock is behind the journal of a shard. */
  readonly clockBehind: (seconds: number, shard: number) => void
  readonly claimed: (shard: HeldShard) => void
  readonly ended: (shard: HeldShard) => void
  readonly failed: (error: unknown) => void
}

/** The limits of connections that a dispatch may use. */
interface ConnectionRoom {
  readonly connections: number
  readonly unproven: number
}

export class HeldShard {
  readonly shard: Shard
  readonly owner: ShardOwner
  readonly #keeper: ShardKeeper
  readonly #crawl: ShardCrawl
  /** Each shard has its own: the clock of one owner before may have been ahead, and the gaps of all other shards must not be shortened. */
  readonly #clock: CrawlClock
  #append: Promise<void> | undefined
  #flushedAt = -Infinity
  #appendedAt = -Infinity
  #room: ConnectionRoom = { connections: 0, unproven: 0 }
  /** No more pages are requested; the shard is released once those in flight have outcomes. */
  isLeaving = false

  constructor(keeper: ShardKeeper, crawl: ShardCrawl, writer: string) {
    const { shard, sequence } = crawl
    this.#keeper = keeper
    this.#crawl = crawl
    this.#clock = new CrawlClock(() => keeper.clock.now())
    this.shard = shard
    this.owner = new ShardOwner({
      shard,
      writer,
      sequence,
      ports: {
        append: (record) => {
          this.#append = this.#appended(record).catch(keeper.failed)
        },
        publish: (number, message) => void this.#publish(number, message).catch(keeper.failed),
        claimed: () => this.#claimed(),
        ended: (state) => {
          crawl.end(state)
          keeper.ended(this)
        },
      },
    })
  }

  get engine(): Engine {
    return this.shard.engine
  }

  /** The score of the best page that may be requested now; undefined if there is none. */
  bestScore(): number | undefined {
    const page = this.#best()
    return page === none ? undefined : this.engine.strategy.score(page)
  }

  /** The key of that page, by which it is compared with pages of other shards. */
  bestKey(provenOnly: boolean): number | undefined {
    return this.#mayOffer ? this.#offers.bestKey(this.#clock.now(), provenOnly) : undefined
  }

  #best(): number {
    return this.#mayOffer ? this.engine.frontier.best(this.#clock.now()) : none
  }

  get #mayOffer(): boolean {
    const isBehind = this.shard.factBytes > factBytesMax
    return this.owner.isOwning && !this.isLeaving && !isBehind
  }

  get #offers(): ShardOffers {
    return this.engine.exchange!.offers
  }

  /** When more pages may be due, by the clock of the worker; Infinity if only an outcome can change that. */
  nextDue(): number {
    const { frontier, recrawl } = this.engine
    const free = frontier.nextFree()
    return (recrawl?.nextDue(free) ?? free) - this.#clock.aheadSeconds
  }

  /** Counts the pages that can be fetched within this time and are worth so much. Returns how many pages were visited. */
  countDue(seconds: number, valueMin: number): number {
    if (!this.owner.isOwning) return 0
    const { wait } = this.#keeper.crawl.settings
    const now = this.#clock.now()
    const until = now + seconds
    this.#offers.bestKey(now)
    const allowance = (freeAt: number): number => {
      if (freeAt > until) return 0
      return wait > 0 ? 1 + Math.floor((until - Math.max(freeAt, now)) / wait) : Infinity
    }
    const { counts, visited } = this.#offers.values(now, { valueMin, allowance })
    this.shard.rate.due = usedBuckets(counts)
    return visited
  }

  /** Requests pages within these limits. */
  dispatch(room: ConnectionRoom): void {
    const { connections, unproven } = room
    if (connections !== this.#room.connections || unproven !== this.#room.unproven) {
      this.engine.connections(connections, unproven)
      this.#room = room
    }
    this.engine.dispatch(this.#crawl.world)
  }

  /** Reports the outcomes since the last call to the engine. Returns how many pages have one. */
  deliver(): number {
    if (!this.owner.isOwning || !this.#crawl.hasNews) return 0
    const { pages } = this.engine
    const before = pages.crawledCount + pages.failedCount
    this.#crawl.world.deliver(this.engine)
    this.shard.touched()
    return pages.crawledCount + pages.failedCount - before
  }

  /** Does what is due beside the pages. Returns when there is more to do, by the clock of the worker. */
  turn(): number {
    return this.owner.isOwning && !this.isLeaving ? this.#crawl.turn() - this.#clock.aheadSeconds : Infinity
  }

  /** Called regularly: are only pages of unreachable sites left, and has the worker waited for them long enough? */
  checkReach(): void {
    this.shard.isStalled = this.#crawl.idleFrom() <= this.#clock.now()
  }

  get spent(): Spent {
    return this.#crawl.spent
  }

  /** True if nothing is to be fetched. */
  get isIdle(): boolean {
    return this.engine.recrawl === undefined && this.shard.isDone
  }

  /** A message is not in the journal yet, so that it cannot be published. */
  get hasUnstoredCut(): boolean {
    return this.shard.cut > (this.owner.storedHead?.cut ?? 0)
  }

  /**
   * Appends what has happened since the last group. Small groups are at least so far apart while there are pages to fetch. An idle shard
   * appends the mass that it passes on at once. What only its head would say waits for `newsSeconds`, and that messages had nothing for it,
   * for `emptySeconds`: there may be more to say in a moment.
   */
  flush(intervalSeconds: number, newsSeconds: number, emptySeconds: number): void {
    const now = this.#keeper.clock.now()
    const isSmall = this.shard.factBytes < factBytesMax / 4
    const withNews = now >= this.#flushedAt + newsSeconds || this.isLeaving
    const mayWait = this.isIdle ? !this.hasUnstoredCut : now < this.#flushedAt + intervalSeconds
    if (isSmall && mayWait && !withNews) return
    this.#flushedAt = now
    const withEmpty = now >= this.#appendedAt + emptySeconds || this.isLeaving
    if (this.owner.flush(withNews, withEmpty)) this.#appendedAt = now
  }

  /** Releases a leaving shard once no page of it is in flight. */
  releaseIfDone(): void {
    const { pages, recrawl } = this.engine
    const inFlight = pages.inFlightCount + (recrawl?.held.inFlight ?? 0)
    if (this.isLeaving && inFlight === 0) this.owner.release()
  }

  /** Resolves when the files of the shard are closed. */
  async close(): Promise<void> {
    await this.#append
    await this.#crawl.close()
  }

  #claimed(): void {
    const { engine, shard } = this
    const { crawl, clockBehind, claimed } = this.#keeper
    const { pages, wait, recrawl } = crawl.settings
    const behindSeconds = this.#clock.continueFrom(engine.time)
    if (behindSeconds !== undefined) clockBehind(behindSeconds, shard.number)
    const { now } = this.#clock
    shard.now = now
    shard.isUnfinished = () => this.#crawl.isUnfinished()
    shard.hasRecords = () => this.#crawl.hasRecords
    shard.offers = soonOffers(engine, { gapSeconds: wait, now })
    if (shard.isSeeded) {
      // The owner before had requested them.
      for (const page of [...engine.pages.underWay(), ...(engine.recrawl?.held.underWay() ?? [])])
        engine.postponed(page)
      for (const site of engine.busySites) engine.closed(site, now())
    } else {
      shard.seed()
      // With a page budget, every grant sets the limits.
      if (pages === undefined) engine.budget(Infinity, Infinity, Infinity)
      // The same of every shard, since the unit of time follows from it.
      engine.rate(recrawl?.rate ?? firstPagesPerDay)
    }
    this.#crawl.begin(this.#clock)
    shard.touched()
    claimed(this)
  }

  async #appended(record: AppendRecord): Promise<void> {
    const sequence = await this.#crawl.append(record)
    this.owner.appended(sequence)
    const { crawl, streams } = this.#keeper
    if (sequence !== undefined && crawl.settings.patience > 0 && crawl.shards > 1)
      streams.announceHead(this.shard.number, this.owner.storedHead!)
  }

  async #publish(number: number, message: Uint8Array): Promise<void> {
    const { clock, streams } = this.#keeper
    const isStored = await streams.links.publish(message)
    if (!isStored) await sleep(clock, retrySeconds)
    this.owner.publishAnswered(number, isStored)
  }
}
