/** Checks that a NATS server can hold a crawl: version, JetStream, size of messages, room. */
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { RankwardError } from '../../lib/errors.ts'
import { isNotEnabled, natsFailure, noJetStream } from './nats-errors.ts'

/** The oldest version on which the protocol is tested. */
const versionMin = [2, 9, 10]
/** The default of nats-server. */
const payloadMin = 1 << 20
/** Servers that have just started elect a leader first. */
const attemptsMax = 20
const retryMs = 500

export async function checkServer(connection: NatsConnection): Promise<void> {
  const { info } = connection
  if (info !== undefined) {
    if (isOlder(info.version))
      throw new RankwardError(
        'NATS_UNSUITABLE',
        `The NATS server has version ${info.version}; Rankward needs ${versionMin.join('.')} or newer, the oldest in which appends by two workers at once are tested.`,
      )
    if (info.max_payload < payloadMin)
      throw new RankwardError(
        'NATS_UNSUITABLE',
        `The NATS server accepts messages of ${info.max_payload} bytes; Rankward needs at least ${payloadMin}: set max_payload: 8MB in its configuration.`,
      )
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 5000 })
      const { limits, storage } = await manager.getAccountInfo()
      if (limits.max_storage >= 0 && storage >= limits.max_storage)
        throw new RankwardError(
          'FILE_UNWRITABLE',
          `The NATS account has used all of its ${limits.max_storage} bytes of storage: raise max_file.`,
        )
      return
    } catch (error) {
      const isStarting = isNotEnabled(error) && info?.jetstream === true
      if (!isStarting || attempt === attemptsMax) {
        throw isNotEnabled(error) && info?.jetstream !== true ? noJetStream(error) : natsFailure(error)
      }
      await sleep(retryMs)
    }
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/, 3).map(Number)
  for (const [i, least] of versionMin.entries()) {
    if (parts[i] !== least) return parts[i] < least
  }
  return false
}
