/** The pages that a worker of a simulated cluster takes: the best one of its shards, as far as order and budget allow. */
import type { ShardOwner } from '../../cluster/protocol/shard-owner.ts'
import { outlookOf, type Outlook } from '../../cluster/protocol/page-order.ts'
import type { ShardHead } from '../../cluster/protocol/shard-group.ts'
import { none } from '../../engine/page-forest.ts'
import { shownScore } from '../../engine/strategy-services.ts'
import type { World } from '../../engine/world.ts'
import type { VirtualCluster } from './virtual-cluster.ts'
import type { VirtualNames } from './virtual-names.ts'
import type { VirtualWorker } from './virtual-worker.ts'

/** An exchange that has not ended after this time is taken for ended: a message may be lost. */
const exchangeSecondsMax = 2
/** Pause between the beginnings of two exchanges, as a part of the time between two groups. */
const exchangePart = 1 / 2
/** Pause between two looks whether the messages of an exchange are published. */
const exchangeLookSeconds = 0.005

export class WorkerFetches {
  readonly #worker: VirtualWorker
  readonly #cluster: VirtualCluster
  #isFetching = false
  /** When pages of each owned shard may first be requested. */
  readonly #fetchFrom = new Map<number, number>()
  /** Shards in order of their last fetch, to break ties. */
  readonly #lastFetch = new Map<number, number>()
  #fetches = 0
  #outlook: Outlook = { ahead: 1, price: -Infinity, own: 1 }
  /** Pages taken since the last exchange of mass. */
  #taken = 0
  #isExchanging = false
  #exchangedAt = -Infinity

  constructor(worker: VirtualWorker, cluster: VirtualCluster) {
    this.#worker = worker
    this.#cluster = cluster
  }

  get #now(): number {
    return this.#cluster.queue.now
  }

  /** A shard was claimed: its pages may be requested from this time on. */
  claimed(shard: number, from: number): void {
    this.#fetchFrom.set(shard, from)
  }

  /** The best score of all pages that could be requested now, or the price if that is higher. */
  bestScore(): number {
    let best = Number.isFinite(this.#outlook.price) ? Math.max(0, this.#outlook.price) : 0
    for (const { shard } of this.#worker.owners.values()) {
      const page = shard.engine.frontier.best(shard.now!(), false)
      if (page !== none) best = Math.max(best, shard.engine.strategy.score(page))
    }
    return best
  }

  /** The last groups of all shards were read. */
  looked(heads: readonly (ShardHead | undefined)[]): void {
    const { goal } = this.#cluster
    const own = new Map([...this.#worker.owners].map(([number, { shard }]) => [number, shard]))
    this.#outlook = outlookOf(heads, own, goal, this.#cluster.coverageOf(heads))
  }

  /** Requests the best page of all shards of this worker. */
  fill(): void {
    if (this.#isFetching || !this.#worker.mayRequest) return
    const isStrict = this.#cluster.goal.order === 'strict'
    const pace = isStrict ? this.#outlook.own : this.#outlook.ahead
    if (pace > 0 && this.#taken >= pace && this.#cluster.options.shards > 1) {
      this.exchange()
      if (isStrict) return
    }
    const owner = this.#bestOwner()
    if (owner === undefined) return
    const { engine } = owner.shard
    if (isStrict) engine.price(this.#outlook.price)
    this.#lastFetch.set(owner.shard.number, this.#fetches++)
    engine.dispatch(this.#world(owner))
  }

  /** Sends the mass of away pages off. With the order `strict`, no page is taken until it can have arrived. */
  exchange(): void {
    if (this.#isExchanging) return
    this.#isExchanging = true
    const earliest = this.#exchangedAt + exchangePart * this.#cluster.timing.flushSeconds
    if (this.#now < earliest) this.#worker.after(earliest - this.#now, () => this.#exchange())
    else this.#exchange()
  }

  #exchange(): void {
    this.#exchangedAt = this.#now
    this.#worker.hasArrivals = false
    const cuts = this.#worker.cutAll()
    if (this.#cluster.goal.order !== 'strict') this.#taken = 0
    this.#awaitPublished(cuts, this.#now + exchangeSecondsMax)
  }

  #awaitPublished(cuts: ReadonlyMap<ShardOwner, number>, until: number): void {
    const isWaiting = [...cuts].some(([owner, cut]) => owner.isOwning && owner.shard.published < cut)
    if (isWaiting && this.#now < until) {
      return this.#worker.after(exchangeLookSeconds, () => this.#awaitPublished(cuts, until))
    }
    this.#worker.read(() => {
      this.#isExchanging = false
      this.#taken = 0
      this.fill()
    })
  }

  #mayFetchFrom({ shard, isOwning }: ShardOwner): boolean {
    if (!isOwning || this.#worker.isLeaving(shard.number) || shard.engine.waitingCount === 0) return false
    return this.#fetchFrom.get(shard.number)! <= this.#now && shard.unspent > 0
  }

  #bestOwner(): ShardOwner | undefined {
    let found: ShardOwner | undefined
    let best = -Infinity
    for (const owner of this.#worker.owners.values()) {
      const { shard } = owner
      if (!this.#mayFetchFrom(owner)) continue
      const page = shard.engine.frontier.best(shard.now!(), false)
      if (page === none) continue
      const key = shard.engine.pages.key(page, shard.engine.strategy.score(page))
      if (key < this.#outlook.price) continue
      const isEarlier =
        (this.#lastFetch.get(shard.number) ?? -1) < (this.#lastFetch.get(found?.shard.number ?? -1) ?? -1)
      if (found === undefined || key > best || (key === best && isEarlier)) {
        found = owner
        best = key
      }
    }
    return found
  }

  #world(owner: ShardOwner): World {
    return {
      now: owner.shard.now!,
      fetch: (site, pages) => this.#fetch(owner, site, pages[0]),
      deliver: () => {},
      wait: () => undefined,
    }
  }

  #fetch(owner: ShardOwner, site: number, page: number): void {
    const { options, counts, timing } = this.#cluster
    const { engine } = owner.shard
    const names = owner.shard.names as VirtualNames
    const node = names.nodeOf(page)
    this.#isFetching = true
    this.#taken++
    counts.fetches++
    const score = shownScore(engine.strategy, engine.frontier, page)
    options.watch?.requested?.(node, score, this.#worker.name, this.#now)
    this.#worker.after(1 / timing.speed, () => {
      this.#isFetching = false
      if (this.#worker.owners.get(owner.shard.number) === owner) {
        this.#report(owner, page, node)
        engine.closed(site, owner.shard.now!() + timing.gapSeconds)
        owner.shard.touched()
        this.#worker.releaseIfDone(owner)
      }
      this.fill()
    })
  }

  #report({ shard }: ShardOwner, page: number, node: number): void {
    const { graph, failureOf } = this.#cluster.options
    const cause = failureOf?.(node)
    if (cause !== undefined) return shard.engine.failed(page, cause)
    const names = shard.names as VirtualNames
    const cursor = graph.cursor()
    cursor.seek(node)
    const { targets, start, end } = cursor
    const knownBefore = names.known
    const links = new Uint32Array(end - start)
    for (let i = start; i < end; i++) links[i - start] = names.pageOf(targets[i])
    const newSites = Uint32Array.from({ length: names.known - knownBefore }, (_, i) =>
      names.siteOf(knownBefore + i),
    )
    shard.engine.fetched(page, links, links.length, newSites)
  }
}
