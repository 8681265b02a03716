import { Command } from 'commander'
import { connectCluster } from '../../cluster/jetstream/connect.ts'
import { natsFailure } from '../../cluster/jetstream/nats-errors.ts'
import { JetStreamControl, listCrawls } from '../../cluster/jetstream/jetstream-control.ts'
import { dashboardValue } from '../../crawler/options/dashboard-address.ts'
import { shownOption } from '../../crawler/options/option-table.ts'
import { workerFiles } from '../../crawler/options/worker-files.ts'
import { RankwardError } from '../../lib/errors.ts'
import { flagOf } from '../../lib/option-table.ts'
import { connectionOf, withConnectionOptions } from './options.ts'
import { percentText, plural } from '../../lib/amounts.ts'
import { parserOf, printJson, wholeNumber } from '../options.ts'

type Connection = Awaited<ReturnType<typeof connectCluster>>

interface WorkerCliOptions {
  readonly name?: string
  readonly wait?: boolean
  readonly out?: string
  readonly threads?: number
  readonly connections?: number
  readonly weight?: number
  readonly metrics?: string
  readonly json?: boolean
  readonly progress?: boolean
}

const lineMs = 10_000

export function workerCommand(): Command {
  const command = new Command('worker')
    .description('Crawl shards of a crawl on this machine')
    .option('--name <name>', 'the crawl (default: the only one of the cluster; waits for one)')
    .option('--wait', 'wait until the crawl of --name is begun')
    .option('--out <folder>', 'the folder of this worker (default: worker-NAME)')
    .option('--threads <n>', 'fetch threads of this worker', wholeNumber({ min: 1, max: 64 }))
    .option(
      '--connections <n>',
      'connections of this worker (default: as the crawl says)',
      wholeNumber({ min: 1, max: 1_000_000 }),
    )
    .option(
      '--weight <n>',
      'its part of the shards: 3 has three times as many as a worker with 1, the default',
      wholeNumber({ min: 1, max: 999 }),
    )
  for (const name of workerFiles.keys())
    command.option(
      `${flagOf(name)} <file>`,
      `this worker's copy of the file for ${shownOption(name)} of the crawl`,
      (path: string, before: readonly string[] | undefined) => [...(before ?? []), path],
    )
  command
    .option(
      '--metrics <address>',
      'serve /metrics and /healthz of this worker: a port, or HOST:PORT',
      parserOf(dashboardValue),
    )
    .option('--json', 'print as JSON why the worker ended')
    .option('--no-progress', 'show no progress')
  return withConnectionOptions(command)
    .addHelpText(
      'after',
      `
The worker ends when the crawl is over. Ctrl-C or SIGTERM makes it leave: it finishes its requests and hands its shards over.
A second Ctrl-C ends it at once; the other workers take its shards over after about 20 seconds.

Examples:
  rankward cluster worker --cluster nats://10.0.0.1:4222 --cluster nats://10.0.0.2:4222 --name example
  rankward cluster worker --cluster tls://nats.example:4222 --nats-user crawler --nats-password-file secret --out /data/worker`,
    )
    .action(run)
}

async function run(_options: unknown, command: Command): Promise<void> {
  const options = command.opts<WorkerCliOptions>()
  const connection = await connectCluster(connectionOf(command))
  try {
    const crawl = await crawlOf(connection, options)
    const folder = options.out ?? `worker-${crawl}`
    // Loaded late: the other commands need no HTTP client.
    const { runWorker } = await import('../../cluster/crawl/start-worker.ts')
    const { threads, connections, weight, metrics } = options
    const given: Readonly<Record<string, unknown>> = command.opts()
    const files = Object.fromEntries(
      Array.from(workerFiles.keys(), (name) => [name, given[name] as readonly string[] | undefined]),
    )
    const end = await runWorker({
      connection,
      crawl,
      folder,
      threads,
      connections,
      weight,
      files,
      metrics,
      onStart: (worker, { shards }, metricsUrl) => {
        if (metricsUrl !== undefined) process.stderr.write(`Metrics: ${metricsUrl}metrics\n`)
        process.stderr.write(`Working on the crawl ${crawl} (${plural(shards, 'shard')}) in ${folder}.\n`)
        leaveOnSignals(() => worker.leave())
      },
      onLook: options.progress === false ? undefined : progressLines(),
      onNotice: (line) => void process.stderr.write(`${line}\n`),
    })
    if (options.json === true) printJson({ crawl, folder, ended: end })
    else
      process.stdout.write(
        end === 'left' ? `The worker has left the crawl ${crawl}.\n` : `${crawl}: ${end}.\n`,
      )
  } catch (error) {
    throw natsFailure(error)
  } finally {
    await connection.close()
  }
}

function leaveOnSignals(leave: () => void): void {
  let isLeaving = false
  const onSignal = (): void => {
    if (isLeaving) process.exit(130)
    isLeaving = true
    process.stderr.write('Finishing the requests in flight and handing the shards over.\n')
    leave()
  }
  // The default listener of the command line would end the process.
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

interface Look {
  readonly owned: number
  readonly claimed: number
  readonly fetched: number
  readonly coverage: number
}

function progressLines(): (look: Look) => void {
  let lineAt = 0
  return ({ owned, claimed, fetched, coverage }) => {
    if (performance.now() < lineAt) return
    lineAt = performance.now() + lineMs
    process.stderr.write(
      `${owned} of ${plural(claimed, 'shard')} here; all: ${plural(fetched, 'page')}, ${percentText(coverage)} certain\n`,
    )
  }
}

/** The crawl of this name, or the only one of the cluster. Waits for the latter, and for the former if that is wanted. */
async function crawlOf(connection: Connection, { name, wait = false }: WorkerCliOptions): Promise<string> {
  if (name !== undefined && !wait) return name
  for (let isFirst = true; ; isFirst = false) {
    const crawls = await listCrawls(connection)
    if (name === undefined && crawls.length > 1)
      throw new RankwardError(
        'USAGE',
        `The cluster has several crawls: give --name, one of ${crawls.join(', ')}.`,
      )
    const found = crawls.find((crawl) => name === undefined || crawl === name)
    if (found !== undefined && (await isBegun(connection, found))) return found
    if (isFirst)
      process.stderr.write(`Waiting for ${name === undefined ? 'a crawl' : `the crawl ${name}`}.\n`)
    await new Promise((resolve) => void setTimeout(resolve, 1000))
  }
}

/** A crawl is listed a moment before its settings are stored. */
async function isBegun(connection: Connection, crawl: string): Promise<boolean> {
  try {
    await JetStreamControl.open(connection, crawl)
    return true
  } catch (error) {
    if (error instanceof RankwardError && error.code === 'NO_CRAWL') return false
    throw error
  }
}
