/**
 * A shard of the real web that this worker owns or claims: its state, its world, and its journal.
 *
 *   outcomes ──▶ group closed ──▶ archive synced ──▶ JetStream ──▶ local log ──▶ the next group
 *
 * A lost shard stops at once: its requests are aborted, and nothing of it is written or sent any more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { OpenedParts } from '../../crawler/parts/crawl-parts.ts'
import { FetchedPages } from '../../crawler/session/fetched-pages.ts'
import { CrawlBook } from '../../crawler/session/crawl-book.ts'
import { crawlWorld, type CrawlWorldOptions } from '../../crawler/session/crawl-world.ts'
import { shownSettings } from '../../crawler/session/crawl-control.ts'
import { openingProgress } from '../../crawler/session/opening-progress.ts'
import { TakenPages } from '../../crawler/session/taken-pages.ts'
import { CrawlClock } from '../../engine/crawl-clock.ts'
import type { Engine } from '../../engine/engine.ts'
import { none } from '../../engine/page-forest.ts'
import { pageTotals } from '../../engine/page-totals.ts'
import type { CrawlEvent, CrawlProgress } from '../../crawler/options/crawl-options.ts'
import type { WarcEnds } from '../../crawler/record/group.ts'
import type { Addresses } from '../../crawler/desk/addresses.ts'
import type { Desk } from '../../crawler/desk/desk.ts'
import type { Wire } from '../../crawler/desk/wire.ts'
import type { RealWorld } from '../../crawler/world/real-world.ts'
import type { AppendRecord } from '../protocol/append.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import { readShardGroup, type GroupKind } from '../protocol/shard-group.ts'
import { ShardOwner } from '../protocol/shard-owner.ts'
import type { Shard } from '../protocol/shard.ts'
import type { Spent } from '../protocol/spent.ts'
import type { ClusterCrawl } from './cluster-crawl.ts'
import { journalForm, localForm } from './shard-group-bytes.ts'
import { ShardSnapshots } from './shard-snapshots.ts'
import { openShard, type Restoration, type ShardState } from './shard-state.ts'
import { soonOffers } from './soon-offers.ts'
import type { ShardTurns } from './shard-turns.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** Pause before a message is published again without an acknowledgement. */
const retryMs = 100
/** While more bytes of facts than this wait for an append, no page is requested. */
const factBytesMax = 1 << 17
/** Minimum time between two groups with progress. */
const progressMs = 10_000
const noEnds: ReadonlyMap<number, WarcEnds> = new Map()

/** What all shards of a worker share. */
export interface ShardWorker {
  readonly name: string
  readonly crawl: ClusterCrawl
  readonly folder: string
  readonly streams: CrawlStreams
  /** To the fetch threads of the worker. */
  readonly wire: Wire
  /** The clock of the shard is so far ahead of that of the worker. */
  readonly turns: (aheadSeconds: number) => ShardTurns
  readonly addresses: Addresses
  /** Seconds since the epoch, monotonic. */
  readonly now: () => number
  /** Reports by how many seconds this clock is behind the journal of a shard. */
  readonly clockBehind: (seconds: number, shard: number) => void
  readonly wake: () => void
  readonly snapshots: SnapshotStore
  /** Resolves when all responses archived so far are on disk. */
  readonly synced: () => Promise<void>
  readonly claimed: (shard: CrawlShard) => void
  readonly ended: (shard: CrawlShard, state: 'fenced' | 'released') => void
  readonly failed: (error: unknown) => void
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
  readonly onRestored?: ((restored: Restoration) => void) | undefined
  readonly onNotice?: ((line: string) => void) | undefined
}

/** The limits of connections that a dispatch may use. */
interface ConnectionRoom {
  readonly connections: number
  readonly unproven: number
}

export class CrawlShard {
  readonly shard: Shard
  readonly owner: ShardOwner
  readonly #worker: ShardWorker
  readonly #state: ShardState
  readonly #made: Pick<CrawlWorldOptions, 'parts' | 'fetched'>
  readonly #taken: TakenPages
  readonly #snapshots: ShardSnapshots
  /** Each shard has its own: the clock of one owner before may have been ahead, and the gaps of all other shards must not be shortened. */
  readonly #clock: CrawlClock
  #turns: ShardTurns | undefined
  #world: RealWorld | undefined
  #desk: Desk | undefined
  #append: Promise<void> | undefined
  /** When the next group has progress, by the monotonic clock. */
  #progressDueMs = -Infinity
  #flushedMs = -Infinity
  #room: ConnectionRoom = { connections: 0, unproven: 0 }
  /** No more pages are requested; the shard is released once those in flight have outcomes. */
  isLeaving = false

  private constructor(
    worker: ShardWorker,
    state: ShardState,
    made: Pick<CrawlWorldOptions, 'parts' | 'fetched'>,
    taken: TakenPages,
    writer: string,
  ) {
    this.#worker = worker
    this.#state = state
    this.#made = made
    this.#taken = taken
    this.#snapshots = new ShardSnapshots(state, worker.snapshots)
    this.#clock = new CrawlClock(worker.now)
    this.shard = state.shard
    this.owner = new ShardOwner({
      shard: state.shard,
      writer,
      sequence: state.sequence,
      ports: {
        append: (record) => {
          this.#append = this.#appended(record).catch(worker.failed)
        },
        // `JetStreamJournal.append` follows the recipe to its end.
        readLast: () => {},
        publish: (number, message) => void this.#publish(number, message).catch(worker.failed),
        claimed: () => this.#claimed(),
        ended: (ended) => this.#ended(ended),
      },
    })
  }

  /** Restores the shard from its journal. `claim` of its owner then takes it over. */
  static async restore(worker: ShardWorker, number: number, writer: string): Promise<CrawlShard> {
    const { crawl, folder, streams, onRestored, onNotice } = worker
    const taken = new TakenPages()
    let isReplaying = true
    const onTaken = (page: number, score: number): void => {
      if (!isReplaying) taken.add(page, score)
    }
    const state = await openShard({ crawl, number, folder, streams, onTaken, onRestored, onNotice })
    isReplaying = false
    const { settings } = crawl
    const { record, sites, pages, engine } = state
    const fetched = new FetchedPages(record, pages, settings.canonicalRules)
    const parts = await OpenedParts.open(state.parts, {
      settings,
      record,
      sites,
      pages,
      engine,
      fetched,
      current: () => settings,
      isRefresh: false,
      isPaused: () => false,
      folder,
      given: {},
      onEvent: worker.onEvent,
      scoreOf: (page) => taken.scoreOf(page) ?? record.outcome(page)?.score ?? 0,
      keepsBodies: false,
    })
    return new CrawlShard(worker, state, { parts, fetched }, taken, writer)
  }

  /** Gives up a shard that was restored and not claimed. */
  async drop(): Promise<void> {
    await this.#made.parts.close()
    await this.#state.log.close()
  }

  get engine(): Engine {
    return this.shard.engine
  }

  /** The score of the best page that may be requested now; undefined if there is none. */
  bestScore(): number | undefined {
    const page = this.#best(false)
    return page === none ? undefined : this.engine.strategy.score(page)
  }

  /** The key of that page, by which it is compared with pages of other shards. */
  bestKey(provenOnly: boolean): number | undefined {
    const page = this.#best(provenOnly)
    return page === none ? undefined : this.engine.pages.key(page, this.engine.strategy.score(page))
  }

  #best(provenOnly: boolean): number {
    if (!this.owner.isOwning || this.isLeaving || this.#isBehind) return none
    return this.engine.frontier.best(this.#clock.now(), provenOnly)
  }

  /** When the next resting site with pages becomes free, by the clock of the worker; Infinity if there is none. */
  nextFree(): number {
    return this.engine.frontier.nextFree() - this.#clock.aheadSeconds
  }

  get #isBehind(): boolean {
    return this.shard.factBytes > factBytesMax
  }

  /** Requests pages within these limits. */
  dispatch(room: ConnectionRoom): void {
    const { connections, unproven } = room
    if (connections !== this.#room.connections || unproven !== this.#room.unproven) {
      this.engine.connections(connections, unproven)
      this.#room = room
    }
    this.engine.dispatch(this.#world!)
  }

  /** Reports the outcomes since the last call to the engine. */
  deliver(): void {
    if (this.#world?.hasNews !== true || !this.owner.isOwning) return
    this.#world.deliver(this.engine)
    this.shard.touched()
  }

  /** Called regularly: are only pages of unreachable sites left, and has the worker waited for them long enough? */
  checkReach(): void {
    const endsAt = this.#desk?.reachability.endsAt() ?? Infinity
    this.shard.isStalled = endsAt <= this.#clock.now()
  }

  /** Up to now: its last group may have less. */
  get spent(): Spent {
    const { pages } = this.engine
    return {
      bytes: this.#state.counts.bytes,
      failures: pages.failedFor('failed') + pages.failedFor('temporary'),
    }
  }

  /** True if nothing is to be fetched. */
  get isIdle(): boolean {
    const { engine, shard } = this
    return (engine.waitingCount === 0 && engine.pages.inFlightCount === 0) || shard.isStalled
  }

  /** A message is not in the journal yet, so that it cannot be published. */
  get hasUnstoredCut(): boolean {
    return this.shard.cut > (this.owner.storedHead?.cut ?? 0)
  }

  /** Appends what has happened since the last group. Small groups are at least so far apart while there are pages to fetch. */
  flush(intervalMs: number): void {
    const nowMs = performance.now()
    const isSmall = this.shard.factBytes < factBytesMax / 4
    if (isSmall && !this.isIdle && !this.isLeaving && nowMs < this.#flushedMs + intervalMs) return
    this.#flushedMs = nowMs
    this.owner.flush()
  }

  /** Releases a leaving shard once no page of it is in flight. */
  releaseIfDone(): void {
    if (this.isLeaving && this.engine.pages.inFlightCount === 0) this.owner.release()
  }

  #claimed(): void {
    const { head, sites, counts, record, pages } = this.#state
    const { engine, shard } = this
    const worker = this.#worker
    const { settings } = worker.crawl
    const behindSeconds = this.#clock.continueFrom(engine.time)
    if (behindSeconds !== undefined) worker.clockBehind(behindSeconds, shard.number)
    const { now, aheadSeconds } = this.#clock
    shard.now = now
    const turns = worker.turns(aheadSeconds)
    const book = new CrawlBook({
      record,
      pages,
      taken: this.#taken,
      counts,
      stream: undefined,
      onEvent: worker.onEvent,
      worker: worker.name,
    })
    const made = crawlWorld({
      settings,
      state: this.#state,
      openLine: (onResult) => worker.wire.line(onResult),
      turns,
      addresses: worker.addresses,
      ...this.#made,
      watch: book,
      now,
      turn: () => undefined,
      onWake: worker.wake,
      // The owner before may have sent requests that it has not journaled, and its clock may have been behind this one.
      unknownUntil: head === undefined ? undefined : now(),
    })
    const { wait } = settings
    shard.offers = soonOffers(engine, { gapSeconds: wait, now })
    this.#turns = turns
    this.#world = made.world
    this.#desk = made.desk
    if (!shard.isSeeded) {
      record.putSettings(shownSettings(settings))
      shard.seed()
      // With a page budget, every grant sets the limits.
      if (settings.pages === undefined) engine.budget(Infinity, Infinity, Infinity)
    } else {
      for (const page of engine.pages.underWay()) engine.postponed(page)
      for (const site of engine.busySites) engine.closed(site, now())
      for (let page = 0; page < engine.known; page++) {
        if (engine.pages.isWaiting(page)) sites.addWaiting(engine.pages.siteOf(page))
      }
    }
    shard.touched()
    worker.claimed(this)
  }

  async #appended(record: AppendRecord): Promise<void> {
    const { record: records, counts } = this.#state
    this.#snapshots.take()
    const { head, facts } = readShardGroup(record.bytes)
    // The counts of this moment: later ones belong to the next group.
    const totals = structuredClone({ ...counts, ...pageTotals(this.engine.pages) })
    const progress = this.#progress(head.kind)
    records.closeGroup()
    if (facts.length > 0) await this.#worker.synced()
    const group = records.encode(facts, noEnds, totals, progress)
    const journal = await this.#worker.streams.journal(this.shard.number)
    const bytes = journalForm(head, group)
    const sequence = await journal.append({ ...record, bytes })
    if (sequence === undefined) return this.owner.taken()
    await records.append(localForm(head, group, sequence))
    const { writer, group: number } = record
    this.#snapshots.stored({ sequence, writer, group: number, bytes: bytes.length })
    this.owner.appendAnswered({ kind: 'stored', sequence })
    const { crawl, streams } = this.#worker
    if (crawl.order === 'strict' && crawl.shards > 1) streams.announceHead(this.shard.number, head)
  }

  /** For `rankward status` of the shard's folder; undefined if it is not due. */
  #progress(kind: GroupKind): CrawlProgress | undefined {
    const nowMs = performance.now()
    if (nowMs < this.#progressDueMs && kind === 'work') return undefined
    this.#progressDueMs = nowMs + progressMs
    const { counts, sites } = this.#state
    const { engine } = this
    const { responded, bytes, seconds, duplicates, nearDuplicates, errors } = counts
    return {
      ...openingProgress,
      ...pageTotals(engine.pages),
      responded,
      bytes,
      seconds,
      duplicates,
      nearDuplicates,
      errors: { ...errors },
      known: engine.known,
      waiting: engine.waitingCount,
      connections: engine.open.count,
      sites: sites.hostsWithWaiting,
      phase: 'crawling',
    }
  }

  async #publish(number: number, message: Uint8Array): Promise<void> {
    const isStored = await this.#worker.streams.links.publish(message)
    if (!isStored) await sleep(retryMs)
    this.owner.publishAnswered(number, isStored)
  }

  #ended(state: 'fenced' | 'released'): void {
    this.#desk?.line.close()
    this.#turns?.close()
    this.#world = undefined
    this.#snapshots.drop()
    this.#worker.ended(this, state)
  }

  /** Resolves when the files of the shard are closed. */
  async close(): Promise<void> {
    await this.#append
    await this.#made.parts.close()
    await this.#state.log.close()
  }
}
