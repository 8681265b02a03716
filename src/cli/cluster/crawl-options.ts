/** The options of `rankward crawl` for a cluster. */
import { InvalidArgumentError, type Command } from 'commander'
import { RankwardError } from '../../lib/errors.ts'
import { clusterRows } from '../../crawler/options/cluster-options.ts'
import { flagOf } from '../../lib/option-table.ts'
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
      'with --cluster: servers that store each group, 1 or 3 (default: 3 if there are so many, otherwise 1)',
      replicas,
    )
}

/** With 2, the crawl stops with either server; with 4 or 5 it pays for more copies than a crawl needs. */
function replicas(text: string): number {
  if (text === '1' || text === '3') return Number(text)
  throw new InvalidArgumentError('Expected 1 or 3: three copies survive the loss of a server, two do not.')
}

/** Refuses the other options of a cluster without `--cluster`: the crawl would run on this machine. */
export function isClusterCrawl(command: Command): boolean {
  if (command.getOptionValue('cluster') !== undefined) return true
  const given = [...Object.keys(clusterRows), 'name', 'shards', 'replicas'].find(
    (name) => command.getOptionValueSource(name) === 'cli',
  )
  if (given === undefined) return false
  throw new RankwardError(
    'USAGE',
    `${flagOf(given)} needs --cluster: without it, the crawl runs on this machine.`,
  )
}
