/**
 * `rankward cluster demo`: three nats-servers and three workers on this machine crawl a generated web. A worker and a server are
 * killed on the way; at the end every page is there, once.
 */
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { coverageOf } from '../../cluster/protocol/heads.ts'
import { connectCluster } from '../../cluster/jetstream/connect.ts'
import { CrawlStreams } from '../../cluster/jetstream/crawl-streams.ts'
import { memberOf, type ShardHead } from '../../cluster/protocol/shard-group.ts'
import { createCrawl } from '../../cluster/crawl/create-crawl.ts'
import { bestSeed } from '../../webgraph/reachability.ts'
import { syntheticGraph } from '../../webgraph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../../webgraph/served/served-web.ts'
import { agreeing, durationText, percentText, plural } from '../crawl/words.ts'
import { printJson, wholeNumber } from '../options.ts'
import { grouped } from '../terminal.ts'
import { DemoProcesses } from './demo-processes.ts'
import type { Access } from '../../webgraph/served/access.ts'
import { NatsProcesses } from './nats-processes.ts'

type Connection = Awaited<ReturnType<typeof connectCluster>>
type Heads = readonly (ShardHead | undefined)[]

interface DemoOptions {
  readonly pages: number
  readonly sites: number
  readonly shards: number
  readonly json?: boolean
}

const servers = 3
const workers = 3
const name = 'demo'
const damping = 0.85
/** Seconds between two requests to a host. */
const wait = 0.05
const lookMs = 500
const lineMs = 5000

export function clusterDemoCommand(): Command {
  return new Command('demo')
    .description(
      'Crawl a generated web with three nats-servers and three workers on this machine, kill one of each, and check that nothing is lost',
    )
    .option('--pages <n>', 'pages of the web', wholeNumber({ min: 100, max: 1_000_000 }), 2000)
    .option('--sites <n>', 'number of hosts', wholeNumber({ min: 3, max: 1000 }), 40)
    .option('--shards <n>', 'parts of the crawl', wholeNumber({ min: 1, max: 64 }), 8)
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
It takes about a minute and a half: the others take the shards of a killed worker over after 20 seconds. Needs the program nats-server.
The exit code is 1 if a page is lost.

Example:
  rankward cluster demo --pages 5000`,
    )
    .action(run)
}

async function run(options: DemoOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-cluster-'))
  const processes = new DemoProcesses(folder)
  const web = syntheticGraph({ pages: options.pages, sites: options.sites, seed: 1 })
  const { seed, reachable } = bestSeed(web.graph)
  const requests = new DemoRequests(wait)
  const served = await serveWeb(web, { keepAccesses: false, onAccess: (access) => requests.add(access) })
  let connection: Connection | undefined
  try {
    const nats = await NatsProcesses.start(processes, join(folder, 'nats'), servers)
    connection = await untilDone(processes, () => connectCluster({ cluster: nats.addresses }))
    const seeds = [served.urlOf(seed)]
    const demo = new Demo({ options, folder, processes, nats, connection, seeds, reachable })
    const heads = await demo.run()
    const fetched = fetchedIn(heads)
    const result = {
      reachable,
      fetched,
      lost: reachable - Math.min(fetched, requests.pages),
      requestedTwice: requests.twice,
      requestsWithinGap: requests.withinGap,
      coverage: coverageOf(heads, damping),
    }
    if (result.lost !== 0) process.exitCode = 1
    if (options.json === true) return printJson(result)
    process.stdout.write(`\n${verdictText(result)}\n`)
  } finally {
    await connection?.close()
    await processes.stop()
    await served.close()
  }
}

interface Verdict {
  readonly reachable: number
  readonly fetched: number
  readonly lost: number
  readonly requestedTwice: number
  readonly requestsWithinGap: number
  readonly coverage: number
}

function verdictText(verdict: Verdict): string {
  const { reachable, fetched, lost, requestedTwice, requestsWithinGap, coverage } = verdict
  return [
    lost === 0
      ? `Nothing is lost: all ${plural(reachable, 'page')} are in the journals, each once, and ${percentText(coverage)} of the importance is certain.`
      : `LOST: ${plural(fetched, 'page')} of ${grouped(reachable)} are in the journals.`,
    requestedTwice === 0
      ? 'No page was requested twice.'
      : `${plural(requestedTwice, 'page')} ${agreeing(requestedTwice, 'was', 'were')} requested twice: the killed worker had not journaled ${agreeing(requestedTwice, 'it', 'them')}.`,
    requestsWithinGap === 0
      ? `No host was requested again within ${1000 * wait} ms.`
      : `${plural(requestsWithinGap, 'request')} came within ${1000 * wait} ms of another to the same host.`,
  ].join('\n')
}

interface DemoParts {
  readonly options: DemoOptions
  readonly folder: string
  readonly processes: DemoProcesses
  readonly nats: NatsProcesses
  readonly connection: Connection
  readonly seeds: readonly string[]
  readonly reachable: number
}

/** The crawl, from its beginning to its end. */
class Demo {
  readonly #parts: DemoParts
  readonly #start = performance.now()
  #lineAt = performance.now() + lineMs

  constructor(parts: DemoParts) {
    this.#parts = parts
  }

  /** Returns the last groups of all shards. */
  async run(): Promise<Heads> {
    const { options, folder, nats, connection, seeds, reachable } = this.#parts
    const { shards, sites } = options
    this.#say(
      `${plural(servers, 'nats-server')} and a web of ${plural(reachable, 'page')} on ${plural(sites, 'host')} run on this machine.`,
    )
    const crawl = { seeds, scope: 'any', wait, allowPrivate: true, warc: false } as const
    const parts = { connection, name, shards, replicas: servers, options: crawl }
    const control = await createCrawl(parts)
    const streams = await CrawlStreams.open({ ...parts, crawl: name })
    const folders = Array.from({ length: workers }, (_, worker) => join(folder, `worker-${worker}`))
    const children = folders.map((each) => this.#startWorker(nats.addresses, each))
    this.#say(`${plural(workers, 'worker')} share ${plural(shards, 'shard')} of the crawl.`)
    await this.#killWorker(await this.#untilFetched(streams, 0.3 * reachable), folders, children)
    await this.#untilFetched(streams, 0.6 * reachable)
    await nats.kill(0)
    this.#say('A server is killed (kill -9). The others elect new leaders within seconds.')
    for (;;) {
      const { stopped } = await this.#done(() => control.read())
      const heads = await this.#done(() => streams.heads())
      if (stopped !== undefined) return heads
      this.#showProgress(heads)
      await pause()
    }
  }

  #startWorker(addresses: readonly string[], folder: string): ChildProcess {
    const cluster = addresses.flatMap((address) => ['--cluster', address])
    const args = [
      process.argv[1],
      'cluster',
      'worker',
      ...cluster,
      '--name',
      name,
      '--out',
      folder,
      '--no-progress',
    ]
    return this.#parts.processes.start('worker', process.execPath, args)
  }

  /** Kills the worker with the most shards. */
  async #killWorker(
    heads: Heads,
    folders: readonly string[],
    children: readonly ChildProcess[],
  ): Promise<void> {
    const owners = heads.map((head) => head && memberOf(head.writer))
    const counts = folders.map((folder) => {
      const worker = workerIn(folder)
      return owners.filter((owner) => owner === worker).length
    })
    const shards = Math.max(...counts)
    const victim = counts.indexOf(shards)
    await this.#parts.processes.kill(children[victim])
    this.#say(
      `A worker is killed (kill -9) that owns ${shards} of ${plural(heads.length, 'shard')}. The others take them over after 20 seconds.`,
    )
  }

  async #untilFetched(streams: CrawlStreams, pages: number): Promise<Heads> {
    for (;;) {
      const heads = await this.#done(() => streams.heads())
      if (fetchedIn(heads) >= pages) return heads
      this.#showProgress(heads)
      await pause()
    }
  }

  #done<T>(run: () => Promise<T>): Promise<T> {
    return untilDone(this.#parts.processes, run)
  }

  #showProgress(heads: Heads): void {
    if (performance.now() < this.#lineAt) return
    const fetched = fetchedIn(heads)
    const certain = `${percentText(coverageOf(heads, damping))} of the importance is certain`
    this.#say(
      fetched < this.#parts.reachable
        ? `${plural(fetched, 'page')} in the journals; ${certain}.`
        : `All pages are in the journals; ${certain}. The shards exchange the rest.`,
    )
  }

  #say(text: string): void {
    this.#lineAt = performance.now() + lineMs
    const seconds = Math.round((performance.now() - this.#start) / 1000)
    if (this.#parts.options.json !== true)
      process.stdout.write(`${durationText(seconds).padStart(8)}  ${text}\n`)
  }
}

function fetchedIn(heads: Heads): number {
  return heads.reduce((sum, head) => sum + (head?.fetched ?? 0), 0)
}

/** The name of the worker in this folder; undefined before it has started. */
function workerIn(folder: string): string | undefined {
  const path = join(folder, 'worker.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { worker: string }).worker : undefined
}

/** Servers that start or elect a leader do not respond for seconds. */
async function untilDone<T>(processes: DemoProcesses, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    processes.check()
    try {
      return await run()
    } catch (error) {
      if (attempt === 120) throw error
      await pause()
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, lookMs))
}

/** The server's clock starts when it reads a request. */
const toleranceMs = 3

/** What the web server has seen: pages that were requested, and requests to a host that came too soon after another. */
class DemoRequests {
  readonly #gapMs: number
  readonly #counts = new Map<string, number>()
  /** By host: when the last response ended. */
  readonly #ends = new Map<number, number>()
  #withinGap = 0

  /** The gap of a host, in seconds. */
  constructor(gap: number) {
    this.#gapMs = 1000 * gap
  }

  add({ site, path, status, startMs, endMs }: Access): void {
    const lastMs = this.#ends.get(site)
    if (lastMs !== undefined && startMs - lastMs < this.#gapMs - toleranceMs) this.#withinGap++
    this.#ends.set(site, Math.max(endMs, lastMs ?? 0))
    if (status !== 200 || path === '/robots.txt') return
    const page = `${site}${path}`
    this.#counts.set(page, (this.#counts.get(page) ?? 0) + 1)
  }

  /** Pages that were requested. */
  get pages(): number {
    return this.#counts.size
  }

  /** Pages that were requested more than once. */
  get twice(): number {
    let twice = 0
    for (const count of this.#counts.values()) if (count > 1) twice++
    return twice
  }

  get withinGap(): number {
    return this.#withinGap
  }
}
