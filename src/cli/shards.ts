import { Command } from 'commander'
import { clusterStatus } from '../cluster/operator.ts'
import { clusterCrawlOf, withClusterOptions } from './cluster/options.ts'
import { shardsTable } from './cluster/text.ts'
import { printJson, type OutputOptions } from './options.ts'

export function shardsCommand(): Command {
  const command = new Command('shards')
    .description('List the shards of a crawl on a cluster')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
The states are owned (by a live worker), released, orphaned (its worker is gone) and unclaimed (no group yet). A shard
is stalled if it has pages to fetch and no live worker, or has stored no group for a minute. \`behind\` counts messages
of other shards that it has not applied.

Examples:
  rankward shards --cluster nats://10.0.0.1:4222 --name news
  rankward shards --cluster nats://10.0.0.1:4222 --name news --json | jq '.shards[].pages'`,
    )
    .action(run)
  return withClusterOptions(command)
}

async function run({ json }: OutputOptions, command: Command): Promise<void> {
  const status = await clusterStatus(clusterCrawlOf(command))
  const { name, shards } = status
  if (json === true) printJson({ name, shards })
  else process.stdout.write(`${shardsTable(status)}\n`)
}
