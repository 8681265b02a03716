/**
 * Walls: services before a site that answer crawlers with a challenge or a refusal of their own, which says nothing about the page.
 * They are recognised by headers that only they send, or by words of their pages. As of 2026-11-18; this is the only file to edit.
 */
import { headerPairs } from './response-headers.ts'

interface Wall {
  readonly name: string
  /** A header that says by itself that the response is the wall's. */
  readonly header?: readonly [name: string, value: RegExp]
  /** Words in its page; with `server`, only if that header matches too. */
  readonly body?: RegExp
  readonly server?: RegExp
}

const walls: readonly Wall[] = [
  { name: 'Cloudflare', header: ['cf-mitigated', /challenge|block/i] },
  {
    name: 'Cloudflare',
    server: /^cloudflare/i,
    body: /\/cdn-cgi\/challenge-platform\/|_cf_chl_opt|Attention Required! \| Cloudflare|error code: 10(?:0[6-9]|10|12|15|20)\b/,
  },
  { name: 'AWS WAF', header: ['x-amzn-waf-action', /challenge|captcha/i] },
  { name: 'CloudFront', server: /^CloudFront/i, body: /Request blocked\./ },
  { name: 'Vercel', header: ['x-vercel-mitigated', /challenge|deny/i] },
  { name: 'DataDome', body: /(?:geo|ct)\.captcha-delivery\.com/ },
  { name: 'Akamai', server: /^AkamaiGHost/i, body: /Access Denied|errors\.edgesuite\.net/ },
  { name: 'Imperva', body: /_Incapsula_Resource|Incapsula incident ID/ },
  { name: 'HUMAN', body: /window\._pxAppId|captcha\.px-cdn\.net|id="px-captcha"/ },
  { name: 'Kasada', header: ['x-kpsdk-ct', /./] },
  { name: 'Sucuri', server: /^Sucuri/i, body: /Sucuri Website Firewall/ },
  { name: 'DDoS-Guard', server: /^ddos-guard/i, body: /ddos-guard/i },
  { name: 'Fastly', body: /\/_fs-ch-[\w-]+\// },
  { name: 'Anubis', body: /\/\.within\.website\/x\/cmd\/anubis\// },
  { name: 'F5', body: /The requested URL was rejected\. Please consult with your administrator\./ },
]

/** Statuses of walls. Those of the second set count only with a header. */
const statuses = new Set([403, 429, 503])
const rareStatuses = new Set([202, 401, 405])
const bodyBytesMax = 64 * 1024

/** The wall that sent this response; undefined if it is the site's own. */
export function wallOf(status: number, headers: readonly Buffer[], body: Uint8Array): string | undefined {
  const isUsual = statuses.has(status)
  if (!isUsual && !rareStatuses.has(status)) return undefined
  const values = new Map(headerPairs(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const server = values.get('server') ?? ''
  let text: string | undefined
  const hasWords = (words: RegExp): boolean => words.test((text ??= textOf(body)))
  return walls.find(({ header, body: words, server: sender }) => {
    if (header !== undefined) return header[1].test(values.get(header[0]) ?? '')
    return isUsual && sender?.test(server) !== false && words !== undefined && hasWords(words)
  })?.name
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bodyBytesMax)).toString('latin1')
}

/** What a user can do about a wall. */
export const wallAdvice =
  'A wall before the site refuses crawlers: sign your requests (--sign, docs/guide/identity.md) and ask the owner to let them pass'
