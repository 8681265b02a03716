/**
 * A crawl on a cluster as the dashboard shows it: the newest reading of all shards, and rates over the readings of about the
 * last 20 seconds. Memory: a few numbers per shard and reading.
 */
import {
  clusterStatus,
  type ClusterReading,
  type ClusterStatus,
  type ShardStatus,
} from '../../../cluster/protocol/cluster-status.ts'
import { openingProgress } from '../../../crawler/session/opening-progress.ts'
import type { CrawlProgress } from '../../../crawler/options/crawl-options.ts'
import { omissionsOf } from '../../../crawler/options/omissions.ts'
import {
  shardSorts,
  type Cluster,
  type ClusterShard,
  type ClusterShards,
  type ImportanceBar,
  type ShardSort,
  type ShardState,
} from '../api/index.ts'
import type { Query } from '../query.ts'

const windowMs = 20_000
const workersShown = 200
const stalledShown = 20

/** What rates are computed from. */
interface Moment {
  readonly atMs: number
  /** By shard. */
  readonly pages: Float64Array
  /** Bytes received, and messages sent, by all shards. */
  readonly bytes: number
  readonly sent: number
}

/** Counts in the last group of a shard. */
type Counts = Partial<Omit<CrawlProgress, 'phase'>>

const summed = [
  'redirects',
  'failed',
  'temporary',
  'unreachable',
  'refusedByRobots',
  'refusedByLimits',
  'responded',
  'bytes',
  'duplicates',
  'nearDuplicates',
] as const satisfies readonly (keyof CrawlProgress)[]

export class ClusterView {
  readonly asOfMs: number
  readonly status: ClusterStatus
  readonly #reading: ClusterReading
  readonly #moments: readonly Moment[]

  /** `atMs`: when it was read, by the clock of this machine. */
  constructor(reading: ClusterReading, atMs: number, before?: ClusterView) {
    this.asOfMs = atMs
    this.#reading = reading
    this.status = clusterStatus(reading)
    const moment: Moment = {
      atMs,
      pages: Float64Array.from(this.status.shards, ({ pages }) => pages),
      bytes: reading.shards.reduce((sum, shard) => sum + bytesOf(shard?.counts), 0),
      sent: reading.shards.reduce((sum, shard) => sum + (shard?.head.cut ?? 0), 0),
    }
    const earlier = before === undefined ? [] : before.#moments
    this.#moments = [...earlier.filter((each) => atMs - each.atMs <= windowMs), moment]
  }

  /** The sums over all shards, in the form of a crawl on one machine. */
  progress(): CrawlProgress {
    const { pages, waiting, coverage, inFlight, phase } = this.status
    const counts = this.#reading.shards.map((shard): Counts => shard?.counts ?? {})
    const sums = Object.fromEntries(
      summed.map((name) => [name, counts.reduce((sum, each) => sum + (each[name] ?? 0), 0)]),
    ) as Record<(typeof summed)[number], number>
    const errors: Record<string, number> = {}
    for (const each of counts) {
      for (const [error, count] of Object.entries(each.errors ?? {}))
        errors[error] = (errors[error] ?? 0) + count
    }
    const { redirects, failed, temporary, unreachable, refusedByRobots, refusedByLimits } = sums
    return {
      ...openingProgress,
      ...sums,
      ...omissionsOf(counts),
      pages,
      waiting,
      known:
        pages +
        waiting +
        inFlight +
        redirects +
        failed +
        temporary +
        unreachable +
        refusedByRobots +
        refusedByLimits,
      connections: inFlight,
      seconds: this.#seconds(),
      guaranteed: coverage,
      errors,
      isPaused: phase === 'paused',
      phase: 'crawling',
    }
  }

  /** From the beginning of the crawl to the last group of any shard. */
  #seconds(): number {
    const { createdAt, shards } = this.status
    const since = shards.map(({ secondsSinceGroup }) => secondsSinceGroup ?? Infinity)
    const last = this.asOfMs - 1000 * Math.min(...since)
    return Math.max(0, (last - Date.parse(createdAt)) / 1000)
  }

  /** Undefined if the strategy has no mass, or the shards could not be read at one moment. */
  importance(): ImportanceBar | undefined {
    const { mass } = this.status
    if (mass === undefined) return undefined
    const { certain, crumbs, waiting, away, excluded, unobtainable } = mass
    return {
      asOfMs: this.asOfMs,
      held: certain + crumbs,
      robots: 0,
      scope: 0,
      failed: 0,
      unobtainable,
      waiting: waiting + away + excluded,
    }
  }

  /** Averages over the last readings. */
  rates(): { pagesPerSecond: number; bytesPerSecond: number } {
    const pages = ({ pages: ofShards }: Moment): number => ofShards.reduce((sum, count) => sum + count, 0)
    return {
      pagesPerSecond: this.#perSecond(pages),
      bytesPerSecond: this.#perSecond(({ bytes }) => bytes),
    }
  }

  cluster(): Cluster {
    const { status, asOfMs } = this
    const { workers, shards, mass, lost, phase, replicas, groups, bytes } = status
    const shardCounts: Record<ShardState, number> = { owned: 0, released: 0, orphaned: 0, unclaimed: 0 }
    for (const shard of shards) shardCounts[shard.phase]++
    const live = workers.filter(({ isLive }) => isLive)
    const stalled = shards.filter(({ isStalled }) => isStalled)
    const shown = [...live, ...workers.filter(({ isLive }) => !isLive)].slice(0, workersShown)
    return {
      asOfMs,
      phase,
      damage:
        lost &&
        `Shard ${lost.target} has applied message ${lost.applied} of shard ${lost.source}, whose journal ends with message ${lost.cut}: the journal has lost groups.`,
      replicas,
      workers: shown.map(({ name, isLive, secondsSinceBeat, shards: own, pages }) => ({
        worker: name,
        isLive,
        beatMs: this.#before(secondsSinceBeat),
        shards: own.length,
        pages,
        pagesPerSecond: own.reduce((sum, shard) => sum + this.#rateOf(shard), 0),
      })),
      liveWorkers: live.length,
      goneWorkers: workers.length - live.length,
      shardCounts,
      stalledCount: stalled.length,
      lowReplicaCount: status.lowReplicas,
      storageShare: status.storageShare,
      stalled: stalled.slice(0, stalledShown).map((shard) => this.#shard(shard)),
      mass: mass && {
        held: mass.certain,
        unspent: mass.crumbs,
        waiting: mass.waiting,
        moving: mass.away,
        excluded: mass.excluded,
        unobtainable: mass.unobtainable,
      },
      links: {
        sent: this.#last.sent,
        perSecond: this.#perSecond(({ sent }) => sent),
        behind: shards.reduce((sum, { behind }) => sum + behind, 0),
        storedBytes: this.#reading.links?.bytes,
      },
      journals: { groups, bytes },
      commands: { last: status.control, followed: status.obeyed, shards: shards.length },
    }
  }

  shards(query: Query): ClusterShards {
    const sort = query.oneOf('sort', shardSorts) ?? 'shard'
    const order = query.oneOf('order', ['up', 'down']) ?? (sort === 'shard' ? 'up' : 'down')
    const sign = order === 'up' ? 1 : -1
    const rows = this.status.shards.map((shard) => this.#shard(shard))
    rows.sort((a, b) => sign * (keys[sort](a) - keys[sort](b)) || a.shard - b.shard)
    const { offset } = query
    return {
      rows: rows.slice(offset, offset + query.limit(50)),
      total: rows.length,
      offset,
      asOfMs: this.asOfMs,
    }
  }

  #shard(shard: ShardStatus): ClusterShard {
    return {
      shard: shard.shard,
      state: shard.phase,
      worker: shard.worker,
      pages: shard.pages,
      pagesPerSecond: this.#rateOf(shard.shard),
      waiting: shard.waiting,
      inFlight: shard.inFlight,
      isIdle: shard.isIdle,
      isStalled: shard.isStalled,
      held: shard.certain,
      sent: this.#reading.shards[shard.shard]?.head.cut ?? 0,
      behind: shard.behind,
      lastGroupMs: this.#before(shard.secondsSinceGroup),
      bytes: shard.bytes,
    }
  }

  /** A time by the clock of the servers, by the clock of this machine. */
  #before(seconds: number | undefined): number | undefined {
    return seconds === undefined ? undefined : Math.round(this.asOfMs - 1000 * seconds)
  }

  get #last(): Moment {
    return this.#moments[this.#moments.length - 1]
  }

  #rateOf(shard: number): number {
    return this.#perSecond(({ pages }) => pages[shard])
  }

  #perSecond(of: (moment: Moment) => number): number {
    const [first] = this.#moments
    const seconds = (this.#last.atMs - first.atMs) / 1000
    return seconds === 0 ? 0 : Math.max(0, of(this.#last) - of(first)) / seconds
  }
}

const keys: Readonly<Record<ShardSort, (row: ClusterShard) => number>> = {
  shard: ({ shard }) => shard,
  pages: ({ pages }) => pages,
  rate: ({ pagesPerSecond }) => pagesPerSecond,
  waiting: ({ waiting }) => waiting,
  held: ({ held }) => held,
  behind: ({ behind }) => behind,
  group: ({ lastGroupMs }) => lastGroupMs ?? 0,
  bytes: ({ bytes }) => bytes,
}

function bytesOf(counts: Counts | undefined): number {
  return counts?.bytes ?? 0
}
