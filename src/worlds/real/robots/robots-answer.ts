/**
 * What follows from how a site answered the request for its robots.txt (RFC 9309, 2.3.1), and which URLs that file
 * governs.
 */

/**
 * - `parse`: read the body.
 * - `redirect`: ask the place it points to, at least five times in a row; after the last, the file is unavailable.
 * - `allow-all`: the file is unavailable (4xx but 429), the site has no rules.
 * - `disallow-all`: the file is unreachable (5xx, no response at all), nothing may be fetched; request it again later. So
 *   is one that the server withholds because of too many requests (429): the RFC would allow everything.
 */
export type RobotsAnswer = 'parse' | 'redirect' | 'allow-all' | 'disallow-all'

/** `undefined` stands for no answer: no address, no connection, a broken TLS handshake, a time-out. */
export function robotsOfStatus(status: number | undefined): RobotsAnswer {
  if (status === undefined) return 'disallow-all'
  if (status >= 200 && status < 300) return 'parse'
  if (status >= 300 && status < 400) return 'redirect'
  return status >= 400 && status < 500 && status !== 429 ? 'allow-all' : 'disallow-all'
}

/** Where the rules for this URL are: robots.txt of the same scheme, host and port. Undefined: not http(s). */
export function robotsUrlOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, host } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}/robots.txt` : undefined
}
