/**
 * Watching, steering and reading a crawl on a cluster: `rankward cluster`, and `status`, `export` and `explain` with `--cluster`, as
 * functions. The NATS client is loaded when one of them is called.
 */
import { dirname } from 'node:path'
import type { ControlCommand, ControlState } from './protocol/control.ts'
import type { Omissions } from '../crawler/options/omissions.ts'
import type { ClusterFinding } from './jetstream/cluster-check.ts'
import type { ClusterStatus } from './protocol/cluster-status.ts'
import type { Explanation } from '../crawler/read/explanation.ts'
import type { ExportOptions, ExportResult, ExportStage } from '../crawler/read/export/export.ts'
import type { Progress } from '../lib/progress.ts'
import { anyText } from '../lib/value-kinds.ts'
import { callback, checkOptions, listOf, ofKind, type OptionChecks } from '../lib/option-checks.ts'
import {
  clusterRows,
  type ClusterConnection,
  type ClusterCrawlOptions,
} from '../crawler/options/cluster-options.ts'

/** The status of a crawl, with what it left out. */
export type ClusterCrawlStatus = ClusterStatus & Omissions

/** What a crawl occupies on the NATS servers. */
export interface ClusterStorage {
  readonly name: string
  /** Streams, buckets and object stores. */
  readonly streams: number
  /** On each server that has a replica. */
  readonly bytes: number
}

/** A backup of a crawl. */
export interface ClusterBackup {
  readonly name: string
  /** ISO time. */
  readonly createdAt: string
  readonly streams: number
  /** Of the files. */
  readonly bytes: number
}

export interface BackupClusterOptions extends ClusterCrawlOptions {
  /** An empty folder, or one that does not exist. */
  readonly to: string
  /** Called with the number of streams written. */
  readonly progress?: Progress | undefined
}

export interface RestoreClusterOptions extends ClusterConnection {
  /** The folder of the backup. */
  readonly from: string
  /** Called with the number of streams restored. */
  readonly progress?: Progress | undefined
}

/** A crawl of a cluster, from its control stream. */
export interface ClusterCrawlState {
  readonly name: string
  readonly createdAt: string
  readonly shards: number
  readonly replicas: number
  readonly isPaused: boolean
  /** Why the crawl was stopped; undefined if it was not. */
  readonly stoppedBecause: string | undefined
  /** The number of the last control message. */
  readonly control: number
}

/** The state after a command. */
export interface ClusterCommandResult extends ClusterCrawlState {
  /** False if the crawl was in that state before. */
  readonly isChanged: boolean
}

export interface StopClusterOptions extends ClusterCrawlOptions {
  /** Shown by `status`. */
  readonly reason?: string | undefined
}

export interface DrainClusterOptions extends ClusterCrawlOptions {
  /** Its name, or the beginning of it. */
  readonly worker: string
}

export interface DrainedWorker {
  readonly worker: string
  /** The shards that it has handed over. */
  readonly shards: number
}

export interface CheckClusterOptions extends ClusterConnection {
  readonly name?: string | undefined
}

export interface ClusterCheck {
  /** That of the worst finding. */
  readonly state: ClusterFinding['state']
  readonly findings: readonly ClusterFinding[]
}

/** A crawl on a cluster whose journals are copied to be read. */
interface ClusterCopyOptions extends ClusterCrawlOptions {
  /** The folder for copies of journals (docs/reference/cluster.md); one in the system's folder for temporary files unless given. */
  readonly cache?: string | undefined
  /** Called with one line if a copy has groups that its journal has lost: the copy was set aside. */
  readonly onNotice?: ((line: string) => void) | undefined
}

/** Contents and WACZ files need an archive that this machine can read (`archive`). `to` is NAME-export unless given. */
export interface ExportClusterOptions extends ClusterCopyOptions, ExportOptions {}

export interface CopyClusterOptions extends ClusterCopyOptions {
  /** Called with the number of shards copied. */
  readonly progress?: Progress | undefined
}

export interface ExplainClusterOptions extends ClusterCopyOptions {
  readonly progress?: Progress | undefined
}

const path = ofKind(anyText('a path'))
const connectionChecks: OptionChecks<ClusterConnection> = {
  cluster: listOf(ofKind(clusterRows.cluster.kind)),
  natsUser: ofKind(clusterRows.natsUser.kind),
  natsPasswordFile: path,
  natsTokenFile: path,
  natsNkeyFile: path,
  natsCredentials: path,
  natsCa: path,
  natsCert: path,
  natsKey: path,
}
const crawlChecks: OptionChecks<ClusterCrawlOptions> = {
  ...connectionChecks,
  name: ofKind(anyText('the name of a crawl')),
}

const copyChecks: OptionChecks<ClusterCopyOptions> = { ...crawlChecks, cache: path, onNotice: callback }

const operations = () => import('./jetstream/operations.ts')

/** Where a crawl stands: coverage, pages, workers and shards, read from the last groups of all shards. */
export async function clusterStatus(options: ClusterCrawlOptions): Promise<ClusterCrawlStatus> {
  checkOptions('clusterStatus', options, crawlChecks)
  return (await operations()).readStatus(options)
}

/** All crawls on the NATS servers. */
export async function clusterCrawls(options: ClusterConnection): Promise<ClusterCrawlState[]> {
  checkOptions('clusterCrawls', options, connectionChecks)
  return (await (await operations()).readCrawls(options)).map(crawlState)
}

/** No page is requested until `resumeCluster`. Requests in flight are finished. */
export async function pauseCluster(options: ClusterCrawlOptions): Promise<ClusterCommandResult> {
  checkOptions('pauseCluster', options, crawlChecks)
  return given(options, { kind: 'pause' })
}

/** Ends a pause or a stop. Workers that ended with the stop must be started again. */
export async function resumeCluster(options: ClusterCrawlOptions): Promise<ClusterCommandResult> {
  checkOptions('resumeCluster', options, crawlChecks)
  return given(options, { kind: 'resume' })
}

/** All workers finish their requests, release their shards and end. */
export async function stopCluster(options: StopClusterOptions): Promise<ClusterCommandResult> {
  const { reason = 'stop', ...crawl } = options
  checkOptions('stopCluster', options, { ...crawlChecks, reason: ofKind(anyText('a reason')) })
  return given(crawl, { kind: 'stop', reason })
}

/** One worker finishes its requests, hands its shards over and ends; resolves when it has. */
export async function drainCluster(options: DrainClusterOptions): Promise<DrainedWorker> {
  const { worker, ...crawl } = options
  checkOptions('drainCluster', options, { ...crawlChecks, worker: ofKind(anyText('the name of a worker')) })
  return (await operations()).drainWorker(crawl, worker)
}

/** What could stop a crawl: servers, clocks, replicas, versions, room. `name`: also the streams and workers of this crawl. */
export async function checkCluster(options: CheckClusterOptions): Promise<ClusterCheck> {
  checkOptions('checkCluster', options, crawlChecks)
  const { name, ...servers } = options
  const check = await import('./jetstream/cluster-check.ts')
  const findings = await check.checkCluster(servers, name)
  return { state: check.stateOf(findings), findings }
}

/** What `deleteCluster` would delete; CRAWL_RUNNING if the crawl has live workers. */
export async function clusterStorage(options: ClusterCrawlOptions): Promise<ClusterStorage> {
  checkOptions('clusterStorage', options, crawlChecks)
  return (await operations()).readStorage(options)
}

/**
 * Deletes a crawl from the NATS servers, and returns what it occupied; CRAWL_RUNNING if it has live workers. Folders and archives of
 * workers are not touched.
 */
export async function deleteCluster(options: ClusterCrawlOptions): Promise<ClusterStorage> {
  checkOptions('deleteCluster', options, crawlChecks)
  return (await operations()).deleteFrom(options)
}

/** Writes a crawl to a folder, from which `restoreCluster` creates it again; CRAWL_RUNNING if it has live workers. */
export async function backupCluster(options: BackupClusterOptions): Promise<ClusterBackup> {
  checkOptions('backupCluster', options, { ...crawlChecks, to: path, progress: callback })
  const { to, progress, ...crawl } = options
  return (await operations()).backupTo(crawl, to, progress)
}

/** Creates a crawl from a backup, on the servers that had it or on others; CRAWL_EXISTS if they have one of its name. */
export async function restoreCluster(options: RestoreClusterOptions): Promise<ClusterBackup> {
  checkOptions('restoreCluster', options, { ...connectionChecks, from: path, progress: callback })
  const { from, progress, ...servers } = options
  return (await operations()).restoreFrom(servers, from, progress)
}

/**
 * Copies the journals of all shards of a crawl, which may be running, to a folder, and returns it. `search`, `dataset`, `audit`,
 * `verify` and `exportCrawl` read it as the folder of a crawl; contents of pages need an archive that this machine can read (`archive`).
 */
export async function copyCluster(options: CopyClusterOptions): Promise<string> {
  checkOptions('copyCluster', options, { ...copyChecks, progress: callback })
  const { name: crawl, cache, progress, onNotice, ...servers } = options
  const [{ connected }, { copyShards }] = await Promise.all([operations(), import('./crawl/shard-copies.ts')])
  return connected(servers, async (connection) => {
    const [first] = await copyShards({ connection, crawl, cache, progress, onNotice })
    return dirname(dirname(first))
  })
}

/** Writes the tables of the crawl, which may be running: copies the journals of all shards, and joins their pages and links. */
export async function exportCluster(options: ExportClusterOptions): Promise<ExportResult> {
  const { exportChecks, exportCrawl, checkShardsExport } = await import('../crawler/read/export/export.ts')
  checkOptions('exportCluster', options, { ...copyChecks, ...exportChecks })
  const given = (checks: object): object =>
    Object.fromEntries(Object.entries(options).filter(([name]) => name in checks))
  const crawl = given(copyChecks) as ClusterCopyOptions
  const tables = { ...(given(exportChecks) as ExportOptions), to: options.to ?? `${options.name}-export` }
  checkShardsExport(tables)
  const copying: ExportStage | undefined = options.stage?.('Copying the journals')
  const path = await copyCluster({ ...crawl, progress: copying?.progress }).finally(() => copying?.end())
  return exportCrawl(path, tables)
}

/** Explains this URL by the crawl: copies the journal of the shard that owns the URL, and replays it. */
export async function explainCluster(url: string, options: ExplainClusterOptions): Promise<Explanation> {
  checkOptions('explainCluster', options, { ...copyChecks, progress: callback })
  const { name: crawl, cache, progress, onNotice, ...servers } = options
  const [
    { connected, readPhase },
    { copyShards },
    { shardOfUrl },
    { canonicalUrl },
    { explained, notExplained },
  ] = await Promise.all([
    operations(),
    import('./crawl/shard-copies.ts'),
    import('./crawl/cluster-crawl.ts'),
    import('../web/url/canonical-url.ts'),
    import('../crawler/read/explanation.ts'),
  ])
  const { folder, phase } = await connected(servers, async (connection) => {
    const [copy] = await copyShards({
      connection,
      crawl,
      cache,
      onNotice,
      choose: ({ shards, settings }) => {
        const canonical = canonicalUrl(url, undefined, settings.canonicalRules)
        if (canonical === undefined) throw notExplained(url)
        return [shardOfUrl(canonical, shards)]
      },
    })
    return { folder: copy, phase: await readPhase(connection, crawl) }
  })
  return explained(folder, url, { progress }, phase)
}

async function given(options: ClusterCrawlOptions, command: ControlCommand): Promise<ClusterCommandResult> {
  const { state, isNews } = await (await operations()).giveCommand(options, command)
  return { ...crawlState(state), isChanged: isNews }
}

function crawlState({ crawl, settings, isPaused, stopped, number }: ControlState): ClusterCrawlState {
  const { createdAt, shards, replicas } = settings
  return { name: crawl, createdAt, shards, replicas, isPaused, stoppedBecause: stopped, control: number }
}
