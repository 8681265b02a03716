/**
 * The settings that a resume may change: budgets, politeness, identity, connections and scope. All others are
 * fixed when a crawl begins.
 */
import { RankwardError } from '../../lib/errors.ts'
import { resumedRequisites } from './archive-options.ts'
import { handlerSettings } from './handler-settings.ts'
import { checkContent, resumedContent } from './content-options.ts'
import type { RecrawlOptions, ResumeOptions } from './resume-options.ts'
import { recrawlSettings, userAgentOf, type CrawlSettings, type RecrawlSettings } from './crawl-settings.ts'

/** The settings of the new session. Omitted options keep the values of the previous session. */
export function resumedSettings(before: CrawlSettings, options: ResumeOptions): CrawlSettings {
  const { userAgent, contact } = options
  const after: CrawlSettings = {
    ...before,
    ...resumedContent(before, options),
    pages: options.pages ?? before.pages,
    failures: options.failures ?? before.failures,
    coverage: options.coverage ?? before.coverage,
    seconds: options.seconds ?? before.seconds,
    bytes: options.bytes ?? before.bytes,
    retrySecondsMax: options.retrySecondsMax ?? before.retrySecondsMax,
    waitUnreachableSeconds: options.waitUnreachableSeconds ?? before.waitUnreachableSeconds,
    threads: options.threads ?? before.threads,
    wait: options.wait ?? before.wait,
    waitFactor: options.waitFactor ?? before.waitFactor,
    waitPerAddress: options.waitPerAddress ?? before.waitPerAddress,
    connections: options.connections ?? before.connections,
    headers: options.headers ?? before.headers,
    userAgent: userAgent ?? (contact === undefined ? before.userAgent : userAgentOf(contact)),
    scope: options.scope ?? before.scope,
    include: options.include ?? before.include,
    exclude: options.exclude ?? before.exclude,
    maxDepth: options.maxDepth ?? before.maxDepth,
    maxPagesPerSite: options.maxPagesPerSite ?? before.maxPagesPerSite,
    handler: handlerSettings(options, before.handler),
    recrawl: resumedRecrawl(before.recrawl, options),
    requisites: resumedRequisites(before.requisites, options),
  }
  checkContent(after)
  return { ...after, scopeChanged: before.scopeChanged === true || !isSameScope(before, after) }
}

function resumedRecrawl(
  before: RecrawlSettings | undefined,
  { continuous, rate }: ResumeOptions,
): RecrawlSettings | undefined {
  const isContinuous = continuous ?? before?.isContinuous ?? false
  if (rate !== undefined && !isContinuous)
    throw new RankwardError(
      'USAGE',
      'Option rate of resumeCrawl needs continuous: true. Without it, every page is fetched once.',
    )
  if (before === undefined) return isContinuous ? recrawlSettings({ rate }, true) : undefined
  return { ...before, rate: rate ?? before.rate, isContinuous }
}

/** The settings of a refresh. The policy of a crawl that has fetched pages again before is fixed: its record depends on it. */
export function refreshSettings(before: CrawlSettings, options: RecrawlOptions): CrawlSettings {
  const { pages: _, seconds: __, recrawl, restSeconds, change, cost, ...resumed } = options
  const settings = resumedSettings(before, resumed)
  if (before.recrawl === undefined) {
    return { ...settings, recrawl: recrawlSettings({ recrawl, restSeconds, change, cost }, false) }
  }
  const { policy, restSeconds: rest, change: rule, cost: counted = 'fetch' } = before.recrawl
  for (const [name, given, fixed] of [
    ['recrawl policy', recrawl, policy],
    ['rest, in seconds,', restSeconds, rest],
    ['change rule', change, rule],
    ['cost of fetches', cost, counted],
  ] as const) {
    if (given === undefined || given === fixed) continue
    throw new RankwardError(
      'USAGE',
      `The ${name} of this crawl is ${fixed}, and its record depends on it. Leave the option out.`,
    )
  }
  return settings
}

function isSameScope(before: CrawlSettings, after: CrawlSettings): boolean {
  return (['scope', 'include', 'exclude', 'maxDepth', 'accept', 'reject'] as const).every(
    (name) => JSON.stringify(before[name]) === JSON.stringify(after[name]),
  )
}
