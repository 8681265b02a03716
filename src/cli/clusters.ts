import { Command } from 'commander'
import { clusterCrawls } from '../cluster/operator.ts'
import { connectionOf, withConnectionOptions } from './cluster/options.ts'
import { crawlsText } from './cluster/text.ts'
import { printJson, type OutputOptions } from './options.ts'

export function clustersCommand(): Command {
  const command = new Command('clusters')
    .description('List the crawls on a cluster')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Examples:
  rankward clusters --cluster nats://10.0.0.1:4222
  rankward clusters --cluster tls://nats.example:4222 --nats-user viewer --nats-password-file password.txt`,
    )
    .action(run)
  return withConnectionOptions(command)
}

async function run({ json }: OutputOptions, command: Command): Promise<void> {
  const crawls = await clusterCrawls(connectionOf(command))
  if (json === true) printJson({ crawls })
  else process.stdout.write(`${crawlsText(crawls)}\n`)
}
