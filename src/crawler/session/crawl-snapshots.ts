/**
 * Takes snapshots of a running crawl, so that a resume replays only the groups after the last one. The state
 * is copied when a group is closed, which pauses the crawl, and is stored in the background once that group is
 * durable: in files beside the record, or in the object store of a cluster.
 *
 *   group closed: copy state ──▶ group durable ──▶ store in the background
 *
 * `growthWanted` says when a snapshot is due.
 */
import type { Engine } from '../../engine/engine.ts'
import { StateWriter, type Stateful } from '../../lib/state.ts'

/** Default minimum growth of the log between two snapshots, in bytes. */
export const growthMin = 4 << 20
/** Growth that is enough unless the state is large: about 60,000 pages to replay. */
const growthEnough = 16 << 20

/**
 * The growth of the log, in bytes, after which a snapshot follows one of `lastBytes`. Small crawls write few snapshots. All snapshots of a
 * crawl but the last are together at most 16 times as large as its log, so their cost is linear. After a kill, a resume replays at most
 * 16 MiB of the log, or a sixteenth of the snapshot's size if that is more.
 */
export function growthWanted(lastBytes: number, leastBytes = growthMin): number {
  return Math.max(leastBytes, Math.min(growthEnough, lastBytes / 2), lastBytes / 16)
}

/** Where snapshots are stored. `Place` is that of a group in its log. */
export interface SnapshotShelf<Place> {
  /** Minimum growth of the log between two snapshots, in bytes. */
  readonly growthBytes?: number | undefined
  /**
   * Whether a state may be copied now; `store` or `cancel` must follow. `overdue` is the growth of the log as a multiple of the growth
   * after which a snapshot is due.
   */
  reserve(overdue: number): boolean
  /** Stores a snapshot of the state after the group at this place, which is durable. Returns its bytes. */
  store(state: StateWriter, place: Place): number
  cancel(): void
}

export interface SnapshotOptions {
  readonly engine: Engine
  /** The parts of a snapshot, in order. */
  readonly parts: () => readonly Stateful[]
  /** Bytes of the groups since the last snapshot, and of that snapshot. Default: 0. */
  readonly grownBytes?: number | undefined
  readonly lastBytes?: number | undefined
}

export class CrawlSnapshots<Place> {
  readonly #options: SnapshotOptions
  readonly #shelf: SnapshotShelf<Place>
  #grown: number
  #lastBytes: number
  /** The state after the group that is not durable yet. */
  #taken: StateWriter | undefined

  constructor(options: SnapshotOptions, shelf: SnapshotShelf<Place>) {
    this.#options = options
    this.#shelf = shelf
    this.#grown = options.grownBytes ?? 0
    this.#lastBytes = options.lastBytes ?? 0
  }

  /** Called when a group is closed, with the state after its last fact. Copies the state if a snapshot is due. */
  take(isForced = false): void {
    const wanted = growthWanted(this.#lastBytes, this.#shelf.growthBytes)
    const isDue = isForced || this.#grown >= wanted
    if (!isDue || !this.#options.engine.isRestorable || !this.#shelf.reserve(this.#grown / wanted)) return
    const writer = new StateWriter()
    for (const part of this.#options.parts()) part.transfer(writer)
    this.#taken = writer
  }

  /** Called when a session ends and all of its groups are durable: takes a snapshot of them if there is none. */
  takeLast(place: Place): void {
    if (this.#grown === 0) return
    this.take(true)
    this.committed(0, place)
  }

  /** Called when that group, of this many bytes, is durable and the last one. */
  committed(bytes: number, place: Place): void {
    this.#grown += bytes
    const taken = this.#taken
    if (taken === undefined) return
    this.#taken = undefined
    this.#grown = 0
    this.#lastBytes = this.#shelf.store(taken, place)
  }

  /** Called when that group belongs to no log: the crawl is another writer's. */
  drop(): void {
    if (this.#taken === undefined) return
    this.#taken = undefined
    this.#shelf.cancel()
  }
}
