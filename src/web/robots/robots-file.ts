/**
 * robots.txt by RFC 9309: selects the groups for our user agent, and their rules.
 *
 * A group is one or more user-agent lines and the rules after them; the rules of all groups that name us form
 * one set, and the groups of `*` count only if none does. Other records do not end a group (2.2.4).
 * Crawl-delay and Request-rate are not part of the RFC: they apply to the agents named since the last rule or
 * delay, as their authors intend, and do not affect the groups.
 */
import { robotsLines, type RobotsLine } from './robots-lines.ts'
import { readPattern } from './robots-pattern.ts'
import { RobotsRules, type RequestRate, type RobotsRule } from './robots-rules.ts'
import { isUrl } from '../../lib/host.ts'

/** The maximum gap between two requests that a site can set: a day, as long as its robots.txt is cached. */
const delaySecondsMax = 24 * 3600

/** Parses the rules for the crawler with this product token (`Rankward`), or full User-Agent. */
export function parseRobots(robotsTxt: string | Uint8Array, userAgent: string): RobotsRules {
  const token = productToken(userAgent)
  const own = new Group()
  const everyone = new Group()
  const sitemaps = new Set<string>()
  for (const line of robotsLines(robotsTxt)) {
    if (line.key === 'sitemap') {
      if (line.value !== '') sitemaps.add(Buffer.from(line.value, 'latin1').toString())
      continue
    }
    // Preferences about use are not rules (web/preferences/).
    if (line.key === 'content-usage' || line.key === 'content-signal' || line.key === 'license') continue
    own.take(line, line.key === 'user-agent' && names(line.value, token))
    everyone.take(line, line.key === 'user-agent' && isEveryone(line.value))
  }
  const group = own.named ? own : everyone
  return new RobotsRules(group.rules, { ...group.extensions(), sitemaps: [...sitemaps] })
}

/**
 * Whether the crawler with this product token or User-Agent may fetch this URL, by this robots.txt of its
 * site.
 */
export function robotsAllows(robotsTxt: string | Uint8Array, userAgent: string, url: string): boolean {
  return parseRobots(robotsTxt, userAgent).allows(pathAndQueryOf(url))
}

/**
 * The name of a crawler in robots.txt: `Rankward` for `Rankward/1.0 (+https://…)`, and the inner name for
 * `Mozilla/5.0 (compatible; Rankward/1.0; …)`. In lower case. Digits and dots are part of it, although RFC
 * 9309 allows only letters, `_` and `-`: agents named `bot1` and `bot2` exist, and are not the same.
 */
export function productToken(userAgent: string): string {
  const inside = /^Mozilla\/[\d.]+ .*?\bcompatible; *([^;/)\s]+)/i.exec(userAgent)
  return tokenAt(Buffer.from(inside?.[1] ?? userAgent).toString('latin1'))
}

function tokenAt(text: string): string {
  return (/^[\w.\x80-\xff-]+/.exec(text.trimStart())?.[0] ?? '').toLowerCase()
}

/** Whether a user-agent line is for all crawlers. */
export function isEveryone(value: string): boolean {
  return /^\*(?:$|[ \t,])/.test(value)
}

/** The names in a user-agent line. Some lines have several, separated by commas. */
export function agentTokens(value: string): string[] {
  return value.includes(',') ? value.split(',').map(tokenAt) : [tokenAt(value)]
}

function names(value: string, token: string): boolean {
  return token !== '' && agentTokens(value).includes(token)
}

/** A rule that allows /index.html also allows the directory, which is the same page (as Google reads it). */
export function pathRules(allow: boolean, path: string): RobotsRule[] {
  const index = allow ? /^(.*\/)index\.html?$/.exec(path) : null
  const rules = [{ allow, pattern: readPattern(path) }]
  return index === null ? rules : [...rules, { allow, pattern: readPattern(`${index[1]}$`) }]
}

/** The path and query that a request for this URL would carry; an empty query counts, a fragment does not. */
function pathAndQueryOf(url: string): string {
  if (!isUrl(url, 'http://localhost/')) return '/'
  const { pathname, search } = new URL(url, 'http://localhost/')
  return search === '' && /^[^#]*\?(?:#|$)/.test(url) ? `${pathname}?` : pathname + search
}

/** Collects the rules for one agent, line by line. */
class Group {
  named = false
  readonly rules: RobotsRule[] = []
  #delaySeconds: number | undefined
  #rate: RequestRate | undefined
  /** Whether the next rules belong to this agent, and the next delay. */
  #ruled = false
  #delayed = false
  /**
   * Whether a rule, and whether a rule or delay, was seen since the last user-agent line. Then the next one
   * starts a new group.
   */
  #rulesSeen = false
  #delaysSeen = false

  take({ key, value }: RobotsLine, isNamed: boolean): void {
    if (key === 'user-agent') return this.#address(isNamed)
    this.#delaysSeen = true
    if (key === 'crawl-delay') return this.#delay(value)
    if (key === 'request-rate') return this.#slow(value)
    this.#rulesSeen = true
    if (this.#ruled && value !== '') this.rules.push(...pathRules(key === 'allow', value))
  }

  extensions(): { crawlDelaySeconds?: number; requestRate?: RequestRate } {
    return {
      ...(this.#delaySeconds !== undefined && { crawlDelaySeconds: this.#delaySeconds }),
      ...(this.#rate !== undefined && { requestRate: this.#rate }),
    }
  }

  #address(isNamed: boolean): void {
    this.named ||= isNamed
    this.#ruled = isNamed || (this.#ruled && !this.#rulesSeen)
    this.#delayed = isNamed || (this.#delayed && !this.#delaysSeen)
    this.#rulesSeen = this.#delaysSeen = false
  }

  #delay(value: string): void {
    if (!this.#delayed || !/^(?:\d+\.?\d*|\.\d+)$/.test(value)) return
    this.#delaySeconds = Math.min(delaySecondsMax, Math.max(Number(value), this.#delaySeconds ?? 0))
  }

  /** `1/10s`: one request in ten seconds; times of day after it are ignored. */
  #slow(value: string): void {
    const found = /^(\d+)\/(\d+)([smhd]?)(?:\s|$)/i.exec(value)
    if (!this.#delayed || found === null || Number(found[1]) === 0) return
    const unit = { s: 1, m: 60, h: 3600, d: 86_400 }[found[3].toLowerCase()] ?? 1
    const rate = slowest(Number(found[1]), Number(found[2]) * unit)
    const before = this.#rate
    if (before === undefined || rate.seconds / rate.requests > before.seconds / before.requests) {
      this.#rate = rate
    }
  }
}

function slowest(requests: number, seconds: number): RequestRate {
  return seconds / requests <= delaySecondsMax
    ? { requests, seconds }
    : { requests: 1, seconds: delaySecondsMax }
}
