/** Snapshots of shards in a JetStream object store, and shards that are restored from them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { JetStreamSnapshots, type ShardSnapshot } from '../src/cluster/jetstream/jetstream-snapshots.ts'
import { restoredShard, type RestoredShard } from '../src/cluster/jetstream/restored-shard.ts'
import type { Shard } from '../src/cluster/protocol/shard.ts'
import { snapshotsBucket } from '../src/cluster/protocol/stream-names.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { natsNote, NatsServers, untilDone, withoutNats } from './support/nats-server.ts'
import { Crawl, factory, work, workUntilFinished } from './support/virtual-shards.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0

function randomChunks(sizes: readonly number[], seed: number): Uint8Array[] {
  const random = seededRandom(seed)
  return sizes.map((size) => Uint8Array.from({ length: size }, () => random.below(256)))
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const snapshotAt = (sequence: number, shard = 0): ShardSnapshot => ({
  shard,
  sequence,
  writer: `w.${sequence}`,
  group: sequence,
})

describe.skipIf(withoutNats).each([1, 3] as const)(`snapshots on %i servers${natsNote}`, (count) => {
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    const path = join(folder, String(count))
    mkdirSync(path)
    servers = await NatsServers.start(path, { servers: count })
    connection = await servers.connect()
  })
  afterAll(() => servers.stop())

  const open = (crawl = `c${crawls++}`): Promise<JetStreamSnapshots> =>
    untilDone(() => JetStreamSnapshots.open(connection, crawl, count))

  it('are read as they were written, whatever the size of chunks', async () => {
    const snapshots = await open()
    for (const [i, sizes] of [[], [1], [131_072], [500_000, 0, 3, 131_073], [2_000_000]].entries()) {
      const chunks = randomChunks(sizes, i + 1)
      await snapshots.put(snapshotAt(i + 1, i), chunks)
      const [stored] = await snapshots.list(i)
      const whole = Buffer.concat(chunks)
      expect(stored).toEqual({ ...snapshotAt(i + 1, i), bytes: whole.length })
      expect((await bytesOf(snapshots.read(stored))).equals(whole)).toBe(true)
    }
  })

  it('keep the newest two of each shard', async () => {
    const snapshots = await open()
    for (const sequence of [5, 100, 20]) {
      await snapshots.put(snapshotAt(sequence), [Buffer.from('zero')])
      await snapshots.put(snapshotAt(sequence, 1), [Buffer.from('one')])
    }
    for (const shard of [0, 1])
      expect((await snapshots.list(shard)).map(({ sequence }) => sequence)).toEqual([100, 20])
    expect(await snapshots.list(2)).toEqual([])
  })

  it('are refused if a part is missing or another one was added', async () => {
    const crawl = `c${crawls++}`
    const snapshots = await open(crawl)
    const stream = `OBJ_${snapshotsBucket(crawl)}`
    const manager = await jetstreamManager(connection)
    const store = await new Objm(connection).open(snapshotsBucket(crawl))
    for (const sequence of [1, 2])
      await snapshots.put(snapshotAt(sequence), randomChunks([400_000], sequence))
    const parts = async (name: string): Promise<string> =>
      `$O.${snapshotsBucket(crawl)}.C.${(await store.info(name))!.nuid}`
    const first = await manager.streams.getMessage(stream, {
      next_by_subj: await parts('0.1'),
      seq: 1,
    } as never)
    await manager.streams.deleteMessage(stream, first!.seq)
    await jetstream(connection).publish(await parts('0.2'), 'more')
    for (const sequence of [1, 2])
      await expect(bytesOf(snapshots.read(snapshotAt(sequence)))).rejects.toMatchObject({
        code: 'BAD_SNAPSHOT',
        message: new RegExp(`object 0\\.${sequence} .*damaged`),
      })
    // As many parts as before, with other bytes.
    await jetstream(connection).publish(await parts('0.1'), 'other')
    await expect(bytesOf(snapshots.read(snapshotAt(1)))).rejects.toMatchObject({ code: 'BAD_SNAPSHOT' })
    await expect(bytesOf(snapshots.read(snapshotAt(3)))).rejects.toMatchObject({ code: 'BAD_SNAPSHOT' })
  })
})

describe.skipIf(withoutNats)(`a worker that is killed while it stores a snapshot${natsNote}`, () => {
  it('leaves no snapshot, and its parts are removed later', async () => {
    const path = join(folder, 'killed')
    mkdirSync(path)
    const servers = await NatsServers.start(path)
    const connection = await servers.connect()
    const snapshots = await JetStreamSnapshots.open(connection, 'killed', 1)
    await snapshots.put(snapshotAt(10), [Buffer.from('earlier')])
    const writer = join(import.meta.dirname, 'support', 'snapshot-writer.mjs')
    const child = spawn(process.execPath, [writer, servers.addresses[0], 'killed'])
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(said.toString()).toBe('begun\n')
    expect((await snapshots.list(0)).map(({ sequence }) => sequence)).toEqual([10])
    const manager = await jetstreamManager(connection)
    const stored = async (): Promise<number> =>
      (await manager.streams.info(`OBJ_${snapshotsBucket('killed')}`)).state.bytes
    expect(await stored()).toBeGreaterThan(3_000_000)
    // Another worker might still be writing it.
    expect(await snapshots.removeUnfinished()).toBe(0)
    expect(await snapshots.removeUnfinished(0)).toBe(1)
    expect(await stored()).toBeLessThan(10_000)
    expect((await bytesOf(snapshots.read(snapshotAt(10)))).toString()).toBe('earlier')
    await servers.stop()
  })
})

describe.skipIf(withoutNats)(`a shard restored from a snapshot${natsNote}`, () => {
  let servers: NatsServers
  let connection: NatsConnection

  beforeAll(async () => {
    const path = join(folder, 'shards')
    mkdirSync(path)
    servers = await NatsServers.start(path)
    connection = await servers.connect()
  })
  afterAll(() => servers.stop())

  const stateOf = (shard: Shard): Buffer => Buffer.concat(savedState([shard]))

  interface Made {
    readonly crawl: Crawl
    readonly snapshots: JetStreamSnapshots
    readonly name: string
    /** Of the two snapshots of shard 0, older one first. */
    readonly sequences: readonly number[]
  }

  const restored = ({ crawl, snapshots }: Made, journal = crawl.journals[0]): Promise<RestoredShard<Shard>> =>
    restoredShard({
      shard: 0,
      groupAt: (sequence) => journal.groupAt(sequence),
      snapshots,
      path: join(folder, `spool-${crawls++}`),
      empty: () => factory.emptyShard(0),
      restore: (shard, chunks) => restoreState([shard], chunks),
      groups: (_, after) => journal.read(after),
      replay: (shard, { bytes }) => void shard.replay(bytes),
    })

  /** A crawl of some rounds, with two snapshots of shard 0 on the way. */
  async function made(): Promise<Made> {
    const crawl = await Crawl.create(connection, 1)
    const name = `snap${crawls++}`
    const snapshots = await JetStreamSnapshots.open(connection, name, 1)
    const owners = await Promise.all(crawl.journals.map((_, shard) => crawl.claim(shard)))
    const sequences: number[] = []
    for (let part = 0; part < 3; part++) {
      for (let round = 0; round < 8; round++) await work(crawl, owners)
      if (part === 2) break
      const { shard, sequence } = await crawl.replayed(0)
      const { writer, group } = (await crawl.journals[0].groupAt(sequence))!
      await snapshots.put({ shard: 0, sequence, writer, group }, savedState([shard]))
      sequences.push(sequence)
    }
    return { crawl, snapshots, name, sequences }
  }

  it('is the shard that a replay of the whole journal gives, byte for byte', async () => {
    const all = await made()
    const whole = await all.crawl.replayed(0)
    const found = await restored(all)
    expect(found).toMatchObject({ restoredFrom: all.sequences[1], sequence: whole.sequence, passedOver: 0 })
    expect(found.replayed).toBe(whole.sequence - all.sequences[1])
    expect(found.replayed).toBeGreaterThan(0)
    expect(stateOf(found.shard).equals(stateOf(whole.shard))).toBe(true)
  })

  it('uses the older snapshot where the newest is damaged, and the journal where both are', async () => {
    const all = await made()
    const whole = await all.crawl.replayed(0)
    const manager = await jetstreamManager(connection)
    const store = await new Objm(connection).open(snapshotsBucket(all.name))
    for (const [i, expected] of [all.sequences[0], 0].entries()) {
      const { nuid } = (await store.info(`0.${all.sequences[1 - i]}`))!
      const filter = `$O.${snapshotsBucket(all.name)}.C.${nuid}`
      await manager.streams.purge(`OBJ_${snapshotsBucket(all.name)}`, { filter })
      const found = await restored(all)
      expect(found).toMatchObject({ restoredFrom: expected, passedOver: i + 1 })
      expect(stateOf(found.shard).equals(stateOf(whole.shard))).toBe(true)
    }
  })

  it('passes over a snapshot of groups that the journal does not have', async () => {
    const all = await made()
    const { shard, sequence } = await all.crawl.replayed(0)
    // After a power failure, the journal has another group at this sequence, or ends before it.
    for (const at of [sequence, sequence + 5])
      await all.snapshots.put({ shard: 0, sequence: at, writer: 'lost.1', group: 3 }, savedState([shard]))
    expect(await restored(all)).toMatchObject({ restoredFrom: 0, passedOver: 2, sequence })
  })

  it('passes over a snapshot that this version cannot read', async () => {
    const all = await made()
    const { sequence } = await all.crawl.replayed(0)
    const { writer, group } = (await all.crawl.journals[0].groupAt(sequence))!
    await all.snapshots.put({ shard: 0, sequence, writer, group }, [Buffer.from('of another version')])
    expect(await restored(all)).toMatchObject({ restoredFrom: all.sequences[1], passedOver: 1 })
  })

  it('needs no group before the older snapshot, and goes on to the end of the crawl', async () => {
    const all = await made()
    const whole = await all.crawl.replayed(0)
    const journal = all.crawl.journals[0]
    await journal.purge(all.sequences[0])
    const found = await restored(all)
    expect(stateOf(found.shard).equals(stateOf(whole.shard))).toBe(true)
    await all.snapshots.objects.remove(`0.${all.sequences[1]}`)
    expect(await restored(all)).toMatchObject({ restoredFrom: all.sequences[0] })

    const claims = all.crawl.journals.map((_, shard) =>
      shard === 0 ? all.crawl.claimWith(0, found.shard, found.sequence) : all.crawl.claim(shard),
    )
    const heads = await workUntilFinished(all.crawl, await Promise.all(claims))
    expect(heads.every(({ isIdle }) => isIdle)).toBe(true)

    // Without any snapshot the purge is an error, not an empty shard.
    await all.snapshots.objects.remove(`0.${all.sequences[0]}`)
    await expect(restored(all)).rejects.toMatchObject({ code: 'BAD_STREAM', message: /were purged/ })
  })
})
