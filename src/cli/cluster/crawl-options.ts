/** The options of `rankward crawl` for a cluster. */
import type { Command } from 'commander'
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
}

export function isClusterCrawl(command: Command): boolean {
  return command.getOptionValue('cluster') !== undefined
}
