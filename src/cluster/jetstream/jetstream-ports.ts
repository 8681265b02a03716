/** Connects the owner of a shard with its journal and the links log in JetStream. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppendAnswer, LastRecord } from '../protocol/append.ts'
import type { OwnerPorts, ShardOwner } from '../protocol/shard-owner.ts'
import type { JetStreamJournal } from './jetstream-journal.ts'
import type { JetStreamLinks } from './jetstream-links.ts'

/** Pause before a request without a response is repeated. */
const retryMs = 100

interface PortsOptions extends Pick<OwnerPorts, 'claimed' | 'ended'> {
  readonly journal: JetStreamJournal
  readonly links: JetStreamLinks
  readonly owner: () => ShardOwner
  /** The journal cannot be written: there is no room, or the connection is closed. */
  readonly failed: (error: unknown) => void
}

export function jetStreamPorts({ journal, links, owner, claimed, ended, failed }: PortsOptions): OwnerPorts {
  const answered = async (answer: AppendAnswer): Promise<void> => {
    if (answer.kind === 'unknown') await sleep(retryMs)
    owner().appendAnswered(answer)
  }
  const lastRead = async (last: LastRecord): Promise<void> => {
    if (last === 'unknown') await sleep(retryMs)
    owner().lastRead(last)
  }
  const published = async (number: number, isStored: boolean): Promise<void> => {
    if (!isStored) await sleep(retryMs)
    owner().publishAnswered(number, isStored)
  }
  return {
    append: (record) => void journal.send(record).then(answered).catch(failed),
    readLast: () => void journal.last().then(lastRead).catch(failed),
    publish: (number, message) =>
      void links
        .publish(message)
        .then((isStored) => published(number, isStored))
        .catch(failed),
    claimed,
    ended,
  }
}
