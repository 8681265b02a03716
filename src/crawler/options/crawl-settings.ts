/** A crawl's options, checked and with all defaults: stored in crawl.json and used by a resume. */
import { defaultFailuresMax } from '../../engine/page-budget.ts'
import { isOwnStrategy } from '../../engine/user-code/strategy-module.ts'
import { needsBodies, threadReaders } from '../parts/all-parts.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import type { ThreadModule, ThreadSettings } from '../world/messages.ts'
import type { RetryRules } from '../world/outcome-policy.ts'
import { checkCrawlOptions } from './option-checks.ts'
import type { CrawlOptions, CrawlSettings } from './crawl-options.ts'
import type { Rows } from './option-row.ts'
import { libraryRows, optionSets } from './option-table.ts'

export type { CrawlSettings } from './crawl-options.ts'
export type { RecrawlSettings } from './running-options.ts'

/** Absent without a user's choice. */
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

/** The limit of failed requests; Infinity for none. */
export function failuresMaxOf({ pages, failures }: Pick<CrawlSettings, 'pages' | 'failures'>): number {
  return failures ?? defaultFailuresMax(pages)
}

export function settingsOf(options: CrawlOptions): CrawlSettings {
  checkCrawlOptions(options)
  const made = optionSets.flatMap(({ rows, settings }) => [rowSettings(rows, options), settings?.(options)])
  const settings = Object.assign({}, ...made) as CrawlSettings
  for (const { agree } of optionSets) agree?.(settings)
  return { ...settings, seeds: seedsOf(options.seeds, settings.canonicalRules) }
}

/** Settings as they are shown, without secrets. */
export function shownSecrets(settings: CrawlSettings): CrawlSettings {
  return { ...settings, ...shownValues({ ...settings }) }
}

/** The values of options whose rows hide secrets. */
function shownValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hiding = [...libraryRows].filter(([, { shown }]) => shown !== undefined)
  return Object.fromEntries(hiding.map(([name, row]) => [name, shownValue(row, values[name])]))
}

export function shownValue({ shown }: Rows[string], value: unknown): unknown {
  return shown === undefined ? value : shown(value as never)
}

/** Settings for the record, which has no values that may be passwords. */
export function recordedSettings(settings: CrawlSettings): object {
  const fields: object = Object.assign({}, ...optionSets.map(({ recorded }) => recorded?.(settings)))
  const kept = Object.entries(settings).filter(([name]) => !(name in fields))
  return { ...Object.fromEntries(kept), ...fields }
}

/** The settings that are the values of single options, or their defaults. */
function rowSettings(rows: Rows, options: CrawlOptions): Record<string, unknown> {
  const given: Readonly<Record<string, unknown>> = { ...options }
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([, { isSetting }]) => isSetting !== false)
      .map(([name, row]) => [
        name,
        given[name] === undefined ? defaultOf(row, options) : settingOf(row, given[name]),
      ]),
  )
}

function defaultOf(row: Rows[string], options: CrawlOptions): unknown {
  return typeof row.default === 'function'
    ? (row.default as (options: CrawlOptions) => unknown)(options)
    : row.default
}

/** The setting of an option with this value. */
export function settingOf({ becomes }: Rows[string], value: unknown): unknown {
  return becomes === undefined ? value : becomes(value as never)
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

export function threadSettings(
  settings: CrawlSettings,
  thread: number,
  wants: { bodies: boolean },
  archive: ThreadModule | undefined,
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
    content: { accept: settings.accept, reject: settings.reject },
    links: { ignoredRel: settings.ignoreRel, linksFrom: settings.linksFrom },
    canonicalRules: settings.canonicalRules,
    obeyNofollow: settings.obeyNofollow,
    wantsBodies,
    wantsAnchors: wantsBodies || isOwnStrategy(settings),
    wantsFeeds: settings.recrawl?.isContinuous === true,
    parts: threadReaders(settings),
    archive,
  }
}
