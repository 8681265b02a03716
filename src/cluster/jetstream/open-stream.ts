/** Opens a stream, and creates it if there is none. */
import { JetStreamApiError, StorageType, type JetStreamManager } from '@nats-io/jetstream'
import { setTimeout as sleep } from 'node:timers/promises'
import { subjectOf } from '../stream-names.ts'

const streamNotFound = 10_059
const attemptsMax = 5
const retryMs = 200

export interface StreamOptions {
  readonly name: string
  readonly replicas: number
  /** In nanoseconds. */
  readonly duplicate_window?: number
  readonly max_bytes?: number
}

/**
 * Of several clients that create a stream at the same time, nats-server 2.9 with replicas leaves some without a response: they
 * find the stream at the next attempt.
 */
export async function openStream(
  manager: JetStreamManager,
  { name, replicas, ...rest }: StreamOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (await streamExists(manager, name)) return
      await manager.streams.add({
        name,
        subjects: [subjectOf(name)],
        storage: StorageType.File,
        num_replicas: replicas,
        ...rest,
      })
      return
    } catch (error) {
      if (error instanceof JetStreamApiError || attempt === attemptsMax) throw error
      await sleep(retryMs)
    }
  }
}

export async function streamExists(manager: JetStreamManager, name: string): Promise<boolean> {
  try {
    await manager.streams.info(name)
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return false
    throw error
  }
}
