/** Fetching pages again, and how a crawl is run and watched. */
import { availableParallelism } from 'node:os'
import { fetchCosts, type FetchCost } from '../../engine/recrawl-options.ts'
import { jumpShare } from '../../engine/recrawl/key-masses.ts'
import { recrawlPolicies } from '../../engine/recrawl/policies/index.ts'
import type { FoundSite, PageFailure } from '../../engine/user-code/page-handler.ts'
import { RankwardError } from '../../lib/errors.ts'
import { plural } from '../../lib/amounts.ts'
import { callback, instanceOf } from '../../lib/option-checks.ts'
import { anyText, durationOrZero, oneOf, rateValue, whole } from '../../lib/value-kinds.ts'
import { changeRules, type ChangeRule } from '../world/looks/change.ts'
import type { CrawlEvent, CrawlOptions, CrawlSettings, ResumeOptions } from './crawl-options.ts'
import { dashboardValue } from './dashboard-address.ts'
import { inLibrary, list, on, path, toggle, value, type OptionSet, type Rows, typed } from './option-row.ts'
import type { RecordedPage } from './recorded-page.ts'

/** A real crawl cannot know the true change rates. */
const policyNames = recrawlPolicies.map(({ name }) => name).filter((name) => name !== 'optimal')

/** How pages are fetched again. Fixed once the crawl has begun to do so, except for rate and `isContinuous`. */
export interface RecrawlSettings {
  readonly policy: string
  readonly restSeconds: number
  readonly change: ChangeRule
  /** Fetches per day. Absent: it follows from the number of known pages. */
  readonly rate?: number | undefined
  /** Absent: `fetch`. */
  readonly cost?: FetchCost | undefined
  /** The share of a jump to all known pages in the masses of RankMass. Absent: 0. */
  readonly jump?: number | undefined
  /** False: pages are fetched again only by `recrawl`. */
  readonly isContinuous: boolean
}

const needless = ['rate', 'recrawlPolicy', 'restSeconds', 'change', 'cost'] as const

export const againRows = {
  /** Fetch pages again as they change, until the crawl is stopped. `pages` then limits how many pages it holds. */
  continuous: on('keep the pages fresh: fetch them again as they change, until the crawl is stopped', {
    level: 'common',
    later: 'resume',
    isSetting: false,
  }),
  /** Fetches per day, of new and known pages together. Default: about a thirtieth of the known pages. */
  rate: value(
    'n',
    rateValue,
    'fetches of new and known pages together: 1000/h, 5000/day (default: each page about once in 30 days); robots.txt, sitemaps and feeds come on top, about 13% more',
    {
      level: 'common',
      later: 'resume',
      isSetting: false,
      live: {
        label: 'Requests a day',
        said: (perDay: number) => `${plural(perDay, 'request')} a day`,
        of: ({ recrawl }: { readonly recrawl?: RecrawlSettings | undefined }) =>
          recrawl?.isContinuous === true ? recrawl.rate : undefined,
      },
      example: '1000/h',
    },
  ),
  /** The policy that decides which page is fetched again next. Default: change-signals. */
  recrawlPolicy: value(
    'policy',
    oneOf(policyNames),
    `which page to fetch again next: ${policyNames.join(', ')}`,
    { level: 'common', later: 'recrawl', isSetting: false, usual: 'change-signals' },
  ),
  /** A page is never fetched again within this many seconds. Default: 3600. */
  restSeconds: value('t', durationOrZero, 'never fetch a page again within this time', {
    cli: 'rest',
    level: 'common',
    later: 'recrawl',
    isSetting: false,
    usual: '1h',
  }),
  /** What counts as a change. Default: content (the visible text or the set of links). */
  change: value(
    'what',
    oneOf(changeRules),
    'what counts as a change: content (default: text or links), text, links, bytes',
    { level: 'config', later: 'recrawl', isSetting: false, example: 'content' },
  ),
  /** What a fetch costs. With `bytes`, the value of a fetch is divided by its expected size. Default: fetch (all the same). */
  cost: value(
    'what',
    oneOf(fetchCosts),
    'what a fetch costs: fetch (default: all the same), bytes (prefer small transfers and pages that respond with 304)',
    { level: 'config', later: 'recrawl', isSetting: false, example: 'fetch' },
  ),
} satisfies Rows

export const againOptions: OptionSet = {
  heading: 'Fetching pages again:',
  rows: againRows,
  settings: (options) => ({
    recrawl: options.continuous === true ? recrawlSettings(options, true) : undefined,
  }),
  resumed: ({ recrawl: before }: CrawlSettings, { continuous, rate }: ResumeOptions) => {
    const isContinuous = continuous ?? before?.isContinuous ?? false
    if (rate !== undefined && !isContinuous)
      throw new RankwardError(
        'USAGE',
        'Option rate of resumeCrawl needs continuous: true. Without it, every page is fetched once.',
      )
    if (before === undefined) return { recrawl: isContinuous ? recrawlSettings({ rate }, true) : undefined }
    return { recrawl: { ...before, rate: rate ?? before.rate, isContinuous } }
  },
  onShards: ({ recrawl, frontier }) => {
    if (recrawl !== undefined && frontier !== 'two-level')
      throw new RankwardError(
        'USAGE',
        `A continuous crawl on a cluster needs the frontier two-level, not ${frontier}: the others do not tell the values of their pages.`,
      )
  },
  check: (options: CrawlOptions): void => {
    const given =
      options.continuous === true ? undefined : needless.find((name) => options[name] !== undefined)
    if (given !== undefined)
      throw new RankwardError(
        'USAGE',
        `Option ${given} of crawl needs continuous: true. Without it, every page is fetched once.`,
      )
  },
}

/** The settings of a crawl that begins to fetch pages again. */
export function recrawlSettings(
  options: Pick<CrawlOptions, 'recrawlPolicy' | 'restSeconds' | 'change' | 'cost' | 'rate'>,
  isContinuous: boolean,
): RecrawlSettings {
  const {
    recrawlPolicy: policy = 'change-signals',
    restSeconds = 3600,
    change = 'content',
    cost,
    rate,
  } = options
  return { policy, restSeconds, change, cost, rate, isContinuous, ...(isContinuous && { jump: jumpShare }) }
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export const watchRows = {
  /** Serve a dashboard while the crawl runs: `8080`, `0.0.0.0:8080`; port 0 takes any. An event has its address. */
  dashboard: value(
    '[host:]port',
    dashboardValue,
    'serve a dashboard while the crawl runs, on this machine only unless a host is given (0: any free port)',
    { level: 'common', later: 'both', isSetting: false, example: '8080' },
  ),
  /** A file with the token that control needs; by default one is drawn, and the event has it. */
  dashboardToken: path('file', 'file with the token that control needs (default: a random one is printed)', {
    later: 'both',
    isSetting: false,
    needs: 'dashboard',
    example: 'token.txt',
  }),
  /** Further names of the dashboard's host, such as that of a reverse proxy. */
  dashboardNames: list(
    'name',
    anyText('a host name'),
    'accept requests for this host, such as that of a reverse proxy',
    {
      cli: 'dashboardName',
      level: 'config',
      later: 'both',
      isSetting: false,
      needs: 'dashboard',
      example: ['crawl.example.org'],
    },
  ),
  /** Append a log of JSON lines to this file. */
  log: path('file', 'append a log of JSON lines to this file; secrets are left out', {
    later: 'both',
    isSetting: false,
    example: 'crawl.log',
  }),
  /** Default info; debug has a line for every page. */
  logLevel: value('level', oneOf(logLevels), 'debug (every page), info (default), warn, error', {
    level: 'config',
    later: 'both',
    isSetting: false,
    needs: 'log',
    example: 'info',
  }),
  onEvent: inLibrary(typed<(event: CrawlEvent) => void>(callback), { later: 'both', isSetting: false }),
  /**
   * Called for each outcome of a page once it is durable, with the same object as `tail`: where it is archived, its digest, the
   * page that it was found on.
   */
  onRecorded: inLibrary(typed<(page: RecordedPage) => void>(callback), { later: 'both', isSetting: false }),
  /** Called for each page that fails, and for each page whose handler fails. */
  onError: inLibrary(typed<(failure: PageFailure) => void>(callback), { later: 'both', isSetting: false }),
  /** Called for each site, when its first page or requisite is discovered. */
  onSite: inLibrary(typed<(site: FoundSite) => void>(callback), { later: 'both', isSetting: false }),
} satisfies Rows

export const watchOptions: OptionSet = {
  heading: 'Watching it:',
  rows: watchRows,
}

const threadsMax = 16

export const runningRows = {
  /** Fetch threads; default: one per core. */
  threads: value('n', whole(1, 256), 'fetch threads (default: one per core)', {
    later: 'both',
    // The main thread is idle for two thirds of the time while one fetch thread is busy, so it needs no core of its own.
    default: () => Math.min(threadsMax, availableParallelism()),
  }),
  /** Stops the crawl. */
  signal: inLibrary(typed<AbortSignal>(instanceOf(AbortSignal, 'an AbortSignal')), {
    later: 'both',
    isSetting: false,
  }),
} satisfies Rows

export const runningCliRows = {
  config: path('file', 'read options from a JSON file; the command line takes precedence', {
    level: 'common',
  }),
  dryRun: on('print the settings and fetch nothing', { level: 'common', isOfRun: true }),
  json: on('print one JSON document of totals instead of text', {
    level: 'common',
    later: 'both',
    isOfRun: true,
  }),
  events: on('print events as JSON lines while the crawl runs', {
    level: 'common',
    later: 'both',
    isOfRun: true,
  }),
  progress: toggle('show progress, even if a config file disables it', 'show no progress', {
    level: 'common',
    later: 'both',
    isOfRun: true,
  }),
} satisfies Rows

export const runningOptions: OptionSet = {
  heading: 'Running:',
  rows: runningRows,
  cliRows: runningCliRows,
  contradictions: [
    {
      one: 'json',
      other: 'events',
      why: 'both write to standard output: give one (the last event has the totals too)',
    },
    { one: 'dryRun', other: 'events', why: 'contradict each other: nothing happens in a dry run' },
  ],
}
