/** How a worker follows the control stream: it obeys commands, divides the page budget, and stops the crawl at its end. */
import type { ControlCommand, ControlState } from '../protocol/control.ts'
import { coverageOf, fitTogether, isFinished } from '../protocol/heads.ts'
import { divisionOf, excessOf, grantsOf } from '../protocol/page-grants.ts'
import type { Members } from '../protocol/members.ts'
import { hasLimits, reachedLimit, roomOf, spentOf, type Spent } from '../protocol/spent.ts'
import type { HeldShard } from './held-shard.ts'
import type { HeldShards } from './held-shards.ts'
import type { Heads, WorkerOptions } from './ports.ts'
import type { WorkerRate } from './worker-rate.ts'

interface WorkerControlOptions extends Pick<WorkerOptions, 'crawl' | 'control' | 'streams'> {
  readonly shards: HeldShards
  readonly members: Members
  /** Undefined if every page is fetched once. */
  readonly rate: WorkerRate | undefined
}

export class WorkerControl {
  readonly #options: WorkerControlOptions
  /** What this worker may spend until the next look; undefined without limits. */
  #room: Spent | undefined
  /** What its shards had spent at the last look, or when they were first seen after it. */
  #base = new Map<HeldShard, Spent>()

  constructor(options: WorkerControlOptions) {
    this.#options = options
  }

  /** Called with two successive readings of all heads. Returns the state that the shards now obey. */
  async obey(earlier: Heads, heads: Heads): Promise<ControlState> {
    return this.divide(heads, (await this.#reachedLimit()) ?? this.#overBecause(earlier, heads))
  }

  /**
   * Divides the page budget by these heads, which may be older than others: pages given back only grow in number. Stops the crawl if it is
   * `over`. Returns the state that the shards now obey.
   */
  async divide(heads: Heads, over?: string): Promise<ControlState> {
    const { control, crawl, shards, rate } = this.#options
    const state = await control.append((newest) => this.#command(newest, heads, over))
    const { pages } = crawl.settings
    const division = pages === undefined ? undefined : divisionOf(pages, state.granted, heads)
    for (const { shard, owner } of shards.all()) {
      if (!owner.isOwning) continue
      shard.control = state.number
      if (division === undefined) continue
      shard.grant(state.granted[shard.number])
      shard.giveBack(excessOf(division, shard.number))
    }
    return rate === undefined ? state : this.#divideRate(heads, rate)
  }

  /** Divides the rate at which pages are fetched again. */
  async #divideRate(heads: Heads, rate: WorkerRate): Promise<ControlState> {
    const { control, shards } = this.#options
    const state = await control.append((newest) => {
      if (newest.stopped !== undefined) return undefined
      const granted = grantsOf(rate.divisionOf(heads, newest))
      const isOwner = granted.some(([shard]) => shards.get(shard)?.owner.isOwning === true)
      const returned = heads.map((head) => head?.sharesReturned ?? 0)
      return isOwner ? { kind: 'rate', shares: granted, returned } : undefined
    })
    const division = rate.divisionOf(heads, state)
    for (const { shard, owner } of shards.all()) {
      if (!owner.isOwning) continue
      shard.rate.grant(state.shares[shard.number])
      if (division.mayMove) shard.rate.giveBack(excessOf(division, shard.number))
    }
    return state
  }

  /** Read only if the crawl has such a limit. Own shards count as they are, not as in their last groups. */
  async #reachedLimit(): Promise<string | undefined> {
    const { crawl, streams, shards, members } = this.#options
    if (!hasLimits(crawl.settings)) return undefined
    const counts: (object | undefined)[] = await streams.counts()
    const reached = reachedLimit(spentOf(counts), crawl.settings)
    this.#base = new Map([...shards.all()].map((shard) => [shard, shard.spent]))
    for (const [shard, { bytes, failures }] of this.#base)
      counts[shard.shard.number] = { bytes, failed: failures }
    this.#room = roomOf(spentOf(counts), crawl.settings, members.live.length)
    return reached
  }

  /** Whether the worker may request pages before the next look, as far as limits of bytes and failures are concerned. */
  get hasRoom(): boolean {
    if (this.#room === undefined) return true
    let bytes = 0
    let failures = 0
    for (const shard of this.#options.shards.all()) {
      const base = this.#base.get(shard) ?? shard.spent
      this.#base.set(shard, base)
      bytes += shard.spent.bytes - base.bytes
      failures += shard.spent.failures - base.failures
    }
    return bytes < this.#room.bytes && failures < this.#room.failures
  }

  /** Why the crawl is over; undefined if it is not. */
  #overBecause(earlier: Heads, heads: Heads): string | undefined {
    const { coverage = Infinity, damping, pages = Infinity, recrawl } = this.#options.crawl.settings
    if (isFinished(earlier, heads)) return 'finished'
    // Where links change, only heads that fit together prove a coverage.
    if ((recrawl === undefined || fitTogether(heads)) && coverageOf(heads, damping) >= coverage)
      return 'coverage'
    // Where pages are fetched again, the limit is that of the pages held.
    if (recrawl !== undefined) return undefined
    return heads.reduce((sum, head) => sum + (head?.fetched ?? 0), 0) >= pages ? 'pages' : undefined
  }

  /** A crawl that is over is stopped by a command; otherwise free pages of its budget are granted. */
  #command(state: ControlState, heads: Heads, over: string | undefined): ControlCommand | undefined {
    if (state.stopped !== undefined) return undefined
    if (over !== undefined) return { kind: 'stop', reason: over }
    const { crawl, shards } = this.#options
    const { pages: budget } = crawl.settings
    if (budget === undefined) return undefined
    const pages = grantsOf(divisionOf(budget, state.granted, heads))
    // Any worker may grant. To avoid needless conflicts, only an owner of one of these shards does.
    const isOwner = pages.some(([shard]) => shards.get(shard)?.owner.isOwning === true)
    const returned = heads.map((head) => head?.returned ?? 0)
    return isOwner ? { kind: 'grant', pages, returned } : undefined
  }
}
