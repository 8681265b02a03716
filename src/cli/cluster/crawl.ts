/** `rankward crawl --cluster`: begins a crawl on a cluster and follows it. Workers do the crawling. */
import { clusterWatching, type ClusterWatch } from '../../cluster/watching.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { connectCluster } from '../../cluster/jetstream/connect.ts'
import { natsFailure } from '../../cluster/jetstream/nats-errors.ts'
import { clusterStatus, isObeyed, type ClusterStatus } from '../../cluster/protocol/cluster-status.ts'
import { coverageOf } from '../../cluster/protocol/heads.ts'
import { readCluster } from '../../cluster/jetstream/cluster-reading.ts'
import { CrawlStreams } from '../../cluster/jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../../cluster/jetstream/jetstream-control.ts'
import { clusterSettings, createCrawl } from '../../cluster/crawl/create-crawl.ts'
import type { CrawlCliOptions, CrawlOptions } from '../../crawler/options/crawl-options.ts'
import { RankwardError } from '../../lib/errors.ts'
import { planJson, planText } from '../crawl/plan.ts'
import { crawlRequest, folderNamedAfter } from '../crawl/request.ts'
import { percentText, plural } from '../crawl/words.ts'
import { grouped } from '../../lib/amounts.ts'
import { printJson } from '../options.ts'
import { defaultShards } from './crawl-options.ts'
import { connectionOf } from './options.ts'

type Connection = Awaited<ReturnType<typeof connectCluster>>

const lookMs = 1000
const lineMs = 10_000

/** Options that would do nothing are refused. */
function checkUnused({ out, events, ...others }: CrawlCliOptions): void {
  const flags = [
    ...(out === undefined ? [] : ['--out']),
    ...(events === true ? ['--events'] : []),
    ...('index' in others && others.index === true ? ['--set index'] : []),
  ]
  if (flags.length === 0) return
  throw new RankwardError(
    'USAGE',
    `With --cluster, leave out ${flags.join(' and ')}: the record of the crawl is on the cluster, and every worker has a folder of its own (rankward cluster worker --out).`,
  )
}

export async function runClusterCrawl(
  seeds: readonly string[],
  options: CrawlCliOptions,
  command: Command,
): Promise<void> {
  checkUnused(options)
  // A crawl on a cluster has no folder here; without a name for one, there would be a note about its default.
  const { request, notes } = await crawlRequest(seeds, { ...options, out: 'cluster' })
  const { shards = defaultShards, ...given } = command.opts<{
    name?: string
    shards?: number
    replicas?: number
  }>()
  // Before a connection: options that a cluster does not support need no server to be refused.
  const settings = clusterSettings(request)
  for (const note of notes) process.stderr.write(`rankward: note: ${note}\n`)
  const name = given.name ?? folderNamedAfter(request.seeds[0]).replace('crawl-', '').replaceAll('.', '-')
  if (options.dryRun === true) {
    const plan = { ...request, settings, out: `the cluster, as ${name}` }
    if (options.json === true) printJson(planJson(plan))
    else process.stdout.write(`${planText(plan)}\n`)
    return
  }
  const connection = await connectCluster(connectionOf(command))
  try {
    const replicas = given.replicas ?? defaultReplicas(connection)
    const control = await createCrawl({ connection, name, shards, replicas, options: request })
    const streams = await CrawlStreams.open({ connection, crawl: name, shards, replicas })
    process.stderr.write(
      `The crawl ${name} has begun, on ${plural(shards, 'shard')}. Workers crawl it: rankward cluster worker --cluster ADDRESS --name ${name}\n`,
    )
    const dashboard = await openDashboard(connection, name, request)
    try {
      await follow(connection, control, streams, request.damping ?? 0.85, options)
    } finally {
      await dashboard?.close()
    }
  } catch (error) {
    throw natsFailure(error)
  } finally {
    await connection.close()
  }
}

/** With `--dashboard`, it is open for as long as the crawl is followed. */
async function openDashboard(
  connection: Connection,
  crawl: string,
  options: CrawlOptions,
): Promise<ClusterWatch | undefined> {
  const onProblem = (what: string): void =>
    void process.stderr.write(`rankward: the dashboard has a problem: ${what}\n`)
  if (options.dashboard === undefined) return undefined
  const opening = { ...options, dashboard: options.dashboard, connection, crawl, onProblem }
  const dashboard = await clusterWatching.get()(opening)
  const { url, token, needsToken } = dashboard
  const shown = options.dashboardToken === undefined ? `the token ${token}` : 'the token of your file'
  process.stderr.write(
    `Dashboard: ${url} (${needsToken ? 'reading and control need' : 'control needs'} ${shown})\n`,
  )
  return dashboard
}

/** The servers of the cluster that the connection knows. */
function defaultReplicas(connection: Connection): number {
  const servers = 1 + (connection.info?.connect_urls?.length ?? 0)
  return servers >= 3 ? 3 : 1
}

/** Shows the progress until the crawl is over. Ctrl-C ends the display, not the crawl. */
async function follow(
  connection: Connection,
  control: JetStreamControl,
  streams: CrawlStreams,
  damping: number,
  { json, progress }: CrawlCliOptions,
): Promise<void> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const { signal } = interrupted
  let lineAt = 0
  for (;;) {
    for await (const heads of looks(control, streams, signal)) {
      if (progress === false || performance.now() < lineAt) continue
      lineAt = performance.now() + lineMs
      process.stderr.write(`${headsText(heads, damping)}\n`)
    }
    const end = signal.aborted ? undefined : await obeyed(connection, control.crawl, signal)
    if (signal.aborted) break
    // It was resumed meanwhile.
    if (end === undefined) continue
    const { status, heads } = end
    const orphaned = status.shards.filter(({ phase }) => phase === 'orphaned').length
    const { name, pages, waiting, stoppedBecause = '' } = status
    if (json === true)
      printJson({ name, pages, waiting, coverage: coverageOf(heads, damping), stoppedBecause, orphaned })
    else {
      const lost =
        orphaned === 0 ? '' : `. The workers of ${plural(orphaned, 'shard')} ended without handing them over`
      process.stdout.write(`${name}: ${stoppedBecause}. ${headsText(heads, damping)}${lost}\n`)
    }
    return
  }
  process.stderr.write(`The crawl ${control.crawl} continues without this display.\n`)
}

type Heads = Awaited<ReturnType<CrawlStreams['heads']>>

function headsText(heads: Heads, damping: number): string {
  const known = heads.filter((head) => head !== undefined)
  const sum = (of: 'fetched' | 'waiting'): number => known.reduce((total, head) => total + head[of], 0)
  return `${plural(sum('fetched'), 'page')}, ${grouped(sum('waiting'))} waiting, ${percentText(coverageOf(heads, damping))} certain, ${known.length} of ${plural(heads.length, 'shard')} begun`
}

/** The last groups of all shards, again and again until the crawl is stopped. */
async function* looks(
  control: JetStreamControl,
  streams: CrawlStreams,
  signal: AbortSignal,
): AsyncGenerator<Heads> {
  while (!signal.aborted) {
    const state = await ifItResponds(control.read())
    if (state?.stopped !== undefined) return
    const heads = await ifItResponds(streams.heads())
    if (heads !== undefined) yield heads
    await sleep(lookMs, undefined, { signal }).catch(() => {})
  }
}

/** The crawl after its stop, once all live workers have obeyed; undefined if it was resumed, or the signal aborts. */
async function obeyed(
  connection: Connection,
  crawl: string,
  signal: AbortSignal,
): Promise<{ readonly status: ClusterStatus; readonly heads: Heads } | undefined> {
  while (!signal.aborted) {
    const reading = await ifItResponds(readCluster(connection, crawl))
    if (reading !== undefined) {
      const status = clusterStatus(reading)
      if (status.stoppedBecause === undefined) return undefined
      if (isObeyed(status)) return { status, heads: reading.shards.map((shard) => shard?.head) }
    }
    await sleep(lookMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}

/** Undefined while the servers do not respond: an election takes seconds. Throws if the crawl was deleted or cannot be read. */
function ifItResponds<T>(response: Promise<T>): Promise<T | undefined> {
  return response.catch((error: unknown) => {
    if (error instanceof RankwardError) throw error
    return undefined
  })
}
