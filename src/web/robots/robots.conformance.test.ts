/**
 * The robots.txt cases of other projects' suites, by tier: `core` and `rfc` hold without exception; `lenient`
 * and `disputed` are held to what passes today. Every case that we answer differently is in a table with the
 * reason.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { robotsOfStatus, robotsUrlOf } from './robots-answer.ts'
import { parseRobots, robotsAllows } from './robots-file.ts'
import { matches, readPath, readPattern } from './robots-pattern.ts'

const folder = 'conformance/robots'

interface AccessCase {
  id: number
  tier: 'core' | 'rfc' | 'lenient' | 'disputed'
  why?: string
  robotsTxt?: string
  robotsTxtBase64?: string
  userAgent: string
  url: string
  allowed: boolean
}

interface ExtensionCase {
  name: string
  robotsTxt: string
  userAgent?: string
  crawlDelay?: number | null
  requestRate?: { requests: number; seconds: number } | null
  sitemaps?: string[]
  sitemapCount?: number
  firstSitemap?: string
}

/** The points of dispute on which we do not follow the suite, and why. */
const disputes: Record<string, string> = {
  'agent matched by prefix or substring': 'RFC 9309 2.2.1: the whole product token decides',
  'other records must not end a group (RFC 9309 2.2.4)': 'RFC 9309 2.2.4',
  'groups for the same agent are merged (RFC 9309 2.2.1)': 'RFC 9309 2.2.1',
  'rules before any user-agent line belong to no group': 'RFC 9309 2.2: a rule stands in a group',
  'a final $ read as the end anchor and as a literal': 'RFC 9309 2.2.3: it is the end anchor',
  'line without a colon: skipped by some, read leniently by others': 'read where the key is unmistakable',
  'misspelt directive names': 'only the misspellings that the large engines read',
  'rule value that is an absolute URL': 'a path starts with a slash or a star',
  'HTML markup around the lines': 'a page is not a robots.txt',
  'a policy on long crawl-delays, not a rule of the protocol': 'a long delay is a delay; budgets decide',
}

/** Cases of Crawl-delay, Request-rate and Sitemap that we answer differently. */
const extensionDeviations: Record<string, string> = {
  test_no_leading_user_agent: 'a delay before any user-agent line belongs to no group',
  NoLeadingUserAgent: 'a delay before any user-agent line belongs to no group',
  testHtmlMarkupInRobotsTxt: 'a page is not a robots.txt',
  testHeritrixCases: 'the product token of `Mozilla delaybot 99.9` is Mozilla',
  testSitemap: 'a line that is only a URL is no sitemap record',
}

function cases<T>(name: string): T[] {
  return JSON.parse(readFileSync(sharedPath(`${folder}/${name}`), 'utf8')) as T[]
}

function robotsTxtOf(one: { robotsTxt?: string; robotsTxtBase64?: string }): string | Uint8Array {
  return one.robotsTxt ?? Buffer.from(one.robotsTxtBase64 ?? '', 'base64')
}

const missing = absent(folder)
const reason = missing ? ' (skipped: ../shared/conformance/robots is absent)' : ''

describe.skipIf(missing)(`robots.txt as others test it${reason}`, () => {
  it.each([
    ['core', 754, 754],
    ['rfc', 64, 64],
    ['lenient', 210, 210],
    ['disputed', 46, 78],
  ] as const)('tier %s: at least %i of %i', (tier, passesMin, all) => {
    const ofTier = cases<AccessCase>('access.json').filter((one) => one.tier === tier)
    const failed = ofTier.filter(
      (one) => robotsAllows(robotsTxtOf(one), one.userAgent, one.url) !== one.allowed,
    )
    expect(ofTier.length).toBe(all)
    expect(failed.filter((one) => disputes[one.why ?? ''] === undefined)).toEqual([])
    expect(ofTier.length - failed.length).toBeGreaterThanOrEqual(passesMin)
  })

  it('patterns match as listed', () => {
    const wrong = cases<{ pattern: string; path: string; match: boolean }>('patterns.json').filter(
      ({ pattern, path, match }) => matches(readPattern(pattern), readPath(path)) !== match,
    )
    expect(wrong).toEqual([])
  })

  it('delays, rates and sitemaps are read as listed', () => {
    const all = cases<ExtensionCase>('delay-sitemap-rate.json')
    const wrong = all.filter((one) => !readsExtensions(one))
    expect(wrong.filter((one) => extensionDeviations[one.name] === undefined)).toEqual([])
    expect(all.length - wrong.length).toBeGreaterThanOrEqual(75)
  })

  it('a robots.txt governs its own scheme, host and port', () => {
    const wrong = cases<{ robotsUrl: string; url: string; applies: boolean }>('scope.json').filter(
      ({ robotsUrl, url, applies }) => (robotsUrlOf(url) === robotsUrlOf(robotsUrl)) !== applies,
    )
    expect(wrong).toEqual([])
  })

  it('each fetch status has the listed consequence', () => {
    const wrong = cases<{ status: string; expect: string }>('fetch-status.json').filter(
      ({ status, expect: wanted }) => statusDeviations[status] === undefined && !followsFrom(status, wanted),
    )
    expect(wrong).toEqual([])
  })
})

/** What the prose of fetch-status.json leaves to others, or what we do otherwise. */
const statusDeviations: Record<string, string> = {
  '401': 'RFC 9309 2.3.1.3: 4xx is unavailable, which allows all',
  '403': 'RFC 9309 2.3.1.3: 4xx is unavailable, which allows all',
  'redirect loop or too many redirects': 'counted by the fetcher; a status alone is `redirect`',
  '301 that could not be followed': 'counted by the fetcher; a status alone is `redirect`',
  'body over the size limit': 'held by parseRobots, tested there',
}

const statuses: Record<string, (number | undefined)[]> = {
  '200': [200],
  '4xx other': [400, 402, 404, 410, 418, 451, 499],
  '5xx': [500, 502, 504, 599],
  '503': [503],
  'TLS error': [undefined],
  'connection refused': [undefined],
  '400 to 419, each': Array.from({ length: 20 }, (_, i) => 400 + i),
}

function followsFrom(status: string, wanted: string): boolean {
  const answer = wanted.startsWith('parse')
    ? 'parse'
    : wanted.startsWith('allow')
      ? 'allow-all'
      : 'disallow-all'
  return statuses[status]?.every((code) => robotsOfStatus(code) === answer) ?? false
}

function readsExtensions(one: ExtensionCase): boolean {
  const rules = parseRobots(robotsTxtOf(one), one.userAgent ?? 'anybot')
  const read: Partial<Record<keyof ExtensionCase, unknown>> = {
    crawlDelay: rules.crawlDelaySeconds ?? null,
    requestRate: rules.requestRate ?? null,
    sitemaps: rules.sitemaps,
    sitemapCount: rules.sitemaps.length,
    firstSitemap: rules.sitemaps[0],
  }
  return Object.entries(read).every(([key, value]) => {
    const wanted = one[key as keyof ExtensionCase]
    return wanted === undefined || JSON.stringify(wanted) === JSON.stringify(value)
  })
}
