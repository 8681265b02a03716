import { Command } from 'commander'
import { whole } from '../lib/value-kinds.ts'
import { importUrls, type ImportResult } from '../webgraph/imports/import-urls.ts'
import { plural } from './crawl/words.ts'
import { parserOf, printJson, withOutputOptions, withWritingOptions } from './options.ts'
import type { OutputOptions, WritingOptions } from './options.ts'
import { grouped, progressBar } from './terminal.ts'
import { badText } from './web-input.ts'

interface ImportCliOptions extends OutputOptions, WritingOptions {
  readonly out?: string
  readonly status?: number[]
  readonly type?: string
}

export function importCommand(): Command {
  const command = new Command('import')
    .description('List the URLs in files of other crawlers and archives, for crawl --seeds-file')
    .argument(
      '<files...>',
      'URL lists, crawl.log of Heritrix, CDX, CDXJ, JSON lines or CSV with "url" (Scrapy, Crawlee), WARC, WAT; plain or gzip',
    )
    .option('--out <file>', 'write the list to this file (default: standard output)')
    .option(
      '--status <codes>',
      'only pages with one of these statuses, where the files have them',
      statusList,
    )
    .option('--type <type>', 'only media types that begin with this, where the files have them')
    .addHelpText(
      'after',
      `
URLs are made canonical, and each is listed once, in the order of the files. Lines that cannot be read are counted.
rankward graph convert makes a graph of the links in WARC, WAT and crawl.log files.

Examples:
  rankward import heritrix/crawl.log --status 200 --out seeds.txt
  rankward crawl --seeds-file seeds.txt --out crawl
  rankward import cdx-00000.gz --type text/html --out pages.txt
  rankward import items.jsonl | head`,
    )
    .action(run)
  return withOutputOptions(withWritingOptions(command))
}

function statusList(text: string): number[] {
  return text.split(',').map((code) => parserOf(whole(0, 999))(code.trim()))
}

async function run(files: string[], options: ImportCliOptions): Promise<void> {
  const { out, overwrite, status, type, json } = options
  const bar = progressBar('Importing', options.progress)
  const result = await importUrls(files, { out, overwrite, status, type, progress: bar.progress })
  bar.end()
  const { bad, firstBad } = result
  if (json === true && out !== undefined) return printJson({ files, out, ...result })
  process.stderr.write(`${resultText(result)}\n`)
  if (bad > 0) process.stderr.write(`rankward: note: ${badText(bad, firstBad)}\n`)
}

function resultText({ urls, pages, repeated, leftOut, other }: ImportResult): string {
  const parts = [
    ...(repeated === 0 ? [] : [`${grouped(repeated)} repeated`]),
    ...(leftOut === 0 ? [] : [`${grouped(leftOut)} left out`]),
    ...(other === 0 ? [] : [`${grouped(other)} not http`]),
  ]
  const rest = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  return `${plural(urls, 'URL')} of ${plural(pages, 'page')}${rest}`
}
