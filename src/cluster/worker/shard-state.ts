/**
 * The state of a shard on this machine: engine, tables and record, brought up to the last group of its journal. The journal
 * in JetStream is the truth; the folder of the shard has a copy of its groups (shard-copy.ts), from which URLs and outcomes are
 * read, and which need not be fetched again after a restart.
 */
import type { CrawlState } from '../../crawl/crawl-state.ts'
import { tablesOf } from '../../crawl/restoration.ts'
import { Engine } from '../../engine/engine.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import type { GroupBytes } from '../../record/group.ts'
import { RecordWriter } from '../../record/record-writer.ts'
import type { SegmentLog } from '../../record/segment-log.ts'
import { newCounts, restoreCounts, type Counts } from '../../record/tally.ts'
import { crawlEngineOptions } from '../../replay/crawl-engine.ts'
import { TrapWatch } from '../../traps/trap-watch.ts'
import { ContentSeen } from '../../worlds/real/content-seen.ts'
import { NearSeen } from '../../worlds/real/near-seen.ts'
import { PageTable } from '../../worlds/real/page-table.ts'
import { SiteTable } from '../../worlds/real/site-table.ts'
import { registeredDomain } from '../../worlds/real/url/site.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import { readShardGroup, type ShardHead } from '../shard-group.ts'
import { Shard } from '../shard.ts'
import { seedsOfShard, shardOfSite, type ClusterCrawl } from './cluster-crawl.ts'
import { openCopiedLog, openShardFolder } from './shard-copy.ts'
import { headOfLocal, localForm } from './shard-group-bytes.ts'
import { ShardNames } from './shard-names.ts'

export interface ShardState extends Omit<CrawlState, 'facts'> {
  readonly shard: Shard
  readonly counts: Counts
  /** The head of the last group, and its sequence in the journal; undefined and 0 if the journal is empty. */
  readonly head: ShardHead | undefined
  readonly sequence: number
}

export interface ShardStateOptions {
  readonly crawl: ClusterCrawl
  readonly number: number
  /** The folder of the worker. */
  readonly folder: string
  readonly streams: CrawlStreams
  readonly onTaken: (page: number, score: number) => void
}

/** Restores a shard from its folder and its journal. */
export async function openShard(options: ShardStateOptions): Promise<ShardState> {
  const folder = await openShardFolder(options)
  const log = await openCopiedLog(folder, await options.streams.journal(options.number))
  try {
    return await replayed(options, folder, log)
  } catch (error) {
    await log.close()
    throw error
  }
}

async function replayed(
  options: ShardStateOptions,
  folder: CrawlFolder,
  log: SegmentLog,
): Promise<ShardState> {
  const { streams, number } = options
  const state = await emptyState(options, folder, log)
  const { shard, record, engine, sites, counts } = state
  const tables = tablesOf(state)
  let last: { readonly head: ShardHead | undefined; readonly sequence: number } = {
    head: undefined,
    sequence: 0,
  }
  const apply = (group: GroupBytes): void => {
    const read = headOfLocal(group)
    shard.apply(read.head, group.section('facts'), tables)
    last = read
  }
  for await (const group of record.groupsToReplay()) apply(group)
  const journal = await streams.journal(number)
  for await (const { sequence, bytes } of journal.read(last.sequence)) {
    const { head, names } = readShardGroup(bytes)
    apply(await record.append(localForm(head, names, sequence)))
  }
  sites.recount(engine.pages)
  restoreCounts(counts, record.record.counts)
  return { ...state, ...last }
}

async function emptyState(
  { crawl, number, onTaken }: ShardStateOptions,
  folder: CrawlFolder,
  log: SegmentLog,
): Promise<Omit<ShardState, 'head' | 'sequence'>> {
  const { settings, shards } = crawl
  const { nearDuplicates } = settings
  const record = new RecordWriter(log)
  const sites = new SiteTable()
  const traps = settings.traps ? new TrapWatch({ domainOf: registeredDomain }) : undefined
  const pages = new PageTable(sites, record, traps, (site) => shardOfSite(site, shards) !== number)
  const engineOptions = await crawlEngineOptions({ folder, pages, onTaken })
  const shard = new Shard({
    number,
    shards,
    names: new ShardNames({ pages, shards, seeds: settings.seeds }),
    seeds: seedsOfShard(crawl, number),
    isBudgeted: settings.pages !== undefined,
    makeEngine: (parts) => new Engine({ ...engineOptions, ...parts }),
  })
  return {
    shard,
    log,
    record,
    engine: shard.engine,
    sites,
    pages,
    content: new ContentSeen(),
    near: nearDuplicates === undefined ? undefined : new NearSeen(nearDuplicates),
    traps,
    validators: undefined,
    sources: undefined,
    requisites: undefined,
    restoredFrom: 0,
    counts: newCounts(),
  }
}
