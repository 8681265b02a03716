import { Command } from 'commander'
import { readSecrets } from '../crawler/session/request-secrets.ts'
import { settingsOf } from '../crawler/options/crawl-settings.ts'
import { printsItems, threadModules } from '../crawler/parts/all-parts.ts'
import { paceNote } from './crawl/advice.ts'
import { checkNewFolder } from './crawl/checks.ts'
import { readConfig } from './crawl/config.ts'
import { checkContradictions, checkDependent, mergedOptions, typedOptions } from './crawl/options.ts'
import { withCrawlOptions } from './crawl/options.ts'
import { planJson, planText } from './crawl/plan.ts'
import { crawlRequest, type CrawlRequest } from './crawl/request.ts'
import { runCrawl } from './crawl/run.ts'
import type { CrawlsElsewhere } from './crawls-elsewhere.ts'
import { printJson } from './options.ts'
import { startThreads } from '../crawler/desk/spare-threads.ts'

export function crawlCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('crawl')
    .description('Crawl the web from these seeds, most important pages first')
    .argument(
      '[seeds...]',
      'URLs to start from, - for those on standard input; without a scheme, https is tried and then http',
    )
    .addHelpText(
      'after',
      `
Examples:
  rankward crawl https://example.org/ --out crawl --contact https://me.example/bot
  rankward crawl https://example.org/ --out crawl --coverage 95% --time 2h
  rankward crawl example.org example.net --scope domain --exclude '/calendar/**' --pages 10000
  rankward crawl https://example.org/ --out crawl --continuous --rate 1000/h
  rankward crawl --config crawl-options.json --dry-run
  rankward crawl https://example.org/ --cluster nats://10.0.0.1:4222 --name example

Ctrl-C finishes the requests in flight and stops; pressed twice, it stops at once. rankward resume continues.
docs/reference/crawl.md explains every option, the config file and the folder.`,
    )
    .action((seeds: string[]) => run(seeds, elsewhere, command))
  withCrawlOptions(command)
  return elsewhere?.withCrawlOptions(command) ?? command
}

async function run(given: string[], elsewhere: CrawlsElsewhere | undefined, command: Command): Promise<void> {
  const typed = typedOptions(command)
  checkContradictions(typed)
  const file = typed.config === undefined ? { seeds: [], options: {} } : await readConfig(typed.config)
  checkContradictions(file.options)
  const options = mergedOptions(file.options, typed)
  checkDependent(typed, options)
  if (elsewhere?.isBegun(command) === true)
    return elsewhere.begin(given.length > 0 ? given : file.seeds, options, command)
  const { request, notes } = await crawlRequest(given.length > 0 ? given : file.seeds, options)
  await checkNewFolder(request.out)
  const settings = settingsOf(request)
  readSecrets(settings)
  for (const note of notes) process.stderr.write(`rankward: note: ${note}\n`)
  if (options.dryRun === true) {
    const plan = { ...request, settings }
    if (options.json === true) printJson(planJson(plan))
    else process.stdout.write(`${planText(plan)}\n`)
    return
  }
  // For people, who watch it, not for scripts.
  const pace = process.stderr.isTTY && options.progress !== false ? paceNote(settings) : undefined
  if (pace !== undefined) process.stderr.write(`rankward: note: ${pace}\n`)
  // Loaded late: the other commands need no HTTP client. The first fetch thread loads its code at the same time.
  startThreads(1, threadModules(settings))
  const { crawl } = await import('../crawler/crawler.ts')
  await runCrawl({
    start: (callbacks) => crawl({ ...request, ...callbacks }),
    isNew: true,
    subject: subjectOf(request),
    folder: request.out,
    budgets: request,
    json: options.json,
    events: options.events,
    printsItems: printsItems(settings),
    progress: options.progress,
  })
}

function subjectOf({ seeds, out }: CrawlRequest): string {
  const more = seeds.length === 1 ? '' : ` and ${seeds.length - 1} more`
  return `${seeds[0]}${more} into ${out}`
}
