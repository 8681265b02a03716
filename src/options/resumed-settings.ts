/**
 * The settings that a resume may change: budgets, politeness, identity, connections and scope. All others are
 * fixed when a crawl begins.
 */
import type { ResumeOptions } from './crawl-options.ts'
import { userAgentOf, type CrawlSettings } from './crawl-settings.ts'

/** The settings of the new session. Omitted options keep the values of the previous session. */
export function resumedSettings(before: CrawlSettings, options: ResumeOptions): CrawlSettings {
  const { userAgent, contact } = options
  const after: CrawlSettings = {
    ...before,
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
    robots: options.connections ?? before.robots,
    headers: options.headers ?? before.headers,
    userAgent: userAgent ?? (contact === undefined ? before.userAgent : userAgentOf(contact)),
    scope: options.scope ?? before.scope,
    include: options.include ?? before.include,
    exclude: options.exclude ?? before.exclude,
    maxDepth: options.maxDepth ?? before.maxDepth,
    maxPagesPerSite: options.maxPagesPerSite ?? before.maxPagesPerSite,
  }
  return { ...after, scopeChanged: before.scopeChanged === true || !isSameScope(before, after) }
}

function isSameScope(before: CrawlSettings, after: CrawlSettings): boolean {
  return (['scope', 'include', 'exclude', 'maxDepth'] as const).every(
    (name) => JSON.stringify(before[name]) === JSON.stringify(after[name]),
  )
}
