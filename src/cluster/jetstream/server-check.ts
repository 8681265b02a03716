/** Checks that a NATS server can hold a crawl: version, JetStream, size of messages, room. */
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { RankwardError } from '../../lib/errors.ts'
import { isNotEnabled, isTransient, natsFailure, noJetStream } from './nats-errors.ts'
import { retried } from './retried.ts'

/** The oldest version on which the protocol is tested. */
const versionMin = [2, 9, 10]
/** The default of nats-server. */
const payloadMin = 1 << 20

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
  const lacksJetStream = (error: unknown): boolean => isNotEnabled(error) && info?.jetstream !== true
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 5000 })
    // Servers that have just started elect a leader first.
    const { limits, storage } = await retried(
      () => manager.getAccountInfo(),
      (error) => isTransient(error) && !lacksJetStream(error),
    )
    if (limits.max_storage >= 0 && storage >= limits.max_storage)
      throw new RankwardError(
        'FILE_UNWRITABLE',
        `The NATS account has used all of its ${limits.max_storage} bytes of storage: raise max_file.`,
      )
  } catch (error) {
    throw lacksJetStream(error) ? noJetStream(error) : natsFailure(error)
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(/[.-]/, 3).map(Number)
  for (const [i, least] of versionMin.entries()) {
    if (parts[i] !== least) return parts[i] < least
  }
  return false
}
