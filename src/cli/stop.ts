import { Command } from 'commander'
import { stopCluster } from '../cluster/operator.ts'
import { clusterCrawlOf, withClusterOptions } from './cluster/options.ts'
import { commandText } from './cluster/text.ts'
import { printJson, type OutputOptions } from './options.ts'

export function stopCommand(): Command {
  const command = new Command('stop')
    .description('Stop a crawl on a cluster: all workers release their shards and end')
    .option('--reason <text>', 'shown by `rankward status`')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Requests in flight are finished. \`rankward resume\` allows workers to continue; start them again.

Examples:
  rankward stop --cluster nats://10.0.0.1:4222 --name news --reason 'new disks'
  rankward resume --cluster nats://10.0.0.1:4222 --name news`,
    )
    .action(run)
  return withClusterOptions(command)
}

async function run(
  { json, reason }: OutputOptions & { readonly reason?: string },
  command: Command,
): Promise<void> {
  const result = await stopCluster({ ...clusterCrawlOf(command), reason })
  if (json === true) printJson(result)
  else process.stdout.write(`${commandText(result)}\n`)
}
