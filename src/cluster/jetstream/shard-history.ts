/** All groups of a shard: those that were purged from its journal are read from packs. */
import { RankwardError } from '../../lib/errors.ts'
import type { JetStreamJournal, JournalGroup } from './jetstream-journal.ts'
import type { JetStreamPacks, Pack } from './jetstream-packs.ts'

interface ShardHistoryOptions {
  readonly shard: number
  readonly journal: JetStreamJournal
  /** Undefined if the crawl has no object store. */
  readonly packs: JetStreamPacks | undefined
}

export class ShardHistory {
  readonly #options: ShardHistoryOptions

  constructor(options: ShardHistoryOptions) {
    this.#options = options
  }

  /** The stream of the journal. */
  get stream(): string {
    return this.#options.journal.stream
  }

  /** The groups after this sequence, up to the last one at some time after the call. BAD_STREAM if some are nowhere. */
  async *read(after: number): AsyncGenerator<JournalGroup> {
    const { journal } = this.#options
    let at = after
    for (;;) {
      if (at + 1 >= (await journal.first())) {
        try {
          for await (const group of journal.read(at)) {
            at = group.sequence
            yield group
          }
          return
        } catch (error) {
          // Groups that are purged while they are read are in a pack.
          if (at + 1 >= (await journal.first())) throw error
        }
      }
      const pack = await this.#packAfter(at)
      yield* this.#options.packs!.read(pack, at)
      at = pack.last
    }
  }

  /** The group with this sequence; undefined if there is none. */
  async groupAt(sequence: number): Promise<JournalGroup | undefined> {
    const { journal } = this.#options
    if (sequence >= (await journal.first())) return journal.groupAt(sequence)
    const pack = await this.#packAfter(sequence - 1)
    for await (const group of this.#options.packs!.read(pack, sequence - 1))
      return group.sequence === sequence ? group : undefined
    return undefined
  }

  /** The pack with the group after this one, and the most groups after it. */
  async #packAfter(sequence: number): Promise<Pack> {
    const { shard, packs, journal } = this.#options
    const fitting = ((await packs?.list(shard)) ?? []).filter(
      ({ first, last }) => first <= sequence + 1 && sequence < last,
    )
    const longest = fitting.toSorted((a, b) => b.last - a.last).at(0)
    if (longest !== undefined) return longest
    throw new RankwardError(
      'BAD_STREAM',
      `The groups from ${sequence + 1} on were purged from the stream ${journal.stream}, and no pack in the object store has them.`,
    )
  }
}
