/**
 * Where a link leads: its href resolved against the page's base, and only http and https. On a page that is not in
 * UTF-8 the query is in the page's encoding, as browsers send it.
 */
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js'

/** The absolute URL, or undefined where there is none or it is of another scheme. */
export function resolveLink(href: string, base: string, encoding = 'utf-8'): string | undefined {
  const url = resolved(encoding === 'utf-8' ? href : withEncodedQuery(href, encoding), base)
  return url !== undefined && /^https?:/.test(url) ? url : undefined
}

/**
 * The base of a page's links: its first base element's href, resolved against the page's own URL; that URL where there
 * is none, or where it is not one that relative links could be resolved against.
 */
export function resolveBase(href: string | undefined, url: string): string {
  if (href === undefined) return url
  return resolveLink(href, url) ?? url
}

function resolved(href: string, base: string): string | undefined {
  try {
    return (base === '' ? new URL(href) : new URL(href, base)).href
  } catch {
    return undefined
  }
}

const alwaysUtf8 = new Set(['utf-16le', 'utf-16be', 'replacement'])

// oxlint-disable-next-line no-control-regex -- anything that is not ASCII
const notAscii = /[^\0-\x7f]/

/** The link with its query in the page's encoding, percent-encoded; the link itself where there is nothing to encode. */
export function withEncodedQuery(href: string, encoding: string): string {
  if (!notAscii.test(href) || alwaysUtf8.has(encoding)) return href
  const fragment = href.indexOf('#')
  const end = fragment === -1 ? href.length : fragment
  const start = href.indexOf('?')
  if (start === -1 || start > end) return href
  const query = href.slice(start, end).replace(/[\t\n\r]/g, '')
  return href.slice(0, start) + percentEncodeAfterEncoding(encoding, query, ` "#'<>`) + href.slice(end)
}
