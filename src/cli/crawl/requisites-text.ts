/** The requisites of a crawl, for people. */
import { RankwardError } from '../../lib/errors.ts'
import type { CrawlTotals } from '../../crawler/options/crawl-options.ts'
import { requisiteBudget } from '../../crawler/options/archive-options.ts'
import type { CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import type { RequisiteCounts } from '../../crawler/parts/requisites/requisite-queue.ts'
import { grouped } from '../terminal.ts'
import { bytesText, plural } from './words.ts'

/** "1,204 files (31.2 MB), 3 failed, 12 not requested, 40 wait" */
export function requisitesText(counts: RequisiteCounts): string {
  const { fetched, failed, refused, waiting, dropped, bytes } = counts
  return [
    `${plural(fetched, 'file')} (${bytesText(bytes)})`,
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(refused === 0 ? [] : [`${grouped(refused)} not requested`]),
    ...(waiting === 0 ? [] : [`${grouped(waiting)} wait`]),
    ...(dropped === 0 ? [] : [`${grouped(dropped)} left out (--requisite-files)`]),
  ].join(', ')
}

/** Whether a crawl that has ended can fetch more requisites with these settings. */
export function hasRequisites(totals: CrawlTotals | undefined, settings: CrawlSettings): boolean {
  const counts = totals?.requisites
  if (counts === undefined || counts.waiting === 0) return false
  const { files, bytes } = requisiteBudget(settings)
  return counts.fetched + counts.failed < files && counts.bytes < bytes
}

/** A message for options that need `--requisites`, on the command line. */
export function checkRequisites(cli: {
  readonly requisites?: boolean | undefined
  readonly requisiteFiles?: number | undefined
  readonly requisiteBytes?: number | undefined
  readonly warc?: boolean | undefined
}): void {
  if (cli.requisites === true && cli.warc === false)
    throw new RankwardError(
      'USAGE',
      '--requisites and --no-warc contradict each other: requisites are fetched for the archive.',
    )
  if (cli.requisites === true) return
  const flag =
    cli.requisiteFiles !== undefined
      ? '--requisite-files'
      : cli.requisiteBytes !== undefined
        ? '--requisite-bytes'
        : undefined
  if (flag !== undefined) throw new RankwardError('USAGE', `${flag} needs --requisites.`)
}
