/**
 * Backup and restore of a crawl, by the snapshots of streams that nats-server makes itself: sequences, times and headers stay as they are, so
 * that journals, positions and heads still fit together. A backup is a folder:
 *
 *   backup.json        the crawl, and the digest of each file; written last, so a backup without it is not complete
 *   STREAM.json        configuration and state of a stream, as the server gave them
 *   STREAM.snapshot    its messages, in the server's own format
 *
 * The streams of a crawl must be of one moment, so a crawl with live workers is refused.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { createInbox, type NatsConnection } from '@nats-io/transport-node'
import { RankwardError } from '../../lib/errors.ts'
import { makeFolder } from '../../lib/files/make-folder.ts'
import { foreignFolder, namesIn } from '../../lib/files/output-files.ts'
import type { Progress } from '../../lib/progress.ts'
import { version } from '../../crawler/options/version.ts'
import { checkedCrawlName, controlStream, streamsOfCrawl } from '../protocol/stream-names.ts'
import { deletable, streamsOf } from './delete-crawl.ts'
import { someAtOnce, streamsAtOnce } from './some-at-once.ts'

const format = 1
/** The server waits with further messages until earlier ones are acknowledged. */
const chunkBytes = 128 << 10
const responseMs = 10_000
/** Of a whole stream, after its last message: the server reads all of them. */
const restoredMs = 120_000
/** Without a message for so long, the server has ended. */
const silentMs = 30_000

export interface CrawlBackup {
  readonly name: string
  readonly createdAt: string
  readonly streams: number
  /** Of the files. */
  readonly bytes: number
}

interface BackupFile {
  readonly rankward: string
  readonly format: number
  readonly crawl: string
  readonly createdAt: string
  /** By stream: the bytes and the SHA-256 digest of its messages. */
  readonly streams: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>
}

interface ApiResponse {
  readonly error?: { readonly description?: string }
  readonly config?: unknown
  readonly state?: unknown
  readonly deliver_subject?: string
}

/** Writes a crawl to an empty folder; CRAWL_RUNNING if it has live workers. */
export async function backupCrawl(
  connection: NatsConnection,
  name: string,
  folder: string,
  progress?: Progress,
): Promise<CrawlBackup> {
  const found = namesIn(folder)
  if (found.length > 0) throw foreignFolder(folder, found, 'Choose another folder with --to.')
  const crawl = (await deletable(connection, name)).name
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const streams = await streamsOf(manager, crawl)
  makeFolder(folder)
  const files: Record<string, { bytes: number; sha256: string }> = {}
  for (const [done, stream] of streams.entries()) {
    files[stream] = await backupStream(connection, stream, folder)
    progress?.(done + 1, streams.length)
  }
  // A worker that has started meanwhile would have written to streams that are already in the backup.
  await deletable(connection, name)
  const createdAt = new Date().toISOString()
  const file: BackupFile = { rankward: version, format, crawl, createdAt, streams: files }
  writeFileSync(join(folder, 'backup.json'), `${JSON.stringify(file, undefined, 2)}\n`)
  return summary(file)
}

/** Creates the streams of a backup; CRAWL_EXISTS if the servers have such a crawl. The control stream is last: before, there is no crawl. */
export async function restoreCrawl(
  connection: NatsConnection,
  folder: string,
  progress?: Progress,
): Promise<CrawlBackup> {
  const file = readBackup(folder)
  const { crawl } = file
  const control = controlStream(crawl)
  const streams = Object.keys(file.streams)
  if (!streams.every(streamsOfCrawl(crawl)) || !streams.includes(control))
    throw damaged(folder, 'backup.json does not list the streams of one crawl')
  for (const stream of streams) await checkStream(folder, stream, file.streams[stream])
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const before = await streamsOf(manager, crawl)
  if (before.length > 0)
    throw new RankwardError(
      'CRAWL_EXISTS',
      `The cluster already has streams of a crawl named ${crawl}: delete it first with \`rankward cluster delete\`.`,
    )
  let done = 0
  const restore = async (stream: string): Promise<void> => {
    await restoreStream(connection, stream, folder)
    progress?.(++done, streams.length)
  }
  const others = streams.filter((stream) => stream !== control)
  await someAtOnce(streamsAtOnce, others, restore)
  await restore(control)
  return summary(file)
}

function summary({ crawl: name, createdAt, streams }: BackupFile): CrawlBackup {
  const files = Object.values(streams)
  return { name, createdAt, streams: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

async function backupStream(
  connection: NatsConnection,
  stream: string,
  folder: string,
): Promise<{ bytes: number; sha256: string }> {
  const inbox = createInbox()
  const messages = connection.subscribe(inbox, { timeout: silentMs })
  const output = await open(join(folder, `${stream}.snapshot`), 'wx')
  try {
    const request = { deliver_subject: inbox, no_consumers: true, chunk_size: chunkBytes }
    const { config, state } = await asked(connection, `$JS.API.STREAM.SNAPSHOT.${stream}`, request)
    writeFileSync(join(folder, `${stream}.json`), `${JSON.stringify({ config, state }, undefined, 2)}\n`)
    const digest = createHash('sha256')
    let bytes = 0
    for await (const message of messages) {
      const { data, headers } = message
      if (data.length === 0) {
        // Newer servers say how it ended.
        const code = headers?.code ?? 0
        if (code >= 300)
          throw new RankwardError(
            'BAD_STREAM',
            `The server gave up the snapshot of ${stream} (${code} ${headers?.description ?? ''}).`,
          )
        break
      }
      await output.write(data)
      digest.update(data)
      bytes += data.length
      message.respond()
    }
    await output.sync()
    return { bytes, sha256: digest.digest('hex') }
  } finally {
    messages.unsubscribe()
    await output.close()
  }
}

async function restoreStream(connection: NatsConnection, stream: string, folder: string): Promise<void> {
  const made = JSON.parse(readFileSync(join(folder, `${stream}.json`), 'utf8')) as object
  const { deliver_subject: subject } = await asked(connection, `$JS.API.STREAM.RESTORE.${stream}`, made)
  if (subject === undefined) throw new RankwardError('BAD_STREAM', `The server does not restore ${stream}.`)
  const chunks = createReadStream(join(folder, `${stream}.snapshot`), { highWaterMark: chunkBytes })
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    const answer = await connection.request(subject, chunk, { timeout: responseMs })
    // An acknowledgement is empty; an error ends the restoration.
    if (answer.data.length > 0) checked(stream, answer.json())
  }
  checked(stream, (await connection.request(subject, new Uint8Array(0), { timeout: restoredMs })).json())
}

async function asked(connection: NatsConnection, subject: string, request: object): Promise<ApiResponse> {
  const answer = await connection.request(subject, JSON.stringify(request), { timeout: responseMs })
  return checked(subject, answer.json())
}

function checked(what: string, response: ApiResponse): ApiResponse {
  const { error } = response
  if (error === undefined) return response
  throw new RankwardError('BAD_STREAM', `${what}: ${error.description ?? 'the server reports an error'}.`)
}

function readBackup(folder: string): BackupFile {
  const path = join(folder, 'backup.json')
  if (!existsSync(path))
    throw new RankwardError(
      'NO_CRAWL',
      `${folder} is no backup of a crawl: it has no backup.json, which \`rankward cluster backup\` writes last.`,
    )
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as BackupFile
    if (file.format === format && checkedCrawlName(file.crawl) !== '') return file
  } catch {
    throw damaged(folder, 'backup.json cannot be read')
  }
  throw damaged(folder, 'backup.json is of another version of Rankward')
}

/** Before anything is written to the servers. */
async function checkStream(
  folder: string,
  stream: string,
  { sha256 }: { readonly sha256: string },
): Promise<void> {
  const path = join(folder, `${stream}.snapshot`)
  if (!existsSync(path) || !existsSync(join(folder, `${stream}.json`)))
    throw damaged(folder, `the files of ${stream} are missing`)
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) digest.update(chunk)
  if (digest.digest('hex') !== sha256)
    throw damaged(folder, `${stream}.snapshot is not the file that was written`)
}

function damaged(folder: string, what: string): RankwardError {
  return new RankwardError('BAD_STREAM', `The backup in ${folder} is damaged: ${what}. Nothing was restored.`)
}
