/**
 * Brings a shard up to the last group of its journal: from the newest usable snapshot and the groups after it, or from the whole
 * journal. A snapshot that is damaged, of another version, or of groups that the journal does not have is passed over.
 */
import { createWriteStream, openSync, readSync, closeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { RankwardError } from '../../lib/errors.ts'
import type { JetStreamJournal, JournalGroup } from './jetstream-journal.ts'
import type { JetStreamSnapshots, StoredSnapshot } from './jetstream-snapshots.ts'

const blockBytes = 1 << 20

export interface RestoreOptions<T> {
  readonly shard: number
  readonly journal: JetStreamJournal
  readonly snapshots: JetStreamSnapshots | undefined
  /** A file for the bytes of a snapshot, which may be larger than memory. */
  readonly path: string
  /** A shard without any group. */
  readonly empty: () => T
  /** Restores the state of a snapshot; an error makes the shard unusable. */
  readonly restore: (shard: T, chunks: Iterable<Uint8Array>, snapshot: StoredSnapshot) => void | Promise<void>
  readonly replay: (shard: T, group: JournalGroup) => void | Promise<void>
}

export interface RestoredShard<T> {
  readonly shard: T
  /** Of the last group; 0 if the journal is empty. */
  readonly sequence: number
  /** Of the snapshot; 0 without one. */
  readonly restoredFrom: number
  /** Groups that were replayed. */
  readonly replayed: number
  /** Snapshots that could not be used. */
  readonly passedOver: number
}

export async function restoredShard<T>(options: RestoreOptions<T>): Promise<RestoredShard<T>> {
  const { journal, replay } = options
  const { made, passedOver } = await fromSnapshot(options)
  const { shard, sequence: restoredFrom } = made
  let sequence = restoredFrom
  let replayed = 0
  for await (const group of journal.read(restoredFrom)) {
    await replay(shard, group)
    sequence = group.sequence
    replayed++
  }
  return { shard, sequence, restoredFrom, replayed, passedOver }
}

async function fromSnapshot<T>({
  shard,
  journal,
  snapshots,
  path,
  empty,
  restore,
}: RestoreOptions<T>): Promise<{ made: { shard: T; sequence: number }; passedOver: number }> {
  let passedOver = 0
  for (const snapshot of (await snapshots?.list(shard)) ?? []) {
    const made = empty()
    try {
      const { writer, group, sequence } = snapshot
      const stored = await journal.groupAt(sequence)
      if (stored?.writer !== writer || stored.group !== group) {
        passedOver++
        continue
      }
      await pipeline(snapshots!.read(snapshot), createWriteStream(path))
      await restore(made, blocksOf(path), snapshot)
      return { made: { shard: made, sequence }, passedOver }
    } catch (error) {
      if (!(error instanceof RankwardError && error.code === 'BAD_SNAPSHOT')) throw error
      passedOver++
    } finally {
      await rm(path, { force: true })
    }
  }
  return { made: { shard: empty(), sequence: 0 }, passedOver }
}

function* blocksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const block = Buffer.allocUnsafe(blockBytes)
      const length = readSync(file, block, 0, blockBytes, null)
      if (length === 0) return
      yield block.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}
