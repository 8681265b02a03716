/** What a worker is given, and what it reports. */
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import { coverageOf } from '../protocol/heads.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../jetstream/jetstream-control.ts'
import type { NatsTurns } from '../jetstream/nats-turns.ts'
import type { JetStreamMembers } from '../jetstream/jetstream-members.ts'
import type { ClusterCrawl } from './cluster-crawl.ts'
import type { Heads } from './held-shards.ts'
import type { Restoration } from './shard-state.ts'
import type { SnapshotLimits } from './snapshot-store.ts'

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
  /** With the order `strict`, the longest time for which a worker waits for better pages of others. */
  readonly orderSeconds: number
}

export const workerTiming: WorkerTiming = {
  beatSeconds: 2,
  beatSecondsMax: 10,
  pauseSecondsMax: 5,
  groupSeconds: 0.5,
  cutSeconds: 5,
  orderSeconds: 5,
}

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
  readonly turns: NatsTurns
  readonly timing?: Partial<WorkerTiming> | undefined
  /** The clock of this machine, in milliseconds of the epoch. */
  readonly wallMs?: (() => number) | undefined
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
  readonly onLook?: ((look: WorkerLook) => void) | undefined
  /** A beat had no response. The worker continues, and requests nothing if that lasts. */
  readonly onSilence?: ((error: unknown) => void) | undefined
  readonly snapshots?: Partial<SnapshotLimits> | undefined
  /** A shard was restored, and is claimed next. */
  readonly onRestored?: ((restored: Restoration) => void) | undefined
  /** Called with a line about something that costs time, and from which the worker recovers by itself. */
  readonly onNotice?: ((line: string) => void) | undefined
}

/** What a worker sees at each beat. */
interface WorkerLook {
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

export function lookOf(heads: Heads, owned: number, damping: number): WorkerLook {
  const known = heads.filter((head) => head !== undefined)
  return {
    owned,
    claimed: known.length,
    fetched: known.reduce((sum, { fetched }) => sum + fetched, 0),
    waiting: known.reduce((sum, { waiting }) => sum + waiting, 0),
    coverage: coverageOf(heads, damping),
  }
}
