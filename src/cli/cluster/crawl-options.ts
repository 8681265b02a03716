/** The options of `rankward crawl` for a cluster. */
import { Option, type Command } from 'commander'
import { orderKinds } from '../../cluster/page-order.ts'
import { RankwardError } from '../../lib/errors.ts'
import { clusterRows } from '../../options/cluster-options.ts'
import { flagOf } from '../../options/option-table.ts'
import { wholeNumber } from '../options.ts'
import { withConnectionOptions } from './options.ts'

export const defaultShards = 64

export function withClusterCrawlOptions(command: Command): Command {
  return withConnectionOptions(command)
    .option('--name <name>', 'with --cluster: the name of the crawl (default: after the first seed)')
    .option(
      '--shards <n>',
      `with --cluster: parts of the crawl, fixed for its lifetime (default: ${defaultShards})`,
      wholeNumber({ min: 1, max: 1024 }),
    )
    .option(
      '--replicas <n>',
      'with --cluster: servers that store each group, 1 or 3 (default: as many as there are, up to 3)',
      wholeNumber({ min: 1, max: 5 }),
    )
    .addOption(
      new Option(
        '--worker-order <kind>',
        'with --cluster: strict waits for better pages of other workers, fast never waits (default: strict with --pages or --coverage, otherwise fast)',
      ).choices(orderKinds),
    )
}

/** Refuses the other options of a cluster without `--cluster`: the crawl would run on this machine. */
export function isClusterCrawl(command: Command): boolean {
  if (command.getOptionValue('cluster') !== undefined) return true
  const given = [...Object.keys(clusterRows), 'name', 'shards', 'replicas', 'workerOrder'].find(
    (name) => command.getOptionValueSource(name) === 'cli',
  )
  if (given === undefined) return false
  throw new RankwardError(
    'USAGE',
    `${flagOf(given)} needs --cluster: without it, the crawl runs on this machine.`,
  )
}
