/**
 * A crawl report: first the coverage and what limits it, in four numbers and a bar; then where the importance
 * lies, the progress and the results; the settings at the end.
 */
import { courseSection, depthSection, importanceTimeSection, sizeSections } from './crawl-plots.ts'
import { answerSection, missedSection, orderSection, pagesSection, sitesSection } from './crawl-tables.ts'
import { importanceMap } from './importance-map.ts'
import { freshnessSection } from './freshness-section.ts'
import {
  agreeing,
  bytesText,
  certainPercent,
  durationText,
  grouped,
  partPercent,
  plural,
  rateText,
  shareErrorMax,
} from '../../lib/amounts.ts'
import { reportFiles, type ReportFile } from './page.tsx'
import type { Point } from '../pictures/plot.ts'
import {
  section,
  type BigNumber,
  type Origin,
  type Report,
  type Section,
  type Summary,
  type Table,
} from './report.ts'
import type { ReportedCrawl, ReportedOptions } from '../../crawler/read/figures/reported-crawl.ts'
import { stopPhrases } from '../../crawler/wording/crawl-end.ts'
import { outOfScopeText, unfollowedLinksTexts } from '../../crawler/wording/unfollowed-links.ts'
import { patienceText } from '../../engine/patience.ts'
import { waitedTexts } from '../../crawler/wording/waited-connections.ts'
import { importanceBar, restWords, type SharePart, type ShareParts } from '../pictures/share-bar.tsx'
import { breakable, shortened } from '../pictures/words.tsx'

/** The page and its data. The name is the prefix of all file names. */
export function crawlReportFiles(
  crawl: ReportedCrawl,
  { name, rawCells }: Pick<Report, 'name' | 'rawCells'>,
  origin: Origin,
): ReportFile[] {
  return reportFiles({ ...crawlReport(crawl), name, rawCells }, origin)
}

export function crawlReport(crawl: ReportedCrawl): Report {
  return {
    name: 'report',
    title: `Crawl of ${crawlName(crawl.options.seeds)}`,
    lead: [`${crawl.headline} ${endText(crawl)}`],
    summary: { numbers: bigNumbers(crawl), bar: summaryBar(crawl) },
    facts: [...headline(crawl), ...optionFacts(crawl), ['folder', crawl.folder]],
    sections: [
      importanceSection(crawl),
      ...missedSection(crawl),
      ...coverageSection(crawl),
      ...courseSection(crawl),
      ...importanceTimeSection(crawl),
      ...freshnessSection(crawl),
      ...pagesSection(crawl),
      ...sitesSection(crawl),
      ...answerSection(crawl),
      ...sizeSections(crawl),
      ...depthSection(crawl),
      orderSection(crawl),
    ],
    remarks: [],
  }
}

function crawlName([first = '', ...others]: readonly string[]): string {
  const host = breakable(shortened(first.replace(/^https?:\/\//, '').replace(/[/?].*$/, ''), 80))
  return others.length === 0 ? host : `${host} and ${plural(others.length, 'other seed')}`
}

function endText({ end, isRunning }: ReportedCrawl): string {
  if (isRunning) return 'The crawl is running; this report covers it up to now.'
  if (end === undefined) return 'The crawl was interrupted; this report covers it up to that point.'
  return `The crawl stopped ${stopPhrases[end.stoppedBecause]}.`
}

function bigNumbers({ counts, coverage, known, time, waiting }: ReportedCrawl): BigNumber[] {
  const { pages, bytes, seconds } = counts
  return [
    {
      name: 'coverage',
      value: certainPercent(coverage.share),
      remark:
        coverage.obtainable > 1 - shareErrorMax
          ? 'of the importance is held'
          : 'of the obtainable importance is held',
    },
    {
      name: 'pages',
      value: grouped(pages),
      remark: `of ${grouped(known)} known; ${grouped(waiting)} waiting`,
    },
    {
      name: 'pages per second',
      value: seconds > 0 ? rateText(pages / seconds) : '–',
      remark: `${bytesText(bytes)} received`,
    },
    {
      name: 'duration',
      value: durationText(seconds),
      remark: time.sessions > 1 ? `in ${grouped(time.sessions)} sessions` : undefined,
    },
  ]
}

function headline(crawl: ReportedCrawl): [string, string][] {
  const { counts, coverage, time } = crawl
  const { pages, bytes, seconds } = counts
  const rate = seconds > 0 ? `, ${rateText(pages / seconds)} pages per second` : ''
  const notFollowed = unfollowedLinksTexts(counts.linksNotFollowed)
  return [
    ['coverage', coverageText(coverage)],
    [
      'pages',
      `${grouped(pages)} fetched of ${grouped(crawl.known)} known; ${grouped(crawl.waiting)} waiting`,
    ],
    ['not fetched', otherOutcomes(counts)],
    ['sites', `${grouped(crawl.sitesVisited)} requested of ${grouped(crawl.sites)} known`],
    ['links', grouped(counts.links)],
    ...(notFollowed.length === 0 ? [] : [['not followed', notFollowed.join(', ')] as [string, string]]),
    ['received', `${bytesText(bytes)}${pages === 0 ? '' : `, ${bytesText(bytes / pages)} per page`}`],
    ...crawl.rows.map(([label, text]) => [label, text] as [string, string]),
    [
      'duration',
      `${durationText(seconds)}${rate}${time.sessions > 1 ? `, in ${grouped(time.sessions)} sessions` : ''}`,
    ],
    ...waitedTexts(crawl.waitedForBetter).map((text): [string, string] => ['patience', text]),
    ['began', `${crawl.startedAt.slice(0, 16).replace('T', ' ')} UTC`],
    [
      crawl.isRunning ? 'state' : 'stopped',
      crawl.isRunning ? 'running' : stopPhrases[crawl.end?.stoppedBecause ?? 'interrupted'],
    ],
  ]
}

function coverageText({ share, guaranteed, obtainable }: ReportedCrawl['coverage']): string {
  if (obtainable > 1 - shareErrorMax) return `${certainPercent(share)} of the RankMass`
  return `${certainPercent(share)} of the obtainable RankMass: ${certainPercent(guaranteed)} of ${partPercent(obtainable)}`
}

/** The pages with an outcome but without content, by outcome. */
function otherOutcomes(counts: ReportedCrawl['counts']): string {
  return [
    plural(counts.redirects, 'redirect'),
    `${grouped(counts.failed)} failed`,
    `${grouped(counts.temporary)} failed for a temporary reason`,
    `${grouped(counts.unreachable)} unreachable`,
    `${grouped(counts.refusedByRobots)} disallowed by robots.txt`,
    `${grouped(counts.refusedByLimits - counts.refusedAsTraps)} over a limit`,
    ...(counts.refusedAsTraps === 0
      ? []
      : [`${grouped(counts.refusedAsTraps)} refused by trap detection (--no-traps)`]),
  ].join(', ')
}

const scopes: Readonly<Record<ReportedOptions['scope'], string>> = {
  host: 'the hosts of the seeds',
  domain: 'the domains of the seeds',
  prefix: 'URLs below the seeds',
  any: 'the whole web',
}

function optionFacts({ options, plans }: ReportedCrawl): [string, string][] {
  const { seeds, scope, include, exclude } = options
  const patterns = (word: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${word} ${list.map((pattern) => shortened(pattern, 60)).join(' ')}`]
  const limits = [
    ...patterns('only', include),
    ...patterns('without', exclude),
    ...(options.maxDepth === undefined ? [] : [`to depth ${options.maxDepth}`]),
    ...(options.maxPagesPerSite === undefined
      ? []
      : [`at most ${plural(options.maxPagesPerSite, 'page')} per site`]),
  ]
  const budgets = [
    ...(options.pages === undefined ? [] : [plural(options.pages, 'page')]),
    ...(options.failures === undefined ? [] : [plural(options.failures, 'failed request')]),
    ...(options.coverage === undefined ? [] : [`a coverage of ${options.coverage}`]),
    ...(options.seconds === undefined ? [] : [durationText(options.seconds)]),
    ...(options.bytes === undefined ? [] : [bytesText(options.bytes)]),
    ...(options.patience === undefined || options.patience === 0
      ? []
      : [`patience ${patienceText(options.patience)}`]),
  ]
  const seedsShown = seeds.slice(0, 3).map((url) => shortened(url, 100))
  const more = seeds.length > 3 ? [`${grouped(seeds.length - 3)} more`] : []
  return [
    [
      'seeds',
      [...seedsShown, ...more, ...(options.sitemap === true ? ['pages of sitemaps'] : [])].join(', '),
    ],
    ['strategy', `${options.strategy}, d = ${options.damping}, frontier ${options.frontier}`],
    ...plans.map(([title, lines]): [string, string] => [
      title.toLowerCase(),
      shortened(lines.join('; '), 300),
    ]),
    ['budget', budgets.length === 0 ? 'none' : budgets.join(', ')],
    ['scope', [scopes[scope], ...limits].join('; ')],
    ['politeness', politeness(options)],
    ['user agent', shortened(options.userAgent, 120)],
  ]
}

function politeness({ wait, perConnection, connections, robotsTxt, obeyNofollow }: ReportedOptions): string {
  return [
    wait === 0 ? 'no wait between requests to a site' : `${durationText(wait)} between requests to a site`,
    ...(perConnection === 1 ? [] : [`${grouped(perConnection)} pages per connection`]),
    `up to ${plural(connections, 'connection')} at a time`,
    `robots.txt ${robotsTxt ? 'obeyed' : 'not obeyed'}`,
    ...(obeyNofollow ? [] : ['nofollow not obeyed']),
  ].join('; ')
}

const importanceId = 'importance'

function barOf({ coverage, counts, waiting }: ReportedCrawl): ShareParts & { readonly beside: SharePart } {
  const { guaranteed, robots, scope, failed, budget } = coverage
  const known = (share: number): number => (share < shareErrorMax ? 0 : share)
  const bar = importanceBar(
    {
      held: known(guaranteed),
      robots: known(robots),
      failed: known(failed),
      waiting: known(budget),
      outOfScope: known(scope),
    },
    { ...counts, waiting },
  )
  return { ...bar, beside: bar.beside! }
}

function importanceSection(crawl: ReportedCrawl): Section {
  const { counts, coverage, options } = crawl
  const bar = barOf(crawl)
  const behind = [
    `${plural(counts.pages, 'page')} fetched`,
    `${plural(counts.refusedByRobots, 'page')} disallowed`,
    plural(counts.failed, 'page'),
    restText(crawl),
    outOfScopeText(counts.linksOutOfScope, options.coverageOf === 'scope' ? (coverage.left ?? 0) : 0),
  ]
  const table: Table = {
    kind: 'table',
    id: importanceId,
    title: 'The parts',
    columns: [{ title: 'where' }, { title: 'RankMass', numbering: 'share' }, { title: 'pages or links' }],
    // The guaranteed share is rounded down.
    rows: [...bar.parts, bar.beside].map(({ name, share }, i) => [
      name,
      i === 0 && share < 1 - shareErrorMax ? Math.floor(share * 1e4) / 1e4 : share,
      behind[i],
    ]),
    caption:
      'Held: a surfer who starts at the seeds, follows links and sometimes jumps back to a seed is on a fetched page for at least this share of the time. The others: where the surfer left the fetched pages, by the reason why those pages were not fetched. The importance of pages that robots.txt disallows or that failed permanently is not obtainable. Coverage is the held share divided by the obtainable share.',
  }
  return { title: 'Where the importance lies', blocks: [table, ...importanceMap(crawl)] }
}

/** The pages behind the part of the importance that a larger budget, a retry or another limit could hold. */
function restText({ counts, waiting, end }: ReportedCrawl): string {
  const failed = counts.temporary + counts.unreachable
  const isOver = end?.stoppedBecause === 'finished' || end?.stoppedBecause === 'unreachable'
  const wait = `${plural(waiting, 'page')} ${agreeing(waiting, 'waits', 'wait')}${isOver ? '' : ' for a larger budget'}`
  const others = [
    ...(failed === 0 ? [] : [`${plural(failed, 'page')} failed for now`]),
    ...(counts.refusedByLimits === 0 ? [] : [`${plural(counts.refusedByLimits, 'page')} over a limit`]),
  ]
  if (waiting > 0) return [wait, ...others].join('; ')
  return others.length === 0 ? '0 pages wait' : others.join('; ')
}

function summaryBar(crawl: ReportedCrawl): Summary['bar'] {
  return {
    id: `${importanceId}-bar`,
    title: 'Importance of all pages that the seeds lead to',
    bar: barOf(crawl),
    caption: `${certainPercent(crawl.coverage.guaranteed)} is held by fetched pages. ${missing(crawl)}`,
  }
}

function missing(crawl: ReportedCrawl): string {
  const { parts, beside } = barOf(crawl)
  const [most] = [...parts.slice(1), beside].toSorted((a, b) => b.share - a.share)
  const reasons: Readonly<Partial<Record<SharePart['colour'], string>>> = {
    robots: 'lies behind pages that robots.txt disallows',
    outside: 'lies out of scope',
    failed: 'lies behind pages that failed',
    waiting: `lies behind pages that ${restWords({ ...crawl.counts, waiting: crawl.waiting }).clause}`,
  }
  return most.share === 0
    ? 'Nothing is missing.'
    : `Most of the missing part, ${partPercent(most.share)}, ${reasons[most.colour]}.`
}

function coverageSection({ curve, counts, coverage }: ReportedCrawl): Section[] {
  if (counts.pages === 0) return []
  const reached = [0.5, 0.8, 0.9, 0.95, 0.99]
    .map((level) => ({ level, at: curve.find(([, share]) => share >= level)?.[0] }))
    // If several levels were passed at once, only the highest is reported.
    .filter(({ at }, i, all) => at !== undefined && at !== all[i + 1]?.at)
    .map(({ level, at }) => `${level * 100}% after ${plural(at!, 'page')}`)
  const known = reached.length === 0 ? '' : ` It was ${reached.join(', ')}.`
  return section('Guaranteed coverage', [
    {
      kind: 'figure',
      id: 'coverage',
      plot: {
        title: 'Certain importance by number of pages',
        x: { label: 'pages fetched', numbering: 'count', min: 0, max: curve.at(-1)?.[0] ?? 1 },
        y: { label: 'coverage', numbering: 'certain', min: 0, max: 100 },
        series: [
          {
            name: 'guaranteed',
            points: [[0, 0], ...curve.map(([at, share]): Point => [at, 100 * share])],
          },
        ],
      },
      caption: `At the end ${certainPercent(coverage.share)} of the obtainable importance is certain.${known}`,
    },
  ])
}
