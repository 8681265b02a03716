/** Starts a worker for a crawl: reads the settings, takes the folder, opens the streams. */
import { statfsSync } from 'node:fs'
import type { NatsConnection } from '@nats-io/transport-node'
import { plural } from '../../lib/amounts.ts'
import { RankwardError } from '../../lib/errors.ts'
import { dashboardAddress, dashboardValue } from '../../crawler/options/dashboard-address.ts'
import { archiving, asksElsewhere, pageConnections } from '../../crawler/parts/all-parts.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { version } from '../../crawler/options/version.ts'
import { withWorkerPaths, type WorkerPaths } from '../../crawler/options/worker-files.ts'
import type { GivenOptions } from '../../crawler/parts/running-part.ts'
import { clockBehindText, systemSeconds } from '../../crawler/session/system-clock.ts'
import type { ControlState } from '../protocol/control.ts'
import { CrawlStreams } from '../jetstream/crawl-streams.ts'
import { JetStreamControl } from '../jetstream/jetstream-control.ts'
import { JetStreamMembers } from '../jetstream/jetstream-members.ts'
import { NatsTurns } from '../jetstream/nats-turns.ts'
import { retried } from '../jetstream/retried.ts'
import { clusterCrawl, type ClusterCrawl } from './cluster-crawl.ts'
import type { WorkerEndpoint } from './worker-endpoint.ts'
import { openWorkerFolder } from './worker-folder.ts'
import { CrawlShards, type CrawlShardsOptions } from './worker-shards.ts'
import type { WorkerClock, WorkerEnd, WorkerOptions } from '../worker/ports.ts'
import { ClusterWorker } from '../worker/worker.ts'

interface StartOptions
  extends
    Pick<WorkerOptions, 'timing' | 'onLook' | 'onSilence' | 'onNotice'>,
    Pick<CrawlShardsOptions, 'snapshots' | 'onEvent' | 'onRestored'> {
  readonly connection: NatsConnection
  /** The name of the crawl. */
  readonly crawl: string
  readonly folder: string
  /** Of this worker, in place of those of the crawl. */
  readonly threads?: number | undefined
  readonly connections?: number | undefined
  /** Its part of the shards, relative to that of other workers: 1 to 999. Default: 1. */
  readonly weight?: number | undefined
  /** Its copies of the files that the cluster does not store. */
  readonly files?: WorkerPaths | undefined
  /** Where `/metrics` and `/healthz` of this worker are served: `9465`, `0.0.0.0:9465`. Default: nowhere. */
  readonly metrics?: string | undefined
  /** The clock of this machine, in milliseconds of the epoch. */
  readonly wallMs?: (() => number) | undefined
  /** Called when the worker runs. */
  readonly onStart?: ((worker: ClusterWorker, crawl: ClusterCrawl, metricsUrl?: string) => void) | undefined
}

/** Works until the crawl is over or the worker leaves. */
export async function runWorker(options: StartOptions): Promise<WorkerEnd> {
  const { connection, folder } = options
  const control = await retried(() => JetStreamControl.open(connection, options.crawl))
  checkVersion(control.state)
  const crawl = asHere(clusterCrawl(control.state), options)
  const { worker: name, earlier, warc, lock } = openWorkerFolder(folder, crawl, options.weight)
  let endpoint: WorkerEndpoint | undefined
  const sending = await archiving?.sending({
    settings: crawl.settings,
    crawlId: crawl.id,
    folder,
    warc,
    worker: name,
    onNotice: (line) => options.onNotice?.(line),
  })
  try {
    endpoint = await openEndpoint(name, options.metrics)
    const { shards, replicas } = crawl
    const streams = await CrawlStreams.open({ connection, crawl: crawl.name, shards, replicas })
    const members = await JetStreamMembers.open(connection, crawl.name, name, replicas, () => ({
      version,
      roomBytes: roomIn(folder),
    }))
    if (endpoint !== undefined)
      endpoint.state = () => ({ roomBytes: roomIn(folder), aheadMs: members.aheadMs })
    // The lock of the folder proves that the worker before is gone.
    if (earlier !== undefined) await retried(() => members.remove(earlier))
    const turns = new NatsTurns(connection, crawl.name)
    const given = await givenData(crawl, streams)
    const parts = { ...options, crawl, name, streams, given }
    const worker = new ClusterWorker({
      ...parts,
      crawl: { ...crawl, settings: ownSettings(crawl.settings) },
      onLook: (look) => {
        endpoint?.looked(look)
        options.onLook?.(look)
      },
      clock: systemClock(options.wallMs),
      members,
      control,
      turns,
      shards: (host) => new CrawlShards({ ...parts, warc, sending }, host),
      onClockBehind: (seconds, shard) =>
        options.onNotice?.(clockBehindText(seconds, `the journal of shard ${shard}`)),
    })
    options.onStart?.(worker, crawl, endpoint?.url)
    const end = await worker.run()
    const unsent = (await sending?.finish())?.unsent ?? 0
    if (unsent > 0)
      throw new RankwardError(
        'STORE_UNAVAILABLE',
        `${plural(unsent, 'WARC file')} of this worker could not be sent to the archive. Start the worker again with the same folder: it sends them.`,
      )
    return end
  } finally {
    await sending?.stop()
    endpoint?.close()
    lock.release()
  }
}

/** Those that the worker itself needs. */
function ownSettings(settings: CrawlSettings): WorkerOptions['crawl']['settings'] {
  return { ...settings, connections: pageConnections(settings), sharesHosts: asksElsewhere(settings) }
}

/** Data that all shards share. */
async function givenData({ inputs }: ClusterCrawl, streams: CrawlStreams): Promise<GivenOptions> {
  if (!inputs.includes('words')) return {}
  // The part with topics may be left out.
  const given: object = { wordFrequencies: await retried(() => streams.inputs.words()) }
  return given
}

/** Free bytes of the disk with this folder. */
function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

async function openEndpoint(
  worker: string,
  metrics: string | undefined,
): Promise<WorkerEndpoint | undefined> {
  if (metrics === undefined) return undefined
  const { host, port } = dashboardAddress(dashboardValue.read(metrics))!
  return (await import('./worker-endpoint.ts')).WorkerEndpoint.open(worker, host, port)
}

function systemClock(wallMs = Date.now): WorkerClock {
  return {
    now: systemSeconds,
    wallMs,
    after: (seconds, run) => {
      if (seconds <= 0) {
        const immediate = setImmediate(run)
        return () => clearImmediate(immediate)
      }
      const timer = setTimeout(run, Math.ceil(1000 * seconds))
      return () => clearTimeout(timer)
    },
  }
}

/**
 * Workers replay each other's journals, so all of them must decide alike. Versions that differ only in the last number do: a worker
 * may be upgraded to one while the crawl runs.
 */
function checkVersion({ crawl, settings }: ControlState): void {
  const begun = settings.rankward ?? version
  const series = (each: string): string => each.split('.', 2).join('.')
  if (series(begun) === series(version)) return
  throw new RankwardError(
    'BAD_STREAM',
    `The crawl ${crawl} was begun by Rankward ${begun}; this is ${version}. Workers of a crawl need the same version up to the last number: install ${series(begun)} here, or begin a new crawl.`,
  )
}

/** The crawl with the limits and files of this worker. */
function asHere(
  crawl: ClusterCrawl,
  { threads = crawl.settings.threads, connections = crawl.settings.connections, files = {} }: StartOptions,
): ClusterCrawl {
  return { ...crawl, settings: { ...withWorkerPaths(crawl.settings, files), threads, connections } }
}
