/** What was given on the command line and in files, as the crawler's own options. Its defaults are the crawler's. */
import type { CrawlOptions } from '../../crawl/options.ts'
import type { CanonicalRules } from '../../worlds/real/url/canonical-rules.ts'
import { siteOf } from '../../worlds/real/url/site.ts'
import { readIdf } from '../topic-input.ts'
import { checkStrategy, checkTopic } from './checks.ts'
import type { CrawlCliOptions } from './option-table.ts'
import { readSeeds, readUrlNumbers } from './seeds.ts'

export type CrawlRequest = CrawlOptions & { readonly out: string }

export interface Requested {
  readonly request: CrawlRequest
  /** What the user should know before it starts, a line each. */
  readonly notes: readonly string[]
}

export async function crawlRequest(given: readonly string[], cli: CrawlCliOptions): Promise<Requested> {
  checkStrategy(cli)
  await checkTopic(cli)
  const canonicalRules = rulesOf(cli)
  const { urls, trust, notes } = await readSeeds({
    seeds: given,
    seedsFile: cli.seedsFile,
    trustFile: cli.trust,
    rules: canonicalRules,
  })
  const historicalScores =
    cli.historicalScores === undefined
      ? undefined
      : await readUrlNumbers(cli.historicalScores, canonicalRules, 'score')
  const wordFrequencies = await readIdf(cli)
  const out = cli.out ?? folderNamedAfter(urls[0])
  return {
    request: {
      ...requestOf(cli),
      seeds: urls,
      out,
      canonicalRules,
      trust,
      historicalScores,
      wordFrequencies,
    },
    notes: [
      ...notes,
      ...(cli.out === undefined ? [`no --out is given: the crawl goes to the folder ${out}`] : []),
      ...contactNote(cli),
    ],
  }
}

/** The options that need no file, under the crawler's names. */
export function requestOf(cli: CrawlCliOptions): Omit<CrawlOptions, 'seeds'> {
  return {
    sitemap: cli.sitemap,
    strategy: cli.strategy,
    frontier: cli.frontier,
    damping: cli.damping,
    every: cli.every,
    demoteSpam: cli.demoteSpam,
    seed: cli.seed,
    pages: cli.pages,
    failures: cli.failures,
    coverage: cli.coverage,
    seconds: cli.time,
    bytes: cli.bytes,
    scope: cli.scope,
    include: cli.include,
    exclude: cli.exclude,
    maxDepth: cli.maxDepth,
    maxPagesPerSite: cli.maxPagesPerSite,
    traps: cli.traps,
    topic: cli.topic,
    topicHot: cli.topicHot,
    likeness: cli.likeness,
    titleWeight: cli.titleWeight,
    language: cli.language,
    scorer: cli.scorer,
    scorerSeconds: cli.scorerTime,
    nearDuplicates: cli.nearDuplicates,
    wait: cli.wait,
    waitFactor: cli.waitFactor,
    waitPerAddress: cli.waitPerAddress,
    perConnection: cli.perConnection,
    robots: cli.robots ?? cli.concurrency,
    robotsTxt: cli.robotsTxt,
    obeyNofollow: cli.followNofollow === undefined ? undefined : !cli.followNofollow,
    userAgent: cli.userAgent,
    contact: cli.contact,
    headers: cli.header,
    proxy: cli.proxy,
    connectTo: cli.connectTo,
    dnsServers: cli.dns,
    allowPrivate: cli.allowPrivate,
    insecure: cli.insecure,
    http2: cli.http2,
    limitBytes: cli.limitSize,
    limitSeconds: cli.limitTime,
    attempts: cli.attempts,
    warc: cli.warc,
    warcBytesMax: cli.warcSize,
    warcLevel: cli.warcLevel,
    threads: cli.threads,
  }
}

/** The rules by which two URLs are one page. */
export function rulesOf(cli: CrawlCliOptions): Required<CanonicalRules> {
  return {
    sessionIds: cli.keepSessionIds !== true,
    trackingParameters: cli.keepTracking !== true,
    indexPages: cli.mergeIndexPages === true,
    sortedQuery: cli.sortQuery === true,
  }
}

/** `crawl-example.org`, `crawl-127.0.0.1-8080`: a name that any file system takes. */
export function folderNamedAfter(seed: string): string {
  return `crawl-${(siteOf(seed) ?? 'web').replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-|-$/g, '')}`
}

/** Nobody needs to be told how to reach the owner of private machines. */
function contactNote({ contact, userAgent, allowPrivate }: CrawlCliOptions): string[] {
  const isNamed = contact !== undefined || allowPrivate === true || /@|https?:\/\//.test(userAgent ?? '')
  return isNamed
    ? []
    : ['site owners cannot reach you: name an address, such as --contact https://example.org/bot']
}
