import { Command, Option } from 'commander'
import { printJson } from './options.ts'
import type { PageChange } from '../crawler/read/changes.ts'
import { printLines } from './terminal.ts'

interface ChangesCliOptions {
  readonly json?: boolean
  readonly since?: string
  readonly follow?: boolean
}

export function changesCommand(): Command {
  return new Command('changes')
    .description('List what is new, changed and gone in a crawl, as JSON lines')
    .argument('<folder>', 'the folder of a crawl')
    .option('--since <time>', 'only changes recorded at this time or later: 2026-01-31, 2026-01-31T12:00:00Z')
    .addOption(new Option('--follow', 'wait for further changes until interrupted').conflicts('json'))
    .option('--json', 'print one JSON document instead of lines')
    .addHelpText(
      'after',
      `
One line for each version of a page and for each page that is gone, in the order in which they were recorded:
change (new, changed or gone), url, at, status, and for versions location, title, contentType, bytes and warc.
The crawl may be running; it is not affected.

Examples:
  rankward changes crawl --since 2026-01-31 | jq -r 'select(.change == "gone") | .url'
  rankward changes crawl --follow | ./update-index`,
    )
    .action(run)
}

async function run(folder: string, { json, ...options }: ChangesCliOptions): Promise<void> {
  const { changes } = await import('../crawler/read/changes.ts')
  if (json === true) {
    const all: PageChange[] = []
    for await (const change of changes(folder, options)) all.push(change)
    printJson({ folder, changes: all })
    return
  }
  await printLines(changes(folder, options))
}
