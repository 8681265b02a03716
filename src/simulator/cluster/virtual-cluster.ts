/**
 * A simulated cluster: workers that crawl the shards of a stored web over one store, under a virtual clock and with seeded
 * faults. Requests to the store are delayed, lost or duplicated; workers are killed, frozen and replaced between any two
 * events. The protocol is that of `src/cluster/protocol/`.
 */
import { coverageOf, lostCut, isFinished, type LostCut } from '../../cluster/protocol/heads.ts'
import {
  controlFormat,
  encodeControl,
  readControl,
  type ControlMessage,
} from '../../cluster/protocol/control.ts'
import type { OrderGoal, OrderKind } from '../../cluster/protocol/page-order.ts'
import { placedSeeds, shardOf } from '../../cluster/protocol/placement.ts'
import type { ProtocolRules } from '../../cluster/protocol/rules.ts'
import type { ShardHead } from '../../cluster/protocol/shard-group.ts'
import { Shard } from '../../cluster/protocol/shard.ts'
import { Engine } from '../../engine/engine.ts'
import type { Frontier } from '../../engine/frontier.ts'
import type { Strategy } from '../../engine/strategy.ts'
import type { FailureCause } from '../../engine/world.ts'
import type { Graph } from '../../webgraph/graph.ts'
import { seededRandom, type Random } from '../../lib/random.ts'
import { EventQueue } from './event-queue.ts'
import type { ClusterFaults } from './faults.ts'
import { VirtualNames, type SharedWeb } from './virtual-names.ts'
import { VirtualStore, type StoreWatch } from './virtual-store.ts'
import { VirtualWorker } from './virtual-worker.ts'

export interface ClusterTiming {
  /** Pages per second of each worker. */
  readonly speed: number
  /** Seconds between two groups of a shard. */
  readonly flushSeconds: number
  /** Seconds between two cuts of a shard that is not idle. */
  readonly cutSeconds: number
  /** The rest of a site after a request. */
  readonly gapSeconds: number
}

const clusterTiming: ClusterTiming = { speed: 100, flushSeconds: 0.5, cutSeconds: 5, gapSeconds: 0 }

export interface ClusterWatch extends StoreWatch {
  /** A page was requested by a worker; `score` is its score at that time. */
  readonly requested?: (node: number, score: number, worker: string, seconds: number) => void
}

interface VirtualClusterOptions {
  readonly graph: Graph
  /** The site of each node, and a 32-bit hash that places each site on a shard. */
  readonly siteOf: Uint32Array
  readonly siteHashes: ArrayLike<number>
  readonly seeds: readonly number[]
  /** The trust in each seed; they sum to 1. */
  readonly trust: readonly number[]
  readonly damping: number
  readonly shards: number
  readonly workers: number
  readonly makeStrategy: (trust: readonly number[]) => Strategy
  readonly makeFrontier: (strategy: Strategy) => Frontier
  /** Why the page of a node cannot be fetched; undefined if it can. */
  readonly failureOf?: ((node: number) => FailureCause | undefined) | undefined
  readonly timing?: Partial<ClusterTiming> | undefined
  readonly faults?: ClusterFaults | undefined
  readonly seed: number
  /** Stop at this coverage. */
  readonly coverage?: number | undefined
  /** Stop after this many pages. */
  readonly pages?: number | undefined
  /** `strict` unless given, if the crawl stops at a coverage or after a number of pages. */
  readonly order?: OrderKind | undefined
  readonly rules?: ProtocolRules | undefined
  readonly watch?: ClusterWatch | undefined
}

/** Why a simulated cluster stopped. */
export type ClusterEnd = 'finished' | 'coverage' | 'pages' | 'interrupted' | { readonly lost: LostCut }

/** What a simulated cluster did. */
export interface ClusterCounts {
  kills: number
  freezes: number
  claims: number
  fenced: number
  released: number
  requests: number
  lost: number
  duplicates: number
  groups: number
  journalBytes: number
  messages: number
  linkBytes: number
  linksLosses: number
  /** Messages that a receiver dropped because it had applied them, or because one before it was missing. */
  dropped: number
  gaps: number
  /** Requests of pages, repeated ones included. */
  fetches: number
}

export class VirtualCluster {
  readonly options: VirtualClusterOptions
  readonly timing: ClusterTiming
  readonly queue = new EventQueue()
  readonly random: Random
  readonly store: VirtualStore
  readonly counts: ClusterCounts
  readonly goal: OrderGoal
  readonly #web: SharedWeb
  readonly #owners: readonly number[]
  readonly workers: VirtualWorker[] = []
  #workersMade = 0
  #commands = 0
  /** The coverage after so many groups. */
  #coverage = 0
  #coverageAt = 0
  #end: ClusterEnd | undefined

  constructor(options: VirtualClusterOptions) {
    this.options = options
    this.timing = { ...clusterTiming, ...options.timing }
    this.random = seededRandom(options.seed, 1)
    this.counts = noCounts()
    const {
      pages,
      coverage,
      order = pages === undefined && coverage === undefined ? 'fast' : 'strict',
    } = options
    this.goal = { pages, coverage, order, damping: options.damping }
    this.store = new VirtualStore(options.shards, this.#watch())
    const shardOfSite = Uint32Array.from(options.siteHashes, (hash) => shardOf(hash, options.shards))
    this.#web = { seeds: options.seeds, siteOf: options.siteOf, shardOfSite }
    this.#owners = options.seeds.map((seed) => shardOfSite[options.siteOf[seed]])
    this.command(settingsOf(options.shards))
    for (let i = 0; i < options.workers; i++) this.#startWorker(i)
    if ((options.faults?.linksLosses ?? 0) > 0) this.#scheduleLinksLoss()
  }

  /** Runs as long as the crawl is not over and `goesOn`, which is called after every event. */
  runWhile(goesOn: () => boolean): void {
    while (this.#end === undefined && this.queue.step() && goesOn());
  }

  /** Runs until the crawl is over. `stopped` is called from time to time; true ends the run. */
  run(stopped: () => boolean = () => false): ClusterEnd {
    let steps = 0
    this.runWhile(() => (++steps & 1023) !== 0 || !stopped())
    return (this.#end ??= 'interrupted')
  }

  get end(): ClusterEnd | undefined {
    return this.#end
  }

  /** An empty shard: replays of its journal bring it to any point. */
  emptyShard(number: number): Shard {
    const { options } = this
    const seeds = placedSeeds(number, this.#owners, options.trust)
    return new Shard({
      number,
      shards: options.shards,
      names: new VirtualNames(this.#web, number),
      seeds,
      rules: options.rules,
      isBudgeted: options.pages !== undefined,
      makeEngine: (parts) => {
        const strategy = options.makeStrategy(seeds.weights)
        return new Engine({ ...parts, strategy, frontier: options.makeFrontier(strategy) })
      },
    })
  }

  /** The latest coverage that the journals prove. */
  coverage(): number {
    if (this.#coverageAt !== this.counts.groups) {
      this.#coverage = this.coverageOf(this.store.heads())
      this.#coverageAt = this.counts.groups
    }
    return this.#coverage
  }

  /** The coverage that these heads prove. */
  coverageOf(heads: readonly (ShardHead | undefined)[]): number {
    return coverageOf(heads, this.options.damping)
  }

  /** Appends a message to the control log, as a user would. */
  command(message: ControlMessage): void {
    const { control } = this.store
    const bytes = encodeControl(message)
    control.append({ writer: 'user', group: ++this.#commands, after: control.groups.length, bytes })
  }

  /** Memory of the engines of all live workers. */
  get engineBytes(): number {
    const owners = this.workers
      .filter(({ isDead }) => !isDead)
      .flatMap((worker) => [...worker.owners.values()])
    return owners.reduce((sum, { shard }) => sum + shard.engine.byteLength, 0)
  }

  /** Sends a request of a worker to the store. `answer` is called once: with the result, or `undefined` if none came in time. */
  request<T>(worker: VirtualWorker, run: () => T, answer: (result: T | undefined) => void): void {
    const { loss = 0, duplicates = 0 } = this.options.faults ?? {}
    this.counts.requests++
    let isAnswered = false
    const reply = (result: T | undefined): void => {
      if (isAnswered) return
      isAnswered = true
      answer(result)
    }
    const arrive = (): void => {
      const result = run()
      if (this.#draw(loss)) this.counts.lost++
      else this.workerEvent(worker, this.queue.now + this.#latency(), () => reply(result))
    }
    if (this.#draw(loss)) this.counts.lost++
    else this.queue.at(this.queue.now + this.#latency(), arrive)
    if (this.#draw(duplicates)) {
      this.counts.duplicates++
      this.queue.at(this.queue.now + this.#latency() + this.random.fraction() * 30, arrive)
    }
    if (loss > 0) this.workerEvent(worker, this.queue.now + 2 + this.#latency(), () => reply(undefined))
  }

  /** An event in the process of a worker: it is void once the worker is dead, and happens later while it is frozen. */
  workerEvent(worker: VirtualWorker, time: number, run: () => void): void {
    this.queue.at(time, () => {
      if (worker.isDead) return
      if (worker.frozenUntil > this.queue.now) this.workerEvent(worker, worker.frozenUntil, run)
      else {
        worker.woke()
        run()
      }
    })
  }

  /** A worker has read the last groups twice: has a journal lost its end, or is the crawl over? */
  looked(earlier: readonly (ShardHead | undefined)[], later: readonly (ShardHead | undefined)[]): void {
    const lost = lostCut(earlier, later)
    if (lost !== undefined) this.stop(lost)
    else if (isFinished(earlier, later)) this.#end ??= 'finished'
    else this.#end ??= this.#stopped(later)
  }

  /** The reason of a stop that every shard has obeyed. */
  #stopped(heads: readonly (ShardHead | undefined)[]): ClusterEnd | undefined {
    const number = this.store.control.groups.length
    const message = readControl(this.store.control.groups[number - 1], 'virtual', number)
    if (message.kind !== 'stop') return undefined
    const isObeyed = heads.every(
      (head) => head !== undefined && head.control >= number && head.inFlight === 0,
    )
    return isObeyed ? (message.reason as ClusterEnd) : undefined
  }

  /** As a consumer of the links log, a worker learns of new messages by itself. */
  #notifyWorkers(): void {
    for (const worker of this.workers) {
      if (worker !== undefined && !worker.isDead)
        this.workerEvent(worker, this.queue.now + this.#latency(), () => worker.notified())
    }
  }

  /** A journal has lost groups: the crawl cannot go on. */
  stop(lost: LostCut): void {
    this.#end ??= { lost }
  }

  #draw(probability: number): boolean {
    return probability > 0 && this.random.fraction() < probability
  }

  #latency(): number {
    const { delay } = this.options.faults ?? {}
    return delay === undefined ? 0.001 : this.random.fraction() * delay
  }

  #startWorker(place: number): void {
    const worker = new VirtualWorker(this, `w${this.#workersMade++}`)
    this.workers[place] = worker
    const { kills = 0, freezes = 0 } = this.options.faults ?? {}
    if (kills > 0) this.queue.at(this.queue.now + this.#after(kills), () => this.#kill(worker, place))
    if (freezes > 0) this.queue.at(this.queue.now + this.#after(freezes), () => this.#freeze(worker))
  }

  #kill(worker: VirtualWorker, place: number): void {
    worker.isDead = true
    this.counts.kills++
    this.queue.at(this.queue.now + this.random.fraction() * 60, () => this.#startWorker(place))
  }

  #freeze(worker: VirtualWorker): void {
    if (worker.isDead) return
    worker.frozenUntil = this.queue.now + this.random.fraction() * 60
    this.counts.freezes++
    const { freezes = 0 } = this.options.faults ?? {}
    this.queue.at(worker.frozenUntil + this.#after(freezes), () => this.#freeze(worker))
  }

  #scheduleLinksLoss(): void {
    this.queue.at(this.queue.now + this.#after(this.options.faults!.linksLosses!), () => {
      this.store.loseLinks(1 + this.random.below(4))
      this.counts.linksLosses++
      this.#scheduleLinksLoss()
    })
  }

  /** Seconds to the next event of this rate. */
  #after(rate: number): number {
    return -Math.log(1 - this.random.fraction()) / rate
  }

  #watch(): StoreWatch {
    const { watch = {} } = this.options
    return {
      stored: (shard, bytes, head) => {
        this.counts.groups++
        this.counts.journalBytes += bytes.length
        watch.stored?.(shard, bytes, head)
      },
      published: (bytes) => {
        this.counts.messages++
        this.counts.linkBytes += bytes.length
        watch.published?.(bytes)
        if (this.goal.order === 'strict') this.#notifyWorkers()
      },
    }
  }
}

function settingsOf(shards: number): ControlMessage {
  const parts = { seeds: [], trust: [], settings: {}, createdAt: '' }
  return { kind: 'settings', format: controlFormat, shards, replicas: 1, ...parts }
}

function noCounts(): ClusterCounts {
  return {
    kills: 0,
    freezes: 0,
    claims: 0,
    fenced: 0,
    released: 0,
    requests: 0,
    lost: 0,
    duplicates: 0,
    groups: 0,
    journalBytes: 0,
    messages: 0,
    linkBytes: 0,
    linksLosses: 0,
    dropped: 0,
    gaps: 0,
    fetches: 0,
  }
}
