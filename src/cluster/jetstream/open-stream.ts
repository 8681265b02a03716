/** Opens a stream, and creates it if there is none. */
import { JetStreamApiError, StorageType, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream'
import { subjectOf } from '../protocol/stream-names.ts'
import { isTransient, lacksServers } from './nats-errors.ts'
import { retried } from './retried.ts'

const streamNotFound = 10_059
const nameInUse = 10_058
const subjectsOverlap = 10_065

interface StreamOptions {
  readonly name: string
  readonly replicas: number
  /** In nanoseconds. */
  readonly duplicate_window?: number
  readonly max_bytes?: number
}

/**
 * Returns when the stream was created. Of several clients that create a stream at the same time, nats-server 2.9 with replicas leaves
 * some without a response: they find the stream at the next attempt. Servers that run but are busy are missing for a few seconds.
 */
export async function openStream(
  manager: JetStreamManager,
  { name, replicas, ...rest }: StreamOptions,
): Promise<string> {
  return retried(async () => {
    const found = await streamInfo(manager, name)
    if (found !== undefined) return found.created
    await manager.streams.add({
      name,
      subjects: [subjectOf(name)],
      storage: StorageType.File,
      num_replicas: replicas,
      ...rest,
    })
    // The response has the time of this request, but the stream may be that of another client's request at the same moment.
    return (await manager.streams.info(name)).created
  }, canCreate)
}

function canCreate(error: unknown): boolean {
  return isTransient(error) || lacksServers(error) || isCreatedByAnother(error)
}

/** Another client creates the stream at this moment: it is found at the next attempt. */
function isCreatedByAnother(error: unknown): boolean {
  return error instanceof JetStreamApiError && (error.code === subjectsOverlap || error.code === nameInUse)
}

export function streamExists(manager: JetStreamManager, name: string): Promise<boolean> {
  return retried(async () => (await streamInfo(manager, name)) !== undefined)
}

/** Undefined if there is no such stream. */
export async function streamInfo(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined
    throw error
  }
}
