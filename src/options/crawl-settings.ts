/** A crawl's options with all defaults filled in and checked: what crawl.json remembers and a resume goes by. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defaultFailuresMax } from '../engine/page-budget.ts'
import { defaultWaitFactor, defaultWaitPerAddress } from '../engine/politeness.ts'
import { entriesOf, findEntry } from '../strategies/index.ts'
import { RankwardError } from '../lib/errors.ts'
import { isConnectTo } from '../worlds/real/addresses.ts'
import { isDnsServer } from '../worlds/real/dns-server.ts'
import type { ThreadSettings } from '../worlds/real/messages.ts'
import type { RetryRules } from '../worlds/real/outcome-policy.ts'
import { defaultRules, type CanonicalRules } from '../worlds/real/url/canonical-rules.ts'
import { canonicalUrl } from '../worlds/real/url/canonical-url.ts'
import type { ScopeKind } from '../worlds/real/url/scope.ts'
import { topicOf, type TopicSettings } from '../topic/topic.ts'
import { checkCrawlOptions } from './option-checks.ts'
import { inlineCodeOf, inlineKinds, inlineName, type InlineKind } from '../user-code/inline-code.ts'
import { isModulePath } from '../user-code/strategy-module.ts'
import type { CrawlOptions } from './crawl-options.ts'
import { version } from './version.ts'

/** Plain data: it is written as JSON. Absent budgets have no limit. */
export interface CrawlSettings {
  readonly seeds: readonly string[]
  readonly sitemap: boolean
  readonly strategy: string
  readonly frontier: string
  /** Which of strategy, frontier and scorer a program passed as code; their options then have the names of that code. */
  readonly inline?: readonly InlineKind[] | undefined
  readonly damping: number
  readonly every?: number | undefined
  /** Sites with more spam mass than this, from 0 to 1, wait until the last; none unless given. */
  readonly demoteSpam?: number | undefined
  readonly seed: number
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
  /** Absent in crawls before it existed: `web`. */
  readonly coverageOf?: 'scope' | 'web' | undefined
  readonly scope: ScopeKind
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly maxDepth?: number | undefined
  readonly maxPagesPerSite?: number | undefined
  readonly canonicalRules: CanonicalRules
  readonly traps: boolean
  /** What the crawl is about; absent: nothing in particular. */
  readonly topic?: TopicSettings | undefined
  /** The path of a scorer module, and how long it may take for a page. */
  readonly scorer?: string | undefined
  readonly scorerSeconds: number
  /** Absent: nobody looks for them. */
  readonly nearDuplicates?: number | undefined
  readonly wait: number
  readonly waitFactor: number
  readonly waitPerAddress: number
  readonly perConnection: number
  readonly robots: number
  /** What engine, frontier and strategy were made with when the crawl began: later sessions may have other budgets and connections. */
  readonly made: {
    readonly pages?: number | undefined
    readonly coverage?: number | undefined
    readonly robots: number
  }
  /** A resume has changed the scope: pages that were found before it may lie outside. */
  readonly scopeChanged?: boolean | undefined
  readonly robotsTxt: boolean
  readonly obeyNofollow: boolean
  readonly userAgent: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly proxy?: string | undefined
  readonly connectTo: readonly string[]
  readonly dnsServers?: readonly string[] | undefined
  readonly allowPrivate: boolean
  readonly insecure: boolean
  readonly http2: boolean
  readonly limitBytes: number
  readonly limitSeconds: number
  /** After this long a connection with little traffic counts as slow; absent in crawls of earlier versions. */
  readonly slowSeconds?: number | undefined
  readonly attempts: number
  readonly retrySeconds?: number | undefined
  readonly retrySecondsMax?: number | undefined
  readonly waitUnreachableSeconds?: number | undefined
  readonly warc: boolean
  readonly warcBytesMax: number
  readonly warcLevel: number
  readonly threads: number
}

const threadsMax = 16

/** Absent in the settings of older crawls. */
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

/** The User-Agent that names the crawler and whom to write to. */
export function userAgentOf(contact: string | undefined): string {
  const name = `Rankward/${version}`
  if (contact === undefined) return name
  return `${name} (+${/^\S+@\S+$/.test(contact) && !contact.startsWith('mailto:') ? `mailto:${contact}` : contact})`
}

/** The limit of failed requests; Infinity: none. */
export function failuresMaxOf({ pages, failures }: Pick<CrawlSettings, 'pages' | 'failures'>): number {
  return failures ?? defaultFailuresMax(pages)
}

export function settingsOf(options: CrawlOptions): CrawlSettings {
  checkCrawlOptions(options)
  const canonicalRules = { ...defaultRules, ...options.canonicalRules }
  const seeds = seedsOf(options.seeds, canonicalRules)
  const { wait = 1, coverage } = options
  const robots = options.connections ?? options.robots ?? 64
  const code = inlineCodeOf(options)
  const inline = inlineKinds.filter((kind) => code[kind] !== undefined)
  const strategy = nameOf('strategy', options.strategy) ?? defaultStrategy(options)
  if (code.strategy === undefined) checkStrategy(strategy, options)
  for (const rule of options.connectTo ?? []) {
    if (!isConnectTo(rule)) {
      throw new RankwardError(
        'USAGE',
        `"${rule}" is no place to connect to: expected HOST1:PORT1:HOST2:PORT2.`,
      )
    }
  }
  for (const server of options.dnsServers ?? []) {
    if (!isDnsServer(server)) {
      throw new RankwardError('USAGE', `"${server}" is no DNS server: expected ADDRESS or ADDRESS:PORT.`)
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
    canonicalRules,
    traps: options.traps ?? true,
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
    nearDuplicates: options.nearDuplicates === false ? undefined : (options.nearDuplicates ?? 0.9),
    wait,
    waitFactor: options.waitFactor ?? defaultWaitFactor(wait),
    waitPerAddress: options.waitPerAddress ?? defaultWaitPerAddress(wait),
    perConnection: options.perConnection ?? 1,
    robots,
    made: { pages: options.pages, coverage, robots },
    robotsTxt: options.robotsTxt ?? true,
    obeyNofollow: options.obeyNofollow ?? true,
    userAgent: options.userAgent ?? userAgentOf(options.contact),
    headers: options.headers ?? [],
    proxy: options.proxy,
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
    threads: options.threads ?? defaultThreads(),
  }
}

function nameOf(kind: InlineKind, choice: string | object | undefined): string | undefined {
  return choice === undefined || typeof choice === 'string' ? choice : inlineName(kind, choice)
}

/** The main thread has a core to itself where there are several. One fetch thread reads a thousand pages a second. */
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
        `"${text}" is no page to start from: expected an http or https URL, such as https://example.org/.`,
      )
    }
    seeds.add(url)
  }
  if (seeds.size === 0) {
    throw new RankwardError('BAD_SEED', 'There is no page to start from: give at least one URL as a seed.')
  }
  return [...seeds]
}

/** A crawl that looks for something learns where it is; one that wants a coverage must be able to prove it. */
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
      throw new RankwardError(
        'USAGE',
        `Strategy ${part.name} follows a topic, and there is none: give a topic or a scorer.`,
      )
    }
  }
  if (/[+*]/.test(spec)) return
  if (findEntry(spec)?.guarantees !== true && coverage !== undefined) {
    throw new RankwardError(
      'USAGE',
      `Strategy ${spec} guarantees no coverage, so the crawl could not stop at ${coverage}. Take exact-rankmass, or a budget of pages.`,
    )
  }
}

export function threadSettings(
  settings: CrawlSettings,
  thread: number,
  wants: { bodies: boolean },
  warc: ThreadSettings['warc'],
): ThreadSettings {
  return {
    thread,
    userAgent: settings.userAgent,
    headers: settings.headers,
    proxy: settings.proxy,
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
    canonicalRules: settings.canonicalRules,
    obeyNofollow: settings.obeyNofollow,
    nearDuplicates: settings.nearDuplicates,
    topic: settings.topic,
    wantsText: settings.scorer !== undefined,
    wantsBodies: wants.bodies,
    wantsAnchors: wants.bodies,
    warc,
  }
}
