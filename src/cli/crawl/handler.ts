/** The page handler on the command line: mistakes that can be detected before the crawl. */
import { existsSync } from 'node:fs'
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlCliOptions } from '../../crawler/options/crawl-options.ts'
import type { HandlerSettings } from '../../crawler/options/handler-options.ts'
import { shownOption } from '../../crawler/options/option-table.ts'

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
