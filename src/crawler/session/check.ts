/**
 * What a crawl with these options would do: its settings and how they differ from the defaults, the sites of its seeds with
 * their robots.txt, what a seed of each leads to, and how long it takes at least.
 */
import { isDeepStrictEqual } from 'node:util'
import { groupedBy } from '../../lib/grouped-by.ts'
import { checkOptions, flag, instanceOf, type OptionChecks } from '../../lib/option-checks.ts'
import { settingsOf, shownSecrets, shownValue, type CrawlSettings } from '../options/crawl-settings.ts'
import { libraryRows } from '../options/option-table.ts'
import type { CrawlOptions } from '../options/crawl-options.ts'
import { matchesHost } from '../../web/url/host-pattern.ts'
import { siteOf } from '../../web/url/site.ts'
import { RobotsRequests, type RobotsResponse } from './robots-check.ts'
import { noUnfollowedLinks, type UnfollowedLinks } from '../options/omissions.ts'
import { countUnfollowed } from '../record/tally.ts'
import { originOf } from '../desk/site-access.ts'

export interface CheckOptions {
  /** Send no request: the sites are listed without their robots.txt. */
  readonly offline?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** A site of the seeds: scheme, host and port. */
export interface CheckedSite {
  readonly origin: string
  readonly seeds: number
  /**
   * - `rules`: the site has a robots.txt.
   * - `none`: it has none, so everything is allowed.
   * - `unreachable`: it does not respond, so nothing may be fetched for now.
   * - `ignored`: the crawl does not obey robots.txt.
   * - `not-checked`: offline, or beyond the first hundred sites.
   */
  readonly robots: 'rules' | 'none' | 'unreachable' | 'ignored' | 'not-checked'
  /** Why the site is unreachable. */
  readonly error?: string | undefined
  /** Seeds that robots.txt disallows. */
  readonly disallowed: readonly string[]
  /** Seconds between two pages that robots.txt requires, if it does. */
  readonly crawlDelaySeconds?: number | undefined
  /** Seconds between two pages of this crawl. */
  readonly gapSeconds: number
  readonly sitemaps: readonly string[]
  /** The first seed that may be fetched; undefined if it was not requested. */
  readonly seed?: CheckedSeed | undefined
}

/** What a seed leads to. */
export interface CheckedSeed {
  readonly url: string
  /** 0: there was no response. */
  readonly status: number
  readonly location?: string | undefined
  /** Whether it says nofollow. */
  readonly nofollow: boolean
  /** Links in scope that the crawl would follow. */
  readonly links: number
  /** Links in scope that it would not follow, by reason. */
  readonly linksNotFollowed: Readonly<UnfollowedLinks>
}

/** An option with another value than the default. */
export interface ChangedOption {
  readonly name: string
  readonly value: unknown
  /** Undefined if there is none. */
  readonly default: unknown
}

export interface CrawlCheck {
  /** Without the secrets in headers and in the URLs of proxies. */
  readonly settings: CrawlSettings
  readonly changed: readonly ChangedOption[]
  readonly sites: readonly CheckedSite[]
  /** Seeds that could be fetched, as far as is known. */
  readonly seedsAllowed: number
  readonly pace: CrawlPace
}

const checks: OptionChecks<CheckOptions> = {
  offline: flag,
  signal: instanceOf(AbortSignal, 'an AbortSignal'),
}

/** A seed is not requested if its site needs a longer wait after robots.txt. */
const seedWaitSecondsMax = 3
const sitesMax = 100
const atOnce = 8

/** Requests robots.txt of the seeds' sites and the first seed of each, unless `offline`, and nothing else. */
export async function check(options: CrawlOptions, checkingOptions: CheckOptions = {}): Promise<CrawlCheck> {
  checkOptions('check', checkingOptions, checks)
  const settings = settingsOf(options)
  const { offline = false, signal } = checkingOptions
  const origins = groupedBy(settings.seeds, originOf)
  const asked = offline || !settings.robotsTxt ? [] : [...origins.keys()].slice(0, sitesMax)
  const responses = new Map<string, RobotsResponse>()
  const siteOfSeeds = ([origin, seeds]: readonly [string, string[]]): CheckedSite =>
    checkedSite(origin, seeds, settings, responses.get(origin))
  let sites = [...origins].map(siteOfSeeds)
  if (!offline) {
    const requests = new RobotsRequests(settings)
    try {
      await forEach(
        asked,
        signal,
        async (origin) => void responses.set(origin, await requests.ask(origin, signal)),
      )
      sites = [...origins].map(siteOfSeeds)
      await forEach([...sites.slice(0, sitesMax).keys()], signal, async (i) => {
        sites[i] = {
          ...sites[i],
          seed: await seedOf(sites[i], origins.get(sites[i].origin)!, requests, signal),
        }
      })
    } finally {
      requests.close()
    }
  }
  const unreachable = sites.filter(({ robots }) => robots === 'unreachable')
  const refused = unreachable.reduce((sum, { seeds }) => sum + seeds, 0)
  const disallowed = sites.reduce((sum, site) => sum + site.disallowed.length, 0)
  const addressOf = (origin: string): string | undefined => {
    const response = responses.get(origin)
    return response === undefined || response.kind === 'unreachable' ? undefined : response.address
  }
  return {
    settings: shownSecrets(settings),
    changed: changedOptions(options, settings),
    sites,
    seedsAllowed: settings.seeds.length - refused - disallowed,
    pace: shortestCrawl(
      settings,
      sites
        .filter(({ robots }) => robots !== 'unreachable')
        .map(({ origin, gapSeconds }) => ({ site: siteOf(origin)!, gapSeconds, address: addressOf(origin) })),
    ),
  }
}

/** A few at a time. */
async function forEach<T>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const next = async (): Promise<void> => {
    while (left.length > 0) {
      signal?.throwIfAborted()
      await run(left.shift()!)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

async function seedOf(
  { robots, disallowed, gapSeconds }: CheckedSite,
  seeds: readonly string[],
  requests: RobotsRequests,
  signal: AbortSignal | undefined,
): Promise<CheckedSeed | undefined> {
  const url = seeds.find((seed) => !disallowed.includes(seed))
  const isAllowed = robots === 'rules' || robots === 'none' || robots === 'ignored'
  if (url === undefined || !isAllowed || gapSeconds > seedWaitSecondsMax) return undefined
  const result = await requests.page(url, signal)
  if (result === undefined) return undefined
  const linksNotFollowed = { ...noUnfollowedLinks }
  countUnfollowed(linksNotFollowed, result)
  const { status, location, nofollow = false, fingerprints } = result
  return { url, status, location, nofollow, links: fingerprints.length / 2, linksNotFollowed }
}

function checkedSite(
  origin: string,
  seeds: readonly string[],
  settings: CrawlSettings,
  response: RobotsResponse | undefined,
): CheckedSite {
  const { robotsTxt } = settings
  const isOwn = settings.own?.some((pattern) => matchesHost(pattern, siteOf(origin)!)) === true
  const wait = isOwn ? 0 : settings.wait
  const site = { origin, seeds: seeds.length, disallowed: [], sitemaps: [], gapSeconds: wait }
  if (!robotsTxt) return { ...site, robots: 'ignored' }
  if (response === undefined) return { ...site, robots: 'not-checked' }
  if (response.kind === 'unreachable') return { ...site, robots: 'unreachable', error: response.error }
  const { rules } = response
  const delay = rules.gapSeconds
  return {
    ...site,
    robots: response.kind,
    disallowed: seeds.filter((seed) => !rules.allows(seed.slice(origin.length))),
    crawlDelaySeconds: delay === 0 ? undefined : delay,
    gapSeconds: isOwn ? 0 : Math.max(wait, delay),
    sitemaps: rules.sitemaps,
  }
}

/** The options that are given with another value than the default, by their names in the library. */
function changedOptions(options: CrawlOptions, { seeds }: CrawlSettings): ChangedOption[] {
  const defaults: Readonly<Record<string, unknown>> = { ...settingsOf({ seeds, out: options.out }) }
  return Object.entries(options)
    .filter(
      ([name, value]) => value !== undefined && name !== 'seeds' && name !== 'onEvent' && name !== 'signal',
    )
    .map(([name, value]) => ({
      name,
      value: plainValue(shownOf(name, value)),
      default: defaults[name],
    }))
    .filter(({ value, default: usual }) => !isDeepStrictEqual(value, usual))
}

function shownOf(name: string, value: unknown): unknown {
  const row = libraryRows.get(name)
  return row === undefined ? value : shownValue(row, value)
}

/** Code and maps as text. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'function') return `function ${value.name}`
  if (value instanceof Map) return `${value.size} values`
  return value
}

/**
 * The shortest time that a crawl can take: politeness limits how many pages a site gives per second, and a crawl
 * starts with the sites of its seeds. Response times come on top.
 */
export interface PacedSite {
  readonly site: string
  readonly gapSeconds: number
  /** Undefined if it is not known. */
  readonly address: string | undefined
}

interface CrawlPace {
  /**
   * Pages per second that politeness allows on the sites of the seeds; Infinity without a wait. More sites that
   * are found later allow more.
   */
  readonly pagesPerSecond: number
  /** False if links may lead to sites that are not known yet. */
  readonly isBound: boolean
  /** The pages of the page budget, or those that fit into the time budget if they are fewer. */
  readonly pages?: number | undefined
  /** Seconds for these pages at that pace, if the sites share them evenly; undefined without a budget. */
  readonly seconds?: number | undefined
}

export function shortestCrawl(settings: CrawlSettings, sites: readonly PacedSite[]): CrawlPace {
  const { perConnection, waitPerAddress, connections, scope, pages, seconds } = settings
  const bySite = new Map(sites.map((site) => [site.site, site]))
  const siteRate = ({ gapSeconds }: PacedSite): number => perConnection / gapSeconds
  const groups = groupedBy(bySite.values(), ({ address, site }) => address ?? site)
  // A shared address takes one connection per `waitPerAddress`.
  const rates = [...groups.values()].map((group) => {
    const rate = group.reduce((sum, site) => sum + siteRate(site), 0)
    return group.length === 1 ? rate : Math.min(rate, perConnection / waitPerAddress)
  })
  const pagesPerSecond = rates
    .toSorted((a, b) => b - a)
    .slice(0, connections)
    .reduce((sum, rate) => sum + rate, 0)
  const isBound = scope === 'host' || scope === 'prefix'
  const fit = seconds === undefined || pagesPerSecond === 0 ? Infinity : Math.floor(pagesPerSecond * seconds)
  const count = Math.min(pages ?? Infinity, fit)
  return {
    pagesPerSecond,
    isBound,
    ...(Number.isFinite(count) && pagesPerSecond > 0
      ? { pages: count, seconds: count / pagesPerSecond }
      : {}),
  }
}
