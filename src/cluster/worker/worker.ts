/**
 * A worker of a crawl on several machines: it claims shards, crawls them and exchanges mass with the shards of others. The
 * protocol is that of `src/cluster/protocol/`. The worker knows neither NATS nor the web nor a timer of Node: it works with `ports.ts`. So
 * `rankward cluster worker` and the simulator, with all its faults, run the same lines.
 *
 * | every | duty |
 * | --- | --- |
 * | 2 s | beat: renew the own key, read the keys of all |
 * | 2 s | look: read the last groups of all shards and the control log; obey, grant, claim, release, settle |
 * | 0.5 s | tick: cut, append, publish, read the links log |
 * | outcome or due time | deliver outcomes, request the best pages of all shards |
 */
import { RankwardError } from '../../lib/errors.ts'
import { coverageOf, fitTogether } from '../protocol/heads.ts'
import type { ControlState } from '../protocol/control.ts'
import { Members } from '../protocol/members.ts'
import type { ShardHead } from '../protocol/shard-group.ts'
import { Alarm, sleep } from './alarm.ts'
import { checkClock } from './clock-check.ts'
import { Cuts } from './cuts.ts'
import { Dispatcher } from './dispatcher.ts'
import { Exchange } from './exchange.ts'
import { groupInterval, type HeldShard } from './held-shard.ts'
import { HeldShards } from './held-shards.ts'
import { LinkReader } from './link-reader.ts'
import { Liveness } from './liveness.ts'
import { LostEnds } from './lost-ends.ts'
import { lookOf } from './look.ts'
import {
  workerTiming,
  type Heads,
  type KnownHead,
  type WorkerEnd,
  type WorkerOptions,
  type WorkerShards,
  type WorkerTiming,
} from './ports.ts'
import { WorkerControl } from './worker-control.ts'
import { WorkerOrder } from './worker-order.ts'
import { WorkerRate } from './worker-rate.ts'
import { WorkerTurns } from './worker-turns.ts'

/** The time between two groups when no shard has pages to fetch, as a share of the usual time. */
const idlePace = 0.2
/** Groups that say only that messages had nothing for their shard are so much further apart. */
const emptyPace = 5
/** The heads of own shards are read at every so many looks; in between, the worker takes what it has stored itself. */
const wholeLooks = 5
/** Messages of the links log that are removed at a time, at least. */
const purgeMessages = 1000

export class ClusterWorker {
  readonly #options: WorkerOptions
  readonly #timing: WorkerTiming
  readonly #members: Members
  readonly #alarm: Alarm
  /** Begins the next look sooner. */
  readonly #lookAlarm: Alarm
  readonly #liveness: Liveness
  readonly #turns: WorkerTurns
  readonly #links: LinkReader
  readonly #crawls: WorkerShards
  readonly #shards: HeldShards
  readonly #dispatcher: Dispatcher
  readonly #control: WorkerControl
  readonly #cuts: Cuts
  readonly #exchange: Exchange
  /** Undefined without patience. */
  readonly #order: WorkerOrder | undefined
  /** Undefined if every page is fetched once. */
  readonly #rate: WorkerRate | undefined
  readonly #lostEnds = new LostEnds()
  /** Acknowledged beats. */
  #beatCount = 0
  #earlier: Heads = []
  /** Looks since the last one that has read all heads. */
  #looks = wholeLooks
  #coverage = 0
  /** A command has paused the crawl. */
  #isHalted = false
  #purgedAt = 0
  #dividedAt = -Infinity
  #end: WorkerEnd | undefined
  #failure: Error | undefined
  /** A beat was missed, and the worker looks whether there still is such a crawl. */
  #isSearching = false

  constructor(options: WorkerOptions) {
    const { crawl, name, clock, streams, turns, control, onNotice, onClockBehind } = options
    const { settings } = crawl
    const timing = { ...workerTiming, ...options.timing }
    const wake = (): void => this.#alarm.ring()
    const failed = (error: unknown): void => this.#fail(error)
    const reached = (): void => this.#lookAlarm.ring()
    this.#options = options
    this.#timing = timing
    this.#alarm = new Alarm(clock)
    this.#lookAlarm = new Alarm(clock)
    const members = new Members(name, crawl.shards)
    this.#members = members
    const { waitPerAddress, wait, sharesHosts } = settings
    // One gap for both: at a host it is the usual one, at an address it is a little longer than it need be.
    const gapSeconds = sharesHosts === true ? Math.max(waitPerAddress, wait) : waitPerAddress
    this.#turns = new WorkerTurns({ members, turns, clock, gapSeconds, timing, failed })
    this.#liveness = new Liveness({ clock, timing, onPaused: () => this.#paused() })
    this.#links = new LinkReader(streams, failed, () => {
      // Mass that has arrived may have to travel on before any page is worth its price.
      if (this.#order !== undefined) this.#cuts.arrived()
    })
    this.#crawls = options.shards({ wake, failed, addresses: this.#turns.shared })
    const shards = new HeldShards({
      crawl,
      clock,
      streams,
      members,
      shards: this.#crawls,
      wake,
      failed,
      onNotice,
      onClockBehind,
    })
    this.#shards = shards
    const { cutSeconds } = timing
    const cuts = new Cuts({ crawl, clock, shards, cutSeconds })
    this.#cuts = cuts
    const isPatient = settings.patience > 0 && settings.recrawl === undefined
    const exchange = new Exchange({ clock, shards, cuts, links: this.#links, timing, failed })
    const order = isPatient
      ? new WorkerOrder({ crawl, clock, shards, members, exchange, timing, wake, reached })
      : undefined
    this.#order = order
    const rate =
      settings.recrawl === undefined
        ? undefined
        : new WorkerRate({ crawl, clock, shards, members: options.members })
    this.#rate = rate
    this.#exchange = exchange
    const { connections } = settings
    this.#dispatcher = new Dispatcher({ shards, connections, now: () => clock.now(), order, rate })
    this.#control = new WorkerControl({ crawl, control, streams, shards, members, rate })
  }

  /** The shards that it owns. */
  shards(): Iterable<HeldShard> {
    return this.#shards.all()
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
    const duties = Promise.all([
      this.#repeated(
        () => this.#beat(),
        (seconds) => sleep(this.#options.clock, seconds),
      ),
      this.#repeated(
        () => this.#look(),
        (seconds) => this.#lookAlarm.wait(seconds),
      ),
      this.#ticks(),
    ]).catch((error: unknown) => this.#fail(error))
    try {
      await this.#crawl()
      await duties
      await this.#shards.closed()
      await this.#crawls.close()
      await members.leave().catch(() => {})
      return this.#end!
    } catch (error) {
      this.#fail(error)
      await this.#crawls.kill()
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

  #paused(): void {
    this.#looks = wholeLooks
    this.#turns.shared?.paused()
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

  get #isOver(): boolean {
    if (this.#failure !== undefined) return true
    return this.#end !== undefined && this.#shards.isEmpty
  }

  async #crawl(): Promise<void> {
    while (!this.#isOver) {
      this.#alarm.reset()
      this.#liveness.check()
      for (const shard of this.#shards.all()) {
        this.#cuts.took(shard.deliver())
        shard.releaseIfDone()
      }
      // With patience, the order decides.
      if (this.#order === undefined && this.#cuts.isSpent && this.#options.crawl.shards > 1)
        this.#exchange.start(() => this.#alarm.ring())
      let due = this.#mayRequest ? this.#dispatcher.dispatch() : Infinity
      if (this.#mayRequest) for (const shard of this.#shards.all()) due = Math.min(due, shard.turn())
      if (this.#mayRequest && this.#dispatcher.isStarved) this.#divide()
      this.#crawls.flush()
      // A tick wakes it at the latest.
      await this.#alarm.wait(due - this.#options.clock.now())
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  get #mayRequest(): boolean {
    if (this.#end !== undefined || this.#isHalted || this.#crawls.hasRoom === false) return false
    return this.#liveness.mayRequest && this.#control.hasRoom
  }

  async #ticks(): Promise<void> {
    while (!this.#isOver) {
      this.#tick()
      // The rest of the mass is exchanged in many short rounds.
      const pace = this.#cuts.isFinishing ? idlePace : 1
      await sleep(this.#options.clock, pace * this.#timing.groupSeconds)
    }
  }

  #tick(): void {
    this.#liveness.check()
    this.#turns.shared?.tick()
    for (const shard of this.#shards.all()) shard.checkReach()
    this.#cuts.make()
    this.#rate?.countDue()
    const { groupSeconds } = this.#timing
    const interval = groupInterval(groupSeconds, this.#shards.count)
    const newsSeconds = Math.max(interval, groupSeconds)
    // The end of the crawl waits for all shards to have applied all messages.
    const emptySeconds = this.#cuts.isFinishing ? newsSeconds : emptyPace * newsSeconds
    for (const shard of this.#shards.all()) {
      shard.flush(interval, newsSeconds, emptySeconds)
      shard.owner.publishNext()
    }
    if (this.#options.crawl.shards > 1) void this.#links.read([...this.#shards.all()])
    this.#alarm.ring()
  }

  /** Repeats a duty every two seconds. If it takes longer, the next one follows after a second. */
  async #repeated(duty: () => Promise<void>, pause: (seconds: number) => Promise<void>): Promise<void> {
    const { clock } = this.#options
    const { beatSeconds } = this.#timing
    while (!this.#isOver) {
      const next = clock.now() + beatSeconds
      // Without a response, nothing is known: neither the own beat nor those of others count.
      await duty().catch((error: unknown) => this.#missed(error))
      // Two beats are never closer together: others count them.
      await pause(Math.max(beatSeconds / 2, next - clock.now()))
    }
  }

  /** A duty has failed. Without a response the worker waits; if the crawl was deleted, it ends. */
  #missed(error: unknown): void {
    this.#looks = wholeLooks
    if (error instanceof RankwardError) this.#fail(error)
    else {
      this.#options.onSilence?.(error)
      this.#search()
    }
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
    const { members, clock } = this.#options
    const sentAt = clock.now()
    const sentWallMs = clock.wallMs()
    const revisions = await members.beat()
    checkClock(sentWallMs, members.beatMs, clock.wallMs())
    this.#liveness.beat(sentAt)
    this.#members.beat(revisions)
    this.#turns.beat(sentAt, revisions)
    this.#beatCount++
    this.#alarm.ring()
  }

  /** Beats do not wait for it: while the streams respond slowly, the others still see that this worker is alive. */
  async #look(): Promise<void> {
    const { streams, members, control, crawl, clock } = this.#options
    this.#lookAlarm.reset()
    if (this.#beatCount === 0) return
    const lookedAt = clock.now()
    const known = this.#knownHeads()
    const heads = await streams.heads(known)
    const earlier = this.#earlier
    this.#earlier = heads
    if (crawl.settings.recrawl === undefined || fitTogether(heads))
      this.#coverage = coverageOf(heads, crawl.settings.damping)
    this.#options.onLook?.(lookOf(heads, this.#shards.count, this.#coverage))
    this.#cuts.looked(heads)
    this.#order?.looked(heads)
    this.#rate?.looked(heads)
    const state = await control.read()
    if (!this.#lostEnds.check(heads, state, known === undefined)) {
      this.#looks = wholeLooks
      return this.#lookAlarm.ring()
    }
    if (state.ranMs(members.beatMs) >= 1000 * (crawl.settings.seconds ?? Infinity))
      await control.command({ kind: 'stop', reason: 'time' })
    this.#obey(await this.#control.obey(earlier, heads))
    // At the first beat, workers that start at the same time do not see each other yet.
    if (this.#beatCount > 1) this.#shards.look(heads, lookedAt)
    await this.#purge(heads)
    this.#alarm.ring()
  }

  /**
   * Own shards need not be read: nobody else has appended to their journals, as long as this worker was awake. All are read now and then,
   * after every silence, and before the crawl is over.
   */
  #knownHeads(): KnownHead | undefined {
    const isWhole = ++this.#looks >= wholeLooks || this.#cuts.isFinishing
    if (isWhole) this.#looks = 0
    const stored = (shard: number): ShardHead | undefined => {
      const owner = this.#shards.get(shard)?.owner
      return owner?.isOwning === true ? owner.storedHead : undefined
    }
    return isWhole ? undefined : stored
  }

  #obey({ isPaused, stopped, drained }: ControlState): void {
    this.#isHalted = isPaused
    if (stopped !== undefined) this.#finish(stopped)
    else if (drained.has(this.#options.name)) this.leave()
  }

  /** A shard has pages worth taking, and none of the budget: it does not wait for the next look. */
  #divide(): void {
    const { clock } = this.#options
    if (this.#earlier.length === 0 || clock.now() < this.#dividedAt + this.#timing.groupSeconds) return
    this.#dividedAt = clock.now()
    const heads = this.#earlier.map((head, shard) => this.#shards.get(shard)?.owner.storedHead ?? head)
    void this.#control
      .divide(heads)
      .then((state) => {
        this.#obey(state)
        this.#alarm.ring()
      })
      .catch((error: unknown) => this.#missed(error))
  }

  /** The owner of the first shard removes messages from the links log that all shards have read. */
  async #purge(heads: Heads): Promise<void> {
    const position = Math.min(...heads.map((head) => head?.position ?? 0))
    if (this.#shards.get(0) === undefined || position < this.#purgedAt + purgeMessages) return
    await this.#options.streams.links.purge(position)
    this.#purgedAt = position
  }
}
