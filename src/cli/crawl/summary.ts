/**
 * The summary of a crawl for people: guaranteed coverage, what is missing and why, and possible next steps.
 * Pure.
 */
import { dirname, join } from 'node:path'
import { certainPercent, partPercent } from '../../lib/amounts.ts'
import type { CrawlTotals } from '../../options/crawl-options.ts'
import { handledLines, itemsPath } from './handler.ts'
import { requisitesText } from './requisites-text.ts'
import {
  bytesText,
  durationText,
  errorCount,
  errorsText,
  percentText,
  plural,
  rateText,
  shellWord,
} from './words.ts'
import { bar, bold, grouped, safe } from '../terminal.ts'

const barWidth = 24

export function summaryText(totals: CrawlTotals): string {
  return [
    ...(totals.stoppedBecause === 'unreachable' ? [bold(unreachableText(totals)), ''] : []),
    ...coverageLines(totals),
    '',
    ...(totals.stoppedBecause === 'unreachable' ? [] : [reasons[totals.stoppedBecause]]),
    ...figureLines(totals),
    ...placeLines(totals),
  ].join('\n')
}

/** "Stopped: 3 sites could not be reached, with 41 pages." */
export function unreachableText({ outage: { sites, pages } }: Pick<CrawlTotals, 'outage'>): string {
  return `Stopped: ${plural(sites, 'site')} could not be reached, with ${plural(pages, 'page')} not fetched; \`rankward resume\` tries them again.`
}

const reasons: Readonly<Record<Exclude<CrawlTotals['stoppedBecause'], 'unreachable'>, string>> = {
  pages: 'Stopped at the page budget (--pages).',
  failures: 'Stopped because too many requests failed (--failures).',
  coverage: 'Stopped at the coverage goal (--coverage).',
  time: 'Stopped at the time limit (--time).',
  bytes: 'Stopped at the byte budget (--bytes).',
  finished: 'Finished: no page is left to fetch.',
  interrupted: 'Interrupted: all fetched pages are saved.',
}

function coverageLines(totals: CrawlTotals): string[] {
  const { guaranteed, robots, scope, failed, budget, obtainable, left = 0 } = totals.coverage
  const all = guaranteed + robots + scope + failed + budget
  // Without a guarantee, the parts are unknown.
  if (!(Math.abs(all - 1) < 0.01))
    return [`Strategy ${safe(totals.strategy)} guarantees no coverage; --strategy exact-rankmass does.`]
  const rows: [string, number, string, string][] = [
    ['held', guaranteed, certainPercent(guaranteed), plural(totals.pages, 'page')],
    ['robots.txt', robots, partPercent(robots), `${plural(totals.refusedByRobots, 'page')} disallowed`],
    ['out of scope', scope, partPercent(scope), outOfScopeText(totals, left - scope)],
    ['failed', failed, partPercent(failed), plural(totals.failed, 'page')],
    ['not fetched', budget, partPercent(budget), notFetchedText(totals)],
  ]
  const held = `${certainPercent(guaranteed)} of ${partPercent(obtainable)}`
  return [
    bold(totals.headline),
    '',
    ...rows.map(([what, share, percent, count]) =>
      `  ${what.padEnd(12)}  ${bar(share, barWidth)} ${percent.padStart(6)}  ${count}`.trimEnd(),
    ),
    ...(robots + failed < 1e-9
      ? []
      : [
          '',
          `Coverage is the held share of the obtainable importance, which excludes robots.txt and failed: ${held}.`,
        ]),
  ]
}

/** `left`: the share that the links would have carried away, if they do not count. */
function outOfScopeText({ linksOutOfScope }: CrawlTotals, left: number): string {
  const links = plural(linksOutOfScope, 'link')
  return left < 1e-9 ? links : `${links}, not counted (${partPercent(left)} if they were)`
}

/**
 * The pages that were not fetched and still count as obtainable: `coverage.budget` is the importance on them.
 */
function notFetchedText(totals: CrawlTotals): string {
  const { waiting, temporary, unreachable, refusedByLimits } = totals
  return [
    ...(waiting === 0 ? [] : [waitingText(totals)]),
    ...(temporary === 0 ? [] : [`${plural(temporary, 'page')} failed for now`]),
    ...(unreachable === 0 ? [] : [`${grouped(unreachable)} unreachable`]),
    ...(refusedByLimits === 0 ? [] : [`${grouped(refusedByLimits)} over a limit`]),
  ].join(', ')
}

function waitingText({ waiting, stoppedBecause }: CrawlTotals): string {
  const pages = plural(waiting, 'page')
  if (stoppedBecause === 'unreachable') return `${pages} out of reach`
  const budget =
    stoppedBecause === 'interrupted' || stoppedBecause === 'finished' ? '' : ' for a larger budget'
  return `${pages} wait${waiting === 1 ? 's' : ''}${budget}`
}

function looksLine({ looks }: CrawlTotals): string[] {
  if (looks === undefined) return []
  const { count, changes } = looks
  const found =
    count === 0 ? '' : `, ${grouped(changes)} of which found a change (${percentText(changes / count)})`
  return [`${plural(count, 'fetch', 'fetches')} of pages that were held before${found}.`]
}

function figureLines(totals: CrawlTotals): string[] {
  const { pages, known, sites, bytes, seconds, links, duplicates, nearDuplicates, errors, outOfOrder } =
    totals
  const rate = seconds > 0 ? `, ${rateText(pages / seconds)} pages per second` : ''
  const mistakes = errorCount(errors)
  const nearly = nearDuplicates > 0 ? ` and ${plural(nearDuplicates, 'near-duplicate')}` : ''
  return [
    `${plural(pages, 'page')} of ${grouped(known)} known, on ${plural(sites, 'site')}, with ${plural(links, 'link')}.`,
    ...outcomeLines(totals),
    ...looksLine(totals),
    `${bytesText(bytes)} in ${durationText(seconds)}${rate}.`,
    ...(totals.requisites === undefined
      ? []
      : [`Requisites of these pages: ${requisitesText(totals.requisites)}.`]),
    `${duplicates === 0 ? 'No duplicates' : plural(duplicates, 'duplicate')}${nearly}; ${mistakes === 0 ? 'no errors' : `${plural(mistakes, 'error')}: ${safe(errorsText(errors))}`}.`,
    ...topicLines(totals),
    ...handledLines(totals),
    ...(pages === 0 || outOfOrder === undefined ? [] : [orderText(outOfOrder)]),
  ]
}

/** Pages with an outcome other than content; empty if there are none. */
function outcomeLines(totals: CrawlTotals): string[] {
  const { redirects, failed, temporary, unreachable, refusedByRobots, refusedByLimits } = totals
  const parts = [
    ...(redirects === 0 ? [] : [plural(redirects, 'redirect')]),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(temporary === 0 ? [] : [`${grouped(temporary)} failed for a temporary reason`]),
    ...(unreachable === 0 ? [] : [`${grouped(unreachable)} unreachable`]),
    ...(refusedByRobots === 0 ? [] : [`${grouped(refusedByRobots)} disallowed by robots.txt`]),
    ...(refusedByLimits === 0 ? [] : [`${grouped(refusedByLimits)} over a limit`]),
  ]
  return parts.length === 0 ? [] : [`Besides these: ${parts.join(', ')}.`]
}

function topicLines({ hot, pages, scorerFailures }: CrawlTotals): string[] {
  if (hot === undefined) return []
  const share = pages === 0 ? '' : ` (${percentText(hot / pages)} of the pages fetched)`
  const unscored =
    scorerFailures === undefined || scorerFailures === 0
      ? ''
      : ` The scorer returned no number for ${plural(scorerFailures, 'page')}.`
  return [`${plural(hot, 'hot page')}${share}.${unscored}`]
}

function orderText(outOfOrder: number): string {
  return outOfOrder === 0
    ? 'Every page was the best one waiting that politeness allowed when it was requested.'
    : `${partPercent(outOfOrder)} of the requests were not for the best page waiting that politeness allowed.`
}

function placeLines(totals: CrawlTotals): string[] {
  const { folder, warcFiles } = totals
  if (folder === undefined) return []
  const dir = shellWord(folder)
  const more = moreBudget(totals)
  const items = itemsPath(totals)
  const rows: [string, string][] = [
    ...(warcFiles.length === 0 ? [] : [['WARC', warcText(folder, warcFiles)] as [string, string]]),
    ['Record', safe(join(folder, 'record'))],
    ...(items === undefined ? [] : [['Items', safe(items)] as [string, string]]),
    ...(more === undefined ? [] : [['Next', `rankward resume ${dir}${more}`] as [string, string]]),
    ['Next', `rankward report ${dir}`],
    ['Next', `rankward export ${dir}`],
    ...(warcFiles.length === 0 ? [] : [['Next', `rankward search ${dir} WORDS`] as [string, string]]),
    ['Next', `rankward explain ${dir} URL`],
  ]
  return [
    '',
    ...rows.map(([label, text], i) => `${(rows[i - 1]?.[0] === label ? '' : label).padEnd(7)}  ${text}`),
  ]
}

function warcText(folder: string, [first, ...more]: readonly string[]): string {
  const path = first.includes('/') ? first : join(folder, 'warc', first)
  return more.length === 0 ? safe(path) : `${safe(dirname(path))}, ${plural(more.length + 1, 'file')}`
}

/**
 * The budget to continue with, about twice the one used up: ` --pages 4000`; undefined if nothing is left.
 */
export function moreBudget({
  stoppedBecause,
  pages,
  failed,
  seconds,
  bytes,
  coverage,
  temporary,
}: CrawlTotals): string | undefined {
  const twice = (value: number): number => Math.max(2, Math.ceil(Number((2 * value).toPrecision(2))))
  const options: Readonly<Record<CrawlTotals['stoppedBecause'], string | undefined>> = {
    pages: ` --pages ${Math.max(2, 2 * pages)}`,
    failures: ` --failures ${Math.max(2, 2 * (failed + temporary))}`,
    coverage: ` --coverage ${shareBeyond(coverage.share)}`,
    time: ` --time ${twice(seconds)}`,
    bytes: ` --bytes ${twice(bytes)}`,
    finished: temporary > 0 ? '' : undefined,
    unreachable: '',
    interrupted: '',
  }
  return options[stoppedBecause]
}

/** Halves the missing share, with as few digits as possible: 0.95 gives 0.98. */
function shareBeyond(share: number): number {
  const goal = 1 - (1 - share) / 2
  for (let digits = 2; digits < 9; digits++) {
    const short = Math.floor(goal * 10 ** digits + 0.5) / 10 ** digits
    if (short > share && short < 1) return short
  }
  return goal
}
