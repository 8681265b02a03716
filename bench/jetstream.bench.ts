/**
 * What a take-over of a shard costs, and what the death of a leader does to appends: journals in JetStream on three servers of
 * this machine. The shard is one of a generated web, so its groups have facts and names, without outcomes of requests.
 *
 *   npm run bench -- jetstream [--pages 200000] [--kills 5]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { JetStreamJournal } from '../src/cluster/jetstream/jetstream-journal.ts'
import { JetStreamSnapshots } from '../src/cluster/jetstream/jetstream-snapshots.ts'
import { restoredShard, type RestoredShard } from '../src/cluster/jetstream/restored-shard.ts'
import type { Shard } from '../src/cluster/protocol/shard.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { VirtualCluster } from '../src/simulator/cluster/virtual-cluster.ts'
import type { VirtualNames } from '../src/simulator/cluster/virtual-names.ts'
import { exactRankMass } from '../src/engine/strategies/exact-rankmass.ts'
import { NatsServers, untilDone } from '../test/support/nats-server.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { numberOption, short, tell } from './webs.ts'

const groupPages = 250
/** Groups after the snapshot at a take-over. */
const restGroups = 10
const damping = 0.85

type Rows = BenchmarkResult['rows']

export const jetStreamBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-'))
  const servers = await NatsServers.start(folder, { servers: isSmall ? 1 : 3 })
  try {
    const connection = await servers.connect()
    const rows: Rows = []
    const add = (row: Rows[number]): void => {
      if (!isSmall) tell(JSON.stringify(row))
      rows.push(row)
    }
    const pages = isSmall ? 6000 : numberOption('pages', 200_000)
    const check = await takeOvers({ connection, folder, pages, replicas: servers.count, add })
    add(await reading(connection, servers.count, isSmall ? 50 : 1000))
    for (let kill = 0; kill < (isSmall ? 0 : numberOption('kills', 5)); kill++)
      add(await stall(servers, kill))
    return { rows, check }
  } finally {
    await servers.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface TakeOvers {
  readonly connection: NatsConnection
  readonly folder: string
  readonly pages: number
  readonly replicas: number
  readonly add: (row: Rows[number]) => void
}

/** Restores a shard at several sizes of its journal, from all groups and from a snapshot. Returns a sum over the states. */
async function takeOvers({ connection, folder, pages, replicas, add }: TakeOvers): Promise<number> {
  const web = syntheticGraph({ pages, sites: Math.ceil(pages / 100), seed: 7, linksPerPage: 10 })
  const factory = new VirtualCluster({
    graph: web.graph,
    siteOf: web.sites.ofPage,
    siteHashes: web.sites.keys,
    seeds: [0],
    trust: [1],
    damping,
    shards: 1,
    workers: 1,
    seed: 1,
    makeStrategy: (weights) => exactRankMass({ damping, trust: (seed) => weights[seed] }),
    makeFrontier: () => new TwoLevelFrontier({}),
  })
  const journal = await JetStreamJournal.open({ connection, stream: 'RW_bench_J0', replicas })
  const snapshots = await untilDone(() => JetStreamSnapshots.open(connection, 'bench', replicas))
  const shard = factory.emptyShard(0)
  shard.seed()
  let sequence = 0
  let bytes = 0
  const writeGroups = async (upTo: number): Promise<void> => {
    while (sequence < upTo && shard.engine.waitingCount > 0) {
      fetchPages(web.graph, shard, groupPages)
      const group = shard.closeGroup('work', 'bench.1', sequence + 1)
      bytes += group.bytes.length
      sequence = (await journal.append({
        writer: 'bench.1',
        group: sequence + 1,
        after: sequence,
        bytes: group.bytes,
      }))!
    }
  }
  const restored = (used: JetStreamSnapshots | undefined): Promise<RestoredShard<Shard>> =>
    restoredShard({
      shard: 0,
      groupAt: (at) => journal.groupAt(at),
      snapshots: used,
      path: join(folder, 'spool'),
      empty: () => factory.emptyShard(0),
      restore: (made, chunks) => restoreState([made], chunks),
      groups: (_, after) => journal.read(after),
      replay: (made, group) => void made.replay(group.bytes),
    })
  let check = 0
  const groupsMax = Math.floor((0.6 * pages) / groupPages)
  for (const part of [1 / 16, 1 / 4, 1]) {
    await writeGroups(Math.max(1, Math.floor(part * groupsMax) - restGroups))
    const state = savedState([shard])
    const [, , putSeconds] = await timed(() =>
      snapshots.put({ shard: 0, sequence, writer: 'bench.1', group: sequence }, state),
    )
    await writeGroups(sequence + restGroups)
    const [whole, , wholeSeconds] = await timed(() => restored(undefined))
    const [quick, , quickSeconds] = await timed(() => restored(snapshots))
    const same = Buffer.concat(savedState([whole.shard])).equals(Buffer.concat(savedState([quick.shard])))
    if (!same || quick.restoredFrom === 0) throw new Error('the restored shards differ')
    check += whole.shard.engine.known + quick.replayed
    add({
      figure: 'take-over',
      'journal, MB': short(bytes / 1e6),
      groups: sequence,
      'pages fetched': shard.engine.pages.crawledCount,
      'snapshot, MB': short(state.reduce((sum, { length }) => sum + length, 0) / 1e6),
      'stored and read back, CPU s': short(putSeconds),
      'whole journal, CPU s': short(wholeSeconds),
      'from snapshot, CPU s': short(quickSeconds),
    })
  }
  return check
}

function fetchPages(graph: ReturnType<typeof syntheticGraph>['graph'], shard: Shard, count: number): void {
  const { engine } = shard
  const names = shard.names as VirtualNames
  const cursor = graph.cursor()
  for (let i = 0; i < count && engine.waitingCount > 0; i++) {
    let site = 0
    let page = 0
    engine.dispatch({
      now: () => 0,
      fetch: (ofSite, pages) => {
        site = ofSite
        page = pages[0]
      },
      deliver: () => {},
      wait: () => undefined,
    })
    cursor.seek(names.nodeOf(page))
    const known = names.known
    const links = Uint32Array.from(cursor.targets.subarray(cursor.start, cursor.end), (node) =>
      names.pageOf(node),
    )
    const newSites = Uint32Array.from({ length: names.known - known }, (_, each) =>
      names.siteOf(known + each),
    )
    engine.fetched(page, links, links.length, newSites)
    engine.closed(site, 0)
    shard.touched()
  }
}

/** Reads a journal of groups of 100 kB. */
async function reading(connection: NatsConnection, replicas: number, groups: number): Promise<Rows[number]> {
  const journal = await untilDone(() =>
    JetStreamJournal.open({ connection, stream: 'RW_bench_J1', replicas }),
  )
  const random = seededRandom(1)
  const bytes = Uint8Array.from({ length: 100_000 }, () => random.below(256))
  for (let group = 1; group <= groups; group++)
    await journal.append({ writer: 'bench.1', group, after: group - 1, bytes })
  const [read, wall, seconds] = await timed(async () => {
    let total = 0
    for await (const group of journal.read(0)) total += group.bytes.length
    return total
  })
  return {
    figure: 'reading',
    'journal, MB': short(read / 1e6),
    groups,
    'MB/s': short(read / 1e6 / wall),
    'MB per CPU s': short(read / 1e6 / seconds),
  }
}

/** Kills the leader of a journal during appends, and starts it again. */
async function stall(servers: NatsServers, kill: number): Promise<Rows[number]> {
  const connection = await servers.connect()
  const stream = `RW_bench_S${kill}`
  const journal = await untilDone(() => JetStreamJournal.open({ connection, stream, replicas: 3 }))
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 5000 })
  const { cluster } = await untilDone(() => manager.streams.info(stream))
  const leader = Number(cluster!.leader!.slice(1))
  const bytes = new Uint8Array(20_000)
  const durations: number[] = []
  for (let group = 1; group <= 200; group++) {
    if (group === 100) void servers.kill(leader)
    const [sequence, seconds] = await timed(() =>
      journal.append({ writer: 'bench.1', group, after: group - 1, bytes }),
    )
    if (sequence !== group) throw new Error(`append ${group} has sequence ${sequence}`)
    durations.push(seconds)
    await sleep(10)
  }
  servers.startServer(leader)
  await sleep(5000)
  const sorted = durations.toSorted((a, b) => a - b)
  return {
    figure: 'kill -9 of the leader',
    'median append, ms': short(1000 * sorted[100]),
    'longest append, s': short(sorted[199]),
  }
}

/** The result, the seconds that passed, and the CPU-seconds of this process, which other programs do not affect. */
async function timed<T>(run: () => Promise<T>): Promise<[T, number, number]> {
  const start = performance.now()
  const before = process.cpuUsage()
  const result = await run()
  const { user, system } = process.cpuUsage(before)
  return [result, (performance.now() - start) / 1000, (user + system) / 1e6]
}

await benchmarkMain(import.meta.url, jetStreamBenchmark)
