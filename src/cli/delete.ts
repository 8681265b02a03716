import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { clusterStorage, deleteCluster, type ClusterStorage } from '../cluster/operator.ts'
import { clusterCrawlOf, withClusterOptions } from './cluster/options.ts'
import { bytesText, plural } from './crawl/words.ts'
import { printJson, type OutputOptions } from './options.ts'

export function deleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete a crawl from a cluster: its journals, links, settings and snapshots')
    .option('--yes', 'delete it; without this option, the command only says what it would delete')
    .option('--json', 'print one JSON document instead of text')
    .addHelpText(
      'after',
      `
Refused while the crawl has live workers: stop it first. Folders and archives of workers are not touched. A deletion cannot be
undone: \`rankward export\` the crawl before, if its pages are needed.

Examples:
  rankward stop --cluster nats://10.0.0.1:4222 --name news
  rankward delete --cluster nats://10.0.0.1:4222 --name news --yes`,
    )
    .action(run)
  return withClusterOptions(command)
}

async function run(
  { json, yes }: OutputOptions & { readonly yes?: boolean },
  command: Command,
): Promise<void> {
  const crawl = clusterCrawlOf(command)
  if (yes !== true)
    throw new RankwardError(
      'USAGE',
      `This would delete the crawl ${crawl.name}: ${sizeText(await clusterStorage(crawl))}. Add --yes to delete it.`,
    )
  const deleted = await deleteCluster(crawl)
  if (json === true) printJson(deleted)
  else process.stdout.write(`${deleted.name} is deleted: ${sizeText(deleted)}.\n`)
}

function sizeText({ streams, bytes }: ClusterStorage): string {
  return `${plural(streams, 'stream')}, ${bytesText(bytes)} on each server`
}
