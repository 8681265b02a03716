/**
 * The rules of one robots.txt for one crawler: parsed once, applied to every URL of the site. Only the
 * applicable rules are kept, most specific first and allow before disallow among equals, so the first match
 * decides.
 */
import { matches, readPath, type RobotsPattern } from './robots-pattern.ts'

export interface RobotsRule {
  readonly allow: boolean
  readonly pattern: RobotsPattern
}

export interface RequestRate {
  readonly requests: number
  readonly seconds: number
}

/** Supported records beyond RFC 9309. */
export interface RobotsExtensions {
  /** The longest Crawl-delay for this crawler; absent if there is none. */
  readonly crawlDelaySeconds?: number
  /** The slowest Request-rate for this crawler; absent if there is none. */
  readonly requestRate?: RequestRate
  /** Sitemap lines of the whole file in order, without repeats, as written: they may be relative. */
  readonly sitemaps?: readonly string[]
}

export class RobotsRules {
  readonly crawlDelaySeconds: number | undefined
  readonly requestRate: RequestRate | undefined
  readonly sitemaps: readonly string[]
  readonly #rules: readonly RobotsRule[]

  constructor(rules: readonly RobotsRule[], extensions: RobotsExtensions = {}) {
    this.#rules = bounded(rules).toSorted(
      (a, b) => b.pattern.octets - a.pattern.octets || Number(b.allow) - Number(a.allow),
    )
    this.crawlDelaySeconds = extensions.crawlDelaySeconds
    this.requestRate = extensions.requestRate
    this.sitemaps = extensions.sitemaps ?? []
  }

  /** Seconds between two requests that the site requires; 0 if it does not say. */
  get gapSeconds(): number {
    const { requestRate: rate } = this
    return Math.max(this.crawlDelaySeconds ?? 0, rate === undefined ? 0 : rate.seconds / rate.requests)
  }

  /**
   * Whether this path with its query (`/a?b`) may be fetched. Without a rule, yes; robots.txt itself, always.
   */
  allows(pathAndQuery: string): boolean {
    if (this.#rules.length === 0 || pathAndQuery === '/robots.txt') return true
    const path = readPath(pathAndQuery)
    for (const rule of this.#rules) if (matches(rule.pattern, path)) return rule.allow
    return true
  }
}

/**
 * Maximum number of patterns with stars that are fully matched. Each may cost a pass over the path, and a
 * hostile file may have 15,000 of them; real files have a few dozen.
 */
const starredMax = 1000

/**
 * Further patterns, in file order, are read conservatively: a star ends a disallow pattern, and an allow
 * pattern with a star is ignored.
 */
function bounded(rules: readonly RobotsRule[]): RobotsRule[] {
  const seen = new Set<string>()
  const kept: RobotsRule[] = []
  for (const rule of rules) {
    const { pieces, anchored } = rule.pattern
    const isStarred = pieces.length > 1
    const key = isStarred ? `${rule.allow} ${anchored} ${pieces.join('*')}` : ''
    if (isStarred && seen.has(key)) continue
    if (!isStarred || seen.size < starredMax) kept.push(rule)
    else if (!rule.allow) {
      const pattern = { ...rule.pattern, pieces: pieces.slice(0, 1), anchored: false }
      kept.push({ allow: false, pattern })
    }
    if (isStarred && seen.size < starredMax) seen.add(key)
  }
  return kept
}

/** A site without rules: its robots.txt is missing, or has no rules for us. */
export const allowAll = new RobotsRules([])

/** A site whose rules are unavailable: only robots.txt may be fetched. */
export const disallowAll = new RobotsRules([
  { allow: false, pattern: { pieces: [''], anchored: false, octets: 0 } },
])
