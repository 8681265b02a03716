import { Command, Option } from 'commander'
import {
  chosenOf,
  contentNames,
  exportFormats,
  exportTables,
  formatsOf,
  standardOutput,
} from '../inspect/export/destination.ts'
import type { ContentName, ExportFormat, ExportTable } from '../inspect/export/destination.ts'
import type { ExportResult } from '../inspect/export/export.ts'
import { shellWord } from './crawl/summary.ts'
import { bytesText, percentText, plural } from './crawl/words.ts'
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
}

export function exportCommand(): Command {
  const command = new Command('export')
    .description("Write a crawl's pages and links as tables, with RankMass and PageRank")
    .argument('<folder>', 'the folder of a crawl')
    .option(
      '--to <place>',
      'a folder, a file for a single format, or - for standard output (default: FOLDER/export)',
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
    .addHelpText(
      'after',
      `
parquet, tsv, csv and jsonl have a table of pages and one of links, and for a crawl that fetches pages again one of
versions; edges is an edge list with a list of URLs beside it, which \`rankward simulate\` reads. Links out of
the crawl are counted and omitted.

Examples:
  rankward export crawl
  rankward export crawl --format parquet,edges --to tables
  rankward export crawl --format edges --to web.tsv.gz --json
  rankward export crawl --to - --table pages | cut -f 2
  rankward export crawl --to - --table versions --format jsonl
  rankward export crawl --to texts.jsonl.gz --content text --where 'state=fetched'
  rankward export crawl --to dead.csv --where 'status>=400 and found_on is not empty'
  rankward export crawl --to - --format jsonl --where "url ~ '/docs/**' and not noindex"

docs/crawl-output.md explains every column.`,
    )
    .action(run)
  return withOutputOptions(withCellOptions(withWritingOptions(command)))
}

async function run(folder: string, options: ExportCliOptions): Promise<void> {
  const isStream = options.to === standardOutput
  if (isStream && options.json === true) {
    throw new RankwardError(
      'USAGE',
      '--to - and --json both write to standard output: leave one of them out.',
    )
  }
  // Loaded late: Parquet takes a while to load, and other commands do not need it.
  const { exportCrawl } = await import('../inspect/export/export.ts')
  const result = await exportCrawl(folder, {
    to: options.to,
    format: options.format,
    table: options.table,
    where: options.where,
    content: options.content,
    overwrite: options.overwrite,
    rawCells: options.rawCells,
    stage: (label) => progressBar(label, options.progress),
  })
  if (isStream) return
  if (options.json === true) printJson({ folder, ...result })
  else process.stdout.write(`${exportText(result)}\n`)
}

export function exportText(result: ExportResult): string {
  const { pages, fetched, links, linksOutside, rankMass, files } = result
  const rows = files.map(({ path, table: name, rows: count, bytes }) => [
    safe(path),
    plural(count, name === 'links' || name === 'edges' ? 'link' : name === 'versions' ? 'version' : 'page'),
    bytesText(bytes),
  ])
  const held = rankMass === undefined ? '' : `; those fetched hold ${percentText(rankMass)} of the RankMass`
  const left =
    linksOutside === 0 ? '' : ` ${plural(linksOutside, 'link')} to pages outside the crawl are left out.`
  return [
    table([{ title: 'file' }, { title: 'rows', align: 'right' }, { title: 'size', align: 'right' }], rows),
    dim(
      `${plural(pages, 'page')} known, ${plural(fetched, 'page')} fetched${held}. ${plural(links, 'link')}.${left}`,
    ),
    ...simulateLine(files),
  ].join('\n')
}

function simulateLine(files: ExportResult['files']): string[] {
  const place = (name: string): string | undefined => files.find(({ table: of }) => of === name)?.path
  const [edges, urls] = [place('edges'), place('urls')]
  if (edges === undefined || urls === undefined) return []
  return [
    dim(`Next: rankward simulate ${shellWord(edges)} --urls ${shellWord(urls)} --strategy exact-rankmass`),
  ]
}
