/**
 * What a cluster costs: workers on one and on three nats-servers against a crawl on one machine, of the same web. All run as
 * processes of the command line.
 *
 *   npm run bench -- cluster-overhead [--pages 10000] [--page-bytes 2000] [--rounds 3] [--settings 1x1x1,1x16x1,1x64x1,1x64x4,3x16x1]
 *
 * A setting is the number of servers, of shards and of workers. Pages have 2 kB: the smaller they are, the more of the CPU time is the price of shards.
 * Sites have no gap, so the processor is the limit. CPU time counts from the first request to the end of the crawl; rates, from
 * the first request to the last response. The figures are medians of all rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import { readCluster } from '../src/cluster/jetstream/cluster-reading.ts'
import { clusterStatus, isObeyed } from '../src/cluster/protocol/cluster-status.ts'
import { journalStream, linksStream, subjectOf } from '../src/cluster/protocol/stream-names.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { sitesFromNumbers } from '../src/webgraph/sites.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { NatsServers, untilDone } from '../test/support/nats-server.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { CommandProcess, cpuSecondsOf } from './cluster/cluster-processes.ts'
import { numberOption, short, tell, textOption } from './webs.ts'

/** Pages of a site. */
const sitePagesMax = 100

/** Servers and shards of a run; undefined for the crawl on one machine. */
interface Setting {
  readonly servers: 1 | 3
  readonly shards: number
  readonly workers: number
}

interface Crawled {
  readonly pages: number
  readonly seconds: number
  /** From the first request to the end of the crawl. */
  readonly wholeSeconds: number
  readonly cpuSeconds: number
  readonly serverCpuSeconds: number
  readonly journalBytes: number
  readonly groups: number
  readonly messages: number
  readonly messageBytes: number
  /** To create the streams of the crawl. */
  readonly createSeconds: number
  /** Of all workers and of all servers, as a share of a core, while the crawl is paused. */
  readonly idleWorkers: number
  readonly idleServers: number
}

export const clusterOverheadBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const pages = isSmall ? 200 : numberOption('pages', 10_000)
  const rounds = isSmall ? 1 : numberOption('rounds', 3)
  const settings = [undefined, ...(isSmall ? [smallSetting] : settingsOf(textOption('settings') ?? usual))]
  const { graph, sites } = syntheticGraph({ pages, sites: Math.ceil(pages / 50), seed: 1 })
  const { seed } = bestSeed(graph)
  const web = { graph, sites: sitesFromNumbers(parts(sites.ofPage)) }
  const served = await serveWeb(web, { html: pagesOf(graph, numberOption('page-bytes', 2000)) })
  const runs = settings.map((): Crawled[] => [])
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [i, setting] of settings.entries()) {
        const run = await crawled(served, served.urlOf(seed), setting)
        if (!isSmall) tell(JSON.stringify({ setting, ...run }))
        runs[i].push(run)
      }
    }
  } finally {
    await served.close()
  }
  return {
    rows: settings.map((setting, i) => row(setting, runs[i], runs[0])),
    check: runs.flat().reduce((sum, run) => sum + run.pages, 0),
  }
}

const usual = '1x1x1,1x16x1,1x64x1,1x64x4,3x16x1'
const smallSetting: Setting = { servers: 1, shards: 2, workers: 2 }

function settingsOf(text: string): Setting[] {
  return text.split(',').map((each) => {
    const [servers, shards, workers] = each.split('x').map(Number)
    return { servers: servers === 3 ? 3 : 1, shards, workers }
  })
}

/** Pages of about this size: the links of the graph, and words of which no two pages have the same. */
function pagesOf(graph: Graph, bytes: number): (page: number, hrefOf: (target: number) => string) => string {
  const cursor = graph.cursor()
  return (page, hrefOf) => {
    cursor.seek(page)
    const targets = cursor.targets.subarray(cursor.start, cursor.end)
    let html = `<!doctype html><title>Page ${page}</title>`
    for (const target of targets) html += `<p><a href="${hrefOf(target)}">Page ${target}</a>`
    const random = seededRandom(1, page)
    while (html.length < bytes) html += ` word${random.below(100_000)}`
    return html
  }
}

/**
 * The site of each page, if large sites are divided: a site has one connection, so the largest one of the generated web would be
 * the limit, and not the processor.
 */
function parts(ofPage: ArrayLike<number>): Uint32Array {
  const numbers = new Uint32Array(ofPage.length)
  for (let page = 1, start = 0; page < ofPage.length; page++) {
    const isSame = ofPage[page] === ofPage[page - 1] && page - start < sitePagesMax
    if (!isSame) start = page
    numbers[page] = numbers[page - 1] + (isSame ? 0 : 1)
  }
  return numbers
}

function row(
  setting: Setting | undefined,
  runs: readonly Crawled[],
  alone: readonly Crawled[],
): BenchmarkResult['rows'][number] {
  const median = (of: (run: Crawled) => number, these = runs): number =>
    these.map(of).toSorted((a, b) => a - b)[these.length >> 1]
  const rate = ({ pages, seconds }: Crawled): number => pages / seconds
  const cpu = ({ pages, cpuSeconds }: Crawled): number => (1000 * cpuSeconds) / pages
  const allCpu = ({ pages, cpuSeconds, serverCpuSeconds }: Crawled): number =>
    (1000 * (cpuSeconds + serverCpuSeconds)) / pages
  return {
    servers: setting?.servers ?? 'none',
    shards: setting?.shards ?? 1,
    workers: setting?.workers ?? 1,
    pages: runs[0].pages,
    'pages/s': short(median(rate)),
    'ratio of rates': short(median(rate) / median(rate, alone)),
    'seconds after the last page': short(median((run) => run.wholeSeconds - run.seconds)),
    'CPU s per 1,000 pages': short(median(cpu)),
    'ratio of CPU': short(median(cpu) / median(cpu, alone)),
    'ratio with servers': short(median(allCpu) / median(cpu, alone)),
    'CPU s of all servers per 1,000 pages': short(median((run) => (1000 * run.serverCpuSeconds) / run.pages)),
    'journal, B per page': short(median((run) => run.journalBytes / run.pages)),
    groups: median((run) => run.groups),
    'messages per 1,000 pages': short(median((run) => (1000 * run.messages) / run.pages)),
    'links, B per page': short(median((run) => run.messageBytes / run.pages)),
    'seconds to create': short(median((run) => run.createSeconds)),
    'idle workers, cores': short(median((run) => run.idleWorkers)),
    'idle servers, cores': short(median((run) => run.idleServers)),
  }
}

async function crawled(served: ServedWeb, seed: string, setting: Setting | undefined): Promise<Crawled> {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-'))
  try {
    return await (setting === undefined
      ? alone(served, seed, folder)
      : onCluster(served, seed, folder, setting))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const none = {
  serverCpuSeconds: 0,
  journalBytes: 0,
  groups: 0,
  messages: 0,
  messageBytes: 0,
  createSeconds: 0,
  idleWorkers: 0,
  idleServers: 0,
}

async function alone(served: ServedWeb, seed: string, folder: string): Promise<Crawled> {
  const before = served.accesses.length
  const flags = ['--scope', 'any', '--wait', '0', '--allow-private', '--threads', '1', '--no-progress']
  const crawl = new CommandProcess(['crawl', seed, '--out', join(folder, 'crawl'), ...flags])
  const start = await firstRequest(served, before, crawl)
  const cpuBefore = crawl.cpuSeconds
  const code = await crawl.ended
  if (code !== 0) throw new Error(`The crawl ended with code ${code}: ${crawl.output}`)
  return {
    ...none,
    ...requestsSince(served, before),
    wholeSeconds: (performance.now() - start) / 1000,
    cpuSeconds: crawl.cpuSeconds - cpuBefore,
  }
}

async function onCluster(
  served: ServedWeb,
  seed: string,
  folder: string,
  { servers: count, shards, workers: workerCount }: Setting,
): Promise<Crawled> {
  const name = 'overhead'
  const servers = await NatsServers.start(folder, { servers: count })
  const serverCpu = (): number => servers.pids.reduce<number>((sum, pid) => sum + (cpuSecondsOf(pid) ?? 0), 0)
  const workers: CommandProcess[] = []
  const workerCpu = (): number => workers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  try {
    const connection = await servers.connect()
    const options = {
      seeds: [seed],
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      threads: 1,
      out: 'unused',
    } as const
    const createdAt = performance.now()
    const control = await createCrawl({ connection, name, shards, replicas: count, options })
    const createSeconds = (performance.now() - createdAt) / 1000
    await control.command({ kind: 'pause' })
    let messages = 0
    let messageBytes = 0
    connection.subscribe(subjectOf(linksStream(name)), {
      callback: (_, { data }) => {
        messages++
        messageBytes += data.length
      },
    })
    await connection.flush()
    const before = served.accesses.length
    const cluster = servers.addresses.flatMap((address) => ['--cluster', address])
    for (let worker = 0; worker < workerCount; worker++) {
      const out = join(folder, `worker-${worker}`)
      const of = ['--name', name, '--out', out, '--no-progress']
      workers.push(new CommandProcess(['cluster', 'worker', ...cluster, ...of]))
    }
    await untilObeyed(connection, name)
    const idleSeconds = numberOption('idle-seconds', 6)
    const idleBefore = [workerCpu(), serverCpu()]
    await sleep(1000 * idleSeconds)
    const idleAfter = [workerCpu(), serverCpu()]
    await control.command({ kind: 'resume' })
    const start = await firstRequest(served, before, workers[0])
    const cpuBefore = workerCpu()
    const serverCpuBefore = serverCpu()
    while ((await untilDone(() => control.read())).stopped === undefined) await sleep(100)
    const wholeSeconds = (performance.now() - start) / 1000
    const serverCpuSeconds = serverCpu() - serverCpuBefore
    for (const worker of workers) {
      const code = await worker.ended
      if (code !== 0) throw new Error(`A worker ended with code ${code}: ${worker.output}`)
    }
    const manager = await jetstreamManager(connection, { checkAPI: false })
    let journalBytes = 0
    let groups = 0
    for (let shard = 0; shard < shards; shard++) {
      const { state } = await untilDone(() => manager.streams.info(journalStream(name, shard)))
      journalBytes += state.bytes
      groups += state.messages
    }
    return {
      ...requestsSince(served, before),
      wholeSeconds,
      cpuSeconds: workerCpu() - cpuBefore,
      serverCpuSeconds,
      journalBytes,
      groups,
      messages,
      messageBytes,
      createSeconds,
      idleWorkers: (idleAfter[0] - idleBefore[0]) / idleSeconds,
      idleServers: (idleAfter[1] - idleBefore[1]) / idleSeconds,
    }
  } finally {
    for (const worker of workers) await worker.kill()
    await servers.stop()
  }
}

/** Resolves when every shard has a worker that has seen that the crawl is paused. */
async function untilObeyed(connection: NatsConnection, name: string): Promise<void> {
  for (;;) {
    const status = clusterStatus(await untilDone(() => readCluster(connection, name)))
    if (status.shards.every(({ phase }) => phase === 'owned') && isObeyed(status)) return
    await sleep(200)
  }
}

/** Resolves with the time of the first request. */
async function firstRequest(served: ServedWeb, before: number, crawl: CommandProcess): Promise<number> {
  while (served.accesses.length === before) {
    if (!crawl.isRunning) throw new Error(`The crawl ended without a request: ${crawl.output}`)
    await sleep(5)
  }
  return performance.now()
}

function requestsSince(served: ServedWeb, before: number): Pick<Crawled, 'pages' | 'seconds'> {
  const accesses = served.accesses.slice(before)
  const startMs = Math.min(...accesses.map((access) => access.startMs))
  const endMs = Math.max(...accesses.map((access) => access.endMs))
  const pages = accesses.filter(({ status, path }) => status === 200 && path !== '/robots.txt').length
  return { pages, seconds: (endMs - startMs) / 1000 }
}

await benchmarkMain(import.meta.url, clusterOverheadBenchmark)
