/** A crawl's options, checked and with all defaults: stored in crawl.json and used by a resume. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defaultFailuresMax } from '../../engine/page-budget.ts'
import { defaultPatience } from '../../engine/patience.ts'
import { defaultWaitFactor, defaultWaitPerAddress } from '../../engine/politeness.ts'
import type { FetchCost } from '../../engine/recrawl-options.ts'
import { entriesOf, findEntry } from '../../engine/strategies/index.ts'
import { needsBodies, threadParts } from '../parts/all-parts.ts'
import { RankwardError } from '../../lib/errors.ts'
import { isConnectTo } from '../desk/addresses.ts'
import { isDnsServer } from '../desk/dns-server.ts'
import type { ChangeRule } from '../world/looks/change.ts'
import type { ThreadSettings } from '../world/messages.ts'
import type { RetryRules } from '../world/outcome-policy.ts'
import { defaultRules, type CanonicalRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import type { ScopeKind } from '../../web/url/scope.ts'
import { topicOf, type TopicSettings } from '../../web/topic/topic.ts'
import { handlerSettings, type HandlerSettings } from './handler-settings.ts'
import { checkCrawlOptions } from './option-checks.ts'
import { inlineCodeOf, inlineKinds, inlineName, type InlineKind } from '../../engine/user-code/inline-code.ts'
import { isModulePath, isOwnStrategy } from '../../engine/user-code/strategy-module.ts'
import { checkContent, contentOfThread, contentSettings, type ContentOptions } from './content-options.ts'
import { archiveSettings, type ArchiveSettings } from './archive-options.ts'
import type { CrawlOptions } from './crawl-options.ts'
import { version } from './version.ts'

/** Plain data, written as JSON. Absent budgets are unlimited. */
export interface CrawlSettings extends ContentOptions, ArchiveSettings {
  readonly seeds: readonly string[]
  readonly sitemap: boolean
  readonly strategy: string
  readonly frontier: string
  /**
   * Which of strategy, frontier and scorer were passed as code; their options then have the names of that
   * code.
   */
  readonly inline?: readonly InlineKind[] | undefined
  readonly damping: number
  readonly every?: number | undefined
  /** Sites with more spam mass than this, from 0 to 1, are fetched last; absent: none. */
  readonly demoteSpam?: number | undefined
  readonly seed: number
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
  /** Absent in crawls of earlier versions, which means `web`. */
  readonly coverageOf?: 'scope' | 'web' | undefined
  readonly scope: ScopeKind
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxDepth?: number | undefined
  readonly maxPagesPerSite?: number | undefined
  readonly canonicalRules: CanonicalRules
  readonly traps: boolean
  /** Absent in crawls of earlier versions, which means 0. */
  readonly patience?: number | undefined
  /** Absent without a topic. */
  readonly topic?: TopicSettings | undefined
  /** The path of a scorer module, and its time limit per page. */
  readonly scorer?: string | undefined
  readonly scorerSeconds: number
  /** Absent without a page handler. */
  readonly handler?: HandlerSettings | undefined
  /** Absent if every page is fetched once. */
  readonly recrawl?: RecrawlSettings | undefined
  /** Absent if near-duplicates are not detected. */
  readonly nearDuplicates?: number | undefined
  readonly wait: number
  readonly waitFactor: number
  readonly waitPerAddress: number
  readonly perConnection: number
  readonly connections: number
  /**
   * The options of engine, frontier and strategy when the crawl began: later sessions may have other budgets
   * and connections.
   */
  readonly made: {
    readonly pages?: number | undefined
    readonly coverage?: number | undefined
    readonly connections: number
  }
  /** A resume has changed the scope: pages discovered before may be out of scope. */
  readonly scopeChanged?: boolean | undefined
  readonly robotsTxt: boolean
  readonly obeyNofollow: boolean
  readonly userAgent: string
  readonly headers: readonly (readonly [name: string, value: string, host?: string])[]
  readonly connectTo: readonly string[]
  readonly dnsServers?: readonly string[] | undefined
  readonly allowPrivate: boolean
  readonly insecure: boolean
  readonly http2: boolean
  readonly limitBytes: number
  readonly limitSeconds: number
  /**
   * After this many seconds a connection with little traffic is slow; absent in crawls of earlier versions.
   */
  readonly slowSeconds?: number | undefined
  readonly attempts: number
  readonly retrySeconds?: number | undefined
  readonly retrySecondsMax?: number | undefined
  readonly waitUnreachableSeconds?: number | undefined
  readonly warc: boolean
  readonly warcBytesMax: number
  readonly warcLevel: number
  /** Keep a search index; absent in crawls of earlier versions. */
  readonly index?: boolean | undefined
  readonly threads: number
}

/** How pages are fetched again. Fixed once the crawl has begun to do so, except for rate and `isContinuous`. */
export interface RecrawlSettings {
  readonly policy: string
  readonly restSeconds: number
  readonly change: ChangeRule
  /** Fetches per day. Absent: it follows from the number of known pages. */
  readonly rate?: number | undefined
  /** Absent: `fetch`. */
  readonly cost?: FetchCost | undefined
  /** False: pages are fetched again only by `recrawl`. */
  readonly isContinuous: boolean
  /** The horizon of the policy, for benchmarks in which a day takes seconds. Default: that of the policy. */
  readonly horizonDays?: number | undefined
}

/** The settings of a crawl that begins to fetch pages again. */
export function recrawlSettings(
  options: Pick<CrawlOptions, 'recrawl' | 'restSeconds' | 'change' | 'cost' | 'rate'>,
  isContinuous: boolean,
): RecrawlSettings {
  const { recrawl: policy = 'greedy', restSeconds = 3600, change = 'content', cost, rate } = options
  return { policy, restSeconds, change, cost, rate, isContinuous }
}

const threadsMax = 16

/** Some are absent in the settings of earlier versions. */
export function retryRules(settings: CrawlSettings): RetryRules {
  return {
    attempts: settings.attempts,
    firstSeconds: settings.retrySeconds ?? 1,
    maxSeconds: settings.retrySecondsMax ?? 3600,
  }
}

export function waitUnreachable({ waitUnreachableSeconds = 600 }: CrawlSettings): number {
  return waitUnreachableSeconds
}

/** The User-Agent, with the crawler's name and the contact address. */
export function userAgentOf(contact: string | undefined): string {
  const name = `Rankward/${version}`
  if (contact === undefined) return name
  return `${name} (+${/^\S+@\S+$/.test(contact) && !contact.startsWith('mailto:') ? `mailto:${contact}` : contact})`
}

/** The limit of failed requests; Infinity for none. */
export function failuresMaxOf({ pages, failures }: Pick<CrawlSettings, 'pages' | 'failures'>): number {
  return failures ?? defaultFailuresMax(pages)
}

export function settingsOf(options: CrawlOptions): CrawlSettings {
  checkCrawlOptions(options)
  checkContent(options)
  const canonicalRules = { ...defaultRules, ...options.canonicalRules }
  const seeds = seedsOf(options.seeds, canonicalRules)
  const { wait = 1, coverage } = options
  const connections = options.connections ?? options.robots ?? 64
  const code = inlineCodeOf(options)
  const inline = inlineKinds.filter((kind) => code[kind] !== undefined)
  const strategy = nameOf('strategy', options.strategy) ?? defaultStrategy(options)
  if (code.strategy === undefined) checkStrategy(strategy, options)
  for (const rule of options.connectTo ?? []) {
    if (!isConnectTo(rule)) {
      throw new RankwardError('USAGE', `connectTo "${rule}" is invalid: expected HOST1:PORT1:HOST2:PORT2.`)
    }
  }
  for (const server of options.dnsServers ?? []) {
    if (!isDnsServer(server)) {
      throw new RankwardError('USAGE', `DNS server "${server}" is invalid: expected ADDRESS or ADDRESS:PORT.`)
    }
  }
  return {
    seeds,
    sitemap: options.sitemap ?? false,
    strategy,
    frontier: nameOf('frontier', options.frontier) ?? 'two-level',
    inline: inline.length === 0 ? undefined : inline,
    damping: options.damping ?? 0.85,
    every: options.every,
    demoteSpam: options.demoteSpam,
    seed: options.seed ?? 1,
    pages: options.pages,
    failures: options.failures,
    coverage,
    seconds: options.seconds,
    bytes: options.bytes,
    coverageOf: options.coverageOf ?? 'scope',
    scope: options.scope ?? 'host',
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    maxDepth: options.maxDepth,
    maxPagesPerSite: options.maxPagesPerSite,
    ...contentSettings(options),
    canonicalRules,
    traps: options.traps ?? true,
    patience: options.patience ?? defaultPatience(options),
    topic: topicOf({
      query: options.topic,
      scored: options.scorer !== undefined,
      hot: options.topicHot,
      language: options.language,
      likeness: options.likeness,
      titleWeight: options.titleWeight,
    }),
    scorer: typeof options.scorer === 'string' ? resolve(options.scorer) : nameOf('scorer', options.scorer),
    scorerSeconds: options.scorerSeconds ?? 10,
    handler: handlerSettings(options),
    nearDuplicates: options.nearDuplicates === false ? undefined : (options.nearDuplicates ?? 0.9),
    recrawl: options.continuous === true ? recrawlSettings(options, true) : undefined,
    wait,
    waitFactor: options.waitFactor ?? defaultWaitFactor(wait),
    waitPerAddress: options.waitPerAddress ?? defaultWaitPerAddress(wait),
    perConnection: options.perConnection ?? 1,
    connections,
    made: { pages: options.pages, coverage, connections },
    robotsTxt: options.robotsTxt ?? true,
    obeyNofollow: options.obeyNofollow ?? true,
    userAgent: options.userAgent ?? userAgentOf(options.contact),
    headers: options.headers ?? [],
    connectTo: options.connectTo ?? [],
    dnsServers: options.dnsServers,
    allowPrivate: options.allowPrivate ?? false,
    insecure: options.insecure ?? false,
    http2: options.http2 ?? true,
    limitBytes: options.limitBytes ?? 10_000_000,
    limitSeconds: options.limitSeconds ?? 30,
    slowSeconds: options.slowSeconds ?? 3,
    attempts: options.attempts ?? 3,
    retrySeconds: options.retrySeconds,
    retrySecondsMax: options.retrySecondsMax,
    waitUnreachableSeconds: options.waitUnreachableSeconds,
    warc: options.warc ?? options.out !== undefined,
    warcBytesMax: options.warcBytesMax ?? 1_000_000_000,
    warcLevel: options.warcLevel ?? 1,
    ...archiveSettings(options),
    index: options.index,
    threads: options.threads ?? defaultThreads(),
  }
}

function nameOf(kind: InlineKind, choice: string | object | undefined): string | undefined {
  return choice === undefined || typeof choice === 'string' ? choice : inlineName(kind, choice)
}

/**
 * Leaves a core to the main thread if there are several. One fetch thread reads a thousand pages per second.
 */
function defaultThreads(): number {
  return Math.min(threadsMax, Math.max(1, availableParallelism() - 1))
}

function seedsOf(given: readonly string[] | undefined, rules: CanonicalRules): string[] {
  const seeds = new Set<string>()
  for (const text of given ?? []) {
    const url = canonicalUrl(text, undefined, rules)
    if (url === undefined) {
      throw new RankwardError(
        'BAD_SEED',
        `Seed "${text}" is not an http or https URL, such as https://example.org/.`,
      )
    }
    seeds.add(url)
  }
  if (seeds.size === 0) {
    throw new RankwardError('BAD_SEED', 'There is no seed. Give at least one URL to start from.')
  }
  return [...seeds]
}

/**
 * A crawl with a topic uses a learning strategy; a crawl with a coverage goal needs a strategy that proves
 * coverage.
 */
function defaultStrategy({ topic, scorer, coverage }: CrawlOptions): string {
  return (topic === undefined && scorer === undefined) || coverage !== undefined
    ? 'exact-rankmass'
    : 'learned-topic'
}

function checkStrategy(spec: string, { coverage, topic, scorer }: CrawlOptions): void {
  if (isModulePath(spec)) return
  const entries = entriesOf(spec)
  if (topic === undefined && scorer === undefined) {
    const part = entries.find(({ needs }) => needs?.includes('topic') === true)
    if (part !== undefined) {
      throw new RankwardError('USAGE', `Strategy ${part.name} needs a topic or a scorer.`)
    }
  }
  if (/[+*]/.test(spec)) return
  if (findEntry(spec)?.guarantees !== true && coverage !== undefined) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${spec} guarantees no coverage, so the crawl could not stop at ${coverage}. Use exact-rankmass, or a page budget instead.`,
    )
  }
}

export function threadSettings(
  settings: CrawlSettings,
  thread: number,
  wants: { bodies: boolean },
  archive: unknown,
): ThreadSettings {
  const wantsBodies = wants.bodies || needsBodies(settings)
  return {
    thread,
    userAgent: settings.userAgent,
    headers: settings.headers,
    keepAliveSeconds: Math.min(120, Math.max(10, 2 * settings.wait + 5)),
    bodyBytesMax: settings.limitBytes,
    exchangeSecondsMax: settings.limitSeconds,
    connectSecondsMax: Math.min(10, settings.limitSeconds),
    slowSecondsMax: 15,
    slowAfterSeconds: settings.slowSeconds,
    verifyCertificates: !settings.insecure,
    http2: settings.http2,
    scope: {
      seeds: settings.seeds,
      kind: settings.scope,
      include: settings.include,
      exclude: settings.exclude,
    },
    ...contentOfThread(settings),
    canonicalRules: settings.canonicalRules,
    obeyNofollow: settings.obeyNofollow,
    wantsBodies,
    wantsAnchors: wantsBodies || isOwnStrategy(settings),
    wantsFeeds: settings.recrawl?.isContinuous === true,
    parts: threadParts(settings),
    archive,
  }
}
