/**
 * What it costs to take over a shard of a real crawl: its journal is copied and indexed, then its state is restored from the newest
 * snapshot and the groups after it, or by a replay of all groups.
 *
 *   npm run bench -- cluster-takeover [--pages 60000]
 *
 * One worker crawls a served web on one shard and one nats-server, with the limits of snapshots that workers have.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlStreams } from '../src/cluster/jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../src/cluster/jetstream/jetstream-control.ts'
import { createCrawl } from '../src/cluster/worker/create-crawl.ts'
import { openShard, type Restoration } from '../src/cluster/worker/shard-state.ts'
import { clusterCrawl, runWorker } from '../src/cluster/worker/start-worker.ts'
import { bestSeed } from '../src/graph/reachability.ts'
import { syntheticGraph } from '../src/graph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../src/served/served-web.ts'
import { NatsServers } from '../test/support/nats-server.ts'
import { quickTiming } from '../test/support/worker-cluster.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { numberOption, short, tell } from './webs.ts'

type Row = BenchmarkResult['rows'][number]

export const clusterTakeoverBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const most = isSmall ? 200 : numberOption('pages', 60_000)
  const web = syntheticGraph({ pages: Math.ceil(1.1 * most), sites: Math.ceil(most / 500), seed: 1 })
  const served = await serveWeb(web, { keepAccesses: false })
  const rows: Row[] = []
  let check = 0
  try {
    for (const pages of isSmall ? [most] : [most / 4, most / 2, most].map(Math.floor)) {
      const made = await takenOver(served.urlOf(bestSeed(web.graph).seed), pages, isSmall)
      if (!isSmall) tell(JSON.stringify(made))
      rows.push(...made)
      check += pages
    }
  } finally {
    await served.close()
  }
  return { rows, check }
}

async function takenOver(seed: string, pages: number, isSmall: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-'))
  const servers = await NatsServers.start(folder)
  try {
    const connection = await servers.connect()
    const options = { seeds: [seed], scope: 'any', wait: 0, allowPrivate: true, warc: false, pages } as const
    const control = await createCrawl({
      connection,
      name: 'takeover',
      shards: 1,
      replicas: 1,
      options: { ...options, out: 'unused' },
    })
    const timing = isSmall ? quickTiming : undefined
    await runWorker({ connection, crawl: 'takeover', folder: join(folder, 'worker'), timing })
    const streams = await CrawlStreams.open({ connection, crawl: 'takeover', shards: 1, replicas: 1 })
    const first = await restored(control, streams, join(folder, 'first'))
    for (const snapshot of await streams.snapshots.list(0)) await streams.snapshots.remove(snapshot)
    const whole = await restored(control, streams, join(folder, 'whole'))
    const again = await restored(control, streams, join(folder, 'whole'))
    return [
      { pages, from: 'snapshot', ...first },
      { pages, from: 'all groups', ...whole },
      { pages, from: 'all groups, own copy', ...again },
    ]
  } finally {
    await servers.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Restores the shard in this folder. */
async function restored(control: JetStreamControl, streams: CrawlStreams, folder: string): Promise<Row> {
  let restoration: Restoration | undefined
  const startMs = performance.now()
  const cpuBefore = process.cpuUsage()
  const state = await openShard({
    crawl: clusterCrawl(control.state),
    number: 0,
    folder,
    streams,
    onTaken: () => {},
    onRestored: (each) => {
      restoration = each
    },
  })
  const { user, system } = process.cpuUsage(cpuBefore)
  const seconds = (performance.now() - startMs) / 1000
  await state.log.close()
  const { copied, restoredFrom, replayed } = restoration!
  return {
    'groups copied': copied,
    'snapshot after group': restoredFrom,
    'groups replayed': replayed,
    'snapshot, MB': short(state.snapshotBytes / 1e6),
    'replayed, MB': short(state.replayedBytes / 1e6),
    'CPU s': short((user + system) / 1e6),
    s: short(seconds),
  }
}

await benchmarkMain(import.meta.url, clusterTakeoverBenchmark)
