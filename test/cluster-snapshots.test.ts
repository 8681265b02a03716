/** Workers store snapshots of their shards, and take shards over from them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jetstreamManager } from '@nats-io/jetstream'
import { Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { snapshotsBucket } from '../src/cluster/protocol/stream-names.ts'
import { openShard, shardParts, type Restoration } from '../src/cluster/crawl/shard-state.ts'
import { clusterCrawl } from '../src/cluster/crawl/cluster-crawl.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { exportCluster } from '../src/index.ts'
import { savedState } from '../src/lib/state.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { logIn } from '../src/crawler/record/record-folder.ts'
import { SegmentLog } from '../src/crawler/record/segment-log.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { extendBeyondJournal, journaledUrls, quickTiming, WorkerCluster } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
/** It is not crawled to its end. */
const web = syntheticGraph({ pages: 2000, sites: 12, seed: 5, linksPerPage: 5 })
const { seed, reachable } = bestSeed(web.graph)
const shards = 2
const timing = { ...quickTiming, beatSeconds: 0.1 }
/** Snapshots from the first groups on. */
const limits = { growthBytes: 1, packBytes: 1, purgeAfterSeconds: 0 }

describe.skipIf(withoutNats).each([1, 3] as const)(
  `workers with snapshots on %i servers${natsNote}`,
  (count) => {
    let servers: NatsServers
    let connection: NatsConnection
    let served: ServedWeb
    let cluster: WorkerCluster
    let folders = 0
    /** Of the worker that takes the shards over. */
    const restorations: Restoration[] = []

    beforeAll(async () => {
      const path = join(folder, String(count))
      mkdirSync(path)
      servers = await NatsServers.start(path, { servers: count })
      connection = await servers.connect()
      served = await serveWeb(web)
      cluster = await WorkerCluster.create({
        servers,
        connection,
        folder: path,
        name: 'snap',
        shards,
        replicas: count,
        crawl: {
          seeds: [served.urlOf(seed)],
          scope: 'any',
          wait: 0.1,
          allowPrivate: true,
          threads: 1,
          warc: false,
          out: 'unused',
        },
        snapshots: limits,
      })
    })
    afterAll(async () => {
      await cluster.stop()
      await servers.stop()
      await served.close()
    })

    const newFolder = (): string => join(folder, `${count}-${folders++}`)

    /** The sequences of the snapshots of a shard, newest first. */
    const snapshotsOf = async (shard: number): Promise<number[]> =>
      (await cluster.streams.snapshots.list(shard)).map(({ sequence }) => sequence)

    /** Restores a shard in this folder, and returns its state as bytes. */
    async function restoredIn(
      path: string,
      number: number,
    ): Promise<{ bytes: Buffer; notices: string[]; restoration: Restoration }> {
      const notices: string[] = []
      let restoration: Restoration | undefined
      const state = await openShard({
        crawl: clusterCrawl(cluster.control.state),
        number,
        folder: path,
        streams: cluster.streams,
        onTaken: () => {},
        onNotice: (line) => void notices.push(line),
        onRestored: (each) => {
          restoration = each
        },
      })
      const bytes = Buffer.concat(savedState(shardParts(state)))
      await state.log.close()
      return { bytes, notices, restoration: restoration! }
    }

    it('that take over from a killed worker replay only the groups after the newest snapshot', async () => {
      const killed = await cluster.start()
      for (let shard = 0; shard < shards; shard++) {
        // Two snapshots, and packs that were stored with an earlier one: then groups are purged.
        const journal = await cluster.streams.journal(shard)
        while ((await journal.first()) === 1) await sleep(20)
      }
      await cluster.kill(killed)
      const fetched = (await cluster.heads()).map((head) => head!.fetched)
      const newest = await Promise.all([0, 1].map(async (shard) => (await snapshotsOf(shard))[0]))
      const lasts = await Promise.all(
        [0, 1].map(async (shard) => (await (await cluster.streams.journal(shard)).lastGroup())!.sequence),
      )
      const { crawl } = cluster.control
      const onRestored = (restoration: Restoration): void => void restorations.push(restoration)
      const options = { connection, crawl, folder: newFolder(), timing, snapshots: limits }
      const worker = runWorker({ ...options, onRestored })
      await cluster.untilHeads((heads) => heads.every((head, shard) => head!.fetched > fetched[shard]))
      await cluster.control.command({ kind: 'stop', reason: 'enough' })
      expect(await worker).toBe('enough')
      expect(restorations.toSorted((a, b) => a.shard - b.shard)).toEqual(
        newest.map((restoredFrom, shard) => ({
          shard,
          copied: lasts[shard],
          restoredFrom,
          replayed: lasts[shard] - restoredFrom,
        })),
      )
      for (const { copied, replayed } of restorations) expect(replayed).toBeLessThan(copied)
      const urls = await journaledUrls(cluster.streams, shards)
      expect(urls).toHaveLength(await cluster.fetchedCount())
      expect(new Set(urls).size).toBe(urls.length)
      expect(urls.length).toBeLessThan(reachable)
    })

    it('leave every group in the journals or in packs, and a crawl that can be exported', async () => {
      for (let shard = 0; shard < shards; shard++) {
        const journal = await cluster.streams.journal(shard)
        const sequences: number[] = []
        for await (const { sequence } of (await cluster.streams.history(shard)).read(0))
          sequences.push(sequence)
        expect(sequences).toEqual(
          Array.from({ length: (await journal.lastGroup())!.sequence }, (_, i) => i + 1),
        )
        // The journal still has the groups of both snapshots.
        const first = await journal.first()
        expect(first).toBeGreaterThan(1)
        for (const sequence of await snapshotsOf(shard)) expect(sequence).toBeGreaterThanOrEqual(first)
      }
      const result = await exportCluster({
        cluster: [servers.addresses[0]],
        name: 'snap',
        to: `${newFolder()}.jsonl`,
        cache: newFolder(),
      })
      expect(result.fetched).toBe(await cluster.fetchedCount())
    })

    it('restore the state of a full replay, byte for byte, also where snapshots are damaged', async () => {
      const manager = await jetstreamManager(connection)
      const bucket = snapshotsBucket('snap')
      const store = await new Objm(connection).open(bucket)
      const [newest, older] = await snapshotsOf(0)
      const usual = await restoredIn(newFolder(), 0)
      expect(usual).toMatchObject({ notices: [], restoration: { restoredFrom: newest } })
      const states = [usual]
      for (const sequence of [newest, older]) {
        const { nuid } = (await store.info(`0.${sequence}`))!
        await manager.streams.purge(`OBJ_${bucket}`, { filter: `$O.${bucket}.C.${nuid}` })
        states.push(await restoredIn(newFolder(), 0))
      }
      expect(states.map(({ restoration }) => restoration.restoredFrom)).toEqual([newest, older, 0])
      expect(states.map(({ notices }) => notices.length)).toEqual([0, 1, 2])
      expect(states[2].notices[1]).toBe(
        `Shard 0: the snapshot ${older} is not used. The object 0.${older} in the object store is damaged or incomplete.`,
      )
      const [, , { restoration }] = states
      expect(restoration.replayed).toBe(restoration.copied)
      for (const { bytes } of states) expect(bytes.equals(usual.bytes)).toBe(true)
    })

    it('fetch only groups that their copy lacks, and recognise a copy by a group that was purged', async () => {
      const path = newFolder()
      const first = await restoredIn(path, 1)
      expect(first.restoration.copied).toBeGreaterThan(0)
      expect((await restoredIn(path, 1)).restoration.copied).toBe(0)
      const history = await cluster.streams.history(1)
      expect(await history.groupAt(1)).toMatchObject({ sequence: 1, group: 1 })
      expect(await (await cluster.streams.journal(1)).groupAt(1)).toBeUndefined()
    })

    it('keep a copy with groups that the journal does not have', async () => {
      const path = newFolder()
      await restoredIn(path, 1)
      const shard = join(path, 'shards', '001')
      const { record } = CrawlFolder.open(shard)
      const last = await extendBeyondJournal(shard)
      const { restoration, notices } = await restoredIn(path, 1)
      expect(restoration.copied).toBe(last)
      expect(notices).toEqual([expect.stringContaining('record-lost-1')])
      const lost = await SegmentLog.open(logIn(`${record}-lost-1`), { isSynced: false })
      expect(lost.last).toBe(last + 1)
      await lost.close()
    })
  },
)
