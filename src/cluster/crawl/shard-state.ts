/**
 * The state of a shard on this machine: engine, tables and record, brought up to the last group of its journal. The journal
 * in JetStream is the truth; the folder of the shard has a copy of its groups (shard-copy.ts), from which URLs and outcomes are
 * read, and which need not be fetched again after a restart.
 *
 * First the copy gets the groups that it lacks. Then the state is restored from the newest usable snapshot; the groups up to it are
 * only added to the index of the record, and those after it are replayed.
 */
import { join } from 'node:path'
import { newState, statefulParts, type CrawlState } from '../../crawler/session/crawl-state.ts'
import { endReplay, replayGroup } from '../../crawler/session/restoration.ts'
import { Engine } from '../../engine/engine.ts'
import { RankwardError } from '../../lib/errors.ts'
import { restoreState, type Stateful } from '../../lib/state.ts'
import type { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import type { GroupBytes } from '../../crawler/record/group.ts'
import type { RecordWriter } from '../../crawler/record/record-writer.ts'
import type { SegmentLog } from '../../crawler/record/segment-log.ts'
import { newCounts } from '../../crawler/record/tally.ts'
import { crawlEngineOptions } from '../../crawler/replay/crawl-engine.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import { restoredShard } from '../jetstream/restored-shard.ts'
import type { ShardHistory } from '../jetstream/shard-history.ts'
import type { ShardHead } from '../protocol/shard-group.ts'
import { Shard } from '../protocol/shard.ts'
import { seedsOfShard, shardOfSite, type ClusterCrawl } from './cluster-crawl.ts'
import { extendCopy, openCopiedLog, openShardFolder } from './shard-copy.ts'
import { headOfLocal } from '../jetstream/shard-group-bytes.ts'
import { ShardNames } from './shard-names.ts'

export interface ShardState extends CrawlState {
  readonly folder: CrawlFolder
  readonly shard: Shard
  /** The head of the last group, and its sequence in the journal; undefined and 0 if the journal is empty. */
  readonly head: ShardHead | undefined
  readonly sequence: number
  /** Of the snapshot that was restored, in bytes; 0 without one. */
  readonly snapshotBytes: number
  /** Of the groups after it. */
  readonly replayedBytes: number
}

interface ShardStateOptions {
  readonly crawl: ClusterCrawl
  readonly number: number
  /** The folder of the worker. */
  readonly folder: string
  readonly streams: CrawlStreams
  readonly onTaken: (page: number, score: number) => void
  readonly onRestored?: ((restored: Restoration) => void) | undefined
  /** Called with a line about each snapshot that cannot be used. */
  readonly onNotice?: ((line: string) => void) | undefined
}

/** How a shard was restored. */
export interface Restoration {
  readonly shard: number
  /** Groups that were fetched from the cluster. */
  readonly copied: number
  /** The sequence of the snapshot; 0 without one. */
  readonly restoredFrom: number
  /** Groups that were replayed. */
  readonly replayed: number
}

type EmptyState = Omit<ShardState, 'head' | 'sequence' | 'snapshotBytes' | 'replayedBytes'>

/** A group of the copy, after it was added to the index. */
interface CopiedGroup {
  readonly head: ShardHead
  readonly sequence: number
  readonly group: GroupBytes
}

/** Restores a shard from its folder and its journal. */
export async function openShard(options: ShardStateOptions): Promise<ShardState> {
  const folder = await openShardFolder({ ...options, inputs: options.streams.inputs })
  const history = await options.streams.history(options.number)
  const log = await openCopiedLog(folder, history, options.onNotice)
  try {
    const copied = await extendCopy(log, history)
    return await restored(options, { folder, log, history, copied })
  } catch (error) {
    await log.close()
    throw error
  }
}

/** The parts of a snapshot, in order. The index of the record is not among them: each copy has its own places. */
export function shardParts(state: CrawlState & { readonly shard: Shard }): Stateful[] {
  return statefulParts(state, state.shard)
}

interface OpenCopy {
  readonly folder: CrawlFolder
  readonly log: SegmentLog
  readonly history: ShardHistory
  readonly copied: number
}

async function restored(options: ShardStateOptions, copy: OpenCopy): Promise<ShardState> {
  const { number, streams, onNotice, onRestored } = options
  const { folder, log, history, copied } = copy
  let head: ShardHead | undefined
  let replayedBytes = 0
  const made = await restoredShard({
    shard: number,
    groupAt: (sequence) => history.groupAt(sequence),
    snapshots: streams.snapshots,
    path: join(folder.path, 'snapshot.part'),
    empty: async () => {
      const state = await emptyState(options, folder, log)
      return { state, groups: copiedGroups(state.record) }
    },
    restore: async ({ state, groups }, chunks, { sequence }) => {
      restoreState(shardParts(state), chunks)
      head = await skipped(groups, sequence)
      state.shard.follow(head)
    },
    groups: ({ groups }) => groups,
    replay: ({ state }, each) => {
      const facts = each.group.section('facts')
      replayGroup(state, each.group, (tables) => state.shard.apply(each.head, facts, tables))
      ;({ head } = each)
      replayedBytes += each.group.length
    },
    onPassedOver: (snapshot, reason) =>
      onNotice?.(`Shard ${number}: the snapshot ${snapshot.sequence} is not used. ${reason}`),
  })
  const { state } = made.shard
  endReplay(state)
  const { sequence, restoredFrom, snapshotBytes, replayed } = made
  onRestored?.({ shard: number, copied, restoredFrom, replayed })
  return { ...state, head, sequence, snapshotBytes, replayedBytes }
}

async function* copiedGroups(record: RecordWriter): AsyncGenerator<CopiedGroup> {
  for await (const group of record.groupsToReplay()) yield { ...headOfLocal(group), group }
}

/** Reads the groups up to this sequence, and returns the head of the last one. */
async function skipped(groups: AsyncGenerator<CopiedGroup>, sequence: number): Promise<ShardHead> {
  for (;;) {
    const { value, done } = await groups.next()
    if (done === true || value.sequence > sequence)
      throw new RankwardError('BAD_SNAPSHOT', 'The journal does not have the group that it was taken after.')
    if (value.sequence === sequence) return value.head
  }
}

async function emptyState(
  { crawl, number, onTaken }: ShardStateOptions,
  folder: CrawlFolder,
  log: SegmentLog,
): Promise<EmptyState> {
  const { settings, shards } = crawl
  const state = await newState({
    settings,
    log,
    counts: newCounts(),
    isAway: (site) => shardOfSite(site, shards) !== number,
    makeEngine: async (pages) => {
      const engineOptions = await crawlEngineOptions({ folder, pages, onTaken })
      const shard = new Shard({
        number,
        shards,
        names: new ShardNames({ pages, shards, seeds: settings.seeds }),
        seeds: seedsOfShard(crawl, number),
        isBudgeted: settings.pages !== undefined,
        makeEngine: (parts) => new Engine({ ...engineOptions, ...parts }),
      })
      return { shard, engine: shard.engine }
    },
  })
  return { ...state, folder }
}
