import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { meantElsewhere, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { explanationText } from '../crawler/read/explanation-text.ts'
import { printJson, withOutputOptions, type OutputOptions } from './options.ts'
import { bold, progressBar } from './terminal.ts'

export function explainCommand(elsewhere?: CrawlsElsewhere): Command {
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

docs/reference/crawl-output.md explains every field.`,
    )
    .action((first: string | undefined, second: string | undefined, options: OutputOptions) =>
      run(second === undefined ? [undefined, first] : [first, second], options, elsewhere, command),
    )
  withOutputOptions(command)
  return elsewhere?.withCopyOptions(command) ?? command
}

async function run(
  [folder, url]: readonly [string | undefined, string | undefined],
  options: OutputOptions,
  elsewhere: CrawlsElsewhere | undefined,
  command: Command,
): Promise<void> {
  if (url === undefined || (folder === undefined && elsewhere?.hasOptions(command) !== true))
    throw new RankwardError(
      'USAGE',
      'Expected the folder of a crawl and a URL, or --cluster with --name and a URL.',
    )
  const meant = meantElsewhere(elsewhere, command, folder)
  const reading = progressBar(`Reading ${folder ?? 'the cluster'}`, options.progress)
  const { progress } = reading
  const explained = async () =>
    (await meant?.explain(url, command, progress)) ??
    (await import('../crawler/read/explanation.ts')).explain(folder!, url, { progress })
  const explanation = await explained().finally(() => reading.end())
  if (options.json === true) printJson(explanation)
  else process.stdout.write(`${explanationText(folder, explanation, bold)}\n`)
}
