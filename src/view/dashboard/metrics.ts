/**
 * The figures of a crawl for Prometheus. One table has every metric; docs/metrics.md lists the same ones. Labels have few
 * values: never a URL, a host, or another text from the web.
 */
import { Counter, Gauge, Registry, type RegistryContentType } from 'prom-client'
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

interface MeasuredCrawl extends MeasuredSource {
  readonly version: string
  readonly clients: number
  readonly bufferedBytes: number
  /** Requests to the dashboard by status class: `2xx`, `4xx`, … */
  readonly requests: ReadonlyMap<string, number>
}

type Labelled = readonly (readonly [label: string, value: number | undefined])[]

interface MetricRow {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  /** The name of its label. */
  readonly label?: string
  /** Undefined: the metric is absent. */
  readonly read: (crawl: MeasuredCrawl) => number | undefined | Labelled
}

const clusterMetrics: readonly MetricRow[] = [
  {
    name: 'rankward_cluster_workers',
    type: 'gauge',
    help: 'Workers by state. Metrics with the prefix rankward_cluster_ exist only for a crawl on a cluster.',
    label: 'state',
    read: ({ cluster }) =>
      cluster && [
        ['live', cluster.liveWorkers],
        ['gone', cluster.goneWorkers],
      ],
  },
  {
    name: 'rankward_cluster_shards',
    type: 'gauge',
    help: 'Shards by state.',
    label: 'state',
    read: ({ cluster }) => cluster && Object.entries(cluster.shardCounts),
  },
  {
    name: 'rankward_cluster_stalled_shards',
    type: 'gauge',
    help: 'Shards that have pages to fetch and make no progress.',
    read: ({ cluster }) => cluster?.stalledCount,
  },
  {
    name: 'rankward_cluster_mass_ratio',
    type: 'gauge',
    help: 'Importance by where it is. Absent while the shards cannot be read at one moment.',
    label: 'part',
    read: ({ cluster }) => cluster?.mass && Object.entries(cluster.mass),
  },
  {
    name: 'rankward_cluster_messages_total',
    type: 'counter',
    help: 'Messages that shards have sent to each other.',
    read: ({ cluster }) => cluster?.links.sent,
  },
  {
    name: 'rankward_cluster_pending_messages',
    type: 'gauge',
    help: 'Messages that shards have not applied yet, summed over the shards.',
    read: ({ cluster }) => cluster?.links.behind,
  },
  {
    name: 'rankward_cluster_journal_bytes',
    type: 'gauge',
    help: 'Size of all journals on one server.',
    read: ({ cluster }) => cluster?.journals.bytes,
  },
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
  {
    name: 'rankward_build_info',
    type: 'gauge',
    help: 'The version of Rankward, as a label; the value is 1.',
    label: 'version',
    read: ({ version }) => [[version, 1]],
  },
  {
    name: 'rankward_crawl_running',
    type: 'gauge',
    help: '1 while a process runs the crawl.',
    read: ({ isRunning }) => Number(isRunning),
  },
  {
    name: 'rankward_crawl_paused',
    type: 'gauge',
    help: '1 while the crawl is paused.',
    read: ({ progress }) => Number(progress.isPaused === true),
  },
  {
    name: 'rankward_crawl_start_time_seconds',
    type: 'gauge',
    help: 'When the crawl began, in seconds since the epoch.',
    read: ({ startedAtMs }) => startedAtMs / 1000,
  },
  {
    name: 'rankward_crawl_seconds_total',
    type: 'counter',
    help: 'Time that the crawl has run, over all sessions.',
    read: ({ progress }) => progress.seconds,
  },
  {
    name: 'rankward_pages_fetched_total',
    type: 'counter',
    help: 'Pages fetched with content.',
    read: ({ progress }) => progress.pages,
  },
  {
    name: 'rankward_responses_total',
    type: 'counter',
    help: 'Pages with an HTTP response of any status.',
    read: ({ progress }) => progress.responded,
  },
  {
    name: 'rankward_received_bytes_total',
    type: 'counter',
    help: 'Bytes of response bodies, as transferred.',
    read: ({ progress }) => progress.bytes,
  },
  {
    name: 'rankward_errors_total',
    type: 'counter',
    help: 'Failed requests and unreachable pages by kind of error, retried ones included.',
    label: 'kind',
    read: ({ errors }) => [...errors],
  },
  {
    name: 'rankward_duplicates_total',
    type: 'counter',
    help: 'Fetched pages with the same content as another page.',
    read: ({ progress }) => progress.duplicates,
  },
  {
    name: 'rankward_near_duplicates_total',
    type: 'counter',
    help: 'Fetched pages with nearly the same text as another page.',
    read: ({ progress }) => progress.nearDuplicates,
  },
  {
    name: 'rankward_known_pages',
    type: 'gauge',
    help: 'Pages discovered so far.',
    read: ({ progress }) => progress.known,
  },
  {
    name: 'rankward_pages',
    type: 'gauge',
    help: 'Known pages by state.',
    label: 'state',
    read: pageStates,
  },
  {
    name: 'rankward_links_not_followed_total',
    type: 'counter',
    help: 'Links that were not followed by reason: different links of each page, summed over the pages.',
    label: 'reason',
    read: unfollowedLinks,
  },
  {
    name: 'rankward_waiting_sites',
    type: 'gauge',
    help: 'Sites with waiting pages.',
    read: ({ now }) => now.sites,
  },
  {
    name: 'rankward_coverage_ratio',
    type: 'gauge',
    help: 'Guaranteed share of the obtainable importance. Absent if the strategy guarantees nothing.',
    read: ({ progress }) => progress.guaranteed,
  },
  {
    name: 'rankward_importance_ratio',
    type: 'gauge',
    help: 'Importance by where it is. Absent until it was computed for a viewer.',
    label: 'part',
    read: ({ now: { importance: bar } }) =>
      bar && [
        ['held', bar.held],
        ['robots', bar.robots],
        ['scope', bar.scope],
        ['failed', bar.failed],
        ['waiting', bar.waiting],
      ],
  },
  {
    name: 'rankward_gain_ratio',
    type: 'gauge',
    help: 'Increase of the coverage per 1,000 pages, over the last 1,000 or more.',
    read: ({ now }) => now.gain,
  },
  {
    name: 'rankward_budget_left_seconds',
    type: 'gauge',
    help: 'Time that the rest of the budget lasts at the current rate. Absent without a budget.',
    read: ({ now }) => now.left?.seconds,
  },
  {
    name: 'rankward_connections',
    type: 'gauge',
    help: 'Open connections.',
    read: ({ now }) => now.connections,
  },
  {
    name: 'rankward_connections_limit',
    type: 'gauge',
    help: 'Maximum number of connections.',
    read: ({ now }) => now.connectionsMax,
  },
  {
    name: 'rankward_outage',
    type: 'gauge',
    help: '1 while the crawl waits for unreachable sites or for the network. Absent on a cluster.',
    label: 'kind',
    read: ({ progress: { outage }, cluster }) =>
      cluster === undefined
        ? [
            ['sites', Number(outage?.kind === 'sites')],
            ['network', Number(outage?.kind === 'network')],
          ]
        : undefined,
  },
  {
    name: 'rankward_looks_total',
    type: 'counter',
    help: 'Fetches of pages that were fetched before. Absent if every page is fetched once.',
    read: ({ progress }) => progress.freshness?.refreshes,
  },
  {
    name: 'rankward_changes_total',
    type: 'counter',
    help: 'Looks that found a change. Absent if every page is fetched once.',
    read: ({ progress }) => progress.freshness?.changes,
  },
  {
    name: 'rankward_fresh_ratio',
    type: 'gauge',
    help: 'Expected share of the importance whose copy is current. Absent if every page is fetched once.',
    read: ({ progress }) => progress.freshness?.freshCoverage,
  },
  ...clusterMetrics,
  {
    name: 'rankward_dashboard_clients',
    type: 'gauge',
    help: 'Open event streams of the dashboard.',
    read: ({ clients }) => clients,
  },
  {
    name: 'rankward_dashboard_buffered_bytes',
    type: 'gauge',
    help: 'Bytes that wait for slow event streams.',
    read: ({ bufferedBytes }) => bufferedBytes,
  },
  {
    name: 'rankward_dashboard_requests_total',
    type: 'counter',
    help: 'Requests to the dashboard by class of status.',
    label: 'status',
    read: ({ requests }) => [...requests],
  },
  {
    name: 'rankward_event_loop_delay_seconds',
    type: 'gauge',
    help: '99th percentile of the delay of the event loop in the last second.',
    read: ({ now }) => (now.process === undefined ? undefined : now.process.eventLoopDelayMs / 1000),
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of the process that runs the crawl.',
    read: ({ cpuSeconds }) => cpuSeconds,
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of the process that runs the crawl.',
    read: ({ now }) => now.process?.rssBytes,
  },
]

/** The metrics as text, in the OpenMetrics format if the client accepts it. */
export async function metricsText(
  crawl: MeasuredCrawl,
  accept = '',
): Promise<{ type: string; text: string }> {
  const registry = new Registry<RegistryContentType>()
  const isOpen = accept.includes('application/openmetrics-text')
  registry.setContentType(isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE)
  for (const row of metricTable) add(registry, row, crawl)
  return { type: registry.contentType, text: await registry.metrics() }
}

function add(registry: Registry<RegistryContentType>, row: MetricRow, crawl: MeasuredCrawl): void {
  const { name, help, label } = row
  const read = row.read(crawl)
  if (read === undefined) return
  const configuration = { name, help, registers: [registry], labelNames: label === undefined ? [] : [label] }
  const labelled: Labelled = typeof read === 'number' ? [['', read]] : read
  if (row.type === 'counter') {
    const counter = new Counter(configuration)
    for (const [value, count = 0] of labelled) {
      if (label === undefined) counter.inc(count)
      else counter.inc({ [label]: value }, count)
    }
    return
  }
  const gauge = new Gauge(configuration)
  for (const [value, figure] of labelled) {
    if (figure === undefined) continue
    if (label === undefined) gauge.set(figure)
    else gauge.set({ [label]: value }, figure)
  }
}

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
