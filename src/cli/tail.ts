import { Command } from 'commander'
import { printJson } from './options.ts'
import type { RecordedPage } from '../crawler/read/tail.ts'
import { printLines } from './terminal.ts'

interface TailCliOptions {
  readonly json?: boolean
  readonly since?: string
  readonly follow: boolean
}

export function tailCommand(): Command {
  return new Command('tail')
    .description('Follow the pages of a crawl as JSON lines')
    .argument('<folder>', 'the folder of a crawl')
    .option('--since <time>', 'only pages recorded at this time or later: 2026-01-31, 2026-01-31T12:00:00Z')
    .option(
      '--no-follow',
      'end with the pages that are recorded, instead of waiting for more until interrupted',
    )
    .option('--json', 'print one JSON document of the pages that are recorded instead of lines')
    .addHelpText(
      'after',
      `
One line for each outcome of a page, in the order in which they were recorded: kind, url, at, status, error, location, contentType,
title, bytes, score, depth, foundOn, duplicateOf, items, handlerError, digest and warc (file, offset, length). Keys without a value are left out.
The crawl may be running; it is not affected.

Examples:
  rankward tail crawl | jq -r 'select(.status == 404) | [.url, .foundOn] | @tsv'
  rankward tail crawl --no-follow --since 2026-01-31 > pages.jsonl`,
    )
    .action(run)
}

async function run(folder: string, { json, since, follow }: TailCliOptions): Promise<void> {
  const { tail } = await import('../crawler/read/tail.ts')
  if (json === true) {
    const pages: RecordedPage[] = []
    for await (const page of tail(folder, { since })) pages.push(page)
    printJson({ folder, pages })
    return
  }
  await printLines(tail(folder, { since, follow }))
}
