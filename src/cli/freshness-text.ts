/** The freshness of one page and of a crawl, in sentences. Pure. */
import type { CrawlFreshness } from '../options/crawl-freshness.ts'
import type { SourceCounts } from '../worlds/real/source-readings.ts'
import type { PageFreshness, PageLook } from '../inspect/page-freshness.ts'
import { durationText, percentText, plural } from './crawl/words.ts'
import { grouped, safe } from './terminal.ts'

const daySeconds = 86_400
const looksShown = 5

const verdictTexts = {
  first: 'fetched first',
  changed: 'changed',
  same: 'unchanged',
  gone: 'gone',
  missing: 'not found',
  failed: 'failed',
  forbidden: 'disallowed by robots.txt',
} as const

/** Looks at held pages, and the share that found a change. */
export function looksText({ refreshes, changes, yield: share }: CrawlFreshness): string {
  const found = share === undefined ? '' : ` (${percentText(share)})`
  return `${plural(refreshes, 'look')} at held pages, ${grouped(changes)} found a change${found}`
}

/** What sitemaps and feeds have contributed. */
export function sourcesText({ readings, cut, listed, signals }: SourceCounts): string {
  const incomplete = cut === 0 ? '' : ` (${grouped(cut)} cut at a limit)`
  const found = `${plural(listed, 'new page')}, ${plural(signals, 'signal')} of a change`
  return `${plural(readings, 'reading')} of sitemaps and feeds${incomplete}, ${found}`
}

/** Rows of `rankward status`. */
export function freshnessRows(freshness: CrawlFreshness): (readonly [string, string])[] {
  const { freshCoverage, held, gone, forbidden, intervals, newest } = freshness
  const lost = [
    ...(gone === 0 ? [] : [`${grouped(gone)} gone`]),
    ...(forbidden === 0 ? [] : [`${grouped(forbidden)} now disallowed by robots.txt`]),
  ]
  return [
    ...(freshCoverage === undefined
      ? []
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

export function pageFreshnessLines(freshness: PageFreshness | undefined, nowMs: number): string[] {
  if (freshness === undefined) return []
  return [...lookLines(freshness), rateLine(freshness), ...dueLines(freshness, nowMs)]
}

function lookLines({ lookCount, looks }: PageFreshness): string[] {
  const shown = looks.slice(0, looksShown).map(lookText)
  return [
    `${plural(lookCount, 'look')}, the newest first: ${shown.join('; ')}${lookCount > shown.length ? '; …' : ''}`,
  ]
}

function lookText({ at, verdict, status, error, isConditional }: PageLook): string {
  const why = verdict === 'failed' && error !== undefined ? ` (${safe(error)})` : ''
  const how = status === 304 ? ' (304)' : isConditional && verdict === 'same' ? ' (full response)' : ''
  return `${at.slice(0, 16).replace('T', ' ')} ${verdictTexts[verdict]}${why}${how}`
}

function rateLine({ changeRate, freshProbability, siteSpeed }: PageFreshness): string {
  const fresh =
    freshProbability === undefined
      ? ''
      : `; the copy is current with a probability of ${percentText(freshProbability)}`
  if (changeRate === undefined) return `no change rate is estimated by this policy${fresh}`
  const { perDay, deviation } = changeRate
  const every = durationText(daySeconds / perDay)
  const speed =
    Math.abs(siteSpeed - 1) < 0.05
      ? ''
      : ` (its site now changes at ${siteSpeed.toFixed(1)} times its usual pace)`
  return `changes about every ${every}, ${ratioText(deviation / perDay)}${speed}${fresh}`
}

/** How certain an estimate is, by its standard deviation as a share of the mean. */
function ratioText(ratio: number): string {
  return `give or take ${percentText(ratio)}`
}

function dueLines({ state, value, price, dueAt }: PageFreshness, nowMs: number): string[] {
  if (state === 'gone') return ['not fetched again until a page fetched later links to it']
  if (state === 'forbidden') return ['not fetched again until robots.txt allows it']
  if (state === 'in-flight') return ['being fetched']
  const worth = `a fetch is worth ${value.toPrecision(3)}, the price is ${price.toPrecision(3)}`
  if (dueAt === undefined) return [worth]
  const inSeconds = (Date.parse(dueAt) - nowMs) / 1000
  const when = inSeconds <= 0 ? 'due now' : `due in ${durationText(inSeconds)}`
  return [`${worth}: ${when}${state === 'rests' ? ', after its rest' : ''}`]
}
