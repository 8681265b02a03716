/**
 * The figures of a crawl for Prometheus. One table has every metric; docs/reference/metrics.md lists the same ones. Labels have few
 * values: never a URL, a host, or another text from the web.
 */
import type { Labelled, MetricRow as MetricRowOf } from '../../crawler/metric-table.ts'
import { allParts } from '../../crawler/parts/all-parts.ts'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import type { Cluster, Now } from './api/index.ts'

/** The figures of the crawl. */
export interface MeasuredSource {
  readonly startedAtMs: number
  readonly isRunning: boolean
  readonly progress: CrawlProgress
  readonly now: Now
  /** Errors by kind, as counted by `ErrorCounts`. */
  readonly errors: ReadonlyMap<string, number>
  /** Of this process; undefined if it does not run the crawl. */
  readonly cpuSeconds: number | undefined
  /** Only of a crawl on a cluster. */
  readonly cluster?: Cluster | undefined
}

export interface MeasuredCrawl extends MeasuredSource {
  readonly version: string
  readonly clients: number
  readonly bufferedBytes: number
  /** Requests to the dashboard by status class: `2xx`, `4xx`, … */
  readonly requests: ReadonlyMap<string, number>
}

type MetricRow = MetricRowOf<MeasuredCrawl>

const counter = (name: string, help: string, read: MetricRow['read']): MetricRow => ({
  name,
  type: 'counter',
  help,
  read,
})
const gauge = (name: string, help: string, read: MetricRow['read']): MetricRow => ({
  ...counter(name, help, read),
  type: 'gauge',
})
/** With a label. */
const counterOf = (label: string, ...row: Parameters<typeof counter>): MetricRow => ({
  ...counter(...row),
  label,
})
const gaugeOf = (label: string, ...row: Parameters<typeof gauge>): MetricRow => ({ ...gauge(...row), label })

const partMetrics: readonly MetricRow[] = allParts
  .flatMap(({ shows }) => shows?.metrics ?? [])
  .map((row) => ({ ...row, read: ({ progress }) => row.read(progress) }))

const clusterMetrics: readonly MetricRow[] = [
  gaugeOf(
    'state',
    'rankward_cluster_workers',
    'Workers by state. Metrics with the prefix rankward_cluster_ exist only for a crawl on a cluster.',
    ({ cluster }) =>
      cluster && [
        ['live', cluster.liveWorkers],
        ['gone', cluster.goneWorkers],
      ],
  ),
  gaugeOf(
    'state',
    'rankward_cluster_shards',
    'Shards by state.',
    ({ cluster }) => cluster && Object.entries(cluster.shardCounts),
  ),
  gauge(
    'rankward_cluster_low_replica_shards',
    'Shards whose journal has a replica that is offline or lags behind.',
    ({ cluster }) => cluster?.lowReplicaCount,
  ),
  gauge(
    'rankward_cluster_storage_ratio',
    'Used share of the storage of the NATS account. Absent without a limit.',
    ({ cluster }) => cluster?.storageShare,
  ),
  gauge(
    'rankward_cluster_stalled_shards',
    'Shards that have pages to fetch and make no progress.',
    ({ cluster }) => cluster?.stalledCount,
  ),
  gaugeOf(
    'part',
    'rankward_cluster_mass_ratio',
    'Importance by where it is. Absent while the shards cannot be read at one moment.',
    ({ cluster }) => cluster?.mass && Object.entries(cluster.mass),
  ),
  counter(
    'rankward_cluster_messages_total',
    'Messages that shards have sent to each other.',
    ({ cluster }) => cluster?.links.sent,
  ),
  gauge(
    'rankward_cluster_pending_messages',
    'Messages that shards have not applied yet, summed over the shards.',
    ({ cluster }) => cluster?.links.behind,
  ),
  gauge(
    'rankward_cluster_journal_bytes',
    'Size of all journals on one server.',
    ({ cluster }) => cluster?.journals.bytes,
  ),
]

const pageStates = ({ progress: p }: MeasuredCrawl): Labelled => [
  ['fetched', p.pages],
  ['redirect', p.redirects],
  ['failed', p.failed],
  ['temporary', p.temporary],
  ['unreachable', p.unreachable],
  ['robots', p.refusedByRobots],
  ['limit', p.refusedByLimits - p.refusedAsTraps],
  ['trap', p.refusedAsTraps],
  ['waiting', p.waiting],
]

const unfollowedLinks = ({ progress: p }: MeasuredCrawl): Labelled => [
  ['scope', p.linksOutOfScope],
  ['nofollow', p.linksNotFollowed.nofollow],
  ['rel', p.linksNotFollowed.rel],
  ['ignored-rel', p.linksNotFollowed.ignoredRel],
  ['elsewhere', p.linksNotFollowed.elsewhere],
  ['too-deep', p.linksNotFollowed.tooDeep],
  ['copies', p.linksNotFollowed.copies],
]

export const metricTable: readonly MetricRow[] = [
  gaugeOf(
    'version',
    'rankward_build_info',
    'The version of Rankward, as a label; the value is 1.',
    ({ version }) => [[version, 1]],
  ),
  gauge('rankward_crawl_running', '1 while a process runs the crawl.', ({ isRunning }) => Number(isRunning)),
  gauge('rankward_crawl_paused', '1 while the crawl is paused.', ({ progress }) =>
    Number(progress.isPaused === true),
  ),
  gauge(
    'rankward_crawl_start_time_seconds',
    'When the crawl began, in seconds since the epoch.',
    ({ startedAtMs }) => startedAtMs / 1000,
  ),
  counter(
    'rankward_crawl_seconds_total',
    'Time that the crawl has run, over all sessions.',
    ({ progress }) => progress.seconds,
  ),
  counter('rankward_pages_fetched_total', 'Pages fetched with content.', ({ progress }) => progress.pages),
  counter(
    'rankward_responses_total',
    'Pages with an HTTP response of any status.',
    ({ progress }) => progress.responded,
  ),
  counter(
    'rankward_received_bytes_total',
    'Bytes of response bodies, as transferred.',
    ({ progress }) => progress.bytes,
  ),
  counterOf(
    'kind',
    'rankward_errors_total',
    'Failed requests and unreachable pages by kind of error, retried ones included.',
    ({ errors }) => [...errors],
  ),
  counter(
    'rankward_duplicates_total',
    'Fetched pages with the same content as another page.',
    ({ progress }) => progress.duplicates,
  ),
  counter(
    'rankward_near_duplicates_total',
    'Fetched pages with nearly the same text as another page.',
    ({ progress }) => progress.nearDuplicates,
  ),
  gauge('rankward_known_pages', 'Pages discovered so far.', ({ progress }) => progress.known),
  gaugeOf('state', 'rankward_pages', 'Known pages by state.', pageStates),
  counterOf(
    'reason',
    'rankward_links_not_followed_total',
    'Links that were not followed by reason: different links of each page, summed over the pages.',
    unfollowedLinks,
  ),
  gauge('rankward_waiting_sites', 'Sites with waiting pages.', ({ now }) => now.sites),
  gauge(
    'rankward_coverage_ratio',
    'Guaranteed share of the obtainable importance. Absent if the strategy guarantees nothing.',
    ({ progress }) => progress.guaranteed,
  ),
  gaugeOf(
    'part',
    'rankward_importance_ratio',
    'Importance by where it is. Absent until it was computed for a viewer.',
    ({ now: { importance: bar } }) =>
      bar && [
        ['held', bar.held],
        ['robots', bar.robots],
        ['scope', bar.scope],
        ['failed', bar.failed],
        ['waiting', bar.waiting],
      ],
  ),
  gauge(
    'rankward_gain_ratio',
    'Increase of the coverage per 1,000 pages, over the last 1,000 or more.',
    ({ now }) => now.gain,
  ),
  gauge(
    'rankward_budget_left_seconds',
    'Time that the rest of the budget lasts at the current rate. Absent without a budget.',
    ({ now }) => now.left?.seconds,
  ),
  gauge('rankward_connections', 'Open connections.', ({ now }) => now.connections),
  gauge('rankward_connections_limit', 'Maximum number of connections.', ({ now }) => now.connectionsMax),
  gauge(
    'rankward_waited_for_better_ratio',
    'Share of the connection time in which connections stayed free for better pages. Absent without patience.',
    ({ now }) => now.waitedForBetter,
  ),
  gaugeOf(
    'kind',
    'rankward_outage',
    '1 while the crawl waits for unreachable sites or for the network. Absent on a cluster.',
    ({ progress: { outage }, cluster }) =>
      cluster === undefined
        ? [
            ['sites', Number(outage?.kind === 'sites')],
            ['network', Number(outage?.kind === 'network')],
          ]
        : undefined,
  ),
  counter(
    'rankward_looks_total',
    'Fetches of pages that were fetched before. Absent if every page is fetched once.',
    ({ progress }) => progress.freshness?.refreshes,
  ),
  counter(
    'rankward_changes_total',
    'Looks that found a change. Absent if every page is fetched once.',
    ({ progress }) => progress.freshness?.changes,
  ),
  gauge(
    'rankward_fresh_ratio',
    'Expected share of the importance whose copy is current. Absent if every page is fetched once.',
    ({ progress }) => progress.freshness?.freshCoverage,
  ),
  ...partMetrics,
  ...clusterMetrics,
  gauge('rankward_dashboard_clients', 'Open event streams of the dashboard.', ({ clients }) => clients),
  gauge(
    'rankward_dashboard_buffered_bytes',
    'Bytes that wait for slow event streams.',
    ({ bufferedBytes }) => bufferedBytes,
  ),
  counterOf(
    'status',
    'rankward_dashboard_requests_total',
    'Requests to the dashboard by class of status.',
    ({ requests }) => [...requests],
  ),
  gauge(
    'rankward_event_loop_delay_seconds',
    '99th percentile of the delay of the event loop in the last second.',
    ({ now }) => (now.process === undefined ? undefined : now.process.eventLoopDelayMs / 1000),
  ),
  counter(
    'process_cpu_seconds_total',
    'Processor time of the process that runs the crawl.',
    ({ cpuSeconds }) => cpuSeconds,
  ),
  gauge(
    'process_resident_memory_bytes',
    'Resident memory of the process that runs the crawl.',
    ({ now }) => now.process?.rssBytes,
  ),
]

/** Errors that have a label of their own; HTTP errors have one per class, and all others together have `other`. */
const errorKinds = new Set([
  'bad-http',
  'connect-failed',
  'connect-refused',
  'connect-timeout',
  'crawl-delay',
  'dns',
  'headers-too-large',
  'no-address',
  'private-address',
  'reset',
  'robots-unreachable',
  'site-unreachable',
  'slow',
  'timeout',
  'tls',
])

/**
 * Errors by kind as counters, which never decrease: a retry takes an error back, and a counter that falls would look like
 * a restart.
 */
export class ErrorCounts {
  readonly #highest = new Map<string, number>()

  read(errors: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
    const sums = new Map<string, number>()
    for (const [error, count] of Object.entries(errors)) {
      const bare = error.replace(/^retried-/, '')
      const kind = /^http-[1-5]\d\d$/.test(bare) ? `http-${bare[5]}xx` : errorKinds.has(bare) ? bare : 'other'
      sums.set(kind, (sums.get(kind) ?? 0) + count)
    }
    for (const [kind, sum] of sums) this.#highest.set(kind, Math.max(sum, this.#highest.get(kind) ?? 0))
    return this.#highest
  }
}
