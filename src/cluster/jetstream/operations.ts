/** The operator's commands: each connects, does one thing and disconnects. */
import type { NatsConnection } from '@nats-io/transport-node'
import type { ClusterConnection, ClusterCrawlOptions } from '../../crawler/options/cluster-options.ts'
import { omissionsOf } from '../../crawler/options/omissions.ts'
import { clusterStatus, type ClusterStatus } from '../protocol/cluster-status.ts'
import type { ControlCommand, ControlState } from '../protocol/control.ts'
import { RankwardError } from '../../lib/errors.ts'
import { checkedCrawlName } from '../protocol/stream-names.ts'
import type { Progress } from '../../lib/progress.ts'
import type { CrawlBackup } from './backup-crawl.ts'
import { readCluster } from './cluster-reading.ts'
import { connectCluster } from './connect.ts'
import type { ClusterCrawlStatus } from '../operator.ts'
import { deletable, deleteCrawl, type CrawlStorage } from './delete-crawl.ts'
import { JetStreamControl, listCrawls } from './jetstream-control.ts'
import { natsFailure } from './nats-errors.ts'
import { retried } from './retried.ts'

export function readStatus({ name, ...options }: ClusterCrawlOptions): Promise<ClusterCrawlStatus> {
  const crawl = checkedCrawlName(name)
  return connected(options, async (connection) => {
    const reading = await readCluster(connection, crawl)
    return { ...clusterStatus(reading), ...omissionsOf(reading.shards.map((shard) => shard?.counts ?? {})) }
  })
}

/** The state of the crawl as a whole, and whether it has live workers. */
export async function readPhase(
  connection: NatsConnection,
  crawl: string,
): Promise<{ readonly phase: ClusterStatus['phase']; readonly isRunning: boolean }> {
  const { phase, workers } = clusterStatus(await readCluster(connection, crawl))
  return { phase, isRunning: phase === 'running' && workers.some(({ isLive }) => isLive) }
}

/** Gives a command, and returns the state after it and whether the command has changed anything. */
export function giveCommand(
  { name, ...options }: ClusterCrawlOptions,
  command: ControlCommand,
): Promise<{ readonly state: ControlState; readonly isNews: boolean }> {
  const crawl = checkedCrawlName(name)
  let before: number | undefined
  return connected(options, async (connection) => {
    const control = await JetStreamControl.open(connection, crawl)
    // The number before the first attempt, whose command may have been stored.
    before ??= control.state.number
    const state = await control.command(command)
    return { state, isNews: state.number > before }
  })
}

const drainPollMs = 500
const drainMsMax = 300_000

/** Tells a live worker to leave, and waits until it has. `worker`: its name, or the beginning of it. */
export function drainWorker(
  { name, ...options }: ClusterCrawlOptions,
  worker: string,
): Promise<{ readonly worker: string; readonly shards: number }> {
  const crawl = checkedCrawlName(name)
  return connected(options, async (connection) => {
    const live = async (): Promise<ClusterStatus['workers']> =>
      clusterStatus(await readCluster(connection, crawl)).workers.filter(({ isLive }) => isLive)
    const workers = await live()
    const found = workers.filter((each) => each.name.startsWith(worker))
    const [meant] = found.length === 1 ? found : found.filter((each) => each.name === worker)
    if (meant === undefined)
      throw new RankwardError(
        'USAGE',
        `${found.length === 0 ? 'No live worker' : 'More than one live worker'} of the crawl ${crawl} has a name that begins with ${worker}. Live are: ${workers.map((each) => each.name).join(', ') || 'none'}.`,
      )
    const control = await JetStreamControl.open(connection, crawl)
    await control.command({ kind: 'drain', worker: meant.name })
    const giveUpMs = performance.now() + drainMsMax
    while ((await live()).some((each) => each.name === meant.name)) {
      if (performance.now() > giveUpMs)
        throw new RankwardError(
          'NATS_UNREACHABLE',
          `The worker ${meant.name} was told to leave, and has not left for ${drainMsMax / 60_000} minutes: look at its log.`,
        )
      await new Promise((resolve) => void setTimeout(resolve, drainPollMs))
    }
    return { worker: meant.name, shards: meant.shards.length }
  })
}

/** The state of every crawl on the servers. */
export function readCrawls(options: ClusterConnection): Promise<ControlState[]> {
  return connected(options, async (connection) => {
    const states: ControlState[] = []
    for (const name of await listCrawls(connection)) {
      const control = await JetStreamControl.open(connection, name).catch((error: unknown) => {
        // Not begun yet, or deleted meanwhile.
        if (!(error instanceof RankwardError && error.code === 'NO_CRAWL')) throw error
      })
      if (control !== undefined) states.push(control.state)
    }
    return states
  })
}

/** What a deletion would delete. */
export function readStorage({ name, ...options }: ClusterCrawlOptions): Promise<CrawlStorage> {
  return connected(options, (connection) => deletable(connection, name))
}

/** Deletes a crawl, and returns what it occupied. */
export function deleteFrom({ name, ...options }: ClusterCrawlOptions): Promise<CrawlStorage> {
  return connected(options, (connection) => deleteCrawl(connection, name))
}

/** Not repeated: a second attempt would find the files of the first. */
export async function backupTo(
  { name, ...options }: ClusterCrawlOptions,
  folder: string,
  progress?: Progress,
): Promise<CrawlBackup> {
  const { backupCrawl } = await import('./backup-crawl.ts')
  return connectedOnce(options, (connection) => backupCrawl(connection, name, folder, progress))
}

export async function restoreFrom(
  options: ClusterConnection,
  folder: string,
  progress?: Progress,
): Promise<CrawlBackup> {
  const { restoreCrawl } = await import('./backup-crawl.ts')
  return connectedOnce(options, (connection) => restoreCrawl(connection, folder, progress))
}

/** Connects, runs and disconnects. What runs is repeated while the servers elect a leader. */
export function connected<T>(
  options: ClusterConnection,
  run: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  return connectedOnce(options, (connection) => retried(() => run(connection)))
}

async function connectedOnce<T>(
  options: ClusterConnection,
  run: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectCluster(options, { name: 'rankward operator' })
  try {
    return await run(connection)
  } catch (error) {
    throw natsFailure(error)
  } finally {
    await connection.close()
  }
}
