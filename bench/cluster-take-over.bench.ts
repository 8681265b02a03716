/**
 * What it costs a worker with an empty folder to take a shard of a real crawl over: from the newest snapshot, and from the whole journal.
 *
 *   npm run bench -- cluster-take-over [--pages 40000]
 *
 * A worker crawls a generated web on one shard. At several sizes of the journal the crawl is paused, and this process restores the
 * shard as a worker does before it claims it. CPU time counts, since other programs do not affect it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { CrawlStreams } from '../src/cluster/jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../src/cluster/jetstream/jetstream-control.ts'
import { journalStream } from '../src/cluster/protocol/stream-names.ts'
import { createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import { openShard, type Restoration } from '../src/cluster/crawl/shard-state.ts'
import { clusterCrawl } from '../src/cluster/crawl/cluster-crawl.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../src/webgraph/served/served-web.ts'
import { NatsServers, untilDone } from '../test/support/nats-server.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { CommandProcess } from './cluster/cluster-processes.ts'
import { numberOption, short, tell } from './webs.ts'

const name = 'take-over'

type Rows = BenchmarkResult['rows']

export const clusterTakeOverBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const pages = isSmall ? 300 : numberOption('pages', 40_000)
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-'))
  const web = syntheticGraph({ pages, sites: Math.min(1000, Math.ceil(pages / 20)), seed: 1 })
  const { seed, reachable } = bestSeed(web.graph)
  const served = await serveWeb(web, { keepAccesses: false })
  const servers = await NatsServers.start(folder)
  let worker: CommandProcess | undefined
  try {
    const connection = await servers.connect()
    const options = {
      seeds: [served.urlOf(seed)],
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      warc: false,
      threads: 1,
      out: 'unused',
    } as const
    const control = await createCrawl({ connection, name, shards: 1, replicas: 1, options })
    const streams = await CrawlStreams.open({ connection, crawl: name, shards: 1, replicas: 1 })
    const address = servers.addresses[0]
    worker = new CommandProcess(['cluster', 'worker', '--cluster', address, '--out', join(folder, 'worker')])
    const manager = await jetstreamManager(connection, { checkAPI: false })
    const rows: Rows = []
    for (const part of isSmall ? [1] : [1 / 8, 1 / 2, 0.98]) {
      const fetched = await fetchedAtPause(control, streams, part * reachable)
      const { state } = await untilDone(() => manager.streams.info(journalStream(name, 0)))
      const crawl = clusterCrawl(control.state)
      const parts = { crawl, number: 0, onTaken: () => {} }
      const quick = await restored({ ...parts, streams, folder: join(folder, `quick-${part}`) })
      const whole = await restored({
        ...parts,
        streams: withoutSnapshots(streams),
        folder: join(folder, `whole-${part}`),
      })
      const row = {
        'pages fetched': fetched,
        'journal, MB': short(state.bytes / 1e6),
        groups: state.last_seq,
        'groups replayed after the snapshot': quick.replayed,
        'from the snapshot, CPU s': short(quick.cpuSeconds),
        'whole journal, CPU s': short(whole.cpuSeconds),
        'from the snapshot, s': short(quick.seconds),
        'whole journal, s': short(whole.seconds),
      }
      if (!isSmall) tell(JSON.stringify(row))
      rows.push(row)
      if (part < 0.98) await control.command({ kind: 'resume' })
    }
    return { rows, check: rows.reduce((sum, row) => sum + Number(row['pages fetched']), 0) }
  } finally {
    await worker?.kill()
    await servers.stop()
    await served.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pauses the crawl once it has this many pages; resolves when the shard is at rest. */
async function fetchedAtPause(
  control: JetStreamControl,
  streams: CrawlStreams,
  pages: number,
): Promise<number> {
  for (;;) {
    const [head] = await untilDone(() => streams.heads())
    if ((head?.fetched ?? 0) >= pages) break
    await sleep(100)
  }
  const { number } = await control.command({ kind: 'pause' })
  for (;;) {
    const [head] = await untilDone(() => streams.heads())
    if (head !== undefined && head.control >= number && head.inFlight === 0) return head.fetched
    await sleep(100)
  }
}

interface Restored extends Restoration {
  readonly seconds: number
  readonly cpuSeconds: number
}

async function restored(options: Parameters<typeof openShard>[0]): Promise<Restored> {
  let restoration: Restoration | undefined
  const start = performance.now()
  const before = process.cpuUsage()
  const state = await openShard({ ...options, onRestored: (made) => (restoration = made) })
  const { user, system } = process.cpuUsage(before)
  await state.log.close()
  return { ...restoration!, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
}

function withoutSnapshots(streams: CrawlStreams): CrawlStreams {
  return new Proxy(streams, {
    get(target, property) {
      if (property === 'snapshots') return undefined
      const value = Reflect.get(target, property) as unknown
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

await benchmarkMain(import.meta.url, clusterTakeOverBenchmark)
