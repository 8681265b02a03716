/**
 * One name for each page. A canonical URL is what the URL standard (WHATWG) makes of a link, without
 * fragment, empty query and the dot behind the host, with escapes spelt in one way (escapes.ts), and after
 * the rules that the user has on (canonical-rules.ts).
 *
 * A text that is canonical already is given back as it is. `canonicalUrl` is for a single URL; a page's links
 * go through one `LinkBase`, which looks at the base once.
 */
import { applyRules, defaultRules, type CanonicalRules } from './canonical-rules.ts'
import { LinkBase } from './link-base.ts'
import { parsedUrl, seenUrl } from './plain-url.ts'

/** The canonical form of a URL, or of a link on the page `base`; undefined: not http(s), or no URL at all. */
export function canonicalUrl(
  url: string,
  base?: string,
  rules: CanonicalRules = defaultRules,
): string | undefined {
  if (base !== undefined) return new LinkBase(base, rules).resolve(url)
  const plain = seenUrl(url) ?? parsedUrl(url)
  return plain === undefined ? undefined : applyRules(plain, rules)
}
