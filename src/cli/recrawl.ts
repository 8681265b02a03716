import { Command, Option } from 'commander'
import { durationValue, whole } from '../lib/value-kinds.ts'
import type { RecrawlOptions } from '../crawler/options/crawl-options.ts'
import { CrawlFolder } from '../crawler/record/crawl-folder.ts'
import { refreshSettings } from '../crawler/options/resumed-settings.ts'
import { printsItems } from '../crawler/parts/all-parts.ts'
import { checkParts } from './crawl/checks.ts'
import {
  checkContradictions,
  checkDependent,
  laterOptions,
  typedOptions,
  withCrawlOptions,
} from './crawl/options.ts'
import { requestOf } from './crawl/request.ts'
import { runCrawl } from './crawl/run.ts'
import { parserOf } from './options.ts'

export function recrawlCommand(): Command {
  const command = new Command('recrawl')
    .description('Fetch the pages of a crawl again, each once, and the new pages that they link to')
    .argument('<folder>', 'the folder of a crawl')
    .addHelpText(
      'after',
      `
Requests are conditional where the server has validators, so an unchanged page costs a 304. The most valuable pages come first. A page
that was fetched within --rest is left out. Policy, rest and change rule are fixed by the first recrawl of a folder. The limits of the
crawl for time, bytes, failures and coverage do not apply; its --pages still limits how many pages it holds.

Examples:
  rankward recrawl crawl
  rankward recrawl crawl --pages 500
  rankward recrawl crawl --time 2h --rest 1d`,
    )
    .action(run)
  command
    .optionsGroup('When to stop (at the first limit reached):')
    .addOption(limit('--pages <n>', 'after this many requests in this run', parserOf(whole(1))))
    .addOption(limit('--time <t>', 'after this time in this run: 90s, 15m, 2h', parserOf(durationValue)))
  const names = laterOptions('recrawl').filter((name) => name !== 'pages' && name !== 'time')
  return withCrawlOptions(command, names)
}

function limit(flags: string, about: string, read: (text: string) => unknown): Option {
  return new Option(flags, about).argParser(read)
}

async function run(folder: string, _options: unknown, command: Command): Promise<void> {
  const typed = typedOptions(command)
  checkContradictions(typed)
  checkDependent(typed)
  const { options: earlier } = CrawlFolder.open(folder).file
  await checkParts(typed, earlier)
  const request = { ...requestOf(typed), out: folder } as RecrawlOptions
  const { recrawl } = await import('../crawler/crawler.ts')
  await runCrawl({
    start: (callbacks) => recrawl({ ...request, ...callbacks }),
    isNew: false,
    subject: `${folder}, again`,
    folder,
    budgets: {},
    json: typed.json,
    events: typed.events,
    printsItems: printsItems(refreshSettings(earlier, request)),
    progress: typed.progress,
  })
}
