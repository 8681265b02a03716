/**
 * What one robots.txt says to one crawler: parsed once, asked for every URL of the site. Only the rules that
 * apply are kept, the most specific first and allow before disallow among equals, so the first that matches
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

/** Records beyond RFC 9309 that are read all the same. */
export interface RobotsExtensions {
  /** The longest Crawl-delay given to this crawler; absent: none was given. */
  readonly crawlDelaySeconds?: number
  /** The slowest Request-rate given to this crawler; absent: none was given. */
  readonly requestRate?: RequestRate
  /**
   * Sitemap lines of the whole file in order, without repeats, as they were written: they may be relative.
   */
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

  /** Seconds between two requests that the site asks for; 0: it does not say. */
  get gapSeconds(): number {
    const { requestRate: rate } = this
    return Math.max(this.crawlDelaySeconds ?? 0, rate === undefined ? 0 : rate.seconds / rate.requests)
  }

  /** May this path with its query (`/a?b`) be fetched? No rule: yes. The file itself: always. */
  allows(pathAndQuery: string): boolean {
    if (this.#rules.length === 0 || pathAndQuery === '/robots.txt') return true
    const path = readPath(pathAndQuery)
    for (const rule of this.#rules) if (matches(rule.pattern, path)) return rule.allow
    return true
  }
}

/**
 * Patterns with stars that are held against a path as they are. Each may cost a walk along it, and a hostile
 * file has room for 15,000 of them; real ones have a few dozen.
 */
const starredMax = 1000

/**
 * Beyond that, in the order of the file, the cautious reading: a star ends what is disallowed, and nothing is
 * allowed by it.
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

/** A site without rules: its robots.txt is absent, or says nothing to us. */
export const allowAll = new RobotsRules([])

/** A site that cannot be asked for its rules: nothing but robots.txt may be fetched. */
export const disallowAll = new RobotsRules([
  { allow: false, pattern: { pieces: [''], anchored: false, octets: 0 } },
])
