/**
 * The lower-cased host of a URL, with its port unless it is the scheme's default; undefined if there is none.
 * Scans instead of parsing: 100 million URLs take seconds, not minutes, and stored URLs are already
 * canonical.
 */
import { isUrl } from './is-url.ts'
export function hostOf(url: string): string | undefined {
  const scheme = url.indexOf('://')
  if (scheme <= 0) return unusualHost(url)
  const from = scheme + 3
  let to = url.length
  let user = -1
  for (let i = from; i < url.length; i++) {
    const char = url.charCodeAt(i)
    if (char === 0x2f /* / */ || char === 0x3f /* ? */ || char === 0x23 /* # */ || char === 0x5c /* \\ */) {
      to = i
      break
    }
    if (char === 0x40 /* @ */) user = i
  }
  let host = url.slice(user < 0 ? from : user + 1, to).toLowerCase()
  if (host.endsWith(':80') && scheme === 4) host = host.slice(0, -3)
  else if (host.endsWith(':443') && scheme === 5) host = host.slice(0, -4)
  else if (host.endsWith(':')) host = host.slice(0, -1)
  return host === '' ? undefined : host
}

/** Old crawls hold addresses like `http:/host/x`, which browsers read as `http://host/x`. */
function unusualHost(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !isUrl(url)) return undefined
  const { host } = new URL(url)
  return host === '' ? undefined : host
}
