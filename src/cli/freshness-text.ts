/** The freshness of a crawl, in sentences. Pure. */
import type { CrawlFreshness } from '../crawler/options/crawl-freshness.ts'
import { percentText, plural } from './crawl/words.ts'
import { grouped, safe } from './terminal.ts'

/** Looks at held pages, and the share that found a change. */
export function looksText({ refreshes, changes, yield: share }: CrawlFreshness): string {
  const found = share === undefined ? '' : ` (${percentText(share)})`
  return `${plural(refreshes, 'look')} at held pages, ${grouped(changes)} found a change${found}`
}

/** Rows of `rankward status`. */
export function freshnessRows(freshness: CrawlFreshness): (readonly [string, string])[] {
  const { freshCoverage, isFreshnessPending, held, gone, forbidden, intervals, newest } = freshness
  const lost = [
    ...(gone === 0 ? [] : [`${grouped(gone)} gone`]),
    ...(forbidden === 0 ? [] : [`${grouped(forbidden)} now disallowed by robots.txt`]),
  ]
  return [
    ...(freshCoverage === undefined
      ? isFreshnessPending
        ? [['fresh', 'not known yet: held pages were looked at less than twice on average'] as const]
        : []
      : [['fresh', `${percentText(freshCoverage)} of the importance of all known pages, expected`] as const]),
    ['held', [plural(held, 'page'), ...lost].join(', ')],
    ['looks', looksText(freshness)],
    ...(intervals === undefined || held === 0 ? [] : [['refreshed', intervalsText(intervals)] as const]),
    ...newest.map(
      ({ url, at }, i) =>
        [i === 0 ? 'newest' : '', `${at.slice(0, 16).replace('T', ' ')} ${safe(url)}`] as const,
    ),
  ]
}

function intervalsText(intervals: NonNullable<CrawlFreshness['intervals']>): string {
  return intervals
    .filter(({ pages }) => pages > 0)
    .map(({ daysMax, pages }) => `${grouped(pages)} ${everyText(daysMax)}`)
    .join(', ')
}

function everyText(daysMax: number | undefined): string {
  if (daysMax === undefined) return 'more rarely or never'
  return daysMax < 1
    ? `within ${plural(Math.round(daysMax * 24), 'hour')}`
    : `within ${plural(daysMax, 'day')}`
}
