/**
 * Why a crawl ended, in words. Summary, status, report and `explain` all say it with these, so that none calls a crawl
 * finished that another one does not.
 */
import type { StopReason } from '../../engine/engine-options.ts'
import { plural } from '../../lib/amounts.ts'
import type { CrawlTotals } from '../options/crawl-options.ts'

/** Completes "the crawl stopped …". */
export const stopPhrases: Readonly<Record<StopReason, string>> = {
  pages: 'at the page budget',
  failures: 'because too many requests failed',
  coverage: 'at the coverage goal',
  time: 'at the time limit',
  bytes: 'at the byte budget',
  finished: 'because no page was left to fetch',
  unreachable: 'because the remaining sites could not be reached',
  traps: 'because only pages were left that trap detection had refused',
  interrupted: 'because it was interrupted',
}

/** The options that set these limits. */
const limits: Partial<Readonly<Record<StopReason, string>>> = {
  pages: '--pages',
  failures: '--failures',
  coverage: '--coverage',
  time: '--time',
  bytes: '--bytes',
}

type EndedCrawl = Pick<CrawlTotals, 'stoppedBecause' | 'outage' | 'refusedAsTraps'>

/** The end of a crawl in one sentence, with the option that would have changed it. */
export function endSentence({ stoppedBecause, outage, refusedAsTraps }: EndedCrawl): string {
  switch (stoppedBecause) {
    case 'finished':
      return 'Finished: no page is left to fetch.'
    case 'interrupted':
      return 'Interrupted: all fetched pages are saved.'
    case 'unreachable':
      return `Stopped: ${plural(outage.sites, 'site')} could not be reached, with ${plural(outage.pages, 'page')} not fetched; \`rankward resume\` tries them again.`
    case 'traps':
      return `Stopped: ${trapsText(refusedAsTraps)}, and no other page is left to fetch. ${noTrapsText}`
    default:
      return `Stopped ${stopPhrases[stoppedBecause]} (${limits[stoppedBecause]}).`
  }
}

/** "Trap detection refused 576 pages", as part of a sentence. */
export function trapsText(refusedAsTraps: number): string {
  return `trap detection refused ${plural(refusedAsTraps, 'page')}`
}

/** What to do about it. */
export const noTrapsText =
  'To fetch such pages, resume the crawl with --no-traps; docs/guide/traps.md has the rules.'
