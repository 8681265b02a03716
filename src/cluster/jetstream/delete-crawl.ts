/**
 * Deletes a crawl from a cluster: its journals, links log, members, object store and control stream. The control stream is deleted
 * last, so that a deletion that was interrupted can be repeated by name. Folders and archives of workers stay.
 */
import { JetStreamApiError, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { RankwardError } from '../../lib/errors.ts'
import { goneAfterBeats } from '../protocol/members.ts'
import { checkedCrawlName, controlStream, streamsOfCrawl } from '../protocol/stream-names.ts'
import { readMembers, serverTime } from './cluster-reading.ts'
import { noCrawl } from '../protocol/control-log.ts'
import { JetStreamControl } from './jetstream-control.ts'
import { retried } from './retried.ts'

const responseMs = 8000
const streamNotFound = 10_059
const beatMs = 2000

export interface CrawlStorage {
  readonly name: string
  /** Streams, buckets and object stores. */
  readonly streams: number
  /** On each server that has a replica. */
  readonly bytes: number
}

/** What a deletion would delete. NO_CRAWL if there is none of this name, CRAWL_RUNNING if it has live workers. */
export async function deletable(connection: NatsConnection, name: string): Promise<CrawlStorage> {
  const crawl = checkedCrawlName(name)
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const streams = await streamsOf(manager, crawl)
  if (streams.length === 0) throw noCrawl(crawl)
  await checkIdle(manager, crawl, streams)
  let bytes = 0
  for (const stream of streams) bytes += await bytesOf(manager, stream)
  return { name: crawl, streams: streams.length, bytes }
}

/** As above, and deletes it. */
export async function deleteCrawl(connection: NatsConnection, name: string): Promise<CrawlStorage> {
  const storage = await deletable(connection, name)
  const crawl = storage.name
  // From here on a part may be deleted, so each step is repeated by itself.
  await retried(() => stopCrawl(connection, crawl))
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const control = controlStream(crawl)
  // A worker that has started meanwhile may have created some again.
  for (let pass = 0; pass < 2; pass++) {
    const streams = await retried(() => streamsOf(manager, crawl))
    for (const stream of streams.filter((each) => each !== control)) await deleteStream(manager, stream)
    await deleteStream(manager, control)
  }
  return storage
}

/** The names of the streams of a crawl. */
export async function streamsOf(manager: JetStreamManager, crawl: string): Promise<string[]> {
  const isOwn = streamsOfCrawl(crawl)
  const names: string[] = []
  for await (const stream of manager.streams.names()) if (isOwn(stream)) names.push(stream)
  return names
}

async function checkIdle(
  manager: JetStreamManager,
  crawl: string,
  streams: readonly string[],
): Promise<void> {
  const members = await readMembers(manager, crawl)
  const now = await serverTime(manager, streams[0])
  const live = members.filter(({ beatAt }) => now - beatAt < beatMs * goneAfterBeats)
  if (live.length === 0) return
  throw new RankwardError(
    'CRAWL_RUNNING',
    `The crawl ${crawl} has ${live.length === 1 ? 'a live worker' : 'live workers'}: ${live.map((each) => each.name).join(', ')}. Stop it first with \`rankward cluster stop\`, and wait until its workers have ended; a worker that was killed counts as live for 20 seconds.`,
  )
}

/** Workers that start now end at once. A control stream that cannot be read must not prevent a deletion. */
async function stopCrawl(connection: NatsConnection, crawl: string): Promise<void> {
  try {
    await (await JetStreamControl.open(connection, crawl)).command({ kind: 'stop', reason: 'deleted' })
  } catch (error) {
    if (!(error instanceof RankwardError && (error.code === 'BAD_STREAM' || error.code === 'NO_CRAWL')))
      throw error
  }
}

/** 0 if another client has deleted it meanwhile. */
async function bytesOf(manager: JetStreamManager, stream: string): Promise<number> {
  return (await ifItExists(manager.streams.info(stream)))?.state.bytes ?? 0
}

async function deleteStream(manager: JetStreamManager, stream: string): Promise<void> {
  await retried(() => ifItExists(manager.streams.delete(stream)))
}

async function ifItExists<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined
    throw error
  }
}
