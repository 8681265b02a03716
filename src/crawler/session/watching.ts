/**
 * What watches a crawl of this process: the dashboard and the log. They are provided from above (view/dashboard/register.ts), since a
 * crawl draws nothing.
 */
import { Provided } from '../../lib/provided.ts'
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

export const watching = new Provided<OpenWatch>('A crawl with a dashboard or a log')

/** Undefined if nothing watches the crawl, as in most crawls. */
export async function openWatch(options: WatchOptions, folder: CrawlFolder): Promise<Watch | undefined> {
  if (options.dashboard === undefined && options.log === undefined) return undefined
  return watching.get()(options, folder)
}
