import { Command, Option } from 'commander'
import { chosenOf } from '../crawler/read/export/destination.ts'
import { dedupNames, type Dedup } from '../crawler/dataset/copies.ts'
import type { DatasetResult } from '../crawler/dataset/dataset.ts'
import { qualityRules, type QualityRule } from '../crawler/dataset/quality.ts'
import { usePurposes, type UsePurpose } from '../web/preferences/known-signals.ts'
import { agreeing, plural, shellWord } from './crawl/words.ts'
import { readFolder, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { printJson, withOutputOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, WritingOptions } from './options.ts'
import { dim, grouped, progressBar, safe, table } from './terminal.ts'

interface DatasetCliOptions extends OutputOptions, WritingOptions {
  readonly to: string
  readonly format: 'parquet' | 'jsonl' | 'markdown'
  readonly language?: string[]
  readonly dedup: Dedup
  readonly quality?: QualityRule[]
  readonly purpose?: UsePurpose
  readonly includeOptedOut?: boolean
}

export function datasetCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('dataset')
    .description('Make a data set of clean texts from the archived pages of a crawl, or from WARC files')
    .argument(
      '[inputs...]',
      'the folder of a crawl, or WARC files of any program; without it, --cluster and --name',
    )
    .requiredOption('--to <folder>', 'the folder of the data set')
    .addOption(
      new Option('--format <name>', 'the form of the documents')
        .choices(['parquet', 'jsonl', 'markdown'])
        .default('parquet'),
    )
    .option(
      '--language <codes>',
      'only documents in this language, such as en, or several with commas',
      (text: string) => text.split(',').map((code) => code.trim()),
    )
    .addOption(
      new Option('--dedup <kind>', 'leave out copies: of the same text, of nearly the same text too, or none')
        .choices(dedupNames)
        .default('near'),
    )
    .option(
      '--quality <rules>',
      `leave out what fails these rules: ${qualityRules.join(', ')}, or several with commas`,
      (names: string) => chosenOf(names, qualityRules, 'a quality rule'),
    )
    .addOption(
      new Option(
        '--purpose <use>',
        'leave out pages whose owners do not allow this use (default: that of the crawl)',
      ).choices(usePurposes),
    )
    .option('--include-opted-out', 'of a crawl with a purpose: do not leave out such pages')
    .addHelpText(
      'after',
      `
A document is the main content of an HTML page: without menus, footers and what the pages of its site repeat, as text and as
Markdown, with title, author, dates, language, licence and numbers about its quality. What is left out is listed with the reason
(excluded.jsonl), and README.md describes the data set.

With --format markdown, each page is a file, llms.txt links to all of them (the most important first), and llms-full.txt has
all of their texts.

Examples:
  rankward dataset crawl --to data
  rankward dataset crawl --to data --language en --quality gopher,c4 --format jsonl
  rankward dataset crawl --to site-texts --format markdown
  rankward dataset crawl --to data --purpose train-ai
  rankward dataset CC-MAIN-*.warc.gz --to data --dedup exact
  rankward dataset --cluster nats://10.0.0.1:4222 --name news --to data

docs/guide/content.md explains every column.`,
    )
    .action(async ([first, ...others]: string[], options: DatasetCliOptions) =>
      run([await readFolder(elsewhere, command, first, options.progress), ...others], options),
    )
  withOutputOptions(withWritingOptions(command))
  return elsewhere?.withCopyOptions(command) ?? command
}

async function run(inputs: string[], options: DatasetCliOptions): Promise<void> {
  const { dataset } = await import('../crawler/dataset/dataset.ts')
  const reading = progressBar(`Reading ${inputs[0]}`, options.progress)
  const { to, format, language, dedup, quality, purpose, includeOptedOut, overwrite } = options
  const result = await dataset(inputs, {
    to,
    format,
    languages: language,
    dedup,
    quality,
    purpose,
    includeOptedOut,
    overwrite,
    command: `rankward ${process.argv.slice(2).map(shellWord).join(' ')}`,
    progress: reading.progress,
  }).finally(() => reading.end())
  if (options.json === true) printJson({ inputs, to, ...result })
  else process.stdout.write(`${resultText(result, to)}\n`)
}

function resultText(result: DatasetResult, to: string): string {
  const { documents, excluded, reasons, words, languages, use } = result
  const rows = Object.entries(reasons)
    .toSorted((one, other) => other[1] - one[1])
    .map(([reason, pages]) => [reason, grouped(pages)])
  const spoken = Object.entries(languages)
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, 5)
    .map(([language, pages]) => `${language} ${grouped(pages)}`)
  return [
    `${plural(documents, 'document')} with ${plural(words, 'word')} in ${safe(to)}${spoken.length === 0 ? '' : ` (${spoken.join(', ')})`}.`,
    excluded === 0 ? 'Nothing was left out.' : `${plural(excluded, 'response')} left out:`,
    ...(rows.length === 0 ? [] : [table([{ title: 'reason' }, { title: 'pages', align: 'right' }], rows)]),
    ...(use === undefined
      ? []
      : [
          `Owners do not allow ${use.purpose} for ${plural(use.leftOut, 'page')}, which ${agreeing(use.leftOut, 'is', 'are')} left out. Nothing is said about ${plural(use.unknown, 'document')}.`,
        ]),
    dim(`README.md there describes the data set, excluded.jsonl lists what is left out.`),
  ].join('\n')
}
