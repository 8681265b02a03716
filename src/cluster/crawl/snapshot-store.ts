/**
 * Stores the snapshots of a worker's shards in the background, one at a time. After each one, the groups up to the older of the
 * shard's two snapshots are packed (jetstream-packs.ts) if they are many, and packed groups are purged from the journal.
 *
 * Servers sync to disk every two minutes: a power failure could take a pack after the purge of its groups. So groups are purged
 * some time after their pack was stored. Whatever fails here costs time and room, and never a group.
 */
import { growthMin, type SnapshotShelf } from '../../crawler/session/crawl-snapshots.ts'
import type { StateWriter } from '../../lib/state.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlStreams } from '../jetstream/crawl-streams.ts'
import type { JournalGroup } from '../jetstream/jetstream-journal.ts'
import type { ShardSnapshot } from '../jetstream/jetstream-snapshots.ts'

/**
 * Groups are packed when there are this many bytes of them, or a part of all packs so far if that is more: a large shard has few packs,
 * since all of them are listed at each reading.
 */
const packMin = 32 << 20
const packMax = 1 << 30
const packPart = 1 / 4
/** Groups are purged this long after their pack was stored. */
const purgeAfterSeconds = 600

export interface SnapshotLimits {
  /** Minimum growth of a journal between two snapshots. */
  readonly growthBytes: number
  /** Minimum size of the groups of a pack, before they are compressed. */
  readonly packBytes: number
  readonly purgeAfterSeconds: number
}

interface SnapshotStoreOptions {
  readonly streams: CrawlStreams
  readonly limits?: Partial<SnapshotLimits> | undefined
  readonly onNotice: (line: string) => void
}

export class SnapshotStore implements SnapshotShelf<ShardSnapshot> {
  readonly limits: SnapshotLimits
  readonly #options: SnapshotStoreOptions
  #storing: Promise<void> | undefined
  #isReserved = false
  /** Of the shards that had to wait. */
  #mostOverdue = 0
  #hasCleaned = false

  constructor(options: SnapshotStoreOptions) {
    this.#options = options
    this.limits = { growthBytes: growthMin, packBytes: packMin, purgeAfterSeconds, ...options.limits }
  }

  get growthBytes(): number {
    return this.limits.growthBytes
  }

  /**
   * True if the caller may copy the state of a shard now; `store` or `cancel` must follow. `overdue` is the growth of its journal as a
   * multiple of the growth after which a snapshot is due: shards that are more overdue come first.
   */
  reserve(overdue: number): boolean {
    if (this.#isReserved || this.#storing !== undefined) {
      this.#mostOverdue = Math.max(this.#mostOverdue, overdue)
      return false
    }
    if (overdue < this.#mostOverdue) {
      // The shard that is more overdue may be another worker's by now.
      this.#mostOverdue /= 2
      return false
    }
    this.#mostOverdue = 0
    this.#isReserved = true
    return true
  }

  cancel(): void {
    this.#isReserved = false
  }

  /** Stores a snapshot, whose group is in the journal. */
  store(state: StateWriter, snapshot: ShardSnapshot): number {
    this.#isReserved = false
    const chunks = state.finish()
    this.#storing = this.#store(snapshot, chunks)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        this.#options.onNotice(
          `A snapshot of shard ${snapshot.shard} was not stored (${reason}). Nothing is lost; the next one is tried later.`,
        )
      })
      .finally(() => {
        this.#storing = undefined
      })
    return chunks.reduce((sum, { length }) => sum + length, 0)
  }

  /** Resolves when nothing is being stored. */
  async stored(): Promise<void> {
    await this.#storing
  }

  async #store(snapshot: ShardSnapshot, chunks: Iterable<Uint8Array>): Promise<void> {
    const { shard } = snapshot
    const { snapshots } = this.#options.streams
    const [, older] = await snapshots.put(snapshot, chunks)
    if (older !== undefined) await this.#pack(shard, older.sequence)
    if (this.#hasCleaned) return
    this.#hasCleaned = true
    await snapshots.removeUnfinished()
  }

  /** Packs the groups up to this sequence, and purges those of earlier packs. */
  async #pack(shard: number, last: number): Promise<void> {
    const { streams } = this.#options
    const { packs } = streams
    const journal = await streams.journal(shard)
    const stored = await packs.list(shard)
    // Every pack begins with the group after those that were packed before.
    const packed = Math.max(0, ...stored.map((pack) => pack.last))
    const packedBytes = stored.reduce((sum, { bytes }) => sum + bytes, 0)
    const wanted = Math.max(this.limits.packBytes, Math.min(packMax, packPart * packedBytes))
    if (last > packed && (await journal.bytesBetween(packed, last)) >= wanted)
      await packs.put({ shard, first: packed + 1, last }, upTo(last, journal.read(packed)))
    const before = Date.now() - 1000 * this.limits.purgeAfterSeconds
    const settled = stored.filter(({ storedAt }) => storedAt <= before)
    await journal.purge(Math.max(0, ...settled.map((pack) => pack.last)) + 1)
  }
}

/** Throws if the groups end early: a pack without all of its groups would let the missing ones be purged. */
export async function* upTo(last: number, groups: AsyncIterable<JournalGroup>): AsyncGenerator<JournalGroup> {
  for await (const group of groups) {
    if (group.sequence <= last) yield group
    if (group.sequence >= last) return
  }
  throw new RankwardError('BAD_STREAM', `The journal could not be read up to its group ${last}.`)
}
