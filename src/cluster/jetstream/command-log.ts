/** The newest commands of a crawl's control stream, with the times at which they were stored. */
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { readControl, type ControlMessage } from '../protocol/control.ts'
import { controlStream } from '../protocol/stream-names.ts'
import { JetStreamJournal } from './jetstream-journal.ts'

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
  // The stream exists, so the number of replicas is not used.
  const journal = await JetStreamJournal.open({ connection, stream, replicas: 1 })
  const commands: StoredCommand[] = []
  for (let number = first; number <= state.last_seq; number++) {
    const stored = await journal.groupAt(number)
    // Messages of other programs, and parts of a large one.
    if (stored === undefined) continue
    commands.push({ number, atMs: stored.storedMs!, message: readControl(stored.bytes, crawl, number) })
  }
  return commands
}
