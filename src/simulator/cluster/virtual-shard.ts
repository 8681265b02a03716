/** A shard of a stored web for a worker: each page takes the same time, and a site rests after it. */
import type { AppendRecord } from '../../cluster/protocol/append.ts'
import type { Shard } from '../../cluster/protocol/shard.ts'
import type { Spent } from '../../cluster/protocol/spent.ts'
import type { ShardCrawl, ShardHost } from '../../cluster/worker/ports.ts'
import type { CrawlClock } from '../../engine/crawl-clock.ts'
import { shownScore } from '../../engine/strategy-services.ts'
import type { World, WorldListener } from '../../engine/world.ts'
import type { VirtualCluster } from './virtual-cluster.ts'
import type { VirtualMachine } from './virtual-machine.ts'
import type { VirtualNames } from './virtual-names.ts'

interface VirtualShardOptions {
  readonly cluster: VirtualCluster
  readonly machine: VirtualMachine
  readonly host: ShardHost
  readonly shard: Shard
  readonly sequence: number
}

export class VirtualShard implements ShardCrawl {
  readonly shard: Shard
  readonly sequence: number
  readonly #options: VirtualShardOptions
  readonly #names: VirtualNames
  #clock: CrawlClock | undefined
  /** The owner before may have sent requests that it has not journaled: every site rests until this time. */
  #restsUntil = -Infinity
  /** What the next delivery reports. */
  #news: ((listener: WorldListener) => void)[] = []
  #hasEnded = false

  constructor(options: VirtualShardOptions) {
    this.#options = options
    this.shard = options.shard
    this.sequence = options.sequence
    this.#names = options.shard.names as VirtualNames
  }

  readonly world: World = {
    now: () => this.#clock!.now(),
    fetch: (site, pages) => this.#fetch(site, pages[0]),
    deliver: (listener) => {
      for (const report of this.#news.splice(0)) report(listener)
    },
    wait: () => undefined,
  }

  begin(clock: CrawlClock): void {
    this.#clock = clock
    if (this.sequence > 0) this.#restsUntil = clock.now() + this.#options.cluster.timing.gapSeconds
  }

  get hasNews(): boolean {
    return this.#news.length > 0
  }

  turn(): number {
    return Infinity
  }

  isUnfinished(): boolean {
    return false
  }

  get hasRecords(): boolean {
    return false
  }

  idleFrom(): number {
    return Infinity
  }

  get spent(): Spent {
    const { pages } = this.shard.engine
    return { bytes: 0, failures: pages.failedFor('failed') + pages.failedFor('temporary') }
  }

  append(record: AppendRecord): Promise<number | undefined> {
    const { machine, cluster } = this.#options
    return machine.append(cluster.store.journals[this.shard.number], record)
  }

  end(state: 'fenced' | 'released'): void {
    this.#options.cluster.counts[state]++
    this.#hasEnded = true
    this.#news = []
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #report(report: (listener: WorldListener) => void): void {
    if (this.#hasEnded) return
    this.#news.push(report)
    this.#options.host.wake()
  }

  #fetch(site: number, page: number): void {
    const { cluster, machine } = this.#options
    const { options, counts, timing, queue } = cluster
    const restsUntil = this.#restsUntil
    if (this.#clock!.now() < restsUntil) {
      return this.#report((listener) => {
        listener.postponed(page)
        listener.closed(site, restsUntil)
      })
    }
    const { strategy, frontier } = this.shard.engine
    counts.fetches++
    options.watch?.requested?.(
      this.#names.nodeOf(page),
      shownScore(strategy, frontier, page),
      machine.name,
      queue.now,
    )
    machine.after(1 / timing.speed, () =>
      this.#report((listener) => {
        this.#settle(listener, page)
        listener.closed(site, this.#clock!.now() + timing.gapSeconds)
      }),
    )
  }

  #settle(listener: WorldListener, page: number): void {
    const { graph, failureOf, changing } = this.#options.cluster.options
    const names = this.#names
    if (changing !== undefined) {
      const seconds = { here: this.#clock!.now(), true: this.#options.cluster.queue.now }
      return changing.look({ page, names, engine: this.shard.engine, seconds }, listener)
    }
    const node = names.nodeOf(page)
    const cause = failureOf?.(node)
    if (cause !== undefined) return listener.failed(page, cause)
    const cursor = graph.cursor()
    cursor.seek(node)
    const { targets, start, end } = cursor
    const knownBefore = names.known
    const links = new Uint32Array(end - start)
    for (let i = start; i < end; i++) links[i - start] = names.pageOf(targets[i])
    const newSites = Uint32Array.from({ length: names.known - knownBefore }, (_, i) =>
      names.siteOf(knownBefore + i),
    )
    listener.fetched(page, links, links.length, newSites)
  }
}
