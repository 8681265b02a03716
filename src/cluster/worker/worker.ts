/**
 * A worker of a crawl on several machines: it claims shards, crawls them and exchanges mass with the shards of others. The
 * protocol is that of `src/cluster/protocol/`; the duties are those of the simulated worker (`src/simulator/cluster/virtual-worker.ts`).
 *
 * | every | duty |
 * | --- | --- |
 * | 2 s | beat: renew the own key, read the keys of all and the last groups of all shards; claim, release, settle |
 * | 0.5 s | tick: cut, append, publish, read the links log |
 * | outcome or due time | deliver outcomes, request the best pages of all shards |
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { crawlThreads } from '../../crawler/session/crawl-threads.ts'
import { clockBehindText, systemSeconds } from '../../crawler/session/system-clock.ts'
import { RankwardError } from '../../lib/errors.ts'
import { AddressRests } from '../../crawler/desk/address-rests.ts'
import { Addresses } from '../../crawler/desk/addresses.ts'
import type { FetchThreads } from '../../crawler/desk/fetch-threads.ts'
import { Wire } from '../../crawler/desk/wire.ts'
import { Members } from '../protocol/members.ts'
import { Alarm } from './alarm.ts'
import { checkClock } from './clock-check.ts'
import { Cuts } from './cuts.ts'
import { Dispatcher } from './dispatcher.ts'
import { groupIntervalMs } from './group-interval.ts'
import { HeldShards, type Heads } from './held-shards.ts'
import { LinkReader } from './link-reader.ts'
import { Liveness } from './liveness.ts'
import { LostEnds } from './lost-ends.ts'
import { ShardTurns } from './shard-turns.ts'
import { SnapshotStore } from './snapshot-store.ts'
import { WorkerControl } from './worker-control.ts'
import { WorkerOrder } from './worker-order.ts'
import { WorkerTurns } from './worker-turns.ts'
import {
  lookOf,
  workerTiming,
  type WorkerEnd,
  type WorkerOptions,
  type WorkerTiming,
} from './worker-options.ts'

/** The time between two groups when no shard has pages to fetch, as a share of the usual time. */
const idlePace = 0.2
/** Messages of the links log that are removed at a time, at least. */
const purgeMessages = 1000

export class ClusterWorker {
  readonly #options: WorkerOptions
  readonly #timing: WorkerTiming
  readonly #members: Members
  readonly #alarm = new Alarm()
  readonly #liveness: Liveness
  readonly #turns: WorkerTurns
  readonly #threads: FetchThreads
  readonly #links: LinkReader
  readonly #shards: HeldShards
  readonly #dispatcher: Dispatcher
  readonly #control: WorkerControl
  readonly #cuts: Cuts
  /** Undefined with the order `fast`. */
  readonly #order: WorkerOrder | undefined
  readonly #snapshots: SnapshotStore
  readonly #lostEnds = new LostEnds()
  #isClockNoted = false
  #earlier: Heads = []
  /** A command has paused the crawl. */
  #isHalted = false
  #purgedAt = 0
  #end: WorkerEnd | undefined
  #failure: Error | undefined
  #sync: Promise<void> | undefined
  /** A beat was missed, and the worker looks whether there still is such a crawl. */
  #isSearching = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#timing = { ...workerTiming, ...options.timing }
    const { crawl, name, folder, warc, streams, onEvent, onRestored, onNotice } = options
    const { settings } = crawl
    const now = systemSeconds
    const wake = (): void => this.#alarm.ring()
    const failed = (error: unknown): void => this.#fail(error)
    this.#members = new Members(name)
    const timing = this.#timing
    this.#turns = new WorkerTurns({
      members: this.#members,
      turns: options.turns,
      gapSeconds: settings.waitPerAddress,
      timing,
      failed,
    })
    this.#liveness = new Liveness({ timing, onPaused: () => this.#turns.shared?.paused() })
    const rests = new AddressRests(settings.waitPerAddress, now)
    const wire = new Wire({ isArchived: settings.warc, wake, broken: failed })
    this.#threads = crawlThreads({ settings, crawlId: crawl.id, warc, worker: name, bodies: false }, wire)
    wire.use(this.#threads)
    this.#links = new LinkReader(streams, failed, () => {
      // Mass that has arrived may have to travel on before any page is worth its price.
      if (this.#order !== undefined) this.#cuts.arrived()
    })
    this.#snapshots = new SnapshotStore({
      streams,
      limits: options.snapshots,
      onNotice: (line) => onNotice?.(line),
    })
    this.#shards = new HeldShards({
      members: this.#members,
      worker: {
        name,
        crawl,
        folder,
        streams,
        wire,
        turns: (aheadSeconds) => new ShardTurns({ rests, shared: this.#turns.shared, now, aheadSeconds }),
        addresses: new Addresses(settings),
        now,
        clockBehind: (seconds, shard) => this.#clockBehind(seconds, shard),
        wake,
        snapshots: this.#snapshots,
        synced: () => this.#synced(),
        failed,
        onEvent,
        onRestored,
        onNotice,
      },
    })
    const { cutSeconds } = timing
    this.#cuts = new Cuts({ crawl, shards: this.#shards, cutSeconds })
    const { connections } = settings
    const took = (pages: number): void => this.#cuts.took(pages)
    const parts = {
      crawl,
      shards: this.#shards,
      members: this.#members,
      cuts: this.#cuts,
      links: this.#links,
    }
    this.#order =
      crawl.order === 'strict' ? new WorkerOrder({ ...parts, timing, now, wake, failed }) : undefined
    const order = this.#order
    this.#dispatcher = new Dispatcher({ shards: this.#shards, connections, now, took, order })
    const { control } = options
    this.#control = new WorkerControl({
      crawl,
      control,
      streams,
      shards: this.#shards,
      members: this.#members,
    })
  }

  /** Works until the crawl is over, `leave` is called or something cannot be repaired. */
  async run(): Promise<WorkerEnd> {
    const { streams, members } = this.#options
    this.#turns.listen()
    const order = this.#order
    if (order !== undefined)
      streams.onHead(
        (shard, head) => order.heard(shard, head),
        (error) => this.#fail(error),
      )
    streams.onAskedAgain(
      (source, from) => this.#shards.get(source)?.owner.publishAgain(from),
      (error) => this.#fail(error),
    )
    const duties = Promise.all([this.#beats(), this.#ticks()]).catch((error: unknown) => this.#fail(error))
    try {
      await this.#crawl()
      await duties
      await this.#shards.closed()
      await this.#snapshots.stored()
      await this.#threads.close()
      await members.leave().catch(() => {})
      return this.#end!
    } catch (error) {
      this.#fail(error)
      await this.#threads.kill()
      // The others take the shards over at once.
      await members.leave().catch(() => {})
      await duties
      throw error
    } finally {
      this.#turns.close()
      streams.close()
    }
  }

  /** Finishes the requests in flight, releases all shards and ends. */
  leave(): void {
    this.#finish('left')
  }

  #finish(end: WorkerEnd): void {
    this.#end ??= end
    this.#shards.leave()
    this.#alarm.ring()
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    this.#alarm.ring()
  }

  /** One line for all shards. */
  #clockBehind(seconds: number, shard: number): void {
    if (this.#isClockNoted) return
    this.#isClockNoted = true
    this.#options.onNotice?.(clockBehindText(seconds, `the journal of shard ${shard}`))
  }

  get #isOver(): boolean {
    if (this.#failure !== undefined) return true
    return this.#end !== undefined && this.#shards.isEmpty
  }

  async #crawl(): Promise<void> {
    while (!this.#isOver) {
      this.#alarm.reset()
      this.#liveness.check()
      for (const shard of this.#shards.all()) {
        shard.deliver()
        shard.releaseIfDone()
      }
      const due = this.#mayRequest ? this.#dispatcher.dispatch() : Infinity
      this.#threads.flush()
      // A tick wakes it at the latest.
      await this.#alarm.wait(Math.min(60_000, Math.max(0, Math.ceil(1000 * (due - systemSeconds())))))
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  get #mayRequest(): boolean {
    return this.#end === undefined && !this.#isHalted && this.#liveness.mayRequest && this.#control.hasRoom
  }

  /** Groups that are closed in one turn share one sync of the archive. */
  #synced(): Promise<void> {
    if (!this.#options.crawl.settings.warc) return Promise.resolve()
    this.#sync ??= Promise.resolve().then(async () => {
      this.#sync = undefined
      await this.#threads.sync()
    })
    return this.#sync
  }

  async #ticks(): Promise<void> {
    while (!this.#isOver) {
      this.#tick()
      // The rest of the mass is exchanged in many short rounds.
      const pace = this.#cuts.isFinishing ? idlePace : 1
      await sleep(1000 * pace * this.#timing.groupSeconds)
    }
  }

  #tick(): void {
    this.#liveness.check()
    this.#turns.shared?.tick()
    for (const shard of this.#shards.all()) shard.checkReach()
    this.#cuts.make()
    const intervalMs = groupIntervalMs(this.#timing.groupSeconds, this.#shards.count)
    for (const shard of this.#shards.all()) {
      shard.flush(intervalMs)
      shard.owner.publishNext()
    }
    if (this.#options.crawl.shards > 1) void this.#links.read([...this.#shards.all()])
    this.#alarm.ring()
  }

  async #beats(): Promise<void> {
    const everyMs = 1000 * this.#timing.beatSeconds
    while (!this.#isOver) {
      const next = performance.now() + everyMs
      // Without a response, nothing is known: neither the own beat nor those of others count.
      const isComplete = await this.#beat().then(
        () => true,
        (error: unknown) => this.#missed(error),
      )
      // A missed beat has taken its time already. Two beats are never closer together: others count them.
      await sleep(isComplete ? everyMs : Math.max(everyMs / 2, next - performance.now()))
    }
  }

  /** A beat has failed. Without a response the worker waits; if the crawl was deleted, it ends. */
  #missed(error: unknown): false {
    if (error instanceof RankwardError) this.#fail(error)
    else {
      this.#options.onSilence?.(error)
      this.#search()
    }
    return false
  }

  #search(): void {
    if (this.#isSearching) return
    this.#isSearching = true
    void this.#options.control
      .read()
      .catch((reason: unknown) => {
        if (reason instanceof RankwardError) this.#fail(reason)
      })
      .finally(() => {
        this.#isSearching = false
      })
  }

  async #beat(): Promise<void> {
    const { streams, members, control, crawl } = this.#options
    const sentAt = performance.now()
    const sentWallMs = this.#wallMs()
    const revisions = await members.beat()
    checkClock(sentWallMs, members.beatMs, this.#wallMs())
    this.#liveness.beat(sentAt)
    this.#members.beat(revisions)
    this.#turns.beat(sentAt, revisions)
    const lookedAt = performance.now()
    const heads = await streams.heads()
    const earlier = this.#earlier
    this.#earlier = heads
    this.#options.onLook?.(lookOf(heads, this.#shards.count, crawl.settings.damping))
    this.#cuts.looked(heads)
    this.#order?.looked(heads)
    const state = await control.read()
    this.#lostEnds.check(heads, state)
    if (state.ranMs(members.beatMs) >= 1000 * (crawl.settings.seconds ?? Infinity))
      await control.command({ kind: 'stop', reason: 'time' })
    const { isPaused, stopped } = await this.#control.obey(earlier, heads)
    this.#isHalted = isPaused
    if (stopped !== undefined) this.#finish(stopped)
    // At the first beat, workers that start at the same time do not see each other yet.
    if (earlier.length > 0) this.#shards.look(heads, lookedAt)
    await this.#purge(heads)
    this.#alarm.ring()
  }

  #wallMs(): number {
    return (this.#options.wallMs ?? Date.now)()
  }

  /** The owner of the first shard removes messages from the links log that all shards have read. */
  async #purge(heads: Heads): Promise<void> {
    const position = Math.min(...heads.map((head) => head?.position ?? 0))
    if (this.#shards.get(0) === undefined || position < this.#purgedAt + purgeMessages) return
    await this.#options.streams.links.purge(position)
    this.#purgedAt = position
  }
}
