import { noPages } from '../../engine/page-totals.ts'
import { omissionsOf } from '../options/omissions.ts'
import type { CrawlProgress } from '../options/crawl-options.ts'

/** The progress while the crawl's folder is being opened. */
export const openingProgress: CrawlProgress = {
  ...noPages,
  ...omissionsOf([]),
  responded: 0,
  known: 0,
  waiting: 0,
  bytes: 0,
  seconds: 0,
  connections: 0,
  sites: 0,
  guaranteed: undefined,
  duplicates: 0,
  nearDuplicates: 0,
  errors: {},
  nextDueSeconds: 0,
  phase: 'opening',
}
