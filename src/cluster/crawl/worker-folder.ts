/**
 * The folder of a worker: the shards that it has owned, and its archive.
 *
 *   worker.json      the crawl, and the name of the last worker here
 *   lock             the process that runs the worker
 *   shards/NNN/      a copy of the record of each shard, as a crawl's folder
 *   warc/            the responses that workers in this folder have archived
 *
 * Every start of a worker has a new name, and writes new WARC files. The last record of an earlier start may be torn; it is
 * cut off. Complete records that no journal has, because the worker was killed, stay.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { namesIn } from '../../lib/files/output-files.ts'
import { RankwardError } from '../../lib/errors.ts'
import { version } from '../../crawler/options/version.ts'
import { WriterLock } from '../../crawler/record/writer-lock.ts'
import { indexPathOf } from '../../web/warc/cdxj.ts'
import { endOfIndexed, indexWithin, truncateTail, writeIndex } from '../../web/warc/tail.ts'
import { isOwnWarc } from '../../web/warc/warc-owner.ts'
import { weightedName } from '../protocol/members.ts'
import type { ClusterCrawl } from './cluster-crawl.ts'

interface WorkerFile {
  readonly rankward: string
  readonly crawl: string
  readonly id: string
  readonly worker: string
}

interface WorkerFolder {
  /** The name of this start of the worker: letters, digits and dashes. */
  readonly worker: string
  /** The name of the start before; undefined if there was none. */
  readonly earlier: string | undefined
  readonly warc: string
  readonly lock: WriterLock
}

/** Takes the folder. Throws if another worker runs in it, or if it belongs to another crawl. */
export function openWorkerFolder(path: string, crawl: ClusterCrawl, weight = 1): WorkerFolder {
  makeFolder(path)
  const earlier = earlierWorker(path, crawl)
  const lock = WriterLock.take(path)
  const warc = join(path, 'warc')
  makeFolder(warc)
  if (earlier !== undefined) cutTornRecords(warc, earlier, crawl.id)
  const worker = weightedName(newName(), weight)
  const file: WorkerFile = { rankward: version, crawl: crawl.name, id: crawl.id, worker }
  writeFileSync(join(path, 'worker.json'), `${JSON.stringify(file, undefined, 2)}\n`)
  return { worker, earlier, warc, lock }
}

function earlierWorker(path: string, { id, name }: ClusterCrawl): string | undefined {
  const at = join(path, 'worker.json')
  if (!existsSync(at)) {
    if (!existsSync(join(path, 'crawl.json'))) return undefined
    throw new RankwardError(
      'CRAWL_EXISTS',
      `${path} holds a crawl: give the worker another folder with --out.`,
    )
  }
  let file: Partial<WorkerFile>
  try {
    file = JSON.parse(readFileSync(at, 'utf8')) as Partial<WorkerFile>
  } catch (error) {
    throw new RankwardError('NO_CRAWL', `${at} is damaged: it is not JSON.`, { cause: error })
  }
  if (file.id === id) return file.worker
  throw new RankwardError(
    'CRAWL_EXISTS',
    `${path} belongs to a worker of the crawl ${String(file.crawl)}: give the worker of ${name} another folder with --out.`,
  )
}

/** The host, for people, and a random part. */
function newName(): string {
  const host = hostname()
    .split('.')[0]
    .replaceAll(/[^A-Za-z0-9-]/g, '')
    .slice(0, 32)
  return `${host === '' ? 'worker' : host}-${randomBytes(4).toString('hex')}`
}

/** A record counts as complete if its line in the index is. */
function cutTornRecords(folder: string, worker: string, crawlId: string): void {
  // Names of workers are unique (`newName`).
  const names = namesIn(folder).filter((name) => name.includes(worker))
  for (const name of names.filter((each) => /\.warc(?:\.gz)?$/.test(each))) {
    const path = join(folder, name)
    const index = indexPathOf(path)
    if (!isOwnWarc(path, crawlId) || !existsSync(index)) continue
    const end = endOfIndexed(index)
    if (end === 0 || end >= statSync(path).size) continue
    truncateTail(path, end)
    writeIndex(index, indexWithin(index, end))
  }
}
