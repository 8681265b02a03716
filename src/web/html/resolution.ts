/**
 * Resolves a link: its href against the page's base, http and https only. If the page is not in UTF-8, the
 * query is in the page's encoding, as browsers send it.
 */
import { percentEncoded } from '../charset/encodings.ts'

/** The absolute URL, or undefined if it is invalid or has another scheme. */
export function resolveLink(href: string, base: string, encoding = 'utf-8'): string | undefined {
  const url = resolved(encoding === 'utf-8' ? href : withEncodedQuery(href, encoding), base)
  return url !== undefined && /^https?:/.test(url) ? url : undefined
}

/**
 * The base of a page's links: its first base element's href, resolved against the page's own URL; that URL if
 * there is none, or if relative links cannot be resolved against it.
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

/**
 * The link with its query in the page's encoding, percent-encoded; unchanged if there is nothing to encode.
 */
export function withEncodedQuery(href: string, encoding: string): string {
  if (!notAscii.test(href) || alwaysUtf8.has(encoding)) return href
  const fragment = href.indexOf('#')
  const end = fragment === -1 ? href.length : fragment
  const start = href.indexOf('?')
  if (start === -1 || start > end) return href
  const query = href.slice(start, end).replace(/[\t\n\r]/g, '')
  return href.slice(0, start) + percentEncoded(encoding, query, ` "#'<>`) + href.slice(end)
}
