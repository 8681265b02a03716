/** The output of a dry run: what the crawl would do, in the words and numbers that a site owner needs. */
import { lastOnly } from '../../engine/patience.ts'
import { ownHosts, shownHeaders } from '../../crawler/options/request-options.ts'
import {
  archiving,
  machineRows,
  plannedRows,
  plannedWords,
  requestWords as partRequestWords,
} from '../../crawler/parts/all-parts.ts'
import { failuresMaxOf, shownSecrets, type CrawlSettings } from '../../crawler/options/crawl-settings.ts'
import { registeredDomain, siteOf } from '../../web/url/site.ts'
import { bytesText, durationText, percentText, plural } from './words.ts'
import { bold, grouped, safe } from '../terminal.ts'

const seedsShown = 20

export interface CrawlPlan {
  /** With all defaults filled in, as in crawl.json. */
  readonly settings: CrawlSettings
  readonly out: string
  readonly trust?: ReadonlyMap<string, number> | undefined
  readonly historicalScores?: ReadonlyMap<string, number> | undefined
}

type PlanRow = readonly [title: string, lines: readonly string[]]

export function planText(plan: CrawlPlan): string {
  return `${rowsText(planRows(plan))}\n\nA dry run: nothing was fetched, nothing was written.`
}

/** Titles on the left, their lines on the right. */
export function rowsText(rows: readonly PlanRow[]): string {
  const width = Math.max(...rows.map(([title]) => title.length))
  const text = rows.flatMap(([title, lines]) =>
    lines.map((line, i) => `${i === 0 ? bold(title.padEnd(width)) : ' '.repeat(width)}  ${line}`),
  )
  return text.join('\n')
}

export function planRows(plan: CrawlPlan): PlanRow[] {
  const { settings } = plan
  const { seeds } = settings
  const rest = seeds.length - seedsShown
  const shown = [...seeds.slice(0, seedsShown), ...(rest > 0 ? [`and ${grouped(rest)} more`] : [])]
  return [
    ['Starts from', shown.map(safe)],
    ['Follows', scopeWords(settings)],
    ...plannedRows(settings),
    ...machineRows(settings),
    ...recrawlRows(settings),
    ['Stops', stopWords(settings)],
    ['Order', orderWords(plan)],
    ['Politeness', politenessWords(settings)],
    ['Requests', requestWords(settings)],
    ['Keeps', keepingWords(plan)],
  ]
}

function recrawlRows({ recrawl }: CrawlSettings): PlanRow[] {
  if (recrawl === undefined) return []
  const { policy, rate: perDay, restSeconds, change, cost } = recrawl
  const rate =
    perDay === undefined
      ? 'each page about once in 30 days'
      : `at most ${grouped(Math.round(perDay))} fetches a day`
  const rest = `no page again within ${durationText(restSeconds)}`
  const value = cost === 'bytes' ? [`the value of a fetch is divided by its expected size`] : []
  return [['Again', [`${rate}, by ${policy}`, `${rest}; a change is one of ${change}`, ...value]]]
}

/** The same as JSON. */
export function planJson({ settings, out, trust, historicalScores }: CrawlPlan): Record<string, unknown> {
  return {
    dryRun: true,
    out,
    options: shownSecrets(settings),
    ...(trust === undefined ? {} : { trust: Object.fromEntries(trust) }),
    ...(historicalScores === undefined ? {} : { historicalScores: historicalScores.size }),
    scope: scopeWords(settings),
    politeness: politenessWords(settings),
  }
}

export function scopeWords({ seeds, scope, include, exclude, ...limits }: CrawlSettings): string[] {
  const sites = [...new Set(seeds.map((seed) => siteOf(seed) ?? seed))]
  const places = {
    host: () => `links to ${named(sites)}, http and https`,
    domain: () => `links to any host under ${named([...new Set(sites.map(registeredDomain))])}`,
    prefix: () => `links to URLs under ${named([...new Set(seeds.map(folderOf))])}`,
    any: () => 'links to anywhere',
  }
  const lines = [safe(places[scope]())]
  if (include.length > 0) lines.push(`only URLs that match ${include.map(safe).join(' or ')}`)
  if (exclude.length > 0) lines.push(`no URLs that match ${exclude.map(safe).join(' or ')}`)
  for (const [what, list] of [
    ['only content of', limits.accept],
    ['no content of', limits.reject],
    ['no links with rel', limits.ignoreRel],
    ['only links inside', limits.linksFrom],
  ] as const)
    if (list !== undefined) lines.push(`${what} ${list.join(', ')}`)
  if (limits.maxDepth !== undefined) lines.push(`at most ${plural(limits.maxDepth, 'link')} from a seed`)
  if (limits.maxPagesPerSite !== undefined)
    lines.push(`at most ${plural(limits.maxPagesPerSite, 'page')} of a host`)
  if ('sitemap' in limits && limits.sitemap) lines.push("also starts from the pages in the sites' sitemaps")
  return lines
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${grouped(names.length - 5)} more` : shown
}

/** The directory of a URL, as the scope `prefix` takes it. */
function folderOf(url: string): string {
  const address = url.slice(url.indexOf('://') + 3).split('?', 1)[0]
  return address.slice(0, address.lastIndexOf('/') + 1)
}

function stopWords(settings: CrawlSettings): string[] {
  const { pages, coverage, seconds, bytes } = settings
  const failuresMax = failuresMaxOf(settings)
  const rules = [
    ...(pages === undefined ? [] : [`after ${plural(pages, 'page')} with content`]),
    ...(failuresMax === Infinity ? [] : [`after ${plural(failuresMax, 'failed request')}`]),
    ...(coverage === undefined
      ? []
      : [`when ${percentText(coverage)} of the obtainable importance is certain`]),
    ...(seconds === undefined ? [] : [`after ${durationText(seconds)}`]),
    ...(bytes === undefined ? [] : [`after ${bytesText(bytes)}`]),
  ]
  return [
    ...rules,
    rules.length === 0 ? 'when no page is left: no budget is given' : 'or when no page is left',
  ]
}

function orderWords({ settings, trust, historicalScores }: CrawlPlan): string[] {
  const { strategy, frontier, damping, patience } = settings
  const lines = [`${safe(strategy)}, damping ${damping}, frontier ${frontier}`]
  if (patience === lastOnly)
    lines.push('takes a page that trap detection put last only if no other page waits for its site')
  else if (patience > 0)
    lines.push(
      `takes a page only if it is worth at least ${percentText(patience)} of the best page that waits for its site`,
    )
  if (trust !== undefined) lines.push(`${plural(trust.size, 'seed')} with trust weights`)
  if (historicalScores !== undefined)
    lines.push(`${plural(historicalScores.size, 'score')} of an earlier crawl`)
  return lines
}

export function politenessWords(settings: CrawlSettings): string[] {
  const { wait, waitFactor, waitPerAddress, perConnection, connections, robotsTxt, obeyNofollow } = settings
  const lines = [
    `one connection to a site at a time, ${plural(connections, 'connection')} in all`,
    `${perSite(wait, perConnection)}${robotsTxt ? crawlDelayText(wait) : ''}`,
  ]
  if (waitFactor > 0) {
    const times = waitFactor === 1 ? '' : `${waitFactor} times `
    lines.push(`waits at least ${times}as long as the site's last response took`)
  }
  lines.push(
    waitPerAddress > 0
      ? `at most ${perSecond(1 / waitPerAddress, 'connection')} to an address that sites share`
      : 'no wait between connections to an address that sites share',
  )
  const own = ownHosts(settings)
  if (own !== undefined)
    lines.push(`${plural(own.connections, 'connection')} at a time and no wait for ${named(own.hosts)}`)
  const disobeyed = [
    ...(robotsTxt ? [] : ['robots.txt']),
    ...(obeyNofollow ? [] : ['nofollow and robots meta elements']),
  ]
  lines.push(
    disobeyed.length === 0
      ? 'robots.txt, robots meta elements and nofollow are obeyed'
      : `${disobeyed.join(', ')}: NOT obeyed`,
  )
  return lines
}

function crawlDelayText(wait: number): string {
  return wait === 0
    ? '; a wait where robots.txt sets a crawl delay'
    : '; fewer where robots.txt sets a longer crawl delay'
}

function perSite(wait: number, perConnection: number): string {
  if (wait === 0) return 'no wait between two pages of a site'
  const rate = perSecond(perConnection / wait, 'page')
  const burst = perConnection === 1 ? '' : `, up to ${grouped(perConnection)} of them without a wait`
  return `at most ${rate} per site${burst}`
}

/** 2 as `2 pages per second`, 0.02 as `1 page every 50 seconds`. */
export function perSecond(rate: number, what: string): string {
  const short = (value: number): number => Number(value.toPrecision(3))
  return rate >= 1
    ? `${plural(short(rate), what)} per second`
    : `1 ${what} every ${plural(short(1 / rate), 'second')}`
}

function requestWords(settings: CrawlSettings): string[] {
  const { userAgent, connectTo } = settings
  return [
    `as ${safe(userAgent)}`,
    `HTTP/1.1${settings.http2 ? ' and HTTP/2' : ''}; bodies up to ${bytesText(settings.limitBytes)}, ${durationText(settings.limitSeconds)} per request, ${plural(settings.attempts, 'attempt')}`,
    ...shownHeaders(settings.headers).map(([name, value, host]) =>
      safe(`${name}: ${value}${host === undefined ? '' : ` (to ${host})`}`),
    ),
    ...(settings.auth === undefined ? [] : [`with the credentials in ${safe(settings.auth)}`]),
    ...partRequestWords(settings),
    ...connectTo.map((rule) => `connecting by ${safe(rule)}`),
    `${settings.allowPrivate ? 'private and local addresses too' : 'public addresses only'}${settings.insecure ? '; certificates are NOT checked' : ''}`,
  ]
}

function keepingWords({ settings, out }: CrawlPlan): string[] {
  const [archive = 'no WARC files', ...more] = archiving?.plan(settings) ?? []
  return [
    safe(out),
    `the record and ${archive}; ${plural(settings.threads, 'fetch thread')}`,
    ...more,
    ...plannedWords(settings),
  ]
}
