/** What the user can do about errors: the same words after a crawl, in `resume` and in `check`; and about a slow crawl. */
import type { CrawlSettings } from '../../crawler/options/crawl-options.ts'
import { durationText, plural } from '../../lib/amounts.ts'
import { wallAdvice } from '../../web/http/walls.ts'
import { siteOf } from '../../web/url/site.ts'
import { perSecond } from './plan.ts'

const advice: readonly (readonly [RegExp, string])[] = [
  [/blocked/, wallAdvice],
  [/proxy/, 'No connection to the proxy: check --proxy, its port and its password'],
  [/dns|no-address|no-answer/, 'Does the host exist? Check its name and your network'],
  [/private-address/, 'It is a private or local address: --allow-private allows those'],
  [/tls/, 'No TLS connection: try http:// if the server has no TLS; --insecure accepts invalid certificates'],
  [
    /connect|unreachable|reset/,
    'Is a server running there? Check host and port, and whether you need --proxy',
  ],
  [/timeout|^slow$/, 'It did not respond in time: --limit-time sets a longer timeout'],
  [/http-4/, 'The server refused it: check the URL'],
  [/http-5/, 'The server reported an error: try again later'],
]

/** Advice for these errors; undefined if there is none. */
export function adviceOn(errors: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(errors))?.[1]
}

/** Below this, the pace of a crawl needs no note. */
const longSeconds = 60

/** The pace of a crawl of one site, which is limited by politeness alone; undefined if it is quick, or has other limits. */
export function paceNote({
  seeds,
  scope,
  own,
  wait,
  perConnection,
  pages,
}: CrawlSettings): string | undefined {
  const [site, ...others] = new Set(seeds.map(siteOf))
  const isOneSite = others.length === 0 && (scope === 'host' || scope === 'prefix')
  const seconds = pages === undefined ? Infinity : (pages * wait) / perConnection
  if (site === undefined || !isOneSite || own !== undefined || seconds < longSeconds) return undefined
  const whole =
    pages === undefined ? '' : `, so ${plural(pages, 'page')} take at least ${durationText(seconds)}`
  return `politeness allows ${perSecond(perConnection / wait, 'page')} from ${site}${whole}. If it is your own site, --own ${site} uses several connections and no wait.`
}
