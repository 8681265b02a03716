/** `rankward crawl --cluster`: begins a crawl on a cluster and follows it. Workers do the crawling. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { connectCluster } from '../../cluster/jetstream/connect.ts'
import { natsFailure } from '../../cluster/jetstream/nats-errors.ts'
import { coverageOf } from '../../cluster/heads.ts'
import type { OrderKind } from '../../cluster/page-order.ts'
import { CrawlStreams } from '../../cluster/jetstream/crawl-streams.ts'
import type { JetStreamControl } from '../../cluster/jetstream/jetstream-control.ts'
import { clusterSettings, createCrawl } from '../../cluster/worker/create-crawl.ts'
import type { CrawlOptions } from '../../options/crawl-options.ts'
import { dashboardAddress } from '../../options/dashboard-address.ts'
import type { CrawlCliOptions } from '../../options/option-table.ts'
import { RankwardError } from '../../lib/errors.ts'
import { planJson, planText } from '../crawl/plan.ts'
import { crawlRequest, folderNamedAfter } from '../crawl/request.ts'
import { groupedCount as grouped } from '../../lib/counted.ts'
import { percentText, plural } from '../crawl/words.ts'
import { printJson } from '../options.ts'
import { defaultShards } from './crawl-options.ts'
import { connectionOf } from './options.ts'

type Connection = Awaited<ReturnType<typeof connectCluster>>

const lookMs = 1000
const lineMs = 10_000

/** Options that would do nothing are refused. */
function checkUnused({ out, events, index }: CrawlCliOptions): void {
  const flags = [
    ...(out === undefined ? [] : ['--out']),
    ...(events === true ? ['--events'] : []),
    ...(index === true ? ['--index'] : []),
  ]
  if (flags.length === 0) return
  throw new RankwardError(
    'USAGE',
    `With --cluster, leave out ${flags.join(' and ')}: the record of the crawl is on the cluster, and every worker has a folder of its own (rankward worker --out).`,
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
    workerOrder?: OrderKind
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
    const order = given.workerOrder
    const control = await createCrawl({ connection, name, shards, replicas, options: request, order })
    const streams = await CrawlStreams.open({ connection, crawl: name, shards, replicas })
    process.stderr.write(
      `The crawl ${name} has begun, on ${plural(shards, 'shard')}. Workers crawl it: rankward worker --cluster ADDRESS --name ${name}\n`,
    )
    const dashboard = await openDashboard(connection, name, request)
    try {
      await follow(control, streams, request.damping ?? 0.85, options)
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
  { dashboard: address, dashboardToken: tokenFile, dashboardNames: names }: CrawlOptions,
): Promise<{ close(): Promise<void> } | undefined> {
  if (address === undefined) return undefined
  const [dashboards, { ClusterSource }] = await Promise.all([
    import('../../dashboard/dashboard.ts'),
    import('../../dashboard/cluster-source.ts'),
  ])
  const source = await ClusterSource.open({ connection, crawl })
  const dashboard = await dashboards.openDashboard({
    source,
    // The option was checked.
    address: dashboardAddress(address)!,
    tokenFile,
    names,
    onProblem: (what) => void process.stderr.write(`rankward: the dashboard has a problem: ${what}\n`),
  })
  const { url, token, needsToken } = dashboard
  const shown = tokenFile === undefined ? `the token ${token}` : 'the token of your file'
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
  control: JetStreamControl,
  streams: CrawlStreams,
  damping: number,
  { json, progress }: CrawlCliOptions,
): Promise<void> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  let lineAt = 0
  for await (const heads of looks(control, streams, interrupted.signal)) {
    const known = heads.filter((head) => head !== undefined)
    const sum = (of: 'fetched' | 'waiting'): number => known.reduce((total, head) => total + head[of], 0)
    const coverage = coverageOf(heads, damping)
    const { stopped } = control.state
    const status = { name: control.crawl, pages: sum('fetched'), waiting: sum('waiting'), coverage }
    const text = `${plural(status.pages, 'page')}, ${grouped(status.waiting)} waiting, ${percentText(coverage)} certain, ${grouped(known.length)} of ${plural(heads.length, 'shard')} begun`
    if (stopped !== undefined) {
      if (json === true) printJson({ ...status, stoppedBecause: stopped })
      else process.stdout.write(`${control.crawl}: ${stopped}. ${text}\n`)
    } else if (progress !== false && performance.now() >= lineAt) {
      lineAt = performance.now() + lineMs
      process.stderr.write(`${text}\n`)
    }
  }
  if (interrupted.signal.aborted)
    process.stderr.write(`The crawl ${control.crawl} continues without this display.\n`)
}

type Heads = Awaited<ReturnType<CrawlStreams['heads']>>

/** The last groups of all shards, again and again until the crawl is stopped; then once more. */
async function* looks(
  control: JetStreamControl,
  streams: CrawlStreams,
  signal: AbortSignal,
): AsyncGenerator<Heads> {
  while (!signal.aborted) {
    const isOver = await control.read().then(
      ({ stopped }) => stopped !== undefined,
      (error: unknown) => {
        // The crawl was deleted, or its control stream cannot be read.
        if (error instanceof RankwardError) throw error
        // Servers that elect a leader do not respond for seconds.
        return false
      },
    )
    const heads = await streams.heads().catch(() => undefined)
    if (heads !== undefined) {
      yield heads
      if (isOver) return
    }
    await sleep(lookMs, undefined, { signal }).catch(() => {})
  }
}
