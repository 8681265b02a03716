/** Reads where a crawl on a cluster stands. Nothing is created or written, so permission to read suffices. */
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { GroupBytes } from '../../crawler/record/group.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { ClusterReading, MemberReading, ShardReading } from '../protocol/cluster-status.ts'
import { lostCut } from '../protocol/heads.ts'
import { readShardGroup, type ShardHead } from '../protocol/shard-group.ts'
import { controlStream, journalStream, linksStream, membersBucket } from '../protocol/stream-names.ts'
import { JetStreamControl } from './jetstream-control.ts'
import { JetStreamJournal } from './jetstream-journal.ts'
import { memberKeys } from './jetstream-members.ts'
import { streamExists } from './open-stream.ts'
import { retried } from './retried.ts'
import { readJournalForm } from './shard-group-bytes.ts'

const responseMs = 4000
const streamNotFound = 10_059
const againMax = 5
/** Rates are averages over so many groups of a shard, which are about a second each. */
const rateGroups = 30

export async function readCluster(connection: NatsConnection, crawl: string): Promise<ClusterReading> {
  const control = await JetStreamControl.open(connection, crawl)
  const { shards, replicas, settings } = control.state.settings
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const readAll = (): Promise<(ShardReading | undefined)[]> =>
    Promise.all(
      Array.from({ length: shards }, (_, shard) =>
        readShard(manager, { connection, stream: journalStream(crawl, shard), replicas }),
      ),
    )
  const earlier = (await readAll()).map((shard) => shard?.head)
  let later = await readAll()
  // Shards are read one after the other: a message may have been applied here before its cut was read there.
  for (let again = 0; again < againMax && !fitsTogether(later); again++) later = await readAll()
  return {
    control: await control.read(),
    damping: typeof settings['damping'] === 'number' ? settings['damping'] : 0.85,
    earlier,
    shards: later,
    members: await readMembers(manager, crawl),
    storageShare: await storageShare(manager),
    links: await readLinks(manager, linksStream(crawl)),
    now: await serverTime(manager, controlStream(crawl)),
  }
}

function fitsTogether(shards: readonly (ShardReading | undefined)[]): boolean {
  const heads = shards.map((shard) => shard?.head)
  return lostCut(heads, heads) === undefined
}

async function readShard(
  manager: JetStreamManager,
  options: { readonly connection: NatsConnection; readonly stream: string; readonly replicas: number },
): Promise<ShardReading | undefined> {
  const { stream } = options
  if (!(await streamExists(manager, stream))) return undefined
  const journal = await JetStreamJournal.open(options)
  const last = await journal.lastGroup()
  if (last === undefined) return undefined
  const { state, cluster } = await manager.streams.info(stream)
  const before = await journal.groupAt(Math.max(state.first_seq, last.sequence - rateGroups))
  return {
    head: headOf(stream, last.sequence, last.bytes),
    storedAt: Date.parse(state.last_ts),
    before: before && {
      looks: headOf(stream, before.sequence, before.bytes).looks,
      storedAt: before.storedMs ?? -Infinity,
    },
    // Purged groups are in packs.
    groups: state.last_seq,
    bytes: state.bytes,
    counts: countsOf(last.bytes),
    isLow: (cluster?.replicas ?? []).some(({ current, offline }) => !current || offline),
  }
}

/** Undefined if the account has no limit. */
async function storageShare(manager: JetStreamManager): Promise<number | undefined> {
  const { limits, storage } = await manager.getAccountInfo()
  return limits.max_storage > 0 ? storage / limits.max_storage : undefined
}

async function readLinks(
  manager: JetStreamManager,
  stream: string,
): Promise<{ messages: number; bytes: number } | undefined> {
  if (!(await streamExists(manager, stream))) return undefined
  const { messages, bytes } = (await manager.streams.info(stream)).state
  return { messages, bytes }
}

/** The head of a group of a journal; BAD_STREAM if it is truncated or of another version. */
function headOf(stream: string, sequence: number, bytes: Uint8Array): ShardHead {
  return readGroup(stream, sequence, () => readShardGroup(bytes).head)
}

/** Reads a group of a journal; BAD_STREAM if `read` finds that it is truncated or of another version. */
export function readGroup<T>(stream: string, sequence: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new RankwardError(
      'BAD_STREAM',
      `Group ${sequence} of the stream ${stream} is truncated, or of another version of Rankward.`,
      { cause },
    )
  }
}

/**
 * The time of the NATS servers, with which the times of groups and beats are compared: the clock of this machine may be wrong. A
 * consumer states when it was created.
 */
export async function serverTime(manager: JetStreamManager, stream: string): Promise<number> {
  // nats-server may place a consumer on a server that is down.
  const { name, created } = await retried(() =>
    manager.consumers.add(stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.New,
      inactive_threshold: nanos(60_000),
    }),
  )
  await manager.consumers.delete(stream, name).catch(() => {})
  return Date.parse(created)
}

export async function readMembers(manager: JetStreamManager, crawl: string): Promise<MemberReading[]> {
  const members = new Map<string, number>()
  try {
    for await (const { member, beatMs } of memberKeys(manager, membersBucket(crawl)))
      members.set(member, beatMs)
  } catch (error) {
    // No worker has joined yet.
    if (!(error instanceof JetStreamApiError && error.code === streamNotFound)) throw error
  }
  return [...members].map(([name, beatAt]) => ({ name, beatAt }))
}

/** The counts of the record in a group of a shard; undefined if it is not one of a crawl of the real web. */
export function countsOf(bytes: Uint8Array): object | undefined {
  try {
    return new GroupBytes(readJournalForm(bytes).group).json('counts')
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
