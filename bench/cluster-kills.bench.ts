/**
 * A crawl on a cluster whose workers and servers are killed at random moments: what it loses, and what it fetches twice. All runs on
 * this machine: nats-servers, workers as processes of the command line, and the web, whose own log is the witness. With `--budget`, the crawl
 * has a page budget, and faults are of other kinds too: workers are frozen for up to 40 seconds or lose their folders, servers are cut off.
 *
 *   npm run bench -- cluster-kills [--pages 58000] [--sites 400] [--kills 20] [--workers 3] [--servers 3] [--shards 16] [--wait 0.03] [--seed 1] [--budget 0]
 *
 * A killed worker comes back at once, after up to 30 seconds, or never: another one with an empty folder takes its place. A killed server
 * comes back after up to 15 seconds. Some pages of the web are disallowed by robots.txt and some do not exist, so that the mass of both
 * must agree with the crawl of a single engine too.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { coverageOf } from '../src/cluster/protocol/heads.ts'
import { CrawlStreams } from '../src/cluster/jetstream/crawl-streams.ts'
import type { ShardHead } from '../src/cluster/protocol/shard-group.ts'
import { createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import { crawl, type CrawlOptions, type CrawlTotals } from '../src/crawler/crawler.ts'
import { exportCluster } from '../src/cluster/operator.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { gapsBelow } from '../test/support/access-log.ts'
import { NatsServers, untilDone } from '../test/support/nats-server.ts'
import { journaledUrls } from '../test/support/worker-cluster.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { Kills, Workers } from './cluster/killed-cluster.ts'
import { archivedCount, exportedPages, type ExportedPages } from './cluster/exported.ts'
import { numberOption, short, tell } from './webs.ts'

const name = 'kills'
const damping = 0.85
/** As seen by the web server, whose clock starts when it reads the head of a request. */
const toleranceMs = 3
/** Every so many pages is disallowed by robots.txt, and does not exist. */
const disallowedEvery = 50
const missingEvery = 61

interface Plan {
  readonly pages: number
  readonly sites: number
  readonly kills: number
  readonly workers: number
  readonly servers: 1 | 3
  readonly shards: number
  readonly wait: number
  readonly seed: number
  /** Undefined: all pages. */
  readonly budget: number | undefined
}

export const clusterKillsBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const plan: Plan = {
    pages: isSmall ? 300 : numberOption('pages', 58_000),
    sites: isSmall ? 20 : numberOption('sites', 400),
    kills: isSmall ? 2 : numberOption('kills', 20),
    workers: isSmall ? 2 : numberOption('workers', 3),
    servers: isSmall || numberOption('servers', 3) === 1 ? 1 : 3,
    shards: isSmall ? 4 : numberOption('shards', 16),
    wait: isSmall ? 0.02 : numberOption('wait', 0.03),
    seed: isSmall ? 1 : numberOption('seed', 1),
    budget: isSmall ? undefined : numberOption('budget', 0) || undefined,
  }
  const folder = mkdtempSync(join(tmpdir(), 'rankward-bench-'))
  const { served, seed } = await servedWeb(plan)
  const servers = await NatsServers.start(folder, {
    servers: plan.servers,
    isWired: plan.budget !== undefined,
  })
  try {
    const found = await killedCrawl({ plan, folder, served, seed, servers })
    if (plan.budget !== undefined) return { rows: budgetRows(found, plan.budget), check: found.journaled }
    const single = await singleCrawl({ served, seed, plan, folder })
    const missing = single.urls.filter((url) => !found.urls.has(url)).length
    const rows = [
      { figure: 'pages of the single engine', value: single.urls.length },
      { figure: 'pages in the journals', value: found.journaled },
      { figure: 'pages in the journals twice', value: found.journaled - found.urls.size },
      { figure: 'pages of the export', value: found.exported.rows },
      { figure: 'pages missing', value: missing },
      { figure: 'pages in the archives, where the journals say', value: found.archived },
      { figure: 'kills of workers', value: found.workerKills },
      { figure: 'kills of servers', value: found.serverKills },
      { figure: 'workers that ended with an error', value: found.failures },
      { figure: 'pages requested', value: found.requested },
      { figure: 'pages requested twice or more', value: found.twice },
      { figure: 'requests beyond one per page', value: found.again },
      { figure: 'requests within the gap of a site', value: found.close },
      { figure: 'RankMass held, by the journals', value: found.rankMass },
      { figure: 'the same minus that of the single engine', value: found.rankMass - single.rankMass },
      { figure: 'coverage, by the last groups', value: found.coverage },
      { figure: 'coverage of the single engine', value: single.totals.coverage.share },
      { figure: 'unobtainable mass', value: found.unobtainable },
      {
        figure: 'unobtainable mass, single engine',
        value: single.totals.coverage.robots + single.totals.coverage.failed,
      },
      { figure: 'mass that is accounted for, minus 1', value: found.total - 1 },
      { figure: 'seconds', value: short(found.seconds) },
      { figure: 'seconds of the single engine', value: short(single.totals.seconds) },
    ]
    return { rows, check: found.journaled + missing }
  } finally {
    await servers.stop()
    await served.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function budgetRows(found: KilledCrawl, budget: number): BenchmarkResult['rows'] {
  return Object.entries({
    'page budget': budget,
    'pages in the journals': found.journaled,
    'pages in the journals twice': found.journaled - found.urls.size,
    'pages of the export': found.exported.rows,
    'pages in the archives that are left, where the journals say': found.archived,
    'kills of workers': found.workerKills,
    'kills of workers with their folders': found.deletions,
    'freezes of workers': found.freezes,
    'kills of servers': found.serverKills,
    'servers that were cut off': found.partitions,
    'workers that ended with an error': found.failures,
    'pages requested': found.requested,
    'requests beyond one per page': found.again,
    'requests within the gap of a site': found.close,
    'RankMass held, by the journals': found.rankMass,
    'coverage, by the last groups': found.coverage,
    seconds: short(found.seconds),
  }).map(([figure, value]) => ({ figure, value }))
}

async function servedWeb({ pages, sites }: Plan): Promise<{ served: ServedWeb; seed: number }> {
  const web = syntheticGraph({ pages, sites, seed: 1 })
  const { seed } = bestSeed(web.graph)
  const isMissing = (page: number): boolean => page !== seed && page % missingEvery === 0
  const disallowed: string[][] = Array.from({ length: sites }, () => [])
  for (let page = 0; page < pages; page += disallowedEvery)
    if (page !== seed) disallowed[web.sites.ofPage[page]].push(`Disallow: /p/${page}.html`)
  const served = await serveWeb(web, {
    robots: (site) => ['User-agent: *', ...disallowed[site], ''].join('\n'),
    onRequest: ({ page }, response) => {
      if (page === undefined || !isMissing(page)) return false
      response.writeHead(404).end()
      return true
    },
  })
  return { served, seed }
}

function crawlOptions(served: ServedWeb, seed: number, { wait, budget: pages }: Plan): CrawlOptions {
  const options = { scope: 'any', wait, waitFactor: 0, allowPrivate: true, threads: 1 } as const
  return { seeds: [served.urlOf(seed)], ...options, ...(pages === undefined ? {} : { pages }) }
}

interface Run {
  readonly plan: Plan
  readonly folder: string
  readonly served: ServedWeb
  readonly seed: number
  readonly servers: NatsServers
}

interface KilledCrawl {
  readonly seconds: number
  readonly journaled: number
  readonly urls: ReadonlySet<string>
  readonly exported: ExportedPages
  readonly archived: number
  /** The sum over the pages of the export: computed from the links of all journals. */
  readonly rankMass: number
  readonly requested: number
  readonly twice: number
  readonly again: number
  readonly close: number
  readonly workerKills: number
  readonly serverKills: number
  readonly freezes: number
  readonly partitions: number
  readonly deletions: number
  readonly failures: number
  readonly coverage: number
  readonly unobtainable: number
  readonly total: number
}

async function killedCrawl({ plan, folder, served, seed, servers }: Run): Promise<KilledCrawl> {
  const { shards } = plan
  const connection = await servers.connect()
  const options = { ...crawlOptions(served, seed, plan), out: 'unused' }
  const parts = { connection, name, shards, replicas: plan.servers, options }
  const control = await createCrawl(parts)
  const streams = await CrawlStreams.open({ ...parts, crawl: name })
  const start = performance.now()
  const workers = new Workers({ name, folder, servers, count: plan.workers })
  const kills = new Kills(servers, workers)
  const over = new AbortController()
  const kill = async (): Promise<void> => {
    const random = seededRandom(plan.seed, 3)
    const fault = (): Promise<void> => (plan.budget === undefined ? kills.kill(random) : kills.fault(random))
    for (let each = 0; each < plan.kills; each++) {
      const moment = ((each + random.fraction()) * 0.9 * (plan.budget ?? plan.pages)) / plan.kills
      while (served.accesses.length < moment && !over.signal.aborted) await sleep(10)
      if (!over.signal.aborted) await fault()
    }
  }
  const killing = kill()
  try {
    for (let looks = 0; (await untilDone(() => control.read())).stopped === undefined; looks++) {
      await sleep(1000)
      if (looks % 10 === 0) tell(`${elapsed(start)}: ${served.accesses.length} requests, ${workers.text}`)
    }
    over.abort()
    await killing
    await kills.revived()
    await workers.ended()
  } finally {
    over.abort()
    await workers.kill()
  }
  const seconds = (performance.now() - start) / 1000
  const accesses = [...served.accesses]
  const counts = new Map<string, number>()
  for (const { site, path, status } of accesses) {
    if (status !== 200 || path === '/robots.txt') continue
    counts.set(`${site}${path}`, (counts.get(`${site}${path}`) ?? 0) + 1)
  }
  const close = gapsBelow(accesses, plan.wait, { toleranceMs })
  for (const { previous, next, gapMs } of close.slice(0, 20))
    tell(`${gapMs.toFixed(1)} ms between ${previous.site}${previous.path} and ${next.path}`)
  const heads = (await untilDone(() => streams.heads())) as ShardHead[]
  const journaled = await journaledUrls(streams, shards)
  const table = join(folder, 'pages.jsonl')
  const { rankMass = NaN } = await exportCluster({
    cluster: servers.addresses,
    name,
    cache: join(folder, 'cache'),
    to: table,
    table: 'pages',
  })
  const exported = await exportedPages(table)
  const sum = (of: (head: ShardHead) => number): number => heads.reduce((total, head) => total + of(head), 0)
  const unobtainable = sum(({ account }) => account.unobtainable)
  return {
    seconds,
    journaled: journaled.length,
    urls: new Set(journaled),
    exported,
    archived: archivedCount(exported, workers.archives),
    rankMass,
    requested: counts.size,
    twice: [...counts.values()].filter((count) => count > 1).length,
    again: [...counts.values()].reduce((total, count) => total + count - 1, 0),
    close: close.length,
    workerKills: kills.workers,
    serverKills: kills.servers,
    freezes: kills.freezes,
    partitions: kills.partitions,
    deletions: kills.deletions,
    failures: workers.failures,
    coverage: coverageOf(heads, damping),
    unobtainable: unobtainable / (1 - damping),
    total:
      sum(
        ({ account: { certain, crumbs, waiting, away, excluded } }) =>
          certain + (crumbs + waiting + away + excluded) / (1 - damping),
      ) +
      unobtainable / (1 - damping),
  }
}

const elapsed = (start: number): string => `${((performance.now() - start) / 1000).toFixed(0)} s`

interface SingleCrawl {
  readonly urls: readonly string[]
  readonly totals: CrawlTotals
  readonly rankMass: number
}

async function singleCrawl({ served, seed, plan, folder }: Omit<Run, 'servers'>): Promise<SingleCrawl> {
  tell('The single engine crawls the same web.')
  const urls: string[] = []
  const onEvent: CrawlOptions['onEvent'] = (event) => {
    if (event.kind === 'page') urls.push(event.url)
  }
  const out = join(folder, 'single')
  // Gaps do not matter here.
  const options = { ...crawlOptions(served, seed, plan), wait: 0, warc: false, out, onEvent }
  const totals = await crawl(options).run()
  const { rankMass = NaN } = await exportCrawl(out, { to: join(folder, 'single.jsonl'), table: 'pages' })
  return { urls, totals, rankMass }
}

await benchmarkMain(import.meta.url, clusterKillsBenchmark)
