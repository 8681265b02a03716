/** The status of a crawl on a cluster, from the last groups of its shards, its control stream and the keys of its workers. */
import type { ControlState } from './control.ts'
import { coverageOf, fitTogether, isFinished, lostCut, type LostCut } from './heads.ts'
import { goneAfterBeats } from './members.ts'
import { memberOf, type ShardHead } from './shard-group.ts'

/** A shard as one reading of its journal shows it. */
export interface ShardReading {
  readonly head: ShardHead
  /** When the last group was stored, in milliseconds, by the clock of the NATS server. */
  readonly storedAt: number
  /** The looks of a group some groups before. Undefined if it cannot be read. */
  readonly before?: { readonly looks: number; readonly storedAt: number } | undefined
  readonly groups: number
  readonly bytes: number
  /** The counts of the shard's record, from its last group. */
  readonly counts?: object | undefined
  /** Whether a replica of its journal is offline or lags behind. */
  readonly isLow?: boolean | undefined
}

export interface MemberReading {
  readonly name: string
  /** The last beat, in milliseconds, by the clock of the NATS server. */
  readonly beatAt: number
}

export interface ClusterReading {
  readonly control: ControlState
  /** The damping factor of the crawl's strategy. */
  readonly damping: number
  /** Two readings of all shards, one after the other; undefined for a shard without a group. */
  readonly earlier: readonly (ShardHead | undefined)[]
  readonly shards: readonly (ShardReading | undefined)[]
  readonly members: readonly MemberReading[]
  /** The stored messages between shards. */
  readonly links?: { readonly messages: number; readonly bytes: number } | undefined
  /** Used share of the storage of the account; undefined if it has no limit. */
  readonly storageShare?: number | undefined
  /** By the clock of the NATS servers, in milliseconds. */
  readonly now: number
}

/**
 * `running`: workers crawl. `paused`, `stopped`: by command. `finished`: nothing is left to fetch. `damaged`: a journal has lost
 * groups, and workers refuse to continue.
 */
type ClusterPhase = 'running' | 'paused' | 'stopped' | 'finished' | 'damaged'

/** Where the mass of the crawl is, as shares of 1. */
export interface ClusterMass {
  readonly certain: number
  /** On pages that are fetched and have not passed it on. */
  readonly crumbs: number
  readonly waiting: number
  /** On its way between shards: in accounts of away pages, and in messages. */
  readonly away: number
  readonly excluded: number
  readonly unobtainable: number
}

interface WorkerStatus {
  readonly name: string
  /** Whether it has renewed its key in the last 20 seconds. */
  readonly isLive: boolean
  readonly secondsSinceBeat: number | undefined
  /** The shards whose last group it wrote, and did not release. */
  readonly shards: readonly number[]
  /** Fetched on these shards, by any worker. */
  readonly pages: number
}

/** `owned`: by a live worker. `released`: handed over in order. `orphaned`: its worker is gone. `unclaimed`: has no group yet. */
type ShardPhase = 'owned' | 'released' | 'orphaned' | 'unclaimed'

export interface ShardStatus {
  readonly shard: number
  readonly phase: ShardPhase
  /** The worker that wrote the last group. */
  readonly worker: string | undefined
  readonly pages: number
  readonly waiting: number
  readonly inFlight: number
  readonly isIdle: boolean
  /** The certain mass of the shard. */
  readonly certain: number
  /** Messages of other shards that it has not applied yet. */
  readonly behind: number
  /** The last control message that it has obeyed. */
  readonly control: number
  readonly secondsSinceGroup: number | undefined
  readonly groups: number
  readonly bytes: number
  /** It has pages to fetch, and no group was stored for a minute, or no live worker owns it. */
  readonly isStalled: boolean
}

export interface ClusterStatus {
  readonly name: string
  readonly createdAt: string
  readonly phase: ClusterPhase
  readonly stoppedBecause: string | undefined
  readonly pages: number
  readonly waiting: number
  readonly inFlight: number
  /** Pages that were fetched or have failed, and looks at held pages that have observed them. */
  readonly looks: number
  /** Lately; undefined if it is not known. */
  readonly looksPerSecond: number | undefined
  /**
   * The share of the obtainable importance that is certain; undefined if the strategy has none or, where pages are fetched again, while the
   * readings of shards do not fit together.
   */
  readonly coverage: number | undefined
  /** Undefined if the strategy has none, or while the readings of shards do not fit together. */
  readonly mass: ClusterMass | undefined
  readonly replicas: number
  /** Shards whose journal has a replica that is offline or lags behind. */
  readonly lowReplicas: number
  readonly storageShare: number | undefined
  /** The number of the last control message, and of the shards that have obeyed it. */
  readonly control: number
  readonly obeyed: number
  readonly groups: number
  readonly bytes: number
  readonly workers: readonly WorkerStatus[]
  readonly shards: readonly ShardStatus[]
  readonly lost: LostCut | undefined
}

const beatSeconds = 2
const stallSeconds = 60

export function clusterStatus(reading: ClusterReading): ClusterStatus {
  const { control, shards, earlier, damping } = reading
  const heads = shards.map((shard) => shard?.head)
  const known = heads.filter((head) => head !== undefined)
  const live = new Set(liveMembers(reading))
  const statuses = shards.map((_, shard) => shardStatus(reading, shard, live))
  const sum = (of: (shard: ShardStatus) => number): number =>
    statuses.reduce((total, shard) => total + of(shard), 0)
  const lost = lostCut(earlier, heads)
  // Where pages are fetched again, links change.
  const isChanging = control.settings.settings['recrawl'] !== undefined
  const hasMass = known.some(({ account }) => Object.values(account).some((amount) => amount > 0))
  return {
    name: control.crawl,
    createdAt: control.settings.createdAt,
    phase:
      lost !== undefined
        ? 'damaged'
        : isFinished(earlier, heads)
          ? 'finished'
          : control.stopped !== undefined
            ? 'stopped'
            : control.isPaused
              ? 'paused'
              : 'running',
    stoppedBecause: control.stopped,
    pages: sum(({ pages }) => pages),
    waiting: sum(({ waiting }) => waiting),
    inFlight: sum(({ inFlight }) => inFlight),
    looks: known.reduce((looks, head) => looks + head.looks, 0),
    looksPerSecond: looksPerSecond(reading),
    coverage: hasMass && (!isChanging || fitTogether(heads)) ? coverageOf(heads, damping) : undefined,
    mass: hasMass ? massOf(heads, damping) : undefined,
    replicas: control.settings.replicas,
    lowReplicas: shards.filter((shard) => shard?.isLow === true).length,
    storageShare: reading.storageShare,
    control: control.number,
    obeyed: known.filter((head) => head.control >= control.number).length,
    groups: sum(({ groups }) => groups),
    bytes: sum(({ bytes }) => bytes),
    workers: workerStatuses(reading, statuses, live),
    shards: statuses,
    lost,
  }
}

/** Up to now, so that it falls if no group is stored any more. */
function looksPerSecond({ shards, now }: ClusterReading): number | undefined {
  let rate: number | undefined
  for (const shard of shards) {
    if (shard?.before === undefined) continue
    const seconds = (now - shard.before.storedAt) / 1000
    if (seconds > 0) rate = (rate ?? 0) + (shard.head.looks - shard.before.looks) / seconds
  }
  return rate
}

/** True once every shard that a live worker owns has obeyed the last command, and none of its pages is in flight. */
export function isObeyed({ control, shards }: ClusterStatus): boolean {
  return shards.every(
    (shard) => shard.phase !== 'owned' || (shard.control >= control && shard.inFlight === 0),
  )
}

function liveMembers({ members, now }: ClusterReading): string[] {
  return members
    .filter(({ beatAt }) => now - beatAt < 1000 * beatSeconds * goneAfterBeats)
    .map(({ name }) => name)
}

/** In transit is what is missing to 1, if no shard has applied what its source has not cut in these readings. */
function massOf(heads: readonly (ShardHead | undefined)[], damping: number): ClusterMass | undefined {
  if (lostCut(heads, heads) !== undefined) return undefined
  const sums = { certain: 0, crumbs: 0, waiting: 0, excluded: 0, unobtainable: 0 }
  for (const head of heads) {
    if (head === undefined) continue
    sums.certain += head.account.certain
    for (const part of ['crumbs', 'waiting', 'excluded', 'unobtainable'] as const)
      sums[part] += head.account[part] / (1 - damping)
  }
  const { certain, crumbs, waiting, excluded, unobtainable } = sums
  const rest = 1 - certain - crumbs - waiting - excluded - unobtainable
  // Mass on seeds of shards that have no group yet is in `away` too. Less than nothing: rounding, or readings that do not fit.
  if (rest < -1e-9) return undefined
  return { ...sums, away: Math.max(0, rest) }
}

function shardStatus(reading: ClusterReading, shard: number, live: ReadonlySet<string>): ShardStatus {
  const { shards, control, now } = reading
  const read = shards[shard]
  if (read === undefined) {
    const none = { pages: 0, waiting: 0, inFlight: 0, certain: 0, behind: 0, control: 0, groups: 0, bytes: 0 }
    const nothing = { worker: undefined, isIdle: false, secondsSinceGroup: undefined, isStalled: false }
    return { shard, phase: 'unclaimed', ...none, ...nothing }
  }
  const { head, storedAt, groups, bytes } = read
  const worker = memberOf(head.writer)
  const phase = head.kind === 'released' ? 'released' : live.has(worker) ? 'owned' : 'orphaned'
  const seconds = Math.max(0, now - storedAt) / 1000
  const behind = shards.reduce(
    (sum, source, i) =>
      sum + (i === shard ? 0 : Math.max(0, (source?.head.cut ?? 0) - (head.applied[i] ?? 0))),
    0,
  )
  const isMeantToRun = !control.isPaused && control.stopped === undefined && !head.isIdle
  return {
    shard,
    phase,
    worker: worker === '' ? undefined : worker,
    pages: head.fetched,
    waiting: head.waiting,
    inFlight: head.inFlight,
    isIdle: head.isIdle,
    certain: head.account.certain + head.account.crumbs,
    behind,
    control: head.control,
    secondsSinceGroup: seconds,
    groups,
    bytes,
    isStalled: isMeantToRun && (phase !== 'owned' || seconds > stallSeconds),
  }
}

function workerStatuses(
  { members, now }: ClusterReading,
  shards: readonly ShardStatus[],
  live: ReadonlySet<string>,
): WorkerStatus[] {
  const names = new Set([
    ...members.map(({ name }) => name),
    ...shards.flatMap(({ worker, phase }) => (worker !== undefined && phase !== 'released' ? [worker] : [])),
  ])
  return [...names].toSorted().map((name) => {
    const beat = members.find((member) => member.name === name)
    const own = shards.filter(({ worker, phase }) => worker === name && phase !== 'released')
    return {
      name,
      isLive: live.has(name),
      secondsSinceBeat: beat && Math.max(0, now - beat.beatAt) / 1000,
      shards: own.map(({ shard }) => shard),
      pages: own.reduce((sum, { pages }) => sum + pages, 0),
    }
  })
}
