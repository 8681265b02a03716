/**
 * A simulated cluster: workers that crawl the shards of a stored web over one store, under a virtual clock and with seeded
 * faults. Requests to the store are delayed, lost or duplicated; workers are killed, frozen and replaced between any two
 * events. The worker is that of `rankward cluster worker` (`src/cluster/worker/`).
 *
 * Its code waits for promises. All of them are resolved by events of one queue, and after each event the code that it has resumed runs until
 * it waits again, before the next event happens. So a seed determines everything.
 */
import { coverageOf } from '../../cluster/protocol/heads.ts'
import {
  controlFormat,
  encodeControl,
  readControl,
  type ControlMessage,
} from '../../cluster/protocol/control.ts'
import { lastOnly } from '../../engine/patience.ts'
import { placedSeeds, shardOf } from '../../cluster/protocol/placement.ts'
import { protocolRules, type ProtocolRules } from '../../cluster/protocol/rules.ts'
import { Shard } from '../../cluster/protocol/shard.ts'
import type { WorkerCrawl } from '../../cluster/worker/ports.ts'
import { Engine } from '../../engine/engine.ts'
import type { Frontier } from '../../engine/frontier.ts'
import type { Strategy } from '../../engine/strategy.ts'
import type { FailureCause } from '../../engine/world.ts'
import type { Graph } from '../../webgraph/graph.ts'
import { seededRandom, type Random } from '../../lib/random.ts'
import type { ChangingShards } from './changing-shards.ts'
import { EventQueue } from './event-queue.ts'
import type { ClusterCounts, ClusterFaults } from '../options/cluster-options.ts'
import { VirtualMachine } from './virtual-machine.ts'
import { VirtualNames, type SharedWeb } from './virtual-names.ts'
import { VirtualStore, type StoreWatch } from './virtual-store.ts'

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

export interface ClusterWatch extends Omit<StoreWatch, 'commanded'> {
  /** The crawl was stopped by a command. */
  readonly stopped?: () => void
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
  readonly makeStrategy: (trust: readonly number[], shard: number) => Strategy
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
  /** `lastOnly` unless given, if the crawl stops at a coverage or after a number of pages; otherwise 0. */
  readonly patience?: number | undefined
  readonly rules?: ProtocolRules | undefined
  /** Pages change and are fetched again, until the run is ended. */
  readonly changing?: ChangingShards | undefined
  readonly watch?: ClusterWatch | undefined
}

/** Why a simulated cluster stopped: the reason of the stop, or what a worker has found that cannot be repaired. */
export type ClusterEnd = 'finished' | 'coverage' | 'pages' | 'interrupted' | { readonly failed: Error }

export class VirtualCluster {
  readonly options: VirtualClusterOptions
  readonly timing: ClusterTiming
  readonly queue = new EventQueue()
  readonly random: Random
  readonly store: VirtualStore
  readonly counts: ClusterCounts
  readonly crawl: WorkerCrawl
  readonly #web: SharedWeb
  readonly #owners: readonly number[]
  /** The machine at each place. A killed one is replaced. */
  readonly machines: VirtualMachine[] = []
  #machinesMade = 0
  #commands = 0
  /** The coverage after so many groups. */
  #coverage = 0
  #coverageAt = 0
  /** When the crawl was stopped, and the engines of all workers at that time. */
  #stop: { readonly reason: string; readonly seconds: number; readonly engineBytes: number } | undefined
  #end: ClusterEnd | undefined
  /** An event has resumed code of a worker. */
  #hasResumed = false

  constructor(options: VirtualClusterOptions) {
    this.options = options
    this.timing = { ...clusterTiming, ...options.timing }
    this.random = seededRandom(options.seed, 1)
    this.counts = noCounts()
    const {
      pages,
      coverage,
      patience = pages === undefined && coverage === undefined ? 0 : lastOnly,
    } = options
    const { damping, shards } = options
    const settings = {
      damping,
      patience,
      pages,
      coverage,
      connections: 1,
      wait: this.timing.gapSeconds,
      waitPerAddress: 0,
      recrawl: options.changing && { rate: options.changing.perDay },
    }
    this.crawl = { shards, settings }
    this.store = new VirtualStore(options.shards, this.#watch())
    const shardOfSite = Uint32Array.from(options.siteHashes, (hash) => shardOf(hash, options.shards))
    this.#web = { seeds: options.seeds, siteOf: options.siteOf, shardOfSite }
    this.#owners = options.seeds.map((seed) => shardOfSite[options.siteOf[seed]])
    this.command(settingsOf(options.shards))
    for (let i = 0; i < options.workers; i++) this.#startMachine(i)
    if ((options.faults?.linksLosses ?? 0) > 0) this.#scheduleLinksLoss()
  }

  /** Runs as long as the crawl is not over and `goesOn`, which is called after every event. */
  async runWhile(goesOn: () => boolean): Promise<void> {
    while (this.#end === undefined && this.queue.step()) {
      if (this.#hasResumed) await laterTurn()
      this.#hasResumed = false
      if (!goesOn()) return
    }
  }

  /** Runs until all workers have ended. `stopped` is called from time to time; true ends the run. */
  async run(stopped: () => boolean = () => false): Promise<ClusterEnd> {
    let steps = 0
    await this.runWhile(() => (++steps & 1023) !== 0 || !stopped())
    return (this.#end ??= 'interrupted')
  }

  /** An event resumes code of a worker. */
  resumed(): void {
    this.#hasResumed = true
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
      rules: this.#rules,
      isBudgeted: options.pages !== undefined,
      makeEngine: (parts) => {
        const strategy = options.makeStrategy(seeds.weights, number)
        const frontier = options.makeFrontier(strategy)
        const { patience } = this.crawl.settings
        const recrawl = options.changing?.recrawl()
        return new Engine({ ...parts, strategy, frontier, patience, ...(recrawl && { recrawl }), beganAt: 0 })
      },
    })
  }

  /** The latest coverage that the journals prove. */
  coverage(): number {
    if (this.#coverageAt !== this.counts.groups) {
      this.#coverage = coverageOf(this.store.heads(), this.options.damping)
      this.#coverageAt = this.counts.groups
    }
    return this.#coverage
  }

  /** Appends a message to the control log, as a user would. */
  command(message: ControlMessage): void {
    const { control } = this.store
    const bytes = encodeControl(message)
    control.append({ writer: 'user', group: ++this.#commands, after: control.records.length, bytes })
  }

  /** Virtual seconds until the crawl was stopped, or until now. */
  get seconds(): number {
    return this.#stop?.seconds ?? this.queue.now
  }

  /** Memory of the engines of all live workers, when the crawl was stopped or now. */
  get engineBytes(): number {
    return this.#stop?.engineBytes ?? this.#engineBytes()
  }

  #engineBytes(): number {
    const live = this.machines.filter(({ isDead }) => !isDead)
    return live.flatMap(({ owners }) => owners).reduce((sum, { shard }) => sum + shard.engine.byteLength, 0)
  }

  /** The time that a message needs. */
  latency(): number {
    const { delay } = this.options.faults ?? {}
    return delay === undefined ? 0.001 : this.random.fraction() * delay
  }

  /** Sends a message to all workers that nothing stores: each of them may miss it. */
  broadcast(hear: (machine: VirtualMachine) => void): void {
    const { loss = 0 } = this.options.faults ?? {}
    for (const machine of this.machines) {
      if (!machine.isDead && !this.#draw(loss)) machine.after(this.latency(), () => hear(machine))
    }
  }

  #commanded(bytes: Uint8Array, number: number): void {
    const message = readControl(bytes, 'virtual', number)
    if (message.kind !== 'stop' || this.#stop !== undefined) return
    this.options.watch?.stopped?.()
    this.#stop = { reason: message.reason, seconds: this.queue.now, engineBytes: this.#engineBytes() }
  }

  #draw(probability: number): boolean {
    return probability > 0 && this.random.fraction() < probability
  }

  #startMachine(place: number): void {
    const machine = new VirtualMachine(this, `w${this.#machinesMade++}`, this.crawl)
    this.machines[place] = machine
    machine.after(0, () => void this.#work(machine))
    const { kills = 0, freezes = 0 } = this.options.faults ?? {}
    if (kills > 0) this.queue.at(this.queue.now + this.#after(kills), () => this.#kill(machine, place))
    if (freezes > 0) this.queue.at(this.queue.now + this.#after(freezes), () => this.#freeze(machine))
  }

  async #work(machine: VirtualMachine): Promise<void> {
    try {
      await machine.worker.run()
      machine.hasEnded = true
      this.#checkEnd()
    } catch (error) {
      this.#end ??= { failed: error as Error }
    }
  }

  /** The crawl is over when every live worker has ended. */
  #checkEnd(): void {
    if (this.#stop === undefined || !this.machines.every(({ isDead, hasEnded }) => isDead || hasEnded)) return
    this.#end ??= this.#stop.reason as ClusterEnd
  }

  #kill(machine: VirtualMachine, place: number): void {
    machine.isDead = true
    this.counts.kills++
    this.queue.at(this.queue.now + this.random.fraction() * 60, () => this.#startMachine(place))
    this.#checkEnd()
  }

  #freeze(machine: VirtualMachine): void {
    if (machine.isDead) return
    machine.frozenUntil = this.queue.now + this.random.fraction() * 60
    this.counts.freezes++
    const { freezes = 0 } = this.options.faults ?? {}
    this.queue.at(machine.frozenUntil + this.#after(freezes), () => this.#freeze(machine))
  }

  #scheduleLinksLoss(): void {
    this.queue.at(this.queue.now + this.#after(this.options.faults!.linksLosses!), () => {
      this.store.links.lose(1 + this.random.below(4))
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
      },
      commanded: (bytes, number) => this.#commanded(bytes, number),
    }
  }

  /** The rules of the protocol, with counts of what they decide. */
  get #rules(): ProtocolRules {
    const { rules = protocolRules } = this.options
    return {
      ...rules,
      onMessage: (number, applied) => {
        const verdict = rules.onMessage(number, applied)
        if (verdict === 'drop') this.counts.dropped++
        if (verdict === 'gap') this.counts.gaps++
        return verdict
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

/** Resolves when all code that was resumed waits again. */
function laterTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
