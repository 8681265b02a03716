/** The page handler on the command line: mistakes that can be detected before the crawl, and its rows in plan and summary. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlCliOptions, CrawlTotals } from '../../crawler/options/crawl-options.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import type { HandlerSettings } from '../../crawler/parts/handlers/options.ts'
import { shownOption } from '../../crawler/options/option-table.ts'
import { safe } from '../terminal.ts'
import { durationText, plural } from './words.ts'

/** `earlier`: the handler of the crawl that is continued. Returns true if items go to standard output. */
export function checkHandler(cli: CrawlCliOptions, earlier?: HandlerSettings): boolean {
  const { onPage } = cli
  if (onPage === undefined && earlier === undefined) {
    const given = (['items', 'onPageTime', 'onPageThreads'] as const).find((name) => cli[name] !== undefined)
    if (given !== undefined)
      throw new RankwardError(
        'USAGE',
        `${shownOption(given)} belongs to a page handler: give --on-page FILE too.`,
      )
  }
  if (onPage !== undefined && !existsSync(onPage))
    throw new RankwardError('BAD_HANDLER', `Cannot use the page handler ${onPage}: there is no such file.`)
  const isPrinted = (cli.items ?? earlier?.items) === '-'
  const other = (['json', 'events'] as const).find((name) => cli[name] === true)
  if (isPrinted && other !== undefined)
    throw new RankwardError(
      'USAGE',
      `--items - and ${shownOption(other)} both write to standard output: give --items FILE.`,
    )
  return isPrinted
}

/** Whether a crawl that has ended has items to write: to a file that is given now, or because its own was moved away. */
export function hasItemsToWrite(
  { items }: CrawlCliOptions,
  earlier: HandlerSettings | undefined,
  totals: CrawlTotals | undefined,
  folder: string,
): boolean {
  if ((totals?.items ?? 0) === 0) return false
  const file = items ?? earlier?.items ?? join(folder, 'items.jsonl')
  return file !== '-' && (items !== undefined || !existsSync(file))
}

export function handlerRows({ handler }: CrawlSettings): (readonly [string, readonly string[]])[] {
  if (handler === undefined) return []
  const { module, code = '', seconds, threads, items } = handler
  const where =
    items === undefined ? 'items.jsonl in the folder' : items === '-' ? 'standard output' : safe(items)
  const limits = `at most ${durationText(seconds)} per page, ${plural(threads, 'thread')}`
  return [['Handles', [`each page with ${safe(module ?? code)}, ${limits}`, `items go to ${where}`]]]
}

export function handledLines({ items, handlerFailures = 0 }: CrawlTotals): string[] {
  if (items === undefined) return []
  const failed =
    handlerFailures === 0
      ? ''
      : ` The page handler failed for ${plural(handlerFailures, 'page')}; \`rankward tail\` has the reasons (handlerError).`
  return [`${plural(items, 'item')}.${failed}`]
}

/** The file of the items; undefined if there are none, or it is elsewhere. */
export function itemsPath({ items, folder }: CrawlTotals): string | undefined {
  if (items === undefined || items === 0 || folder === undefined) return undefined
  const path = join(folder, 'items.jsonl')
  return existsSync(path) ? path : undefined
}
