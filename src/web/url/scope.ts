/**
 * Which URLs a crawl may follow, from its seeds:
 *
 * | scope | follows |
 * | --- | --- |
 * | `host` | the hosts and ports of the seeds |
 * | `domain` | all hosts under the seeds' registered domains |
 * | `prefix` | URLs in the directories of the seeds: `http://h/a/b` gives `h/a/` |
 * | `any` | everything |
 *
 * http and https are treated alike. Of the URLs in scope, some `include` pattern must match, if there are
 * any, and no `exclude` pattern, and the extension must be admitted (content-rules.ts). A pattern (glob.ts) that
 * starts with a slash is matched against path and query, any other against the whole URL.
 */
import { ContentFilter, type ContentRules } from './content-rules.ts'
import { Globs } from './glob.ts'
import { registeredDomain, siteOf } from './site.ts'

export const scopeKinds = ['host', 'domain', 'prefix', 'any'] as const
export type ScopeKind = (typeof scopeKinds)[number]

interface ScopePatterns extends ContentRules {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

export class Scope {
  readonly #kind: ScopeKind
  readonly #places: ReadonlySet<string>
  /** Undefined if there are no such patterns. */
  readonly #isIncluded: UrlTest | undefined
  readonly #isExcluded: UrlTest | undefined
  /** Undefined if all extensions are admitted. */
  readonly #content: ContentFilter | undefined

  /** Seeds are canonical URLs. */
  constructor(seeds: readonly string[], kind: ScopeKind, patterns: ScopePatterns = {}) {
    this.#kind = kind
    this.#places = new Set(seeds.map((seed) => placeOf(seed, kind)))
    const { include = [], exclude = [] } = patterns
    this.#isIncluded = include.length > 0 ? urlPatterns(include) : undefined
    this.#isExcluded = exclude.length > 0 ? urlPatterns(exclude) : undefined
    const content = new ContentFilter(patterns)
    this.#content = content.checksExtensions ? content : undefined
  }

  /** Whether this canonical URL is in scope. */
  includes(url: string): boolean {
    if (!this.#isNearSeed(url)) return false
    if (this.#isIncluded?.(url) === false) return false
    if (this.#isExcluded?.(url) === true) return false
    return this.#content === undefined || this.#content.admits(url)
  }

  #isNearSeed(url: string): boolean {
    if (this.#kind === 'any') return true
    if (this.#kind !== 'prefix') return this.#places.has(placeOf(url, this.#kind))
    // Each directory above the URL may be a seed's.
    const [path] = addressOf(url).split(/[?#]/, 1)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (this.#places.has(path.slice(0, end + 1))) return true
    }
    return false
  }
}

/** For a single URL; a crawl uses a `Scope`. */
export function inScope(
  url: string,
  seeds: readonly string[],
  kind: ScopeKind,
  patterns: ScopePatterns = {},
): boolean {
  return new Scope(seeds, kind, patterns).includes(url)
}

function placeOf(url: string, kind: ScopeKind): string {
  if (kind === 'any') return ''
  const site = siteOf(url) ?? ''
  if (kind === 'host') return site
  if (kind === 'domain') return registeredDomain(site)
  const [path] = addressOf(url).split(/[?#]/, 1)
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The URL from its host on. */
function addressOf(url: string): string {
  return url.slice(url.indexOf('://') + 3)
}

type UrlTest = (url: string) => boolean

/** Tests whether one of these patterns matches a canonical URL. */
export function urlPatterns(patterns: readonly string[]): UrlTest {
  const ofPath = patterns.filter((pattern) => pattern.startsWith('/'))
  const ofUrl = patterns.filter((pattern) => !pattern.startsWith('/'))
  const paths = ofPath.length > 0 ? new Globs(ofPath) : undefined
  const urls = ofUrl.length > 0 ? new Globs(ofUrl) : undefined
  const pathOf = (url: string): number => url.indexOf('/', url.indexOf('://') + 3)
  return (url) => urls?.matches(url) === true || paths?.matches(url, pathOf(url)) === true
}
