/**
 * Explains why a page was fetched when it was, or why it was not: everything that a crawl folder has about
 * one URL. Decisions come from a replay (explanation-replay.ts), the rest from the records.
 */
import { findEntry } from '../strategies/index.ts'
import { roundScore } from '../lib/score-rounding.ts'
import { RankwardError } from '../lib/errors.ts'
import { callback, checkOptions, type OptionChecks } from '../lib/option-checks.ts'
import { silent, type Progress } from '../lib/progress.ts'
import { outsideUrl, type PageTable } from '../worlds/real/page-table.ts'
import { originOf } from '../worlds/real/desk/site-access.ts'
import { canonicalUrl } from '../worlds/real/url/canonical-url.ts'
import { inScope } from '../worlds/real/url/scope.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { receivedMass, restingMass } from '../mass/page-mass.ts'
import { pageHistory, type CrawlSource, type PageHistory, type TakenBefore } from './page-history.ts'
import { robotsVerdict, type RobotsVerdict } from './explanation-robots.ts'
import { trustOf } from '../mass/certain-mass.ts'
import { knownCrawl } from './export/known-crawl.ts'
import { stateOf, wasRequested, type PageState } from '../engine/page-totals.ts'
import { checkInlineCode, codeChecks, type InlineCode } from '../user-code/inline-code.ts'
import { warcName, warcNaming } from '../record/warc-name.ts'
import { isModulePath } from '../user-code/strategy-module.ts'
import type { StopReason } from '../engine/engine-options.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { isVersion, type OutcomeRecord } from '../record/outcome-record.ts'
import { recordedPages } from '../replay/recorded-pages.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { pageFreshness, type PageFreshness } from './page-freshness.ts'
import { settingsAt, type SettingsAt } from './settings-history.ts'
import type { RecordedCounts } from '../record/tally.ts'

const giversMax = 5

export interface Explanation {
  /** Canonical, by the crawl's rules. */
  readonly url: string
  /** `unknown`: the crawl never found it. */
  readonly state: PageState | 'unknown'
  readonly isInScope: boolean
  readonly scope: Pick<
    CrawlSettings,
    'scope' | 'include' | 'exclude' | 'accept' | 'reject' | 'maxDepth' | 'maxPagesPerSite' | 'seeds'
  >
  readonly strategy: { readonly name: string; readonly about: string | undefined }
  /** Absent if the last session was interrupted. */
  readonly stoppedBecause?: StopReason | undefined
  /**
   * If unknown: number of copies on its site whose links to new pages were not followed. The page may be one
   * of those.
   */
  readonly unfollowedCopies?: { readonly count: number; readonly example: string } | undefined
  /** Similar known URLs, if this one is unknown. */
  readonly similar: readonly string[]
  readonly found?: Found | undefined
  readonly score?: Score | undefined
  readonly waited?:
    | (TakenBefore & { readonly seconds: number | undefined; readonly putBack: number })
    | undefined
  readonly outcome?: Outcome | undefined
  /** If it was not fetched: the share of all importance known to rest on it, and how coverage counts that. */
  readonly rests?:
    | { readonly importance: number; readonly as: 'unobtainable' | 'excluded' | 'not fetched' }
    | undefined
  /** If it is waiting: the number of waiting pages, and of those ahead of it. */
  readonly waiting?: { readonly others: number; readonly better: number | undefined } | undefined
  readonly robots?: RobotsVerdict | undefined
  /** With a page handler, for a fetched page: its items, and why the handler failed. */
  readonly handled?: { readonly items: number; readonly error?: string | undefined } | undefined
  /** In a crawl that fetches pages again, for a page that it holds: as of the time of the call. */
  readonly freshness?: PageFreshness | undefined
  /** The settings under which it was requested or refused, if a resume had changed them by then. */
  readonly settings?: SettingsAt | undefined
}

export interface Found {
  /** When the page that it was found on was fetched; for a seed, the start of the crawl. */
  readonly at: string | undefined
  readonly depth: number
  /** From a seed to the page itself, along the links by which each was first found. */
  readonly path: readonly string[]
  /** Number of pages with an outcome by then. */
  readonly afterPages: number
}

export interface Score {
  /**
   * When it was last selected; if it is waiting, the current value. Undefined if the strategy ranks sites.
   */
  readonly value: number | undefined
  readonly isNow: boolean
  /** Links from fetched pages at that point. */
  readonly linksTo: number
  /** For strategies whose score is a mass: the mass received by then, and its sources. */
  readonly mass?:
    | {
        readonly reached: number
        readonly givers: readonly { readonly url: string; readonly mass: number }[]
      }
    | undefined
}

export interface Outcome extends Omit<
  OutcomeRecord,
  | 'startMs'
  | 'warc'
  | 'prints'
  | 'sketch'
  | 'duplicateOf'
  | 'nearDuplicateOf'
  | 'score'
  | 'siteOriginal'
  | 'etag'
  | 'lastModified'
> {
  readonly at: string
  /** Its position among the pages with an outcome, fetched or failed. */
  readonly cameAs?: number | undefined
  readonly duplicateOf?: string | undefined
  /** The first page of its own site with the same body. */
  readonly siteOriginal?: string | undefined
  readonly nearDuplicateOf?: string | undefined
  readonly warc?: { readonly file: string; readonly offset: number; readonly length: number } | undefined
}

export interface ExplainOptions extends Pick<InlineCode, 'strategy' | 'frontier'> {
  readonly progress?: Progress | undefined
}

const checks: OptionChecks<ExplainOptions> = {
  strategy: codeChecks.strategy,
  frontier: codeChecks.frontier,
  progress: callback,
}

/**
 * Explains this URL by the crawl in this folder, which may be running. If the crawl's strategy or frontier
 * was passed as code, the same code is required to replay it.
 */
export async function explain(path: string, url: string, given: ExplainOptions = {}): Promise<Explanation> {
  checkOptions('explain', given, checks)
  const { progress = silent, ...inline } = given
  const folder = CrawlFolder.open(path)
  const { options } = folder.file
  checkInlineCode(path, options, inline)
  const canonical = canonicalUrl(url, undefined, options.canonicalRules)
  if (canonical === undefined) throw notExplained(url)
  const record = await folder.readRecord()
  try {
    const pages = recordedPages(record, progress)
    return await new Explainer({ folder, record, pages, progress, inline }).explain(canonical)
  } finally {
    record.close()
  }
}

export function notExplained(url: string): RankwardError {
  return new RankwardError(
    'USAGE',
    `"${url}" cannot be explained: expected an http or https URL, such as https://example.org/.`,
  )
}

class Explainer {
  readonly #source: CrawlSource
  readonly #folder: CrawlFolder
  readonly #record: CrawlRecord
  readonly #pages: PageTable
  readonly #options: CrawlSettings

  constructor(source: CrawlSource) {
    this.#source = source
    this.#folder = source.folder
    this.#record = source.record
    this.#pages = source.pages
    this.#options = source.folder.file.options
  }

  async explain(url: string): Promise<Explanation> {
    const page = this.#find(url)
    const { strategy: name, seeds, scope, include, exclude, accept, reject } = this.#options
    const { maxDepth, maxPagesPerSite } = this.#options
    const general = {
      url,
      isInScope: inScope(url, seeds, scope, { include, exclude, accept, reject }),
      scope: { scope, include, exclude, accept, reject, maxDepth, maxPagesPerSite, seeds },
      strategy: { name, about: findEntry(name)?.about },
      stoppedBecause: this.#stoppedBecause(),
      robots: this.#robots(url),
    }
    if (page === undefined) {
      const unfollowedCopies = this.#unfollowedCopies(originOf(url))
      return { ...general, state: 'unknown', similar: this.#similar(url), unfollowedCopies }
    }
    const history = await pageHistory(page, this.#source)
    const outcome = this.#record.outcome(page)
    const first = this.#firstOutcome(page)
    const state = stateOf(history.engine.pages, page)
    const found = this.#found(page, history)
    return {
      ...general,
      ...(isModulePath(name) ? { strategy: { name: history.engine.strategy.name, about: undefined } } : {}),
      state,
      similar: [],
      found,
      score: await this.#score(page, history),
      waited: {
        ...history.takenBefore,
        putBack: history.putBack,
        seconds:
          first && found.at && wasRequested(state)
            ? (first.startMs - Date.parse(found.at)) / 1000
            : undefined,
      },
      outcome: outcome && this.#outcome(outcome, history),
      waiting: state === 'waiting' ? waitingWith(page, history) : undefined,
      rests: state === 'fetched' ? undefined : await this.#rests(page, history),
      handled: state === 'fetched' ? await this.#handled(page) : undefined,
      freshness: pageFreshness(history.engine, this.#record, page, Date.now()),
      settings: outcome && settingsAt(this.#record.settings, outcome.startMs),
    }
  }

  /** The last result of the page handler for this page. Only pages with items or a failure have a record of it. */
  async #handled(page: number): Promise<Explanation['handled']> {
    if (this.#options.handler === undefined) return undefined
    let result: Explanation['handled'] = { items: 0 }
    for await (const { handled } of this.#record.results(0)) {
      for (const { page: handledPage, itemCount, error } of handled) {
        if (handledPage === page)
          result = error === undefined ? { items: itemCount } : { items: itemCount, error }
      }
    }
    return result
  }

  /** The page with this URL; undefined if unknown. */
  #find(url: string): number | undefined {
    const page = this.#pages.findUrl(url)
    return page >= 0 && this.#pages.url(page) === url && url !== outsideUrl ? page : undefined
  }

  /** crawl.json is written when a session ends; the record of a later, interrupted session has more pages. */
  #stoppedBecause(): StopReason | undefined {
    const { totals } = this.#folder.file
    const counts: Partial<RecordedCounts> = this.#record.counts
    return totals?.pages === counts.pages ? totals?.stoppedBecause : undefined
  }

  #unfollowedCopies(origin: string): Explanation['unfollowedCopies'] {
    let count = 0
    let example: string | undefined
    for (const [page, { unfollowed }] of this.#record.outcomes()) {
      if (unfollowed === undefined || originOf(this.#pages.url(page)) !== origin) continue
      count++
      example ??= this.#pages.url(page)
    }
    return example === undefined ? undefined : { count, example }
  }

  #similar(url: string): string[] {
    return similarUrls(url)
      .map((other) => canonicalUrl(other, undefined, this.#options.canonicalRules))
      .filter(
        (other): other is string => other !== undefined && other !== url && this.#find(other) !== undefined,
      )
      .filter((other, i, all) => all.indexOf(other) === i)
  }

  #found(page: number, history: PageHistory): Found {
    const { parent, depth } = this.#pages.found(page)
    const path: string[] = []
    for (let at: number | undefined = page; at !== undefined; at = this.#pages.found(at).parent) {
      path.unshift(this.#pages.url(at))
    }
    const source = parent === undefined ? undefined : this.#firstOutcome(parent)
    const at =
      parent === undefined
        ? this.#folder.file.startedAt
        : source && new Date(source.startMs + source.durationMs).toISOString()
    return { at, depth, path, afterPages: history.foundAfter }
  }

  /** The first version of a page; the newest outcome of a page without one. */
  #firstOutcome(page: number): OutcomeRecord | undefined {
    let first: OutcomeRecord | undefined
    for (const each of this.#record.versions(page)) if (first === undefined || isVersion(each)) first = each
    return first
  }

  async #score(page: number, history: PageHistory): Promise<Score> {
    const { engine, taken, linksTo } = history
    const { strategy, pages } = engine
    const isNow = pages.isWaiting(page)
    const now = strategy.shown === undefined ? strategy.score(page) : strategy.shown(page)
    return {
      value: isNow ? (strategy.ranksSites === true ? undefined : now) : taken?.score,
      isNow,
      linksTo,
      mass:
        findEntry(strategy.name)?.scoresMass === true
          ? await this.#mass(page, isNow ? Infinity : (taken?.fetched ?? Infinity))
          : undefined,
    }
  }

  async #rests(page: number, { engine }: PageHistory): Promise<Explanation['rests']> {
    const crawl = await knownCrawl(this.#record)
    const as = (['not fetched', 'unobtainable', 'excluded'] as const)[engine.pages.lossOf(page)]
    return { importance: restingMass(crawl, page, trustOf(this.#folder)), as }
  }

  /** The mass that a page had received when this many pages were fetched. */
  async #mass(page: number, fetched: number): Promise<Score['mass']> {
    const crawl = await knownCrawl(this.#record, fetched)
    const { reached, givers } = receivedMass(crawl, page, trustOf(this.#folder), giversMax)
    return {
      reached,
      givers: givers.map((giver) => ({ url: this.#pages.url(giver.page), mass: giver.mass })),
    }
  }

  #outcome(record: OutcomeRecord, { cameAs }: PageHistory): Outcome {
    const {
      startMs,
      warc,
      duplicateOf,
      siteOriginal,
      nearDuplicateOf,
      sketch: _____,
      prints: _,
      score: __,
      etag: ___,
      lastModified: ____,
      ...rest
    } = record
    return {
      ...rest,
      at: new Date(startMs).toISOString(),
      cameAs,
      duplicateOf: duplicateOf === undefined ? undefined : this.#pages.url(duplicateOf),
      siteOriginal: siteOriginal === undefined ? undefined : this.#pages.url(siteOriginal),
      nearDuplicateOf: nearDuplicateOf === undefined ? undefined : this.#pages.url(nearDuplicateOf),
      warc: warc && {
        file: warcName(warc, warcNaming(this.#options)),
        offset: warc.offset,
        length: warc.length,
      },
    }
  }

  #robots(url: string): RobotsVerdict | undefined {
    if (!this.#options.robotsTxt) return undefined
    const origin = originOf(url)
    return robotsVerdict(this.#record.robots(origin), url.slice(origin.length), this.#options.userAgent)
  }
}

function waitingWith(page: number, { engine }: PageHistory): Explanation['waiting'] {
  const { pages, strategy } = engine
  const own = roundScore(strategy.score(page))
  let others = 0
  let better = 0
  for (let other = 0; other < pages.known; other++) {
    if (other === page || !pages.isWaiting(other)) continue
    others++
    const theirs = roundScore(strategy.score(other))
    if (theirs > own || (theirs === own && other < page)) better++
  }
  return { others, better: strategy.ranksSites === true ? undefined : better }
}

/**
 * Variants of the URL: the other scheme, with or without `www.` and a trailing slash, in all combinations.
 */
function similarUrls(url: string): string[] {
  const either = (one: string, from: RegExp, to: string, back: RegExp, into: string): string[] => [
    one,
    from.test(one) ? one.replace(from, to) : one.replace(back, into),
  ]
  return [url]
    .flatMap((one) => either(one, /^http:/, 'https:', /^https:/, 'http:'))
    .flatMap((one) => either(one, /:\/\/www\./, '://', /:\/\//, '://www.'))
    .flatMap((one) => either(one, /\/(?=\?|$)/, '', /(?=\?|$)/, '/'))
}
