import { Command, Option } from 'commander'
import {
  chosenOf,
  contentNames,
  exportFormats,
  exportTables,
  formatsOf,
  standardOutput,
} from '../crawler/read/export/destination.ts'
import type { ContentName, ExportFormat, ExportTable } from '../crawler/read/export/destination.ts'
import type { ExportResult } from '../crawler/read/export/export.ts'
import { meantElsewhere, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { agreeing, bytesText, percentText, plural, shellWord } from './crawl/words.ts'
import { partTables } from '../crawler/parts/all-parts.ts'
import { usePurposes, type UsePurpose } from '../web/preferences/known-signals.ts'
import { RankwardError } from '../lib/errors.ts'
import { printJson, withCellOptions, withOutputOptions, withWritingOptions } from './options.ts'
import type { CellOptions, OutputOptions, WritingOptions } from './options.ts'
import { dim, progressBar, safe, table } from './terminal.ts'

interface ExportCliOptions extends OutputOptions, WritingOptions, CellOptions {
  readonly to?: string
  readonly format?: ExportFormat[]
  readonly table?: ExportTable
  readonly where?: string
  readonly content?: ContentName[]
  readonly purpose?: UsePurpose
  readonly includeOptedOut?: boolean
}

export function exportCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('export')
    .description("Write a crawl's pages and links as tables, with RankMass and PageRank")
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .option(
      '--to <place>',
      'a folder, a file for a single format, or - for standard output (default: FOLDER/export; for a cluster, or if FOLDER is read-only, NAME-export)',
    )
    .option(
      '--format <names>',
      `${exportFormats.join(', ')}, or several with commas (default: by --to's extension, else parquet)`,
      formatsOf,
    )
    .addOption(
      new Option('--table <name>', 'one table only (default: all; on standard output the first)').choices(
        exportTables,
      ),
    )
    .option(
      '--where <condition>',
      "only the rows that fulfil it (of --table, else pages), such as 'status=200 and depth<3'",
    )
    .option(
      '--content <names>',
      `further columns of pages and versions, from the archive: ${contentNames.join(', ')}, or several with commas`,
      (names: string) => chosenOf(names, contentNames, 'a content'),
    )
    .addOption(
      new Option(
        '--purpose <use>',
        'leave out pages whose owners do not allow this use, and count them (default: that of the crawl)',
      ).choices(usePurposes),
    )
    .option('--include-opted-out', 'of a crawl with a purpose: do not leave out such pages')
    .addHelpText(
      'after',
      `
parquet, tsv, csv and jsonl have a table of pages and one of links, for a crawl that fetches pages again one of
versions, with --on-page one of items, and with --requisites one of these; edges is an edge list with a list of URLs beside it, which \`rankward simulate\` reads. Links out of
the crawl are counted and omitted. wacz is the archive in one file, for ReplayWeb.page and other tools, with a list of
pages; --content text adds their texts to the list.

On a cluster, the journals of all shards are copied first, and their pages and links are joined. Links to pages that their
shard does not know yet are counted and omitted, too; a finished crawl has none. --content and wacz
need a crawl with --archive: without it, responses are on the machines of the workers.

Examples:
  rankward export crawl
  rankward export crawl --format parquet,edges --to tables
  rankward export crawl --format edges --to web.tsv.gz --json
  rankward export crawl --to crawl.wacz
  rankward export crawl --to - --table pages | cut -f 2
  rankward export crawl --to - --table versions --format jsonl
  rankward export crawl --to texts.jsonl.gz --content text --where 'state=fetched'
  rankward export crawl --to dead.csv --where 'status>=400 and found_on is not empty'
  rankward export crawl --to data --purpose train-ai
  rankward export --cluster nats://10.0.0.1:4222 --name news --to tables --copies copies
  rankward export crawl --to - --format jsonl --where "url ~ '/docs/**' and not noindex"

docs/reference/crawl-output.md explains every column.`,
    )
    .action((folder: string | undefined, options: ExportCliOptions) =>
      run(folder, options, meantElsewhere(elsewhere, command, folder), command),
    )
  withOutputOptions(withCellOptions(withWritingOptions(command)))
  return elsewhere?.withCopyOptions(command) ?? command
}

async function run(
  folder: string | undefined,
  options: ExportCliOptions,
  meant: CrawlsElsewhere | undefined,
  command: Command,
): Promise<void> {
  const isStream = options.to === standardOutput
  if (isStream && options.json === true) {
    throw new RankwardError(
      'USAGE',
      '--to - and --json both write to standard output: leave one of them out.',
    )
  }
  const { to, format, table: only, where, content, overwrite, rawCells, purpose, includeOptedOut } = options
  const stage = (label: string): ReturnType<typeof progressBar> => progressBar(label, options.progress)
  const tables = {
    to,
    format,
    table: only,
    where,
    content,
    overwrite,
    rawCells,
    purpose,
    includeOptedOut,
    stage,
  }
  const exported = async (): Promise<ExportResult> => {
    if (meant !== undefined) return meant.export(command, tables)
    // Loaded late: Parquet takes a while to load, and other commands do not need it.
    const { exportCrawl } = await import('../crawler/read/export/export.ts')
    return exportCrawl(folder!, tables)
  }
  const result = await exported()
  if (isStream) return
  if (options.json === true)
    printJson({ ...(meant === undefined ? { folder } : { name: meant.nameOf(command) }), ...result })
  else process.stdout.write(`${exportText(result)}\n`)
}

function exportText(result: ExportResult): string {
  const { pages, fetched, links, linksOutside, linksNotArrived = 0, rankMass, files } = result
  const rows = files.map(({ path, table: name, rows: count, bytes }) => [
    safe(path),
    plural(count, rowNames[name] ?? partTables.get(name)?.row ?? 'page'),
    bytesText(bytes),
  ])
  const held = rankMass === undefined ? '' : `; those fetched hold ${percentText(rankMass)} of the RankMass`
  const left =
    linksOutside === 0
      ? ''
      : ` ${plural(linksOutside, 'link')} to pages outside the crawl ${agreeing(linksOutside, 'is', 'are')} left out.`
  const ahead =
    linksNotArrived === 0
      ? ''
      : ` ${plural(linksNotArrived, 'link')} of these lead to pages that their shard does not know yet.`
  const { use } = result
  const usable =
    use === undefined
      ? ''
      : ` ${plural(use.leftOut, 'page')} left out, whose owners do not allow ${use.purpose}; of those exported, nothing is said about ${plural(use.unknown, 'fetched page')}.`
  return [
    table([{ title: 'file' }, { title: 'rows', align: 'right' }, { title: 'size', align: 'right' }], rows),
    dim(
      `${plural(pages, 'page')} known, ${plural(fetched, 'page')} fetched${held}. ${plural(links, 'link')}.${left}${ahead}${usable}`,
    ),
    ...simulateLine(files),
  ].join('\n')
}

/** What a row of these tables is; of the others, a page. */
const rowNames: Partial<Record<ExportTable, string>> = {
  links: 'link',
  edges: 'link',
  versions: 'version',
}

function simulateLine(files: ExportResult['files']): string[] {
  const place = (name: string): string | undefined => files.find(({ table: of }) => of === name)?.path
  const [edges, urls] = [place('edges'), place('urls')]
  if (edges === undefined || urls === undefined) return []
  return [
    dim(`Next: rankward simulate ${shellWord(edges)} --urls ${shellWord(urls)} --strategy exact-rankmass`),
  ]
}
