/**
 * One URL per page. A canonical URL is the result of the URL standard (WHATWG) for a link, without fragment,
 * empty query and the dot after the host, with normalised escapes (plain-url.ts), and after the enabled rules
 * (canonical-rules.ts).
 *
 * A canonical text is returned unchanged. `canonicalUrl` is for a single URL; a page's links use one
 * `LinkBase`, which parses the base once.
 */
import { applyRules, completeRules, defaultRules, type CanonicalRules } from './canonical-rules.ts'
import { LinkBase } from './link-base.ts'
import { parsedUrl, seenUrl } from './plain-url.ts'

/**
 * The canonical form of a URL, or of a link on the page `base`; undefined if it is not a valid http(s) URL.
 */
export function canonicalUrl(
  url: string,
  base?: string,
  rules: CanonicalRules = defaultRules,
): string | undefined {
  if (base !== undefined) return new LinkBase(base, rules).resolve(url)
  const plain = seenUrl(url) ?? parsedUrl(url)
  return plain === undefined ? undefined : applyRules(plain, completeRules(rules))
}
