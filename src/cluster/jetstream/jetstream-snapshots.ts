/**
 * Snapshots of shards in the object store of a crawl: the state after a group of the journal, as bytes. An object is named
 * `shard.sequence`. Its description says who wrote that group, so that a snapshot of groups that a power failure has taken
 * is recognised: the journal has another group, or none, at that sequence.
 *
 * Two are kept for each shard, so that a damaged snapshot costs a longer replay and nothing else. A snapshot is a function of the
 * journal, so it does not matter which worker wrote it, or whether that worker still owns the shard.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { JetStreamObjects, type StoredObject } from './jetstream-objects.ts'

/** The newest and a fallback. */
const keptMax = 2
const snapshotName = /^(\d+)\.(\d+)$/

/** The state of a shard after this group of its journal. */
export interface ShardSnapshot {
  readonly shard: number
  readonly sequence: number
  /** Of the group at that sequence. */
  readonly writer: string
  readonly group: number
}

export interface StoredSnapshot extends ShardSnapshot {
  readonly bytes: number
}

export class JetStreamSnapshots {
  readonly objects: JetStreamObjects

  constructor(objects: JetStreamObjects) {
    this.objects = objects
  }

  /** Opens the object store, and creates it if there is none. */
  static async open(
    connection: NatsConnection,
    crawl: string,
    replicas: number,
  ): Promise<JetStreamSnapshots> {
    return new JetStreamSnapshots(await JetStreamObjects.open(connection, crawl, replicas))
  }

  /**
   * Stores a snapshot and reads it back; throws if that fails. Older ones of the shard are removed, except one. Returns those that
   * are kept, newest first.
   */
  async put(snapshot: ShardSnapshot, chunks: Iterable<Uint8Array>): Promise<StoredSnapshot[]> {
    const { shard, writer, group } = snapshot
    await this.objects.put(nameOf(snapshot), { writer, group: String(group) }, chunks)
    const all = await this.list(shard)
    for (const old of all.slice(keptMax)) await this.remove(old)
    return all.slice(0, keptMax)
  }

  /** The snapshots of a shard, newest first. */
  async list(shard: number): Promise<StoredSnapshot[]> {
    const objects = await this.objects.list((name) => name.startsWith(`${shard}.`) && snapshotName.test(name))
    return objects.flatMap((object) => snapshotOf(object) ?? []).toSorted((a, b) => b.sequence - a.sequence)
  }

  /** The bytes of a snapshot; BAD_SNAPSHOT at the latest at its end, if something is missing or different. */
  read(snapshot: ShardSnapshot): AsyncGenerator<Uint8Array> {
    return this.objects.read(nameOf(snapshot))
  }

  async remove(snapshot: ShardSnapshot): Promise<void> {
    await this.objects.remove(nameOf(snapshot))
  }

  /** Removes what workers that were killed have left. */
  removeUnfinished(olderThanMs?: number): Promise<number> {
    return this.objects.removeUnfinished(olderThanMs)
  }
}

function nameOf({ shard, sequence }: ShardSnapshot): string {
  return `${shard}.${sequence}`
}

function snapshotOf({ name, bytes, metadata }: StoredObject): StoredSnapshot | undefined {
  const match = snapshotName.exec(name)
  const group = Number(metadata['group'])
  const writer = metadata['writer']
  if (match === null || writer === undefined || !Number.isSafeInteger(group)) return undefined
  return { shard: Number(match[1]), sequence: Number(match[2]), writer, group, bytes }
}
