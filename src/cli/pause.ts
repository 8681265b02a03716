import { Command } from 'commander'
import { pauseCluster } from '../cluster/operator.ts'
import { clusterCrawlOf, withClusterOptions } from './cluster/options.ts'
import { commandText } from './cluster/text.ts'
import { printJson, type OutputOptions } from './options.ts'

export function pauseCommand(): Command {
  const command = new Command('pause')
    .description('Pause a crawl on a cluster: no more pages are requested until `resume`')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Requests in flight are finished. Workers keep running and keep their shards.

Examples:
  rankward pause --cluster nats://10.0.0.1:4222 --name news
  rankward resume --cluster nats://10.0.0.1:4222 --name news`,
    )
    .action(run)
  return withClusterOptions(command)
}

async function run({ json }: OutputOptions, command: Command): Promise<void> {
  const result = await pauseCluster(clusterCrawlOf(command))
  if (json === true) printJson(result)
  else process.stdout.write(`${commandText(result)}\n`)
}
