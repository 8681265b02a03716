/**
 * The lower-cased host of a URL, with its port unless it is the scheme's default; undefined if there is none.
 * Scans instead of parsing: 100 million URLs take seconds, not minutes, and stored URLs are already
 * canonical.
 */

export function hostOf(url: string): string | undefined {
  const scheme = url.indexOf('://')
  if (scheme <= 0) return unusualHost(url)
  const from = scheme + 3
  let to = from
  let user = from
  for (; to < url.length; to++) {
    const char = url.charCodeAt(to)
    if (char === 0x2f /* / */ || char === 0x3f /* ? */ || char === 0x23 /* # */ || char === 0x5c /* \\ */)
      break
    if (char === 0x40 /* @ */) user = to + 1
  }
  return withoutDefaultPort(url.slice(user, to).toLowerCase(), scheme) || undefined
}

function withoutDefaultPort(host: string, schemeLength: number): string {
  if (schemeLength === 4 && host.endsWith(':80')) return host.slice(0, -3)
  if (schemeLength === 5 && host.endsWith(':443')) return host.slice(0, -4)
  return host.endsWith(':') ? host.slice(0, -1) : host
}

/** Old crawls hold addresses like `http:/host/x`, which browsers read as `http://host/x`. */
function unusualHost(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !isUrl(url)) return undefined
  const { host } = new URL(url)
  return host === '' ? undefined : host
}

/**
 * As `URL.canParse`, which in Node 20 refuses hosts with letters of Latin-1, such as ü, after some thousand calls: its
 * optimized form takes their bytes for UTF-8.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base) instanceof URL
  } catch {
    return false
  }
}
