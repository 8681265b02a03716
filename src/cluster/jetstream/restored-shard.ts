/**
 * Brings a shard up to the last group of its journal: from the newest usable snapshot and the groups after it, or from the whole
 * journal. A snapshot that is damaged, of another version, or of groups that the journal does not have is passed over.
 */
import { createWriteStream, openSync, readSync, closeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { RankwardError } from '../../lib/errors.ts'
import type { JournalGroup } from './jetstream-journal.ts'
import type { JetStreamSnapshots, StoredSnapshot } from './jetstream-snapshots.ts'

const blockBytes = 1 << 20

interface RestoreOptions<T, G extends { readonly sequence: number }> {
  readonly shard: number
  /** The group of the journal with this sequence; undefined if there is none. */
  readonly groupAt: (sequence: number) => Promise<Pick<JournalGroup, 'writer' | 'group'> | undefined>
  readonly snapshots: JetStreamSnapshots | undefined
  /** A file for the bytes of a snapshot, which may be larger than memory. */
  readonly path: string
  /** A shard without any group. */
  readonly empty: () => T | Promise<T>
  /** Restores the state of a snapshot; an error makes the shard unusable. */
  readonly restore: (shard: T, chunks: Iterable<Uint8Array>, snapshot: StoredSnapshot) => void | Promise<void>
  /** The groups after this sequence, for a shard that has been restored up to it. */
  readonly groups: (shard: T, after: number) => AsyncIterable<G>
  readonly replay: (shard: T, group: G) => void | Promise<void>
  /** Called for each snapshot that cannot be used. */
  readonly onPassedOver?: ((snapshot: StoredSnapshot, reason: string) => void) | undefined
}

export interface RestoredShard<T> {
  readonly shard: T
  /** Of the last group; 0 if the journal is empty. */
  readonly sequence: number
  /** Of the snapshot; 0 without one. */
  readonly restoredFrom: number
  /** Of the snapshot in bytes; 0 without one. */
  readonly snapshotBytes: number
  /** Groups that were replayed. */
  readonly replayed: number
  /** Snapshots that could not be used. */
  readonly passedOver: number
}

export async function restoredShard<T, G extends { readonly sequence: number }>(
  options: RestoreOptions<T, G>,
): Promise<RestoredShard<T>> {
  const { groups, replay } = options
  const { shard, sequence: restoredFrom, snapshotBytes, passedOver } = await fromSnapshot(options)
  let sequence = restoredFrom
  let replayed = 0
  for await (const group of groups(shard, restoredFrom)) {
    await replay(shard, group)
    ;({ sequence } = group)
    replayed++
  }
  return { shard, sequence, restoredFrom, snapshotBytes, replayed, passedOver }
}

async function fromSnapshot<T, G extends { readonly sequence: number }>(
  options: RestoreOptions<T, G>,
): Promise<{ shard: T; sequence: number; snapshotBytes: number; passedOver: number }> {
  const { shard: number, groupAt, snapshots, path, empty, restore, onPassedOver } = options
  let passedOver = 0
  for (const snapshot of (await snapshots?.list(number)) ?? []) {
    const passOver = (reason: string): void => {
      passedOver++
      onPassedOver?.(snapshot, reason)
    }
    const shard = await empty()
    try {
      const { writer, group, sequence, bytes } = snapshot
      const stored = await groupAt(sequence)
      if (stored?.writer !== writer || stored.group !== group) {
        passOver('the journal does not have the group that it was taken after')
        continue
      }
      await pipeline(snapshots!.read(snapshot), createWriteStream(path))
      await restore(shard, blocksOf(path), snapshot)
      return { shard, sequence, snapshotBytes: bytes, passedOver }
    } catch (error) {
      if (!(error instanceof RankwardError && error.code === 'BAD_SNAPSHOT')) throw error
      passOver(error.message)
    } finally {
      await rm(path, { force: true })
    }
  }
  return { shard: await empty(), sequence: 0, snapshotBytes: 0, passedOver }
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
