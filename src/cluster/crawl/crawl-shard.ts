/**
 * A shard of the real web for a worker (`../worker/held-shard.ts`): its state, its world, and its journal.
 *
 *   outcomes ──▶ group closed ──▶ archive synced ──▶ JetStream ──▶ local log ──▶ the next group
 */
import { ForbiddenPages } from '../../crawler/session/held-again.ts'
import { FreshnessWatch } from '../../crawler/session/freshness-watch.ts'
import { shownSettings } from '../../crawler/session/crawl-control.ts'
import { RunningCrawl } from '../../crawler/session/running-crawl.ts'
import { TakenPages } from '../../crawler/session/taken-pages.ts'
import type { CrawlClock } from '../../engine/crawl-clock.ts'
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import type { WarcEnds } from '../../crawler/record/group.ts'
import type { GivenOptions } from '../../crawler/parts/running-part.ts'
import type { Addresses } from '../../crawler/desk/addresses.ts'
import type { HostRests } from '../../crawler/desk/host-rests.ts'
import type { Wire } from '../../crawler/desk/wire.ts'
import type { RealWorld } from '../../crawler/world/real-world.ts'
import type { AppendRecord } from '../protocol/append.ts'
import type { ShardSnapshot } from '../jetstream/jetstream-snapshots.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import { readShardGroup, type GroupKind } from '../protocol/shard-group.ts'
import type { Shard } from '../protocol/shard.ts'
import type { Spent } from '../protocol/spent.ts'
import type { ShardCrawl } from '../worker/ports.ts'
import type { ClusterCrawl } from './cluster-crawl.ts'
import { journalForm, localForm } from '../jetstream/shard-group-bytes.ts'
import { openShard, shardParts, type Restoration, type ShardState } from './shard-state.ts'
import type { ShardTurns } from './shard-turns.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** Minimum time between two groups with progress. */
const progressMs = 10_000
const noEnds: ReadonlyMap<number, WarcEnds> = new Map()

/** What all shards of a worker share. */
export interface ShardWorker {
  readonly name: string
  readonly crawl: ClusterCrawl
  readonly folder: string
  readonly streams: CrawlStreams
  /** Data of the user, as a program passes them to a crawl on one machine. */
  readonly given: GivenOptions
  /** By part. */
  readonly secrets: Readonly<Record<string, unknown>>
  /** To the fetch threads of the worker. */
  readonly wire: Wire
  /** The clock of the shard is so far ahead of that of the worker. */
  readonly turns: (aheadSeconds: number) => ShardTurns
  readonly addresses: Addresses
  /** Of its shards. */
  readonly hosts: Set<HostRests>
  readonly wake: () => void
  readonly snapshots: SnapshotStore
  /** Resolves when all responses archived so far are on disk. */
  readonly synced: () => Promise<void>
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
  readonly onRestored?: ((restored: Restoration) => void) | undefined
  readonly onNotice?: ((line: string) => void) | undefined
}

export class CrawlShard implements ShardCrawl {
  readonly shard: Shard
  readonly sequence: number
  readonly #worker: ShardWorker
  readonly #state: ShardState
  readonly #crawl: RunningCrawl<ShardSnapshot>
  /** The journal has the seeds. */
  readonly #wasSeeded: boolean
  #turns: ShardTurns | undefined
  /** Undefined if every page is fetched once. */
  #forbidden: ForbiddenPages | undefined
  #freshness: FreshnessWatch | undefined
  /** When the next group has progress, by the monotonic clock. */
  #progressDueMs = -Infinity

  private constructor(worker: ShardWorker, state: ShardState, crawl: RunningCrawl<ShardSnapshot>) {
    this.#worker = worker
    this.#state = state
    this.#crawl = crawl
    this.shard = state.shard
    this.sequence = state.sequence
    this.#wasSeeded = state.shard.isSeeded
  }

  /** Restores the shard from its journal. */
  static async restore(worker: ShardWorker, number: number): Promise<CrawlShard> {
    const { crawl, folder, streams, snapshots, onEvent, onRestored, onNotice } = worker
    const taken = new TakenPages()
    let isReplaying = true
    const onTaken = (page: number, score: number): void => {
      if (!isReplaying) taken.add(page, score)
    }
    const state = await openShard({ crawl, number, folder, streams, onTaken, onRestored, onNotice })
    isReplaying = false
    const running = await RunningCrawl.open<ShardSnapshot>({
      folder: state.folder,
      settings: crawl.settings,
      secrets: worker.secrets,
      given: worker.given,
      state,
      taken,
      isResumed: state.head !== undefined,
      onEvent,
      worker: worker.name,
      snapshots,
      snapshotted: {
        parts: () => shardParts(state),
        grownBytes: state.replayedBytes,
        lastBytes: state.snapshotBytes,
      },
    }).catch(async (error: unknown) => {
      await state.log.close()
      throw error
    })
    return new CrawlShard(worker, state, running)
  }

  get world(): RealWorld {
    return this.#crawl.begun!.world
  }

  get hasNews(): boolean {
    const { begun } = this.#crawl
    return begun !== undefined && (begun.world.hasNews || begun.parts.hasNews)
  }

  turn(): number {
    const { begun } = this.#crawl
    if (begun === undefined) return Infinity
    this.#forbidden?.check(begun.desk.now())
    const due = begun.parts.turn()
    return begun.parts.hasNews ? begun.desk.now() : due
  }

  isUnfinished(): boolean {
    return this.#crawl.begun?.parts.isUnfinished() === true
  }

  get hasRecords(): boolean {
    return this.#state.record.hasNews
  }

  idleFrom(): number {
    return this.#crawl.begun?.desk.reachability.endsAt() ?? Infinity
  }

  get spent(): Spent {
    const { pages } = this.shard.engine
    return {
      bytes: this.#state.counts.bytes,
      failures: pages.failedFor('failed') + pages.failedFor('temporary'),
    }
  }

  begin({ now, aheadSeconds }: CrawlClock): void {
    const { head, sites, record } = this.#state
    const { engine } = this.shard
    const worker = this.#worker
    const { settings } = worker.crawl
    const turns = worker.turns(aheadSeconds)
    this.#turns = turns
    this.#crawl.begin({
      openLine: (onResult) => worker.wire.line(onResult),
      turns,
      addresses: worker.addresses,
      neighbours: worker.hosts,
      now,
      turn: () => undefined,
      onWake: worker.wake,
      // The owner before may have sent requests that it has not journaled, and its clock may have been behind this one.
      unknownUntil: head === undefined ? undefined : now(),
    })
    if (settings.recrawl !== undefined) {
      const lastLookOf = (page: number): number => (record.lastLook(page)?.startMs ?? 0) / 1000
      this.#forbidden = new ForbiddenPages(engine, lastLookOf)
      this.#freshness = new FreshnessWatch(engine, now)
    }
    if (!this.#wasSeeded) record.putSettings(shownSettings(settings))
    else {
      for (let page = 0; page < engine.known; page++) {
        if (engine.pages.isWaiting(page)) sites.addWaiting(engine.pages.siteOf(page))
      }
    }
  }

  async append(record: AppendRecord): Promise<number | undefined> {
    const { head, facts } = readShardGroup(record.bytes)
    const isArchived = facts.length > 0 || this.hasRecords
    const group = await this.#crawl.closeGroup({
      facts,
      progress: this.#isProgressDue(head.kind)
        ? { ...this.#crawl.progress(), freshness: this.#freshness?.progress }
        : undefined,
      sync: async () => {
        if (isArchived) await this.#worker.synced()
        return noEnds
      },
    })
    const journal = await this.#worker.streams.journal(this.shard.number)
    const bytes = journalForm(head, group)
    const sequence = await journal.append({ ...record, bytes })
    if (sequence === undefined) return undefined
    const stored = await this.#state.record.append(localForm(head, group, sequence))
    await this.#crawl.begun?.parts.recorded(stored)
    const { writer, group: number } = record
    const place = { shard: this.shard.number, sequence, writer, group: number }
    this.#crawl.snapshots.committed(bytes.length, place)
    return sequence
  }

  /** For `rankward status` of the shard's folder. */
  #isProgressDue(kind: GroupKind): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#progressDueMs && kind === 'work') return false
    this.#progressDueMs = nowMs + progressMs
    return true
  }

  end(): void {
    this.#crawl.end()
    this.#turns?.close()
  }

  async close(): Promise<void> {
    await this.#crawl.close()
    await this.#state.log.close()
  }
}
