/**
 * What watches a crawl of this process: the dashboard and the log. They are registered from above (view/dashboard/register.ts), since a
 * crawl draws nothing.
 */
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlEvent, CrawlOptions, CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { ControlEntry } from './crawl-control.ts'
import type { CrawlSession } from './session.ts'

export type WatchOptions = Pick<
  CrawlOptions,
  'onEvent' | 'dashboard' | 'dashboardToken' | 'dashboardNames' | 'log' | 'logLevel'
>

export interface Watch {
  readonly onEvent: (event: CrawlEvent) => void
  readonly onControl: (entry: ControlEntry) => void
  /** Opens the dashboard; called before the session runs. */
  open(session: CrawlSession): Promise<void>
  ended(totals: CrawlTotals): Promise<void>
  close(): Promise<void>
}

type OpenWatch = (options: WatchOptions, folder: CrawlFolder) => Promise<Watch>

let open: OpenWatch | undefined

export function registerWatch(given: OpenWatch): void {
  open = given
}

/** Undefined if nothing watches the crawl, as in most crawls. */
export async function openWatch(options: WatchOptions, folder: CrawlFolder): Promise<Watch | undefined> {
  if (options.dashboard === undefined && options.log === undefined) return undefined
  if (open === undefined)
    throw new RankwardError(
      'USAGE',
      'A crawl with a dashboard or a log needs the whole package: import it from rankward.',
    )
  return open(options, folder)
}
