/**
 * The consequences of the response to a request for robots.txt (RFC 9309, 2.3.1), and which URLs that file
 * governs.
 */
import { isUrl } from '../../lib/host.ts'

/**
 * - `parse`: read the body.
 * - `redirect`: follow it, at least five times in a row; after the last, the file is unavailable.
 * - `allow-all`: the file is unavailable (4xx except 429): the site has no rules.
 * - `disallow-all`: the file is unreachable (5xx, no response), nothing may be fetched; request it again
 * later. The same for too many requests (429), where the RFC would allow everything.
 */
type RobotsAnswer = 'parse' | 'redirect' | 'allow-all' | 'disallow-all'

/** `undefined` means no response: no address, no connection, a failed TLS handshake, a timeout. */
export function robotsOfStatus(status: number | undefined): RobotsAnswer {
  if (status === undefined) return 'disallow-all'
  if (status >= 200 && status < 300) return 'parse'
  if (status >= 300 && status < 400) return 'redirect'
  return status >= 400 && status < 500 && status !== 429 ? 'allow-all' : 'disallow-all'
}

/** The robots.txt of this URL: same scheme, host and port. Undefined if it is not http(s). */
export function robotsUrlOf(url: string): string | undefined {
  if (!isUrl(url)) return undefined
  const { protocol, host } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}/robots.txt` : undefined
}
