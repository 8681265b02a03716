import { Command } from 'commander'
import type { CrawlStatus } from '../crawler/read/status.ts'
import {
  bytesText,
  durationText,
  errorCount,
  errorsText,
  percentText,
  plural,
  rateText,
} from './crawl/words.ts'
import { stopPhrases } from '../crawler/wording/crawl-end.ts'
import { unfollowedLinksTexts } from '../crawler/wording/unfollowed-links.ts'
import { waitedTexts } from '../crawler/wording/waited-connections.ts'
import { shownRows } from '../crawler/parts/all-parts.ts'
import { meantElsewhere, type CrawlsElsewhere } from './crawls-elsewhere.ts'
import { freshnessRows } from './freshness-text.ts'
import { printJson, withJsonOption, type JsonOption } from './options.ts'
import { bold, fitted, grouped, safe } from './terminal.ts'

export function statusCommand(elsewhere?: CrawlsElsewhere): Command {
  const command = new Command('status')
    .description('Show the progress of a crawl, running or not')
    .argument('[folder]', 'the folder of a crawl; without it, --cluster and --name')
    .addHelpText(
      'after',
      `
Reads the end of the crawl's record, which is at most a second old while the crawl runs, and ten seconds
in a continuous crawl. The crawl is not affected. On a cluster, the last groups of all shards are read.

Examples:
  rankward status crawl
  watch rankward status crawl
  rankward status crawl --json | jq .progress.pages
  rankward status --cluster nats://10.0.0.1:4222 --name news`,
    )
    .action((folder: string | undefined, options: JsonOption) =>
      run(folder, options, meantElsewhere(elsewhere, command, folder), command),
    )
  withJsonOption(command)
  return elsewhere?.withOptions(command) ?? command
}

async function run(
  folder: string | undefined,
  options: JsonOption,
  meant: CrawlsElsewhere | undefined,
  command: Command,
): Promise<void> {
  const shown = (await meant?.status(command)) ?? (await statusOf(folder!))
  if (options.json === true) printJson(shown.json)
  else process.stdout.write(`${shown.text}\n`)
}

async function statusOf(folder: string): Promise<{ readonly json: object; readonly text: string }> {
  const { status } = await import('../crawler/read/status.ts')
  const now = status(folder)
  return { json: now, text: fitted(statusText(now, Date.now())) }
}

export function statusText(status: CrawlStatus, nowMs: number): string {
  const { progress, asOf, pagesPerSecond, bytesPerSecond, looksPerSecond } = status
  const title = `${bold(safe(status.folder))}  ${stateText(status)}`
  if (progress === undefined || asOf === undefined) return `${title}\nNothing is recorded yet.`
  const notFollowed = unfollowedLinksTexts(progress.linksNotFollowed)
  const rate = (text: string | undefined): string => (text === undefined ? '' : ` (${text} per second)`)
  const rows: (readonly [string, string])[] = [
    ['as of', `${asOf}, ${durationText(Math.max(0, nowMs - Date.parse(asOf)) / 1000)} ago`],
    [
      'pages',
      grouped(progress.pages) + rate(pagesPerSecond === undefined ? undefined : rateText(pagesPerSecond)),
    ],
    [
      'bytes',
      bytesText(progress.bytes) + rate(bytesPerSecond === undefined ? undefined : bytesText(bytesPerSecond)),
    ],
    [
      'known',
      `${plural(progress.known, 'page')}, ${grouped(progress.waiting)} waiting on ${plural(progress.sites, 'site')}`,
    ],
    ['out of scope', plural(progress.linksOutOfScope, 'link')],
    ...(notFollowed.length === 0 ? [] : [['not followed', notFollowed.join(', ')] as const]),
    ...(progress.refusedAsTraps === 0
      ? []
      : [
          [
            'traps',
            `${plural(progress.refusedAsTraps, 'page')} refused by trap detection (--no-traps)`,
          ] as const,
        ]),
    ...(progress.guaranteed === undefined
      ? []
      : [['coverage', `${percentText(progress.guaranteed)} certain`] as const]),
    ...(progress.freshness === undefined ? [] : freshnessRows(progress.freshness, looksPerSecond)),
    ...shownRows(progress),
    ...(errorCount(progress.errors) === 0 ? [] : [['errors', safe(errorsText(progress.errors, 5))] as const]),
    ['connections', grouped(progress.connections)],
    ...waitedTexts(progress.waitedForBetter).map((text) => ['patience', text] as const),
    ['time', durationText(progress.seconds)],
  ]
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`)].join('\n')
}

function stateText({ pid, stoppedBecause }: CrawlStatus): string {
  if (pid !== undefined) return `running as process ${pid}`
  return stoppedBecause === undefined
    ? 'interrupted; `rankward resume` continues it'
    : `ended ${stopPhrases[stoppedBecause]}`
}
