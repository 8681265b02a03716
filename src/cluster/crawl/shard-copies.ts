/**
 * Copies of shards in a cache folder, for readers of a crawl on a cluster. The next call copies only newer groups.
 *
 *   cluster.json     the crawl
 *   lock             the process that copies
 *   shards/NNN/      a copy of the record of each shard (shard-copy.ts)
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { foreignFolder, namesIn } from '../../lib/files/output-files.ts'
import { RankwardError } from '../../lib/errors.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { version } from '../../crawler/options/version.ts'
import { WriterLock } from '../../crawler/record/writer-lock.ts'
import { JetStreamControl } from '../jetstream/jetstream-control.ts'
import { JetStreamJournal } from '../jetstream/jetstream-journal.ts'
import { JetStreamInputs } from '../jetstream/jetstream-inputs.ts'
import { JetStreamObjects } from '../jetstream/jetstream-objects.ts'
import { JetStreamPacks } from '../jetstream/jetstream-packs.ts'
import { retried } from '../jetstream/retried.ts'
import { ShardHistory } from '../jetstream/shard-history.ts'
import { journalStream } from '../protocol/stream-names.ts'
import { clusterCrawl, type ClusterCrawl } from './cluster-crawl.ts'
import { copyShard } from './shard-copy.ts'

interface ShardCopiesOptions {
  readonly connection: NatsConnection
  /** The name of the crawl. */
  readonly crawl: string
  /** The folder of the copies; one in the system's folder for temporary files unless given. */
  readonly cache?: string | undefined
  /** The shards to copy; all unless given. */
  readonly choose?: ((crawl: ClusterCrawl) => readonly number[]) | undefined
  /** Called with the number of shards copied. */
  readonly progress?: Progress | undefined
  /** A copy was set aside, in one line. */
  readonly onNotice?: ((line: string) => void) | undefined
}

/** Copies the journals of shards. Returns the folders of the copies, in the order of the shards. */
export async function copyShards(options: ShardCopiesOptions): Promise<string[]> {
  const { connection, progress = silent, onNotice } = options
  const control = await JetStreamControl.open(connection, options.crawl)
  const crawl = clusterCrawl(control.state)
  const numbers = options.choose?.(crawl) ?? Array.from({ length: crawl.shards }, (_, shard) => shard)
  const folder = openCache(crawl, options.cache)
  const lock = WriterLock.take(folder)
  const copies: string[] = []
  try {
    const objects = await JetStreamObjects.find(connection, crawl.name)
    const packs = objects && new JetStreamPacks(objects)
    const inputs = objects === undefined ? noInputs : new JetStreamInputs(objects)
    for (const number of numbers) {
      const stream = journalStream(crawl.name, number)
      const copy = async (): Promise<string> => {
        const journal = await JetStreamJournal.open({ connection, stream, replicas: crawl.replicas })
        const history = new ShardHistory({ shard: number, journal, packs })
        return copyShard({ crawl, number, folder, inputs, onNotice }, history)
      }
      // The next attempt copies only what the one before has not.
      copies.push(await retried(copy))
      progress(copies.length, numbers.length)
    }
  } finally {
    lock.release()
  }
  return copies
}

/** Of a crawl whose object store is gone. */
const noInputs = {
  scoresOf: async (): Promise<never> => {
    throw new RankwardError(
      'BAD_STREAM',
      'The crawl has no object store any more, and with it no scores of an earlier crawl.',
    )
  },
}

/** Throws if the folder has files of others, or copies of another crawl. */
function openCache(crawl: ClusterCrawl, cache: string | undefined): string {
  const folder = cache ?? temporaryCache(crawl)
  const at = join(folder, 'cluster.json')
  if (existsSync(at)) {
    if (idIn(at) === crawl.id) return folder
    throw new RankwardError(
      'CRAWL_EXISTS',
      `${folder} holds copies of another crawl: choose another folder with --copies.`,
    )
  }
  const found = namesIn(folder)
  if (found.length > 0) throw foreignFolder(folder, found, 'Choose another folder with --copies.')
  makeFolder(folder)
  const file = { rankward: version, crawl: crawl.name, id: crawl.id }
  writeFileSync(at, `${JSON.stringify(file, undefined, 2)}\n`)
  return folder
}

function idIn(path: string): unknown {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { id?: unknown }).id
  } catch {
    return undefined
  }
}

/** Other users may write to the folder for temporary files: a cache that is not ours is refused. */
function temporaryCache({ id }: ClusterCrawl): string {
  const folder = join(tmpdir(), `rankward-${id}`)
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (process.getuid !== undefined && uid !== process.getuid())
    throw foreignFolder(folder, namesIn(folder), 'Choose another folder with --copies.')
  return folder
}
