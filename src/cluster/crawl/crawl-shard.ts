/**
 * A shard of the real web for a worker (`../worker/held-shard.ts`): its state, its world, and its journal.
 *
 *   outcomes ──▶ group closed ──▶ archive synced ──▶ JetStream ──▶ local log ──▶ the next group
 */
import { OpenedParts, type RunningParts } from '../../crawler/parts/crawl-parts.ts'
import { FetchedPages } from '../../crawler/session/fetched-pages.ts'
import { CrawlBook } from '../../crawler/session/crawl-book.ts'
import { crawlWorld, type CrawlWorldOptions } from '../../crawler/session/crawl-world.ts'
import { shownSettings } from '../../crawler/session/crawl-control.ts'
import { CrawlSnapshots } from '../../crawler/session/crawl-snapshots.ts'
import { openingProgress } from '../../crawler/session/opening-progress.ts'
import { TakenPages } from '../../crawler/session/taken-pages.ts'
import type { CrawlClock } from '../../engine/crawl-clock.ts'
import { pageTotals } from '../../engine/page-totals.ts'
import type { CrawlEvent, CrawlProgress } from '../../crawler/options/crawl-options.ts'
import type { WarcEnds } from '../../crawler/record/group.ts'
import type { Addresses } from '../../crawler/desk/addresses.ts'
import type { Desk } from '../../crawler/desk/desk.ts'
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
import { journalForm, localForm } from './shard-group-bytes.ts'
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
  /** To the fetch threads of the worker. */
  readonly wire: Wire
  /** The clock of the shard is so far ahead of that of the worker. */
  readonly turns: (aheadSeconds: number) => ShardTurns
  readonly addresses: Addresses
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
  readonly #made: Pick<CrawlWorldOptions, 'parts' | 'fetched'>
  readonly #taken: TakenPages
  readonly #snapshots: CrawlSnapshots<ShardSnapshot>
  /** The journal has the seeds. */
  readonly #wasSeeded: boolean
  #turns: ShardTurns | undefined
  #world: RealWorld | undefined
  #desk: Desk | undefined
  #parts: RunningParts | undefined
  /** When the next group has progress, by the monotonic clock. */
  #progressDueMs = -Infinity

  private constructor(
    worker: ShardWorker,
    state: ShardState,
    made: Pick<CrawlWorldOptions, 'parts' | 'fetched'>,
    taken: TakenPages,
  ) {
    this.#worker = worker
    this.#state = state
    this.#made = made
    this.#taken = taken
    this.#snapshots = new CrawlSnapshots(
      {
        engine: state.engine,
        parts: () => shardParts(state),
        grownBytes: state.replayedBytes,
        lastBytes: state.snapshotBytes,
      },
      worker.snapshots,
    )
    this.shard = state.shard
    this.sequence = state.sequence
    this.#wasSeeded = state.shard.isSeeded
  }

  /** Restores the shard from its journal. */
  static async restore(worker: ShardWorker, number: number): Promise<CrawlShard> {
    const { crawl, folder, streams, onRestored, onNotice } = worker
    const taken = new TakenPages()
    let isReplaying = true
    const onTaken = (page: number, score: number): void => {
      if (!isReplaying) taken.add(page, score)
    }
    const state = await openShard({ crawl, number, folder, streams, onTaken, onRestored, onNotice })
    isReplaying = false
    const { settings } = crawl
    const { record, sites, pages, engine, folder: ownFolder } = state
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
      folder: ownFolder,
      isResumed: state.head !== undefined,
      given: {},
      onEvent: worker.onEvent,
      scoreOf: (page) => taken.scoreOf(page) ?? record.outcome(page)?.score ?? 0,
      keepsBodies: false,
    })
    return new CrawlShard(worker, state, { parts, fetched }, taken)
  }

  get world(): RealWorld {
    return this.#world!
  }

  get hasNews(): boolean {
    return this.#world?.hasNews === true
  }

  idleFrom(): number {
    return this.#desk?.reachability.endsAt() ?? Infinity
  }

  get spent(): Spent {
    const { pages } = this.shard.engine
    return {
      bytes: this.#state.counts.bytes,
      failures: pages.failedFor('failed') + pages.failedFor('temporary'),
    }
  }

  begin({ now, aheadSeconds }: CrawlClock): void {
    const { head, sites, counts, record, pages } = this.#state
    const { engine } = this.shard
    const worker = this.#worker
    const { settings } = worker.crawl
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
    this.#turns = turns
    this.#world = made.world
    this.#desk = made.desk
    this.#parts = made.parts
    if (!this.#wasSeeded) record.putSettings(shownSettings(settings))
    else {
      for (let page = 0; page < engine.known; page++) {
        if (engine.pages.isWaiting(page)) sites.addWaiting(engine.pages.siteOf(page))
      }
    }
  }

  async append(record: AppendRecord): Promise<number | undefined> {
    const { record: records, counts } = this.#state
    this.#snapshots.take()
    const { head, facts } = readShardGroup(record.bytes)
    // The counts of this moment: later ones belong to the next group.
    const ofPages = pageTotals(this.shard.engine.pages)
    const totals = structuredClone({ ...counts, ...ofPages, ...this.#parts?.counts() })
    const progress = this.#progress(head.kind)
    records.closeGroup()
    if (facts.length > 0) await this.#worker.synced()
    const group = records.encode(facts, noEnds, totals, progress)
    const journal = await this.#worker.streams.journal(this.shard.number)
    const bytes = journalForm(head, group)
    const sequence = await journal.append({ ...record, bytes })
    if (sequence === undefined) return undefined
    const stored = await records.append(localForm(head, group, sequence))
    await this.#parts?.recorded(stored)
    const { writer, group: number } = record
    this.#snapshots.committed(bytes.length, { shard: this.shard.number, sequence, writer, group: number })
    return sequence
  }

  /** For `rankward status` of the shard's folder; undefined if it is not due. */
  #progress(kind: GroupKind): CrawlProgress | undefined {
    const nowMs = performance.now()
    if (nowMs < this.#progressDueMs && kind === 'work') return undefined
    this.#progressDueMs = nowMs + progressMs
    const { counts, sites } = this.#state
    const { engine } = this.shard
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
      ...this.#parts?.progress(),
      phase: 'crawling',
    }
  }

  end(): void {
    this.#desk?.line.close()
    this.#turns?.close()
    this.#world = undefined
    this.#snapshots.drop()
  }

  async close(): Promise<void> {
    await this.#made.parts.close()
    await this.#state.log.close()
  }
}
