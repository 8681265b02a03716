/** Reads the links log for all shards of a worker: each shard applies the messages after its own position. */
import { messageName } from '../protocol/message.ts'
import type { HeldShard } from './held-shard.ts'
import type { LinksRead, WorkerStreams } from './ports.ts'

/** A shard applies no more than this at a time, so that its group fits into a message of NATS. */
const appliedBytesMax = 1 << 18
/** Messages that are read at a time. */
const messagesMax = 1000

export class LinkReader {
  readonly #streams: WorkerStreams
  readonly #failed: (error: unknown) => void
  /** Called when messages were applied. */
  readonly #onArrivals: () => void
  #reading: Promise<void> | undefined

  constructor(streams: WorkerStreams, failed: (error: unknown) => void, onArrivals: () => void) {
    this.#streams = streams
    this.#failed = failed
    this.#onArrivals = onArrivals
  }

  /** Reads once, unless a read is in flight. Resolves when that has ended. */
  read(shards: readonly HeldShard[]): Promise<void> {
    if (shards.length === 0) return Promise.resolve()
    this.#reading ??= this.#read(shards)
    return this.#reading
  }

  #read(shards: readonly HeldShard[]): Promise<void> {
    const from = Math.min(...shards.map(({ shard }) => shard.position))
    return (
      this.#streams.links
        .read(from, messagesMax)
        // Without a response, the next tick reads again.
        .catch(() => undefined)
        .then((read) => {
          if (read !== undefined) for (const shard of shards) this.#receive(shard, from, read)
        })
        .catch(this.#failed)
        .finally(() => {
          this.#reading = undefined
        })
    )
  }

  #receive({ shard, owner }: HeldShard, from: number, read: LinksRead): void {
    if (!owner.isOwning || !shard.isSeeded) return
    const { messages, positions, position, end } = read
    // The log has lost messages: it is read again from its start.
    if (shard.position > end) shard.position = 0
    const start = shard.position
    // A shard that was claimed later is behind: the others wait until it has read as far as they have.
    if (start < from || start >= position) return
    let bytes = 0
    for (const [i, message] of messages.entries()) {
      if (positions[i] <= start) continue
      if (bytes >= appliedBytesMax) return
      const verdict = shard.receive(message)
      if (verdict === 'apply') {
        bytes += message.length
        this.#onArrivals()
      }
      if (verdict === 'gap') {
        const { source } = messageName(message)
        this.#streams.askAgain(source, shard.applied[source] + 1)
      }
      shard.position = positions[i]
    }
    shard.position = position
  }
}
