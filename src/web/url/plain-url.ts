/**
 * Two ways to a canonical URL, before the rules: recognising it, and parsing it. They give the same text
 * whenever the first succeeds; a property test checks this.
 */
import { canonicalEnd } from './canonical-scan.ts'
import { withCanonicalEscapes } from './escapes.ts'

/** The URL without its fragment, if the scan recognises it as canonical; undefined if it must be parsed. */
export function seenUrl(url: string): string | undefined {
  const end = canonicalEnd(url)
  if (end < 0) return undefined
  return end === url.length ? url : url.slice(0, end)
}

/** Parses any text by the URL standard; undefined if it is not a valid http(s) URL. */
export function parsedUrl(url: string, base?: string): string | undefined {
  const parsed = urlOf(url, base)
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined
  if (parsed.hostname.endsWith('.')) return withoutFinalDot(parsed)
  const { href } = parsed
  let end = href.indexOf('#')
  if (end < 0) end = href.length
  if (href.charCodeAt(end - 1) === 0x3f /* ? */ && parsed.search === '') end--
  return withCanonicalEscapes(end === href.length ? href : href.slice(0, end))
}

function urlOf(url: string, base?: string): URL | undefined {
  try {
    return base === undefined || base === '' ? new URL(url) : new URL(url, base)
  } catch {
    return undefined
  }
}

/** `example.org.` is `example.org`; the part before the dot may be no valid host, or an address. */
function withoutFinalDot(url: URL): string | undefined {
  const host = url.hostname.replace(/\.+$/, '')
  if (host === '') return undefined
  const { protocol, username, password, port, pathname, search } = url
  const user = password === '' ? username : `${username}:${password}`
  return parsedUrl(
    `${protocol}//${user === '' ? '' : `${user}@`}${host}${port === '' ? '' : `:${port}`}${pathname}${search}`,
  )
}
