/** The newest commands of a crawl's control stream, with the times at which they were stored. */
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { readControl, type ControlMessage } from '../control.ts'
import { controlStream } from '../stream-names.ts'

const responseMs = 8000

export interface StoredCommand {
  readonly number: number
  /** By the clock of the NATS server. */
  readonly atMs: number
  readonly message: ControlMessage
}

/** The commands after this number, the newest `limit` of them, in order. */
export async function readCommands(
  connection: NatsConnection,
  crawl: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredCommand[]> {
  const manager = await jetstreamManager(connection, { timeout: responseMs, checkAPI: false })
  const stream = controlStream(crawl)
  const { state } = await manager.streams.info(stream)
  const first = Math.max(state.first_seq, after + 1, state.last_seq - limit + 1)
  const commands: StoredCommand[] = []
  for (let number = first; number <= state.last_seq; number++) {
    const stored = await manager.streams.getMessage(stream, { seq: number })
    if (stored === null) continue
    commands.push({
      number,
      atMs: stored.time.getTime(),
      message: readControl(stored.data, crawl, number),
    })
  }
  return commands
}
