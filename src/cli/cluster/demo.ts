/**
 * `rankward cluster demo`: three nats-servers and three workers on this machine crawl a generated web. A worker and a server are
 * killed on the way; at the end every page is there, once.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { coverageOf } from '../../cluster/heads.ts'
import { connectCluster } from '../../cluster/jetstream/connect.ts'
import { CrawlStreams } from '../../cluster/jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../../cluster/jetstream/jetstream-control.ts'
import { createCrawl } from '../../cluster/worker/create-crawl.ts'
import { bestSeed } from '../../graph/reachability.ts'
import { syntheticGraph } from '../../graph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../../served/served-web.ts'
import { percentText, plural } from '../crawl/words.ts'
import { printJson, wholeNumber } from '../options.ts'
import { NatsProcesses } from './nats-processes.ts'

type Connection = Awaited<ReturnType<typeof connectCluster>>

interface DemoOptions {
  readonly pages: number
  readonly sites: number
  readonly shards: number
  readonly json?: boolean
}

const servers = 3
const workers = 3
const name = 'demo'
const lookMs = 500

export function clusterDemoCommand(): Command {
  return new Command('demo')
    .description(
      'Crawl a generated web with three nats-servers and three workers on this machine, and kill one of each',
    )
    .option('--pages <n>', 'pages of the web', wholeNumber({ min: 100, max: 1_000_000 }), 2000)
    .option('--sites <n>', 'number of hosts', wholeNumber({ min: 3, max: 1000 }), 40)
    .option('--shards <n>', 'parts of the crawl', wholeNumber({ min: 1, max: 64 }), 8)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  rankward cluster demo --pages 5000')
    .action(run)
}

async function run({ pages, sites, shards, json }: DemoOptions): Promise<void> {
  const say = (text: string): void => void (json === true ? undefined : process.stdout.write(`${text}\n`))
  const folder = mkdtempSync(join(tmpdir(), 'rankward-cluster-'))
  const web = syntheticGraph({ pages, sites, seed: 1 })
  const { seed, reachable } = bestSeed(web.graph)
  const requests = new Map<number, number>()
  const served = await serveWeb(web, {
    keepAccesses: false,
    onRequest: ({ page }) => {
      if (page !== undefined) requests.set(page, (requests.get(page) ?? 0) + 1)
    },
  })
  const nats = await NatsProcesses.start(join(folder, 'nats'), servers)
  const children: ChildProcess[] = []
  let connection: Connection | undefined
  try {
    connection = await untilDone(() => connectCluster({ cluster: nats.addresses }))
    say(
      `${plural(servers, 'nats-server')} run, and a web of ${plural(reachable, 'page')} on ${plural(sites, 'host')}.`,
    )
    const options = {
      seeds: [served.urlOf(seed)],
      scope: 'any' as const,
      wait: 0.05,
      allowPrivate: true,
      warc: false,
    }
    const parts = { connection, name, shards, replicas: servers, options }
    const control = await createCrawl(parts)
    const streams = await CrawlStreams.open({ ...parts, crawl: name })
    for (let worker = 0; worker < workers; worker++) {
      children.push(startWorker(nats.addresses, join(folder, `worker-${worker}`)))
    }
    say(`${plural(workers, 'worker')} share ${plural(shards, 'shard')}.`)
    await untilFetched(streams, 0.3 * reachable)
    children[0].kill('SIGKILL')
    say('30% of the pages: a worker is killed (kill -9). The others take its shards over after 20 seconds.')
    await untilFetched(streams, 0.6 * reachable)
    await nats.kill(0)
    say('60%: a server is killed (kill -9). The others elect leaders in its place.')
    await untilStopped(control)
    const heads = await untilDone(() => streams.heads())
    const fetched = heads.reduce((sum, head) => sum + (head?.fetched ?? 0), 0)
    const twice = [...requests.values()].filter((count) => count > 1).length
    const coverage = coverageOf(heads, 0.85)
    if (json === true) return printJson({ reachable, fetched, requestedTwice: twice, coverage })
    say(
      `Finished: ${fetched} of ${reachable} pages are journaled, ${percentText(coverage)} of the importance is certain. ${plural(twice, 'page')} had to be requested twice: the killed worker had not journaled ${twice === 1 ? 'it' : 'them'}.`,
    )
  } finally {
    await Promise.all(children.map((child) => ended(child)))
    await connection?.close()
    await nats.stop()
    await served.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function startWorker(addresses: readonly string[], folder: string): ChildProcess {
  const cluster = addresses.flatMap((address) => ['--cluster', address])
  const args = [process.argv[1], 'worker', ...cluster, '--name', name, '--out', folder, '--no-progress']
  return spawn(process.execPath, args, { stdio: 'ignore' })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function untilFetched(streams: CrawlStreams, pages: number): Promise<void> {
  for (;;) {
    const heads = await untilDone(() => streams.heads())
    if (heads.reduce((sum, head) => sum + (head?.fetched ?? 0), 0) >= pages) return
    await pause()
  }
}

async function untilStopped(control: JetStreamControl): Promise<void> {
  while ((await untilDone(() => control.read())).stopped === undefined) await pause()
}

/** Servers that start or elect a leader do not respond for seconds. */
async function untilDone<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
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
