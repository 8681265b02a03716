/**
 * A worker of a crawl on several machines: it claims shards, crawls them and exchanges mass with the shards of others. The
 * protocol is that of `src/cluster/`; the duties are those of the simulated worker (`src/simulation/cluster/virtual-worker.ts`).
 *
 * | every | duty |
 * | --- | --- |
 * | 2 s | beat: renew the own key, read the keys of all and the last groups of all shards; claim, release, settle |
 * | 0.5 s | tick: cut, append, publish, read the links log |
 * | outcome or due time | deliver outcomes, request the best pages of all shards |
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlClock } from '../../crawl/crawl-clock.ts'
import { crawlThreads } from '../../crawl/crawl-threads.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlEvent } from '../../options/crawl-options.ts'
import { AddressRests } from '../../worlds/real/address-rests.ts'
import { Addresses } from '../../worlds/real/addresses.ts'
import type { FetchThreads } from '../../worlds/real/fetch-threads.ts'
import { coverageOf, lostCut } from '../heads.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../jetstream/jetstream-control.ts'
import type { JetStreamMembers } from '../jetstream/jetstream-members.ts'
import { Members } from '../members.ts'
import type { ClusterCrawl } from './cluster-crawl.ts'
import { Cuts } from './cuts.ts'
import { Dispatcher } from './dispatcher.ts'
import { HeldShards, lostJournal, type Heads } from './held-shards.ts'
import { LinkReader } from './link-reader.ts'
import { SharedRequests } from './shared-requests.ts'
import { WorkerControl } from './worker-control.ts'

export interface WorkerTiming {
  readonly beatSeconds: number
  /** Without an acknowledged beat for this long, nothing is requested. */
  readonly beatSecondsMax: number
  /** After a pause of this length, nothing is requested before the next acknowledged beat. */
  readonly pauseSecondsMax: number
  /** Seconds between two groups of a shard. */
  readonly groupSeconds: number
  /** Longest time between two cuts of a shard that is not idle. */
  readonly cutSeconds: number
}

export const workerTiming: WorkerTiming = {
  beatSeconds: 2,
  beatSecondsMax: 10,
  pauseSecondsMax: 5,
  groupSeconds: 0.5,
  cutSeconds: 5,
}

/** The time between two groups of a worker without pages to fetch, as a share of the usual time. */
const idlePace = 0.2
/** The largest difference between the clocks of a worker and of the servers. */
const clockSecondsMax = 60
/** Messages of the links log that are removed at a time, at least. */
const purgeMessages = 1000

export interface WorkerOptions {
  readonly crawl: ClusterCrawl
  /** The name of this start of the worker. */
  readonly name: string
  /** The worker's folder, and the folder of its WARC files. */
  readonly folder: string
  readonly warc: string
  readonly streams: CrawlStreams
  readonly members: JetStreamMembers
  readonly control: JetStreamControl
  readonly timing?: Partial<WorkerTiming> | undefined
  /** The clock of this machine, in milliseconds of the epoch. */
  readonly wallMs?: (() => number) | undefined
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
  readonly onLook?: ((look: WorkerLook) => void) | undefined
  /** A beat had no response. The worker continues, and requests nothing if that lasts. */
  readonly onSilence?: ((error: unknown) => void) | undefined
}

/** What a worker sees at each beat. */
export interface WorkerLook {
  /** Shards that this worker owns, and those that any worker has claimed. */
  readonly owned: number
  readonly claimed: number
  /** Of all shards. */
  readonly fetched: number
  readonly waiting: number
  readonly coverage: number
}

/** Why a worker ended: `left`, and the crawl continues without it, or the reason why the crawl was stopped. */
export type WorkerEnd = string

export class ClusterWorker {
  readonly #options: WorkerOptions
  readonly #timing: WorkerTiming
  readonly #members: Members
  readonly #clock = new CrawlClock()
  readonly #requests: SharedRequests
  readonly #threads: FetchThreads
  readonly #links: LinkReader
  readonly #shards: HeldShards
  readonly #dispatcher: Dispatcher
  readonly #control: WorkerControl
  readonly #cuts: Cuts
  #earlier: Heads = []
  #beatAt = -Infinity
  /** The time of the last turn, by both clocks: one stands still while the machine sleeps, the other may be set. */
  #awakeAt = { monotonic: performance.now(), wall: Date.now() }
  /** Nothing is requested until a beat that was sent after this time is acknowledged. */
  #pausedAt = 0
  #isPaused = true
  /** A command has paused the crawl. */
  #isHalted = false
  #purgedAt = 0
  #end: WorkerEnd | undefined
  #failure: Error | undefined
  #wake: (() => void) | undefined
  #isWoken = false
  #sync: Promise<void> | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#timing = { ...workerTiming, ...options.timing }
    const { crawl, name, folder, warc, streams, onEvent } = options
    const { settings } = crawl
    const { now } = this.#clock
    const wake = (): void => this.#wakeUp()
    const failed = (error: unknown): void => this.#fail(error)
    this.#members = new Members(name)
    this.#requests = new SharedRequests({
      rests: new AddressRests(settings.waitPerAddress, now),
      now,
      isArchived: settings.warc,
      wake,
      broken: failed,
    })
    this.#threads = crawlThreads(
      { settings, crawlId: crawl.id, warc, worker: name, bodies: false },
      this.#requests,
    )
    this.#requests.use(this.#threads)
    this.#links = new LinkReader(streams, failed)
    this.#shards = new HeldShards({
      members: this.#members,
      worker: {
        name,
        crawl,
        folder,
        streams,
        requests: this.#requests,
        addresses: new Addresses(settings),
        now,
        wake,
        synced: () => this.#synced(),
        failed,
        onEvent,
      },
    })
    const { cutSeconds } = this.#timing
    this.#cuts = new Cuts({ crawl, shards: this.#shards, cutSeconds, now })
    const { connections } = settings
    const took = (pages: number): void => this.#cuts.took(pages)
    this.#dispatcher = new Dispatcher({ shards: this.#shards, connections, now, took })
    this.#control = new WorkerControl({ crawl, control: options.control, shards: this.#shards })
  }

  /** Works until the crawl is over, `leave` is called or something cannot be repaired. */
  async run(): Promise<WorkerEnd> {
    const { streams, members } = this.#options
    streams.onAskedAgain(
      (source, from) => this.#shards.get(source)?.owner.publishAgain(from),
      (error) => this.#fail(error),
    )
    const duties = Promise.all([this.#beats(), this.#ticks()]).catch((error: unknown) => this.#fail(error))
    try {
      await this.#crawl()
      await duties
      await this.#shards.closed()
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
    this.#wakeUp()
  }

  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    this.#wakeUp()
  }

  get #isOver(): boolean {
    if (this.#failure !== undefined) return true
    return this.#end !== undefined && this.#shards.isEmpty
  }

  async #crawl(): Promise<void> {
    while (!this.#isOver) {
      this.#isWoken = false
      this.#woke()
      for (const shard of this.#shards.all()) {
        shard.deliver()
        shard.releaseIfDone()
      }
      const due = this.#mayRequest ? this.#dispatcher.dispatch() : Infinity
      this.#threads.flush()
      await this.#pause(due)
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  /** After a long pause of this process, other workers may own its shards. */
  #woke(): void {
    const now = { monotonic: performance.now(), wall: Date.now() }
    const { monotonic, wall } = this.#awakeAt
    const pausedMs = Math.max(now.monotonic - monotonic, now.wall - wall)
    this.#awakeAt = now
    if (pausedMs <= 1000 * this.#timing.pauseSecondsMax) return
    this.#isPaused = true
    this.#pausedAt = now.monotonic
  }

  #wakeUp(): void {
    this.#isWoken = true
    this.#wake?.()
    this.#wake = undefined
  }

  /** Waits until there is something to do; a tick wakes it at the latest. */
  #pause(due: number): Promise<void> {
    const delayMs = Math.min(60_000, Math.max(0, Math.ceil(1000 * (due - this.#clock.now()))))
    if (this.#isWoken || delayMs === 0) return new Promise((resolve) => void setImmediate(resolve))
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wakeUp(), delayMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  get #mayRequest(): boolean {
    const silentMs = performance.now() - this.#beatAt
    const isStopped = this.#end !== undefined || this.#isPaused || this.#isHalted
    return !isStopped && silentMs <= 1000 * this.#timing.beatSecondsMax
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
      // Shards without pages to fetch only exchange the rest of their mass: that takes many short rounds.
      const pace = this.#isIdle ? idlePace : 1
      await sleep(1000 * pace * this.#timing.groupSeconds)
    }
  }

  #tick(): void {
    this.#woke()
    for (const shard of this.#shards.all()) shard.checkReach()
    this.#cuts.make()
    for (const { owner } of this.#shards.all()) {
      owner.flush()
      owner.publishNext()
    }
    if (this.#options.crawl.shards > 1) this.#links.read([...this.#shards.all()])
    this.#wakeUp()
  }

  get #isIdle(): boolean {
    for (const { isIdle } of this.#shards.all()) if (!isIdle) return false
    return true
  }

  async #beats(): Promise<void> {
    while (!this.#isOver) {
      // Without a response, nothing is known: neither the own beat nor those of others count.
      await this.#beat().catch((error: unknown) => {
        if (error instanceof RankwardError) this.#fail(error)
        else this.#options.onSilence?.(error)
      })
      await sleep(1000 * this.#timing.beatSeconds)
    }
  }

  async #beat(): Promise<void> {
    const { streams, members } = this.#options
    const sentAt = performance.now()
    const sentWallMs = this.#wallMs()
    const revisions = await members.beat()
    this.#beatAt = performance.now()
    this.#checkClock(sentWallMs)
    if (sentAt >= this.#pausedAt) this.#isPaused = false
    this.#members.beat(revisions)
    const lookedAt = performance.now()
    const heads = await streams.heads()
    const earlier = this.#earlier
    this.#earlier = heads
    this.#report(heads)
    this.#cuts.looked(heads)
    const lost = lostCut(earlier, heads)
    if (lost !== undefined) throw lostJournal(lost)
    const { isPaused, stopped } = await this.#control.obey(earlier, heads)
    this.#isHalted = isPaused
    if (stopped !== undefined) this.#finish(stopped)
    // At the first beat, workers that start at the same time do not see each other yet.
    if (earlier.length > 0) this.#shards.look(heads, lookedAt)
    await this.#purge(heads)
    this.#wakeUp()
  }

  /** Times are part of the journals: after a take-over from a worker whose clock is ahead, its sites would rest too long. */
  #checkClock(sentWallMs: number): void {
    const { beatMs } = this.#options.members
    // The beat was stored between these two times, however long that took.
    const isAhead = sentWallMs - beatMs > 1000 * clockSecondsMax
    const isBehind = beatMs - this.#wallMs() > 1000 * clockSecondsMax
    if (!isAhead && !isBehind) return
    const aheadSeconds = (sentWallMs - beatMs) / 1000
    throw new RankwardError(
      'USAGE',
      `The clock of this machine is ${Math.round(Math.abs(aheadSeconds))} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'} that of the NATS servers: set it, for example by NTP, and start the worker again.`,
    )
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

  #report(heads: Heads): void {
    const { onLook, crawl } = this.#options
    if (onLook === undefined) return
    const known = heads.filter((head) => head !== undefined)
    onLook({
      owned: this.#shards.count,
      claimed: known.length,
      fetched: known.reduce((sum, { fetched }) => sum + fetched, 0),
      waiting: known.reduce((sum, { waiting }) => sum + waiting, 0),
      coverage: coverageOf(heads, crawl.settings.damping),
    })
  }
}
