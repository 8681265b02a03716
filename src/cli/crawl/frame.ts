/** The live view of a crawl as text: a frame of several lines for a terminal, or one line for a log. Pure. */
import type { CrawlFreshness } from '../../crawler/options/crawl-freshness.ts'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import type { BudgetLeft, Budgets } from '../../crawler/read/budget-left.ts'
import type { Rates } from './recent-rates.ts'
import { looksText } from '../freshness-text.ts'
import { shownRows } from '../../crawler/parts/all-parts.ts'
import { bytesText, durationText, errorCount, errorsText, percentText, plural, rateText } from './words.ts'
import { bar, grouped, safe } from '../terminal.ts'

export interface CrawlView {
  /** A short name of the crawl. */
  readonly subject: string
  readonly progress: CrawlProgress
  readonly budgets: Budgets
  readonly rates: Rates
  readonly left: BudgetLeft | undefined
  /** Ctrl-C was pressed. */
  readonly isStopping: boolean
}

interface FrameSize {
  readonly columns: number
  readonly rows: number
  readonly colour: boolean
}

const labelWidth = 10

const doings: Readonly<Record<CrawlProgress['phase'], string>> = {
  opening: 'Opening',
  resuming: 'Reading the record of',
  sitemaps: 'Reading the sitemaps of',
  crawling: 'Crawling',
  ending: 'Ending',
}

/** No line is wider than the terminal, and there are no more lines than it has. */
export function frame(view: CrawlView, { columns, rows, colour }: FrameSize): string[] {
  const doing = view.isStopping ? 'Stopping' : doings[view.progress.phase]
  const width = Math.max(20, columns - 1)
  const lines = [
    styled('bold', cut(`${doing} ${safe(view.subject)}`, width), colour),
    ...rowsOf(view, width).map(([label, text]) => {
      const line = cut(`  ${label.padEnd(labelWidth)}${text}`, width)
      return styled('dim', line.slice(0, 2 + labelWidth), colour) + line.slice(2 + labelWidth)
    }),
  ]
  return lines.slice(0, Math.max(1, rows - 1))
}

function rowsOf(
  { progress, budgets, rates, left, isStopping }: CrawlView,
  width: number,
): (readonly [string, string])[] {
  const { pages, bytes, seconds, connections, sites, known, waiting, guaranteed, errors } = progress
  const pace = `${rateText(rates.pagesPerSecond)}/s now, ${rateText(rates.meanPagesPerSecond)}/s on average`
  const next = connections === 0 && progress.nextDueSeconds >= 1
  const rest = isStopping ? 'the requests in flight' : leftText(left, budgets, progress)
  return [
    ['pages', columnsOf(`${grouped(pages)}${ofBudget(budgets.pages, grouped)}`, pace)],
    [
      'bytes',
      columnsOf(
        `${bytesText(bytes)}${ofBudget(budgets.bytes, bytesText)}`,
        `${bytesText(rates.bytesPerSecond)}/s`,
      ),
    ],
    ...(guaranteed === undefined
      ? []
      : [['certain', coverageText(guaranteed, budgets.coverage, progress.reach, width)] as [string, string]]),
    [
      'known',
      columnsOf(
        plural(known, 'page'),
        `${grouped(waiting)} wait, ${plural(progress.duplicates, 'duplicate')}`,
      ),
    ],
    ...(progress.freshness === undefined ? [] : [freshRow(progress.freshness, rates)]),
    ...shownRows(progress),
    [
      'active',
      columnsOf(
        plural(connections, 'connection'),
        `${plural(sites, 'site')} with waiting pages${next ? `; the next in ${durationText(progress.nextDueSeconds)}` : ''}`,
      ),
    ],
    ['errors', errorCount(errors) === 0 ? 'none' : safe(errorsText(errors, 3))],
    ['time', `${durationText(seconds)}${ofBudget(budgets.seconds, durationText)}`],
    ...(progress.outage === undefined
      ? []
      : [
          [progress.outage.kind === 'network' ? 'network' : 'waiting', outageText(progress.outage)] as [
            string,
            string,
          ],
        ]),
    ...(rest === '' ? [] : [['left', rest] as [string, string]]),
  ]
}

/** Why no page is fetched, when the next attempt is, and when the crawl stops. */
function outageText(outage: NonNullable<CrawlProgress['outage']>): string {
  const { kind, sites, pages, nextTrySeconds, endsInSeconds } = outage
  const what =
    kind === 'network'
      ? 'no network: no site responds'
      : `for ${plural(sites, 'unreachable site')} with ${plural(pages, 'page')}`
  const next = nextTrySeconds === 0 ? 'now' : `in ${durationText(nextTrySeconds)}`
  return `${what}; next try ${next}, stops in ${durationText(endsInSeconds)}`
}

const ofBudget = (budget: number | undefined, text: (value: number) => string): string =>
  budget === undefined ? '' : ` of ${text(budget)}`

const columnsOf = (left: string, right: string): string => `${left.padEnd(24)} ${right}`.trimEnd()

function lineOfFreshness(freshness: CrawlFreshness): string {
  const { freshCoverage, isFreshnessPending } = freshness
  const unknown = isFreshnessPending ? 'freshness not known yet, ' : ''
  const fresh = freshCoverage === undefined ? unknown : `${percentText(freshCoverage)} expected to be fresh, `
  return `${fresh}${looksText(freshness)}`
}

function freshRow(freshness: CrawlFreshness, { looksPerSecond }: Rates): [string, string] {
  const { freshCoverage, isFreshnessPending } = freshness
  const unknown = isFreshnessPending ? 'not known yet' : ''
  const fresh = freshCoverage === undefined ? unknown : `${percentText(freshCoverage)} expected`
  return ['fresh', columnsOf(fresh, `${looksText(freshness)}, ${rateText(looksPerSecond)}/s now`)]
}

/** `reach`: the highest reachable coverage, if the goal is unreachable. */
function coverageText(
  guaranteed: number,
  goal: number | undefined,
  reach: number | undefined,
  width: number,
): string {
  const drawn = width < 64 ? '' : `${bar(guaranteed, 24)} `
  const most = reach === undefined ? '' : ` (at most ${percentText(reach)} can be reached)`
  return `${drawn}${percentText(guaranteed)} of the importance${goal === undefined ? '' : `, of ${percentText(goal)}`}${most}`
}

/** What is left of the budget that is spent first, or what ends the crawl otherwise; empty if that is not known. */
export function leftText(
  left: BudgetLeft | undefined,
  { coverage: goal }: Budgets,
  { freshness }: Pick<CrawlProgress, 'freshness'>,
): string {
  if (left === undefined) {
    if (goal !== undefined) return `until ${percentText(goal)} is certain or no page waits`
    return freshness === undefined ? 'until no page waits' : ''
  }
  const { budget, amount, seconds } = left
  if (budget === 'time') return `${durationText(amount)} of the budget`
  const rest = budget === 'pages' ? plural(amount, 'page') : bytesText(amount)
  return `${rest} of the budget${seconds === undefined || amount === 0 ? '' : `, ${durationText(seconds)} at this rate`}`
}

/** For a log: the same in one line. */
export function progressLine({ progress, budgets, rates, left, isStopping }: CrawlView): string {
  const { pages, bytes, seconds, connections, known, guaranteed, reach, errors, phase } = progress
  if (phase !== 'crawling' && phase !== 'ending')
    return `${durationText(seconds)}: ${doings[phase].toLowerCase()} …`
  const parts = [
    `${grouped(pages)}${ofBudget(budgets.pages, grouped)} pages (${rateText(rates.pagesPerSecond)}/s)`,
    bytesText(bytes),
    ...(guaranteed === undefined ? [] : [`${percentText(guaranteed)} certain`]),
    ...(reach === undefined ? [] : [`at most ${percentText(reach)} within reach`]),
    `${grouped(known)} known`,
    ...(progress.freshness === undefined
      ? []
      : [`${lineOfFreshness(progress.freshness)}, ${rateText(rates.looksPerSecond)} looks/s`]),
    ...shownRows(progress).map(([label, text]) => `${label}: ${text}`),
    plural(connections, 'connection'),
    ...(errorCount(errors) === 0 ? [] : [plural(errorCount(errors), 'error')]),
  ]
  if (progress.outage !== undefined) {
    parts.push(`${progress.outage.kind === 'sites' ? 'waiting ' : ''}${outageText(progress.outage)}`)
  }
  const end = isStopping ? 'stopping' : left === undefined ? '' : `left: ${leftText(left, budgets, progress)}`
  return `${durationText(seconds)}: ${parts.join(', ')}${end === '' ? '' : `; ${end}`}`
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}

/**
 * Escape sequences are explicit: `styleText` checks standard output for colours, but the frame goes to
 * standard error.
 */
function styled(style: 'bold' | 'dim', text: string, colour: boolean): string {
  return colour ? `\u001b[${style === 'bold' ? 1 : 2}m${text}\u001b[22m` : text
}
