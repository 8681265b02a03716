/**
 * The summary of a crawl for people: guaranteed coverage, what is missing and why, and possible next steps.
 * Pure.
 */
import { dirname, join } from 'node:path'
import { certainPercent, partPercent } from '../../lib/amounts.ts'
import type { CrawlTotals } from '../../crawler/options/crawl-options.ts'
import { shownRows, writtenFiles } from '../../crawler/parts/all-parts.ts'
import { endSentence } from '../../crawler/wording/crawl-end.ts'
import { orderSentence } from '../../crawler/wording/fetch-order.ts'
import { outOfScopeText, unfollowedLinksTexts } from '../../crawler/wording/unfollowed-links.ts'
import { waitedTexts } from '../../crawler/wording/waited-connections.ts'
import { wallAdvice } from '../../web/http/walls.ts'
import {
  agreeing,
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
    ...(isCutShort(totals) ? [bold(endSentence(totals)), ''] : []),
    ...coverageLines(totals),
    '',
    ...(isCutShort(totals) ? [] : [endSentence(totals)]),
    ...figureLines(totals),
    ...placeLines(totals),
  ].join('\n')
}

/** Whether pages are missing for another reason than a budget: this comes first. */
function isCutShort({ stoppedBecause }: CrawlTotals): boolean {
  return stoppedBecause === 'unreachable' || stoppedBecause === 'traps'
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
    ['out of scope', scope, partPercent(scope), outOfScopeText(totals.linksOutOfScope, left - scope)],
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

/**
 * The pages that were not fetched and still count as obtainable: `coverage.budget` is the importance on them.
 */
function notFetchedText(totals: CrawlTotals): string {
  const { waiting, temporary, unreachable } = totals
  return [
    ...(waiting === 0 ? [] : [waitingText(totals)]),
    ...(temporary === 0 ? [] : [`${plural(temporary, 'page')} failed for now`]),
    ...(unreachable === 0 ? [] : [`${grouped(unreachable)} unreachable`]),
    ...refusedTexts(totals),
  ].join(', ')
}

/** Pages that a limit or trap detection refused. */
function refusedTexts({ refusedByLimits, refusedAsTraps }: CrawlTotals): string[] {
  const overLimit = refusedByLimits - refusedAsTraps
  return [
    ...(overLimit === 0 ? [] : [`${grouped(overLimit)} over a limit`]),
    ...(refusedAsTraps === 0 ? [] : [`${grouped(refusedAsTraps)} refused by trap detection (--no-traps)`]),
  ]
}

function waitingText({ waiting, stoppedBecause }: CrawlTotals): string {
  const pages = plural(waiting, 'page')
  if (stoppedBecause === 'unreachable') return `${pages} out of reach`
  const budget =
    stoppedBecause === 'interrupted' || stoppedBecause === 'finished' ? '' : ' for a larger budget'
  return `${pages} ${agreeing(waiting, 'waits', 'wait')}${budget}`
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
    ...unfollowedLines(totals),
    ...outcomeLines(totals),
    ...looksLine(totals),
    `${bytesText(bytes)} in ${durationText(seconds)}${rate}.`,
    ...shownRows(totals).map(([label, text]) => `${label[0].toUpperCase()}${label.slice(1)}: ${text}.`),
    `${duplicates === 0 ? 'No duplicates' : plural(duplicates, 'duplicate')}${nearly}; ${mistakes === 0 ? 'no errors' : `${plural(mistakes, 'error')}: ${safe(errorsText(errors))}`}.`,
    ...blockedLines(totals),
    ...(pages === 0 || outOfOrder === undefined ? [] : [orderSentence(outOfOrder)]),
    ...waitedTexts(totals.waitedForBetter).map((text) => `Patience: ${text}.`),
  ]
}

/** What to do about walls. */
function blockedLines({ errors }: CrawlTotals): string[] {
  const pages = errors.blocked ?? 0
  return pages === 0 ? [] : [`Blocked: ${plural(pages, 'page')}. ${wallAdvice}.`]
}

/** Links in scope that were not followed, with the options that decide it. */
function unfollowedLines({ linksNotFollowed }: CrawlTotals): string[] {
  const texts = unfollowedLinksTexts(linksNotFollowed)
  return texts.length === 0 ? [] : [`Not followed: ${texts.join(', ')}.`]
}

/** Pages with an outcome other than content; empty if there are none. */
function outcomeLines(totals: CrawlTotals): string[] {
  const { redirects, failed, temporary, unreachable, refusedByRobots } = totals
  const parts = [
    ...(redirects === 0 ? [] : [plural(redirects, 'redirect')]),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed`]),
    ...(temporary === 0 ? [] : [`${grouped(temporary)} failed for a temporary reason`]),
    ...(unreachable === 0 ? [] : [`${grouped(unreachable)} unreachable`]),
    ...(refusedByRobots === 0 ? [] : [`${grouped(refusedByRobots)} disallowed by robots.txt`]),
    ...refusedTexts(totals),
  ]
  return parts.length === 0 ? [] : [`Besides these: ${parts.join(', ')}.`]
}

function placeLines(totals: CrawlTotals): string[] {
  const { folder, warcFiles } = totals
  if (folder === undefined) return []
  const dir = shellWord(folder)
  const more = moreBudget(totals)
  const rows: (readonly [string, string])[] = [
    ...(warcFiles.length === 0 ? [] : [['WARC', warcText(folder, warcFiles)] as [string, string]]),
    ['Record', safe(join(folder, 'record'))],
    ...writtenFiles(totals),
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
    traps: temporary > 0 ? '' : undefined,
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
