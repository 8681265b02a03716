/**
 * Explains why a page was fetched when it was, or why it was not: everything that a crawl folder has about
 * one URL. Decisions come from a replay (explanation-replay.ts), the rest from the records.
 */
import { findEntry } from '../../engine/strategies/index.ts'
import { RankwardError } from '../../lib/errors.ts'
import { callback, checkOptions, type OptionChecks } from '../../lib/option-checks.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import { outsideUrl, type PageTable } from '../world/page-table.ts'
import { originOf } from '../desk/site-access.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { inScope } from '../../web/url/scope.ts'
import { crawlState, type CrawlState, type CrawlFolder } from '../record/crawl-folder.ts'
import { receivedMass, restingMass } from '../../engine/mass/page-mass.ts'
import { pageHistory, type CrawlSource, type PageHistory } from './page-history.ts'
import { robotsVerdict, type RobotsVerdict } from './explanation-robots.ts'
import { trustOf } from '../../engine/mass/mass-walk.ts'
import { knownCrawl } from './model/known-crawl.ts'
import { inFlight } from '../../engine/page-states.ts'
import { stateOf, wasRequested } from '../../engine/page-totals.ts'
import { checkInlineCode, codeChecks, type InlineCode } from '../../engine/user-code/inline-code.ts'
import { warcNaming } from '../record/warc-name.ts'
import { isModulePath } from '../../engine/user-code/strategy-module.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { isVersion, shownFields, type OutcomeRecord } from '../record/outcome-record.ts'
import { archivePlace } from '../record/recorded-page.ts'
import { keptRows, type ExplainedFields } from '../page-fields.ts'
import { recordedPages } from '../replay/recorded-pages.ts'
import { explainedFields } from '../parts/all-parts.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { RecordedCounts } from '../record/tally.ts'
import type { Explanation, Found, Outcome, Score } from './explanation-parts.ts'
import { pageFreshness } from './page-freshness.ts'
import { settingsAt } from './settings-history.ts'

export type { Explanation, Found, Outcome, Score, Waited } from './explanation-parts.ts'

const giversMax = 5
const explainedRows = keptRows.filter(([, { explain }]) => explain !== false)

export interface ExplainOptions extends Pick<InlineCode, 'strategy' | 'frontier'> {
  readonly progress?: Progress | undefined
}

/** The state of a crawl on a cluster, which the copy of a shard does not have. */
interface ClusterCrawlPhase {
  readonly phase: string
  /** Whether it has live workers. */
  readonly isRunning: boolean
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
  return explained(path, url, given)
}

/** The same for the copy of a shard: `cluster` is the state of its crawl. */
export async function explained(
  path: string,
  url: string,
  { progress = silent, ...inline }: ExplainOptions,
  cluster?: ClusterCrawlPhase,
): Promise<Explanation> {
  const { folder, ...state } = crawlState(path)
  const { options } = folder.file
  checkInlineCode(path, options, inline)
  const canonical = canonicalUrl(url, undefined, options.canonicalRules)
  if (canonical === undefined) throw notExplained(url)
  const record = await folder.readRecord()
  try {
    const pages = recordedPages(record, progress)
    const source = { folder, record, pages, progress, inline }
    return await new Explainer(source, state, cluster).explain(canonical)
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
  readonly #state: Omit<CrawlState, 'folder'>
  readonly #cluster: ClusterCrawlPhase | undefined

  constructor(
    source: CrawlSource,
    state: Omit<CrawlState, 'folder'>,
    cluster: ClusterCrawlPhase | undefined,
  ) {
    this.#state = state
    this.#cluster = cluster
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
      isRunning: this.#cluster?.isRunning ?? this.#state.pid !== undefined,
      stoppedBecause: this.#state.stoppedBecause,
      shard: this.#shard(),
      robots: this.#robots(url),
    }
    if (page === undefined) {
      const unfollowedCopies = this.#unfollowedCopies(originOf(url))
      const { linksNotFollowed }: Partial<RecordedCounts> = this.#record.counts
      return { ...general, state: 'unknown', similar: this.#similar(url), unfollowedCopies, linksNotFollowed }
    }
    const history = await pageHistory(page, this.#source)
    const outcome = this.#record.outcome(page)
    const first = this.#firstOutcome(page)
    const { pages } = history.engine
    const state = stateOf(pages, page)
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
        again: history.looksBefore,
        putBack: history.putBack,
        isPutLast: history.isPutLast,
        patience: history.heldBack && {
          moments: history.heldBack.moments,
          since: new Date(1000 * history.heldBack.since).toISOString(),
          share: this.#options.patience,
        },
        seconds:
          first && found.at && wasRequested(state)
            ? (first.startMs - Date.parse(found.at)) / 1000
            : undefined,
      },
      outcome: outcome && this.#outcome(outcome, first, history),
      redirectLoop: this.#redirectLoop(page),
      waiting: state === 'waiting' ? waitingWith(page, history) : undefined,
      // A redirect is held: its importance has passed on to its target.
      rests: pages.isHeld(page) ? undefined : await this.#rests(page, history),
      ...(await this.#partFields(page)),
      freshness: pageFreshness(history.engine, this.#record, page, Date.now()),
      settings: outcome && settingsAt(this.#record.settings, outcome.startMs),
    }
  }

  #partFields(page: number): Promise<Partial<Explanation>> {
    return explainedFields({ record: this.#record, settings: this.#options }, page)
  }

  /** The page with this URL; undefined if unknown. */
  #find(url: string): number | undefined {
    const page = this.#pages.findUrl(url)
    return page >= 0 && this.#pages.url(page) === url && url !== outsideUrl ? page : undefined
  }

  #shard(): Explanation['shard'] {
    const { shard } = this.#folder.file
    return shard && { number: shard.number, shards: shard.shards, phase: this.#cluster?.phase }
  }

  #redirectLoop(page: number): readonly string[] | undefined {
    const chain: string[] = []
    for (let at: number | undefined = page; at !== undefined;) {
      const url = this.#pages.url(at)
      const isAgain = chain.includes(url)
      chain.push(url)
      if (isAgain) return chain
      const location: string | undefined = this.#record.outcome(at)?.location
      const target: string | undefined =
        location && canonicalUrl(location, undefined, this.#options.canonicalRules)
      at = target === undefined ? undefined : this.#find(target)
    }
    return undefined
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
    const { foundBy: by, foundAt, foundAfter: afterPages } = history
    const source = parent === undefined || by !== 'fetched' ? undefined : this.#firstOutcome(parent)
    const atMs = source === undefined ? foundAt && 1000 * foundAt : source.startMs + source.durationMs
    const at = by === 'seed' ? this.#folder.file.startedAt : atMs && new Date(atMs).toISOString()
    return { by, at: at === 0 ? undefined : at, depth, path, afterPages }
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
        findEntry(strategy.name)?.scoresMass === true && this.#folder.file.shard === undefined
          ? await this.#mass(page, isNow ? Infinity : (taken?.fetched ?? Infinity))
          : undefined,
    }
  }

  async #rests(page: number, { engine }: PageHistory): Promise<Explanation['rests']> {
    if (this.#folder.file.shard !== undefined) return undefined
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

  #outcome(record: OutcomeRecord, first: OutcomeRecord | undefined, { cameAs }: PageHistory): Outcome {
    const { startMs, warc } = record
    const shown = shownFields(explainedRows, record, (page) => this.#pages.url(page))
    return {
      ...(shown as unknown as ExplainedFields),
      at: new Date(startMs).toISOString(),
      firstAt:
        first === undefined || first.startMs === startMs ? undefined : new Date(first.startMs).toISOString(),
      cameAs,
      warc: archivePlace(warc, warcNaming(this.#options)),
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
  const own = pages.key(page, strategy.score(page))
  let others = 0
  let better = 0
  for (let other = 0; other < pages.known; other++) {
    if (other === page || !pages.isWaiting(other)) continue
    others++
    const theirs = pages.key(other, strategy.score(other))
    if (theirs > own || (theirs === own && other < page)) better++
  }
  const isInFlight = pages.of(page) === inFlight
  return { others, better: strategy.ranksSites === true || isInFlight ? undefined : better, isInFlight }
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
