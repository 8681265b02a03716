/** Opens a stream, and creates it if there is none. */
import { JetStreamApiError, StorageType, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream'
import { setTimeout as sleep } from 'node:timers/promises'
import { subjectOf } from '../stream-names.ts'
import { noPeers, temporarilyUnavailable } from './nats-errors.ts'

const streamNotFound = 10_059
const attemptsMax = 5
const retryMs = 200
/** Servers that run but are busy are missing for a few seconds. */
const missingServersMs = 20_000

export interface StreamOptions {
  readonly name: string
  readonly replicas: number
  /** In nanoseconds. */
  readonly duplicate_window?: number
  readonly max_bytes?: number
}

/** Returns when the stream was created. */
export async function openStream(
  manager: JetStreamManager,
  { name, replicas, ...rest }: StreamOptions,
): Promise<string> {
  return retried(async () => {
    const found = await streamInfo(manager, name)
    if (found !== undefined) return found.created
    const made = await manager.streams.add({
      name,
      subjects: [subjectOf(name)],
      storage: StorageType.File,
      num_replicas: replicas,
      ...rest,
    })
    return made.created
  })
}

export function streamExists(manager: JetStreamManager, name: string): Promise<boolean> {
  return retried(async () => (await streamInfo(manager, name)) !== undefined)
}

/**
 * Repeats a request without a response, and one for which too few servers are ready. Of several clients that create a stream at
 * the same time, nats-server 2.9 with replicas leaves some without a response: they find the stream at the next attempt.
 */
async function retried<Result>(request: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      const canRepeat =
        error instanceof JetStreamApiError
          ? lacksServers(error) && performance.now() - start < missingServersMs
          : attempt < attemptsMax
      if (!canRepeat) throw error
      await sleep(retryMs)
    }
  }
}

function lacksServers({ code }: JetStreamApiError): boolean {
  return code === noPeers || code === temporarilyUnavailable
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
