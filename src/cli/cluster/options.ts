/** The options of commands for a crawl on a cluster. */
import type { Command } from 'commander'
import { RankwardError } from '../../lib/errors.ts'
import {
  clusterRows,
  type ClusterConnection,
  type ClusterCrawlOptions,
  type ClusterOptionName,
} from '../../crawler/options/cluster-options.ts'
import { withRows } from '../options.ts'

/** Adds the options that connect to a cluster. */
export function withConnectionOptions(command: Command): Command {
  return withRows(command.optionsGroup('Cluster:'), clusterRows)
}

/** As above, and `--name`. */
export function withClusterOptions(command: Command): Command {
  withConnectionOptions(command)
  return command.option('--name <crawl>', 'name of the crawl on the cluster')
}

/** The options given by the user. */
export function connectionOf(command: Command): ClusterConnection {
  const given = (Object.keys(clusterRows) as ClusterOptionName[])
    .filter((name) => command.getOptionValueSource(name) === 'cli')
    .map((name) => [name, command.getOptionValue(name) as unknown])
  return { cluster: [], ...(Object.fromEntries(given) as Partial<ClusterConnection>) }
}

export function clusterCrawlOf(command: Command): ClusterCrawlOptions {
  const name = command.getOptionValue('name') as string | undefined
  if (name === undefined)
    throw new RankwardError(
      'USAGE',
      'No crawl is given: add --name. `rankward cluster list --cluster …` lists the crawls of a cluster.',
    )
  return { ...connectionOf(command), name }
}

/** Adds `--copies` to a command that reads the journals of a cluster. */
export function withCopiesOption(command: Command): Command {
  return command.option(
    '--copies <folder>',
    "folder for copies of the cluster's journals (default: one in the system's folder for temporary files)",
  )
}

export function hasClusterOptions(command: Command): boolean {
  return Object.keys(clusterRows).some((name) => command.getOptionValueSource(name) === 'cli')
}

/** For commands that take a folder, or a crawl on a cluster: true for the latter. */
export function isOnCluster(command: Command, folder: string | undefined): boolean {
  const isGiven = hasClusterOptions(command)
  if (folder === undefined && !isGiven)
    throw new RankwardError(
      'USAGE',
      'No crawl is given: expected the folder of a crawl, or --cluster with --name.',
    )
  if (folder !== undefined && command.getOptionValue('copies') !== undefined)
    throw new RankwardError('USAGE', '--copies is for crawls on a cluster: leave it out, or give --cluster.')
  if (folder !== undefined && (isGiven || command.getOptionValue('name') !== undefined))
    throw new RankwardError(
      'USAGE',
      `A folder and ${isGiven ? '--cluster' : '--name'} are given: expected the folder of a crawl, or --cluster with --name.`,
    )
  return isGiven
}
