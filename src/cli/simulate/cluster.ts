import { Option, type Command } from 'commander'
import { RankwardError } from '../../lib/errors.ts'
import { nearest } from '../../lib/nearest.ts'
import {
  faultNames,
  workerOrders,
  type ClusterFaults,
  type ClusterOptions,
  type ClusterSummary,
} from '../../simulator/cluster-options.ts'
import type { SimulateOptions } from '../../simulator/simulator.ts'
import { numberBetween, wholeNumber } from '../options.ts'
import { grouped, table } from '../terminal.ts'

export interface ClusterCliOptions {
  readonly shards?: number
  readonly workers?: number
  readonly faults?: ClusterFaults
  readonly workerSpeed?: number
  readonly cutEvery?: number
  readonly workerOrder?: ClusterOptions['order']
}

export function withClusterOptions(command: Command): Command {
  return command
    .option(
      '--shards <n>',
      'crawl on this many shards, in a simulated cluster',
      wholeNumber({ min: 1, max: 1024 }),
    )
    .option(
      '--workers <n>',
      'with --shards: the workers of the cluster (default: 1)',
      wholeNumber({ min: 1, max: 1024 }),
    )
    .option(
      '--faults <list>',
      'with --shards: kills=R,freezes=R (each worker, per second), loss=P,duplicates=P (of requests), delay=S (seconds), links-losses=R, clock-skew=S (seconds)',
      faultList,
    )
    .option(
      '--worker-speed <n>',
      'with --shards: pages per second of each worker (default: 100)',
      numberBetween(0, 1e9),
    )
    .option(
      '--cut-every <s>',
      'with --shards: seconds between two exchanges of mass (default: 5)',
      numberBetween(0, 1e9),
    )
    .addOption(
      new Option(
        '--worker-order <kind>',
        'with --shards: strict waits for the best pages of all workers, fast never waits (default: strict with --pages or --coverage, otherwise fast)',
      ).choices(workerOrders),
    )
}

export function clusterOptions(cli: ClusterCliOptions): Pick<SimulateOptions, 'cluster'> {
  const { shards, workers, faults, workerSpeed, cutEvery, workerOrder } = cli
  if (shards !== undefined)
    return {
      cluster: { shards, workers, faults, order: workerOrder, speed: workerSpeed, cutSeconds: cutEvery },
    }
  if (workers ?? faults ?? workerSpeed ?? cutEvery ?? workerOrder)
    throw new RankwardError(
      'USAGE',
      '--workers, --faults, --worker-order, workerSpeed and cutEvery belong to a simulated cluster: give --shards N too.',
    )
  return {}
}

/** `kills=0.01,links-losses=0.1` */
function faultList(text: string): ClusterFaults {
  const faults: Record<string, number> = {}
  for (const part of text.split(',')) {
    const [name, value = ''] = part.split('=').map((piece) => piece.trim())
    const fault = faultNames.find((each) => cliName(each) === name)
    const number = Number(value)
    if (fault === undefined || value === '' || !(number >= 0)) throw badFault(part.trim(), name)
    faults[fault] = number
  }
  return faults
}

const cliName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function badFault(part: string, name: string): RankwardError {
  const names = faultNames.map(cliName)
  const meant = names.includes(name) ? undefined : nearest(name, names)
  const advice =
    meant === undefined
      ? `Expected NAME=NUMBER; the names are ${names.join(', ')}.`
      : `Did you mean ${meant}?`
  return new RankwardError('USAGE', `--faults: "${part}" is not a fault. ${advice}`)
}

/** What the cluster of each run did. */
export function clusterTable(
  runs: readonly { readonly strategy: string; readonly cluster?: ClusterSummary }[],
): string[] {
  const rows = runs.flatMap(({ strategy, cluster }) =>
    cluster === undefined
      ? []
      : [
          [
            strategy,
            grouped(cluster.shards),
            grouped(cluster.workers),
            cluster.coverage.toFixed(4),
            grouped(cluster.fetches),
            grouped(cluster.kills),
            grouped(cluster.freezes),
            grouped(cluster.fenced),
            grouped(cluster.groups),
            grouped(cluster.journalBytes),
            grouped(cluster.messages),
            grouped(cluster.linkBytes),
          ],
        ],
  )
  if (rows.length === 0) return []
  const right = (title: string): { title: string; align: 'right' } => ({ title, align: 'right' })
  const columns = [
    'shards',
    'workers',
    'coverage',
    'fetches',
    'kills',
    'freezes',
    'fenced',
    'groups',
    'bytes',
    'messages',
    'bytes',
  ]
  return ['', table([{ title: 'cluster' }, ...columns.map(right)], rows)]
}
