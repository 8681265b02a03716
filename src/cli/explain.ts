import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import {
  clusterCrawlOf,
  hasClusterOptions,
  isOnCluster,
  withCopiesOption,
  withClusterOptions,
} from './cluster/options.ts'
import { explanationText } from '../crawler/read/explanation-text.ts'
import { printJson, withOutputOptions, type OutputOptions } from './options.ts'
import { bold, printNote, progressBar } from './terminal.ts'

interface ExplainCliOptions extends OutputOptions {
  readonly copies?: string
}

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('Explain when and why a crawl fetched a page, or why it did not')
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .argument('[url]', 'the page')
    .addHelpText(
      'after',
      `
Replays the crawl from its record, without sending requests; this takes a while for large crawls. On a cluster, the
journal of the shard that owns the page is copied first, and the explanation is by that shard: what other shards know of the
page is not part of it.

Examples:
  rankward explain crawl https://example.org/about
  rankward explain crawl https://example.org/about --json
  rankward explain --cluster nats://10.0.0.1:4222 --name news https://example.org/about

docs/crawl-output.md explains every field.`,
    )
    .action(run)
  return withCopiesOption(withClusterOptions(withOutputOptions(command)))
}

async function run(
  first: string | undefined,
  second: string | undefined,
  options: ExplainCliOptions,
  command: Command,
): Promise<void> {
  const [folder, url] = second === undefined ? [undefined, first] : [first, second]
  if (url === undefined || (folder === undefined && !hasClusterOptions(command)))
    throw new RankwardError(
      'USAGE',
      'Expected the folder of a crawl and a URL, or --cluster with --name and a URL.',
    )
  const isCluster = isOnCluster(command, folder)
  const reading = progressBar(`Reading ${folder ?? 'the cluster'}`, options.progress)
  const { progress } = reading
  const explained = async () => {
    if (!isCluster)
      return (await import('../crawler/read/explanation.ts')).explain(folder!, url, { progress })
    const { explainCluster } = await import('../cluster/operator.ts')
    return explainCluster(url, {
      ...clusterCrawlOf(command),
      cache: options.copies,
      progress,
      onNotice: printNote,
    })
  }
  const explanation = await explained().finally(() => reading.end())
  if (options.json === true) printJson(explanation)
  else process.stdout.write(`${explanationText(folder, explanation, bold)}\n`)
}
