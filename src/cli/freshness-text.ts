/** The freshness of a crawl, in sentences. Pure. */
import type { CrawlFreshness } from '../crawler/options/crawl-freshness.ts'
import { percentText, plural, rateText } from './crawl/words.ts'
import { grouped, safe } from './terminal.ts'

/** Looks at held pages, and the share that found a change. */
export function looksText({ refreshes, changes, yield: share }: CrawlFreshness): string {
  const found = share === undefined ? '' : ` (${percentText(share)})`
  return `${plural(refreshes, 'look')} at held pages, ${grouped(changes)} found a change${found}`
}

/** Rows of `rankward status`. */
export function freshnessRows(
  freshness: CrawlFreshness,
  looksPerSecond?: number,
): (readonly [string, string])[] {
  const { freshCoverage, isFreshnessPending, held, gone, forbidden, newest } = freshness
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
    [
      'looks',
      looksText(freshness) +
        (looksPerSecond === undefined
          ? ''
          : `; ${rateText(looksPerSecond)} looks per second, new pages included`),
    ],
    ...(freshness.intervals === undefined ? [] : [['refreshed', intervalsText(freshness)] as const]),
    ...newest.map(
      ({ url, at }, i) =>
        [i === 0 ? 'newest' : '', `${at.slice(0, 16).replace('T', ' ')} ${safe(url)}`] as const,
    ),
  ]
}

function intervalsText({ intervals = [], lookedOnce }: CrawlFreshness): string {
  const classes = intervals
    .filter(({ pages }) => pages > 0)
    .map(({ daysMax, pages }) => `${grouped(pages)} ${everyText(daysMax)}`)
  return [...classes, ...(lookedOnce === 0 ? [] : [`${grouped(lookedOnce)} not yet`])].join(', ')
}

function everyText(daysMax: number | undefined): string {
  if (daysMax === undefined) return 'more rarely or never'
  const minutes = Math.round(daysMax * 1440)
  if (minutes < 60) return `within ${plural(minutes, 'minute')}`
  return daysMax < 1 ? `within ${plural(minutes / 60, 'hour')}` : `within ${plural(daysMax, 'day')}`
}
