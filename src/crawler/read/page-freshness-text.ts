/** The freshness of one page, in sentences. Pure. */
import { fixed } from '../../lib/amounts.ts'
import type { PageFreshness, PageLook } from './page-freshness.ts'
import { durationText, percentText, plural, safe } from './words.ts'

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

function rateLine({ changeRate, freshProbability, isUnknownYet, siteSpeed }: PageFreshness): string {
  if (isUnknownYet) return 'how often it changes is not known yet: it was looked at once'
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
      : ` (its site now changes at ${fixed(siteSpeed, 1)} times its usual pace)`
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
