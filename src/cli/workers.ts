import { Command } from 'commander'
import { clusterStatus } from '../cluster/operator.ts'
import { clusterCrawlOf, withClusterOptions } from './cluster/options.ts'
import { workersText } from './cluster/text.ts'
import { printJson, type OutputOptions } from './options.ts'

export function workersCommand(): Command {
  const command = new Command('workers')
    .description('List the workers of a crawl on a cluster')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
A worker is gone if it has not renewed its key for 20 seconds. Its shards then move to the others.

Examples:
  rankward workers --cluster nats://10.0.0.1:4222 --name news
  rankward workers --cluster nats://10.0.0.1:4222 --name news --json | jq '.workers[].pages'`,
    )
    .action(run)
  return withClusterOptions(command)
}

async function run({ json }: OutputOptions, command: Command): Promise<void> {
  const status = await clusterStatus(clusterCrawlOf(command))
  const { name, workers } = status
  if (json === true) printJson({ name, workers })
  else process.stdout.write(`${workersText(status)}\n`)
}
