/** The rules of the desk (crawler/desk/rules.ts): for each, a crawl, and what a server's log shows if the rule is broken. */
import * as rules from '../../src/crawler/desk/rules.ts'
import type { Purpose } from '../../src/web/http/http-request.ts'
import { consecutive, gapsBelow, overlaps, type AccessPair } from './access-log.ts'
import { startMs, type VirtualCrawlOptions } from './virtual-crawl.ts'
import type { Access, Respond, Response } from './virtual-server.ts'

/** The tables of rules, of which a case replaces one function at a time. */
const { refusals, waits, claims, robotsRules, gaps, rests, addressRules, ownHosts } = rules
export const tables = { refusals, waits, claims, robotsRules, gaps, rests, addressRules, ownHosts }
export type Name = {
  [T in keyof typeof tables]: `${T}.${keyof (typeof tables)[T] & string}`
}[keyof typeof tables]
/** What a replaced function returns. */
type Breaks = Partial<Record<Name, readonly unknown[]>>

const kinds = ['robots', 'sitemap before the crawl', 'sitemap', 'feed', 'requisite', 'page'] as const
type Kind = (typeof kinds)[number]

export type Offence = Access | AccessPair<Access> | string

export interface RuleCase {
  readonly rule: string
  readonly crawl: () => VirtualCrawlOptions
  /** Lines of the log against the rule. */
  readonly offences: (log: readonly Access[]) => readonly Offence[]
  readonly broken: Breaks
  /** Kinds of requests in the log if the rule is kept, and among the offences if it is broken. */
  readonly has?: readonly Kind[]
  readonly offend?: readonly Purpose[]
}

/** Virtual seconds since the crawl began. */
const secondsOf = (ms: number): number => (ms - startMs) / 1000

/** Paths of one site, as URLs. */
export const at = (origin: string, ...paths: readonly string[]): string[] =>
  paths.map((path) => `${origin}${path}`)

/** Sites with a robots.txt, a sitemap, five pages, a feed and requisites each. */
export function site({ kind, origin, path }: Access, robots = ''): Response {
  if (kind === 'robots') return { text: `User-agent: *\n${robots}\nSitemap: ${origin}/sitemap.xml` }
  if (kind === 'sitemap') return { links: at(origin, '/', '/a', '/listed') }
  if (kind === 'requisite') return {}
  return {
    links: at(origin, '/a', '/b', '/c', '/d'),
    requisites: at(origin, '/i.png', '/j.png', `${path}.png`),
    feeds: at(origin, '/feed', '/feed2'),
  }
}

/** A continuous crawl for half an hour, which sends requests of every kind to these hosts. */
export function everyKind(
  respond: Respond,
  hosts: readonly string[],
  options: Partial<VirtualCrawlOptions> = {},
) {
  return {
    seeds: hosts.map((host) => `http://${host}/`),
    respond,
    allowPrivate: true,
    continuous: true,
    restSeconds: 600,
    rate: 1e6,
    seconds: 1800,
    sitemap: true,
    visitsSitemaps: true,
    requisites: true,
    waitPerAddress: 0,
    ...options,
  } satisfies VirtualCrawlOptions
}

/** A crawl that fetches each page once, without requests of other kinds. */
function pagesOnly(respond: Respond, seeds: readonly string[], options: Partial<VirtualCrawlOptions> = {}) {
  return { seeds, respond, allowPrivate: true, waitPerAddress: 0, ...options } satisfies VirtualCrawlOptions
}

/** Each host has an address of its own. */
export const hosts = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
const onlyHost = 'http://192.0.2.1'
const manyPages = Array.from({ length: 30 }, (_, i) => `/${i}`)

export function kindsOf(log: readonly Access[]): Set<Kind> {
  const withPages = new Set<string>()
  return new Set(
    log.map(({ kind, site: name, path }): Kind => {
      if (kind === 'page') withPages.add(name)
      if (kind !== 'sitemap') return kind
      if (path.startsWith('/feed')) return 'feed'
      return withPages.has(name) ? 'sitemap' : 'sitemap before the crawl'
    }),
  )
}

/** Requests that start too soon after a response that failed, of those to the same path. */
function tooSoonAfterFailures(
  log: readonly Access[],
  hasFailed: (access: Access) => boolean,
  restSeconds: (failures: number) => number,
): AccessPair<Access>[] {
  const failures = new Map<string, number>()
  return consecutive(log).filter(({ previous, gapMs }) => {
    const key = previous.origin + previous.path
    const count = hasFailed(previous) ? (failures.get(key) ?? 0) + 1 : 0
    failures.set(key, count)
    return count > 0 && gapMs < 1000 * restSeconds(count)
  })
}

/** Requests by a proxy that has failed and still rests, at least half of `firstSeconds` and twice as long each time. */
function byRestingProxy(log: readonly Access[], firstSeconds: number): Access[] {
  return log.filter((access) => {
    let failures = 0
    let restUntil = 0
    const before = log.filter(({ proxy, endMs }) => proxy === access.proxy && endMs <= access.startMs)
    for (const { endMs, hasResponded } of before.toSorted((a, b) => a.endMs - b.endMs)) {
      if (hasResponded) failures = restUntil = 0
      else if (endMs >= restUntil) restUntil = endMs + 500 * firstSeconds * 2 ** failures++
    }
    return access.startMs < restUntil
  })
}

const atOnce = (log: readonly Access[], ms: number): number =>
  log.filter((access) => access.startMs <= ms && access.endMs > ms).length

/** All but the first so many of each site. */
function moreThan(count: number, log: readonly Access[]): Access[] {
  return log.filter((access, i) => log.slice(0, i).filter((one) => one.site === access.site).length >= count)
}

export const ruleCases: readonly RuleCase[] = [
  {
    rule: 'the gap of a site after every request',
    crawl: () => everyKind(site, hosts),
    has: kinds,
    offences: (log) => gapsBelow(log, 1),
    broken: {
      'gaps.wait': [0],
      'gaps.ofOrigin': [0],
      'waits.siteGap': [0],
      'waits.sideRequests': [0],
    },
  },
  {
    rule: 'the gap after a slow response',
    crawl: () => everyKind((request) => ({ ...site(request), seconds: 4 }), hosts),
    has: kinds,
    offences: (log) =>
      consecutive(log).filter(({ previous, gapMs }) => previous.kind !== 'robots' && gapMs < 4000),
    broken: { 'gaps.waitFactor': [0] },
  },
  {
    rule: 'the Crawl-delay',
    crawl: () => everyKind((request) => site(request, 'Crawl-delay: 7'), hosts),
    has: kinds,
    offences: (log) => gapsBelow(log, 7),
    broken: { 'gaps.crawlDelay': [0] },
  },
  {
    rule: 'one connection per site',
    crawl: () => everyKind((request) => ({ ...site(request), seconds: 5 }), hosts, { waitFactor: 0 }),
    has: kinds,
    offences: overlaps,
    broken: { 'waits.oneConnection': [0], 'waits.sideRequests': [0] },
  },
  {
    rule: 'the turns of sites at a shared address',
    crawl: () => everyKind(site, ['192.0.2.1:81', '192.0.2.1:82', '192.0.2.1:83'], { waitPerAddress: 0.5 }),
    has: kinds,
    offences: (log) =>
      gapsBelow(
        log.map((access) => ({ ...access, site: access.address! })),
        0.5,
      ),
    broken: { 'addressRules.takesTurns': [false] },
  },
  {
    rule: 'claims of side requests: a site with many pages gets them too',
    crawl: () =>
      everyKind(
        ({ kind, origin }) => ({
          links: kind === 'page' ? at(origin, ...manyPages) : [],
          requisites: at(origin, '/i.png'),
          feeds: at(origin, '/feed'),
        }),
        [hosts[0]],
        { sitemap: false },
      ),
    offences: (log) => {
      const early = log.slice(0, 12)
      return ['/i.png', '/feed'].filter((path) => !early.some((access) => access.path === path))
    },
    broken: { 'claims.isNext': [false] },
  },
  {
    rule: 'Retry-After, for every kind of request',
    crawl() {
      // Each of these is overloaded once, at one of the hosts, and /d of all of them always.
      const busy = new Set(['/robots.txt', '/sitemap.xml', '/a', '/i.png', '/feed'])
      const isBusy = (path: string): boolean => path === '/d' || busy.delete(path)
      return everyKind(
        (request) => (isBusy(request.path) ? { status: 503, retryAfter: 90 } : site(request)),
        hosts,
      )
    },
    has: kinds,
    offences: (log) =>
      consecutive(log).filter(({ previous, gapMs }) => previous.retryAfter !== undefined && gapMs < 90_000),
    broken: { 'rests.retryAfter': [0] },
    offend: ['robots', 'page', 'sitemap', 'requisite'],
  },
  {
    rule: 'Retry-After of a page or robots.txt, for all channels of a host of the user',
    crawl() {
      const busy = new Set(['/robots.txt', '/a', '/c'])
      return everyKind(
        (request) => (busy.delete(request.path) ? { status: 503, retryAfter: 90 } : site(request)),
        [hosts[0]],
        { own: [hosts[0]], connectionsPerSite: 3 },
      )
    },
    offences: (log) => {
      const refused = log.filter(({ retryAfter }) => retryAfter !== undefined)
      const isTooSoon = ({ startMs: ms }: Access): boolean =>
        refused.some(({ endMs }) => ms > endMs && ms < endMs + 90_000)
      return refused.length < 3 ? ['a page without Retry-After'] : log.filter(isTooSoon)
    },
    broken: { 'waits.hostRest': [0] },
    offend: ['page'],
  },
  {
    rule: 'the back-off after errors',
    crawl: () =>
      pagesOnly(
        ({ kind, origin, path }) =>
          path === '/bad' ? { status: 500 } : kind === 'page' ? { links: at(origin, ...manyPages) } : {},
        at(onlyHost, '/', '/bad'),
        { retrySeconds: 16 },
      ),
    offences: (log) =>
      tooSoonAfterFailures(
        log,
        ({ status }) => status === 500,
        (count) => (count < 3 ? 8 * count : 1),
      ),
    broken: { 'rests.backOff': [0], 'rests.afterFailure': [0] },
  },
  {
    rule: 'the long back-off of a site that has gone away',
    crawl: () =>
      pagesOnly(
        ({ startMs: ms, origin }) =>
          secondsOf(ms) > 5 ? { failure: 'connect-refused' } : { links: at(origin, ...manyPages) },
        at(onlyHost, '/'),
        { waitUnreachableSeconds: 7200 },
      ),
    offences: (log) => {
      const refused = log.filter(({ hasResponded }) => !hasResponded)
      return consecutive(refused).filter(({ gapMs }, i) => gapMs < 500 * 2 ** Math.min(i, 11))
    },
    broken: { 'waits.backOff': [0], 'rests.backOff': [0] },
  },
  {
    rule: 'robots.txt first',
    crawl: () =>
      everyKind((request) => {
        const { kind, origin, site: name } = request
        // Sitemaps, feeds and requisites of other hosts, which have no pages.
        if (kind === 'robots' && hosts.includes(name))
          return { text: 'Sitemap: http://192.0.2.7/sitemap.xml' }
        if (kind !== 'page') return {}
        const others = { feeds: ['http://192.0.2.8/feed'], requisites: ['http://192.0.2.9/i.png'] }
        return { links: at(origin, '/a'), ...others }
      }, hosts),
    has: ['robots', 'sitemap before the crawl', 'feed', 'requisite', 'page'],
    offences: (log) => {
      const isKnown = ({ origin, startMs: ms }: Access): boolean =>
        log.some((one) => one.origin === origin && one.kind === 'robots' && one.endMs <= ms)
      return log.filter((access) => access.kind !== 'robots' && !isKnown(access))
    },
    broken: { 'robotsRules.isMissing': [false] },
    offend: ['page', 'sitemap', 'requisite'],
  },
  {
    rule: 'what robots.txt disallows',
    crawl: () =>
      everyKind(({ kind, origin }) => {
        if (kind === 'robots')
          return { text: `User-agent: *\nDisallow: /no\nSitemap: ${origin}/no/sitemap.xml` }
        if (kind !== 'page') return {}
        return {
          links: at(origin, '/a', '/no/a'),
          requisites: at(origin, '/no/i.png'),
          feeds: at(origin, '/no/feed'),
        }
      }, hosts),
    offences: (log) => log.filter(({ path }) => path.startsWith('/no')),
    broken: { 'robotsRules.allows': [true] },
    offend: ['page', 'sitemap', 'requisite'],
  },
  {
    rule: 'a Crawl-delay that is too long: one page and one sitemap',
    crawl: () => everyKind((request) => site(request, 'Crawl-delay: 700'), hosts),
    offences: (log) => {
      const of = (kind: Purpose): Access[] => log.filter((access) => access.kind === kind)
      return [...moreThan(1, of('page')), ...moreThan(1, of('sitemap')), ...of('requisite')]
    },
    broken: { 'robotsRules.isTooSlow': [false] },
    offend: ['page', 'sitemap', 'requisite'],
  },
  {
    rule: 'no private addresses',
    crawl: () =>
      everyKind(
        ({ kind, origin }) => {
          if (kind === 'robots' && origin === 'http://1.0.0.1')
            return { status: 301, location: 'http://10.0.0.4/robots.txt' }
          if (kind === 'robots') return { text: 'Sitemap: http://192.168.0.1/sitemap.xml' }
          if (kind !== 'page') return {}
          const others = { requisites: ['http://[::1]/i.png'], feeds: ['http://169.254.0.1/feed'] }
          return { links: ['http://127.0.0.1/', 'http://10.0.0.2/'], ...others }
        },
        ['1.1.1.1', '1.0.0.1'],
        { allowPrivate: false },
      ),
    has: ['robots', 'page'],
    offences: (log) => log.filter(({ address }) => address !== '1.1.1.1' && address !== '1.0.0.1'),
    broken: { 'addressRules.isAllowed': [true] },
    offend: ['robots', 'page', 'sitemap', 'requisite'],
  },
  {
    rule: 'three probes at a time while the network is down',
    crawl: () =>
      everyKind(
        (request) => {
          const second = secondsOf(request.startMs)
          const isDown = second >= 20 && second < 400
          return isDown ? { failure: 'connect-timeout', seconds: 3 } : site(request)
        },
        Array.from({ length: 12 }, (_, i) => `192.0.2.${i + 1}`),
      ),
    // A dozen sites fail until it is certain that the network is down.
    offences: (log) => {
      const late = log.filter(({ startMs: ms }) => secondsOf(ms) >= 30 && secondsOf(ms) < 400)
      return late.filter((access) => atOnce(late, access.startMs) > 3)
    },
    broken: { 'waits.outage': [0] },
  },
  {
    rule: 'the rest of a proxy that has failed',
    crawl: () =>
      everyKind(
        (request) => {
          const second = secondsOf(request.startMs)
          const isDown = second < 200 && second >= (request.proxy === 0 ? 10 : 60)
          if (isDown) return { proxyFailed: true }
          const { links = [], ...response } = site(request)
          return { ...response, links: [...links, ...at(request.origin, ...manyPages)] }
        },
        hosts,
        { retrySeconds: 8, proxy: ['http://192.0.2.101:8080', 'http://192.0.2.102:8080'] },
      ),
    has: kinds,
    offences: (log) => byRestingProxy(log, 8),
    broken: { 'waits.proxyRest': [0], 'rests.proxy': [0] },
  },
  {
    rule: 'the gap when another worker takes over',
    crawl: () => pagesOnly(site, at(onlyHost, '/'), { handOverAfter: 2.5 }),
    offences: (log) => gapsBelow(log, 1),
    broken: { 'waits.handOver': [0] },
  },
  {
    rule: 'a site that never responds is given up',
    crawl: () => pagesOnly(() => ({ failure: 'connect-refused' }), at(onlyHost, ...manyPages)),
    offences: (log) => log.slice(3),
    broken: { 'refusals.unreachable': [undefined] },
  },
  {
    rule: 'an origin with an invalid certificate is given up',
    crawl: () =>
      pagesOnly(
        ({ origin }) => (origin.startsWith('https:') ? { failure: 'tls' } : {}),
        at('https://192.0.2.1', ...manyPages),
      ),
    offences: (log) => log.slice(1),
    broken: { 'refusals.certificate': [undefined] },
  },
  {
    rule: 'no gap for hosts of the user, and no other hosts without one',
    crawl: () =>
      everyKind(
        (request) => {
          const response = site(request)
          // The own host names a feed of another one.
          return request.site === hosts[0]
            ? { ...response, feeds: at(`http://${hosts[1]}`, '/feed', '/feed2') }
            : response
        },
        hosts,
        { own: [hosts[0]], connectionsPerSite: 3 },
      ),
    has: kinds,
    offences: (log) => {
      const own = log.filter((access) => access.site === hosts[0])
      const others = log.filter((access) => access.site !== hosts[0])
      const isSlow = gapsBelow(own, 1).length < own.length / 2 || overlaps(own).length === 0
      return [...(isSlow ? ['the own host waits'] : []), ...gapsBelow(others, 1)]
    },
    broken: { 'ownHosts.isOwn': [false, true] },
  },
]
