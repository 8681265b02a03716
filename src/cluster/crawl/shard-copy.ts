/**
 * The copy of a shard's journal on this machine: a crawl's folder that every reader of a crawl can read. The journal in JetStream
 * is the truth. A copy is extended by the groups that it lacks. One that does not agree with the journal is set aside: groups are
 * copied after they are stored, so the servers have lost some, and the copy may be the only one.
 */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import { GroupBytes } from '../../crawler/record/group.ts'
import { SegmentLog } from '../../crawler/record/segment-log.ts'
import { readGroup } from '../jetstream/cluster-reading.ts'
import type { JetStreamInputs } from '../jetstream/jetstream-inputs.ts'
import type { ShardHistory } from '../jetstream/shard-history.ts'
import { seedsOfShard, type ClusterCrawl } from './cluster-crawl.ts'
import { headOfLocal, localForm, readJournalForm } from '../jetstream/shard-group-bytes.ts'

interface ShardCopyOptions {
  readonly crawl: ClusterCrawl
  readonly number: number
  /** The copy is in `shards/NNN` of this folder. */
  readonly folder: string
  /** A copy was set aside, in one line. */
  readonly onNotice?: ((line: string) => void) | undefined
  readonly inputs: Pick<JetStreamInputs, 'scoresOf'>
}

/** Opens the folder of a shard's copy, and creates it if there is none. */
export async function openShardFolder({
  crawl,
  number,
  folder,
  inputs,
}: ShardCopyOptions): Promise<CrawlFolder> {
  const path = join(folder, 'shards', String(number).padStart(3, '0'))
  const { id, createdAt: startedAt, shards, settings } = crawl
  if (!existsSync(join(path, 'crawl.json'))) {
    const { weights } = seedsOfShard(crawl, number)
    const shard = { number, shards, weights }
    const historicalScores = crawl.inputs.includes('scores') ? await inputs.scoresOf(number) : undefined
    return CrawlFolder.create(path, { options: settings, id, startedAt, shard, historicalScores })
  }
  const made = CrawlFolder.open(path)
  if (made.file.id === id && made.file.shard?.number === number) return made
  throw new RankwardError('CRAWL_EXISTS', `${path} holds a shard of another crawl: choose another folder.`)
}

/** The log of a copy; empty if its last group is not the one that the journal has at this place. */
export async function openCopiedLog(
  folder: CrawlFolder,
  history: ShardHistory,
  onNotice?: (line: string) => void,
): Promise<SegmentLog> {
  const log = await SegmentLog.open(folder.log, { isSynced: false })
  if (log.last === 0) return log
  const last = await lastCopied(log)
  const stored = last && (await history.groupAt(last.sequence))
  if (stored !== undefined && stored.writer === last?.head.writer && stored.group === last.head.group)
    return log
  await log.close()
  const aside = freeName(`${folder.record}-lost`)
  renameSync(folder.record, aside)
  onNotice?.(
    `${history.stream} does not have the last group of the copy in ${folder.path}: the servers must have lost stored messages, as in a power failure. The copy is kept as ${aside}.`,
  )
  return SegmentLog.open(folder.log, { isSynced: false })
}

function freeName(path: string): string {
  for (let n = 1; ; n++) if (!existsSync(`${path}-${n}`)) return `${path}-${n}`
}

/** Copies a shard's journal up to its last group. Returns the path of the copy. */
export async function copyShard(options: ShardCopyOptions, history: ShardHistory): Promise<string> {
  const folder = await openShardFolder(options)
  const log = await openCopiedLog(folder, history, options.onNotice)
  try {
    await extendCopy(log, history)
  } finally {
    await log.close()
  }
  return folder.path
}

/** Appends the groups that the copy lacks, and returns their number. BAD_STREAM if one is damaged. */
export async function extendCopy(log: SegmentLog, history: ShardHistory): Promise<number> {
  const last = await lastCopied(log)
  let copied = 0
  for await (const { sequence, bytes } of history.read(last?.sequence ?? 0)) {
    const { head, group } = readGroup(history.stream, sequence, () => checkedGroup(bytes))
    await log.append(localForm(head, group, sequence))
    copied++
  }
  return copied
}

/** Throws a RangeError if the head or the group of the record is truncated. */
function checkedGroup(bytes: Uint8Array): ReturnType<typeof readJournalForm> {
  const form = readJournalForm(bytes)
  new GroupBytes(form.group).section('facts')
  return form
}

/** The head and the sequence of the last group in the log; undefined if it is empty. */
async function lastCopied(log: SegmentLog): Promise<ReturnType<typeof headOfLocal> | undefined> {
  if (log.last === 0) return undefined
  for await (const { bytes } of log.read(log.last - 1)) return headOfLocal(new GroupBytes(bytes))
  return undefined
}
