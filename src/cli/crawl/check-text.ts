/** The output of `rankward check`: the plan of a dry run, the sites, the changed options and the duration. */
import type { ChangedOption, CheckedSeed, CheckedSite, CrawlCheck } from '../../crawler/session/check.ts'
import { unfollowedLinksTexts } from '../../crawler/wording/unfollowed-links.ts'
import { options } from '../../crawler/options/option-table.ts'
import { grouped, safe } from '../terminal.ts'
import { adviceOn } from './advice.ts'
import { perSecond, planRows, rowsText, type CrawlPlan } from './plan.ts'
import { durationText, plural } from './words.ts'

const sitesShown = 20

export function checkText(plan: CrawlPlan, checked: CrawlCheck): string {
  const { sites, changed } = checked
  const shown = sites.slice(0, sitesShown).flatMap(siteLines)
  const rest = sites.length - sitesShown
  return rowsText([
    ...planRows(plan),
    ['Sites', rest > 0 ? [...shown, `and ${grouped(rest)} more`] : shown],
    ['Options', changed.length === 0 ? ['all have their defaults'] : changed.map(changedLine)],
    ['Takes', paceLines(checked)],
  ])
}

/** As `crawl` would end: 1 if it could fetch nothing, 3 if sites are unreachable. */
export function checkExitCode({ seedsAllowed, sites }: CrawlCheck): number {
  if (seedsAllowed === 0) return 1
  return sites.some(({ robots }) => robots === 'unreachable') ? 3 : 0
}

function siteLines({ origin, seeds, robots, error, ...site }: CheckedSite): string[] {
  const states: Readonly<Record<CheckedSite['robots'], string>> = {
    rules: robotsText(seeds, site),
    none: 'no robots.txt: everything is allowed',
    unreachable: `unreachable (${error}): nothing can be fetched for now`,
    ignored: 'robots.txt is not requested and NOT obeyed',
    'not-checked': 'robots.txt was not requested',
  }
  const disallowed = site.disallowed.slice(0, 3).map((url) => `  disallowed: ${safe(url)}`)
  const advice = error === undefined ? undefined : adviceOn(error)
  return [
    `${safe(origin)}: ${states[robots]}`,
    ...(advice === undefined ? [] : [`  ${advice}`]),
    ...disallowed,
    ...(site.seed === undefined ? [] : seedLines(site.seed)),
  ]
}

/** What a seed leads to: a page that says nofollow, or has no links, is a crawl of one page. */
function seedLines({ url, status, location, links, linksNotFollowed }: CheckedSeed): string[] {
  if (status === 0) return [`  ${safe(url)}: no response`]
  if (location !== undefined) return [`  ${safe(url)}: leads to ${safe(location)}`]
  const answer = `  ${safe(url)}: ${status}, ${plural(links, 'link')} to follow in scope`
  const left = unfollowedLinksTexts(linksNotFollowed).map((text) => `  would not be followed: ${text}`)
  return [answer, ...left]
}

function robotsText(
  seeds: number,
  {
    disallowed,
    crawlDelaySeconds,
    sitemaps,
  }: Pick<CheckedSite, 'disallowed' | 'crawlDelaySeconds' | 'sitemaps'>,
): string {
  const allowed =
    disallowed.length === 0
      ? `robots.txt allows ${seeds === 1 ? 'the seed' : `all ${grouped(seeds)} seeds`}`
      : `robots.txt disallows ${grouped(disallowed.length)} of ${plural(seeds, 'seed')}`
  return [
    allowed,
    ...(crawlDelaySeconds === undefined ? [] : [`crawl delay ${durationText(crawlDelaySeconds)}`]),
    ...(sitemaps.length === 0 ? [] : [plural(sitemaps.length, 'sitemap')]),
  ].join(', ')
}

function changedLine({ name, value, default: usual }: ChangedOption): string {
  const before = usual === undefined ? '' : ` (default: ${JSON.stringify(usual)})`
  return safe(`${configName(name)}: ${JSON.stringify(value)}${before}`)
}

/** The name in a config file of an option of the library. */
function configName(library: string): string {
  for (const [name, option] of options) if (option.library === library) return name
  return library
}

function paceLines({ pace, sites }: CrawlCheck): string[] {
  const { pagesPerSecond, isBound, pages, seconds } = pace
  if (pagesPerSecond === 0) return ['nothing can be fetched']
  if (pagesPerSecond === Infinity) return ['as long as the responses take: there is no wait between pages']
  const rate = `${perSecond(pagesPerSecond, 'page')} from ${plural(sites.length, 'site')} at most, response times not counted`
  const more = isBound ? [] : ['sites that are found later allow more pages per second']
  if (pages === undefined || seconds === undefined)
    return [
      `no page or time budget: up to ${plural(Math.floor(86_400 * pagesPerSecond), 'page')} a day`,
      rate,
      ...more,
    ]
  const atLeast = isBound ? 'at least ' : ''
  const alone = isBound ? '' : ' of these sites alone'
  return [`${atLeast}${durationText(seconds)} for ${plural(pages, 'page')}${alone}`, rate, ...more]
}
