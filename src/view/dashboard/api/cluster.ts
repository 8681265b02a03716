/** The API of the view Cluster. */
import type { List, ListQuery } from './list.ts'

/** A crawl on a cluster, from the last groups of all shards. 404 if the crawl runs on one machine. */
export interface Cluster {
  readonly asOfMs: number
  /** `damaged`: a journal has lost groups, and workers refuse to continue. */
  readonly phase: 'running' | 'paused' | 'stopped' | 'finished' | 'damaged'
  /** What was lost, in words. */
  readonly damage?: string | undefined
  /** Servers that store each group. */
  readonly replicas: number
  /** The live workers first, then by name; at most 200. */
  readonly workers: readonly ClusterWorker[]
  readonly liveWorkers: number
  readonly goneWorkers: number
  readonly shardCounts: Readonly<Record<ShardState, number>>
  readonly stalledCount: number
  /** Shards whose journal has a replica that is offline or lags behind. */
  readonly lowReplicaCount: number
  /** Used share of the storage of the NATS account; undefined without a limit. */
  readonly storageShare?: number | undefined
  /** At most 20. */
  readonly stalled: readonly ClusterShard[]
  /** Where the importance is, as shares of 1. Absent if the strategy has none, or the shards cannot be read at one moment. */
  readonly mass?: ClusterMass | undefined
  readonly links: LinkTraffic
  readonly journals: { readonly groups: number; readonly bytes: number }
  /** The last command, and the number of shards that have followed it. */
  readonly commands: { readonly last: number; readonly followed: number; readonly shards: number }
}

/** The parts sum to 1. */
export interface ClusterMass {
  /** On fetched pages, which have passed their part on. */
  readonly held: number
  /** On fetched pages that have not passed it on yet. */
  readonly unspent: number
  readonly waiting: number
  /** In messages between shards, or about to be sent. */
  readonly moving: number
  readonly excluded: number
  /** On pages that robots.txt disallows or that failed. */
  readonly unobtainable: number
}

export interface ClusterWorker {
  readonly worker: string
  readonly isLive: boolean
  /** When it was last heard of; absent if it has left. */
  readonly beatMs?: number | undefined
  readonly shards: number
  /** Fetched on its shards, by any worker. */
  readonly pages: number
  readonly pagesPerSecond: number
}

/** Messages between shards carry mass and links to pages of other shards. */
interface LinkTraffic {
  /** Messages sent since the crawl began. */
  readonly sent: number
  readonly perSecond: number
  /** Messages that shards have not applied yet, summed over the shards. */
  readonly behind: number
  /** Bytes of the messages that are stored now; absent if that cannot be read. */
  readonly storedBytes?: number | undefined
}

/** `owned`: by a live worker. `released`: handed over. `orphaned`: its worker is gone. `unclaimed`: not begun. */
export type ShardState = 'owned' | 'released' | 'orphaned' | 'unclaimed'

export const shardSorts = ['shard', 'pages', 'rate', 'waiting', 'held', 'behind', 'group', 'bytes'] as const
export type ShardSort = (typeof shardSorts)[number]

export interface ShardsQuery extends ListQuery {
  /** Default `shard`. */
  readonly sort?: ShardSort
  /** Default `down`; `up` for `shard`. */
  readonly order?: 'up' | 'down'
}

export type ClusterShards = List<ClusterShard>

export interface ClusterShard {
  readonly shard: number
  readonly state: ShardState
  /** The worker that wrote its last group. */
  readonly worker?: string | undefined
  readonly pages: number
  readonly pagesPerSecond: number
  readonly waiting: number
  readonly inFlight: number
  /** Nothing to fetch and nothing to send. */
  readonly isIdle: boolean
  /** It has pages to fetch, and no live worker or no group for a minute. */
  readonly isStalled: boolean
  /** Mass of its fetched pages. */
  readonly held: number
  /** Messages sent, and messages of other shards that it has not applied yet. */
  readonly sent: number
  readonly behind: number
  readonly lastGroupMs?: number | undefined
  readonly bytes: number
}
