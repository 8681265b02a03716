/**
 * Decides when a snapshot of a shard is due, and copies its state. As in a crawl on one machine (`crawl-snapshots.ts`), the state is
 * copied when a group is closed, and stored in the background once that group is in the journal.
 */
import { StateWriter } from '../../lib/state.ts'
import { growthWanted } from '../../crawler/record/snapshot-growth.ts'
import { shardParts, type ShardState } from './shard-state.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** A group in the journal, and its size in bytes. */
interface StoredPlace {
  readonly sequence: number
  readonly writer: string
  readonly group: number
  readonly bytes: number
}

export class ShardSnapshots {
  readonly #state: ShardState
  readonly #store: SnapshotStore
  /** Bytes of groups since the last snapshot, and the size of that snapshot. */
  #grown: number
  #lastBytes: number
  /** The state after the group that is on its way to the journal. */
  #taken: Uint8Array[] | undefined

  constructor(state: ShardState, store: SnapshotStore) {
    this.#state = state
    this.#store = store
    this.#grown = state.replayedBytes
    this.#lastBytes = state.snapshotBytes
  }

  /** Called when a group is closed, with the state after its last fact. Copies the state if a snapshot is due. */
  take(): void {
    const wanted = growthWanted(this.#lastBytes, this.#store.limits.growthBytes)
    if (this.#grown < wanted || !this.#state.engine.isRestorable) return
    if (!this.#store.reserve(this.#grown / wanted)) return
    const writer = new StateWriter()
    for (const part of shardParts(this.#state)) part.transfer(writer)
    this.#taken = writer.finish()
  }

  /** Called when that group is in the journal: its snapshot, if there is one, is stored in the background. */
  stored({ bytes, ...place }: StoredPlace): void {
    this.#grown += bytes
    const chunks = this.#taken
    if (chunks === undefined) return
    this.#taken = undefined
    this.#grown = 0
    this.#lastBytes = chunks.reduce((sum, { length }) => sum + length, 0)
    this.#store.store({ shard: this.#state.shard.number, ...place }, chunks)
  }

  /** Called when that group belongs to no journal: the shard is another worker's. */
  drop(): void {
    if (this.#taken === undefined) return
    this.#taken = undefined
    this.#store.cancel()
  }
}
