/**
 * The rules for every request: whether it may be sent, and when. The desk (desk.ts) applies them to all requests of a
 * crawl. Each is a small function of what the desk knows; docs/politeness.md explains them to site owners, and
 * engine/politeness.ts has the lengths of rests.
 *
 *   refusals ─▶ waits ─▶ address and robots.txt known? ─▶ robots.txt allows it? ─▶ turn at its address ─▶ sent ─▶ gap
 *
 * `test/desk-rules.test.ts` breaks each rule in turn and shows that the log of a server gives it away.
 */
import { gapSeconds, isTooSlow, type Waits } from '../../../engine/politeness.ts'
import type { SiteTable } from '../site-table.ts'
import { siteOf } from '../url/site.ts'
import type { HostRests } from './host-rests.ts'
import type { ProxyPool } from './proxy-pool.ts'
import type { Reachability } from './reachability.ts'
import type { SiteAccess } from './site-access.ts'

/** A request that may be sent or not. */
export interface Ask {
  readonly site: number
  /** Scheme, host and port of its URL. */
  readonly origin: string
  /** The hosts of a side request: that of its URL, and that of its site. Undefined for pages. */
  readonly hosts?: readonly string[] | undefined
  /** Whether these hosts are claimed for it already. */
  readonly isClaimed?: boolean | undefined
}

/** What the rules know. */
export interface DeskView {
  readonly sites: SiteTable
  readonly access: SiteAccess
  readonly hosts: HostRests
  readonly reachability: Reachability
  /** Undefined if no proxies are used. */
  readonly proxies: Pick<ProxyPool, 'freeAt'> | undefined
  /** The waits of this moment: they may change while the crawl runs. */
  readonly waits: () => Waits
  /** The worker before this one may have requested any site up to this time. Undefined if there was none. */
  readonly unknownUntil: number | undefined
}

/** Why a request is not sent at all; undefined if it may be. */
export const refusals = {
  /** The site has failed for good. */
  unreachable: ({ reachability }: DeskView, { site }: Ask): string | undefined => reachability.reasonOf(site),
  certificate: ({ access }: DeskView, { origin }: Ask): string | undefined =>
    access.isLost(origin) ? 'tls' : undefined,
}

/** When a request may be sent, in seconds of the epoch: after the latest of these times. */
export const waits = {
  /** A site that could not be reached, or that is overloaded, is left alone for a while. */
  backOff: ({ reachability }: DeskView, { site }: Ask): number => reachability.backOffUntil(site),
  /** While this machine has no network, only a few sites are probed. */
  outage: ({ reachability }: DeskView, { site }: Ask): number => reachability.outageUntil(site),
  /** All proxies have failed. */
  proxyRest: ({ proxies }: DeskView): number => proxies?.freeAt() ?? 0,
  /** The worker before this one may have requested the site a moment ago. A site requested since then has its own rest. */
  handOver: (desk: DeskView, { site, origin }: Ask): number =>
    desk.unknownUntil === undefined || desk.sites.freeAt(site) > 0
      ? 0
      : desk.unknownUntil + gaps.after(desk, origin, 0, 0),
  /** A side request has claimed the host, or the host rests after one. */
  sideRequests: ({ sites, hosts }: DeskView, { site, hosts: names, isClaimed }: Ask): number => {
    if (isClaimed === true) return 0
    const isOwn = sites.isOwn(site)
    return names === undefined
      ? hosts.restOf(sites.name(site), isOwn)
      : latest(names, (name) => hosts.restOf(name, isOwn))
  },
  /** A site has one connection. The engine sees to it for pages. */
  oneConnection: (desk: DeskView, { origin, hosts: names = [] }: Ask): number =>
    isOwn(desk, origin) ? 0 : latest(names, (name) => desk.hosts.busyUntil(name)),
  /** The gap after the last page of a site. The engine sees to it for pages. */
  siteGap: (desk: DeskView, { origin, hosts: names = [] }: Ask): number =>
    isOwn(desk, origin) ? 0 : latest(names, (name) => desk.hosts.pageGapUntil(name)),
}
export type WaitName = keyof typeof waits

/** Waits during which a side request keeps its claim: it is next once the page under way has ended and the site has rested. */
export const claimedWaits: ReadonlySet<WaitName | 'addressTurn'> = new Set([
  'oneConnection',
  'siteGap',
  'addressTurn',
])

/** By the robots.txt of the origin. */
export const robotsRules = {
  allows: ({ access }: DeskView, origin: string, path: string): boolean =>
    access.rulesOf(origin).allows(path),
  /** A Crawl-delay that is too long to wait for: one request is sent, and no other. */
  isTooSlow: (desk: DeskView, origin: string): boolean =>
    !isOwn(desk, origin) && isTooSlow(desk.access.rulesOf(origin).gapSeconds, desk.waits().wait),
}

/** Seconds from the end of a request to the start of the next one. */
export const gaps = {
  /**
   * A host of the user's own has no gap. `restSeconds`, a Retry-After or a back-off, holds for it too; 0 if there is none.
   */
  after: (desk: DeskView, origin: string, tookSeconds: number, restSeconds: number): number => {
    const rest = gaps.rest(restSeconds)
    if (isOwn(desk, origin)) return rest
    const crawlDelaySeconds = gaps.crawlDelay(desk, origin)
    const { wait, waitFactor } = desk.waits()
    return gapSeconds({ wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds: rest })
  },
  crawlDelay: ({ access }: DeskView, origin: string): number => access.rulesOf(origin).gapSeconds,
  rest: (restSeconds: number): number => restSeconds,
}

/** Sites that share an address take turns at it, except for hosts of the user's own. */
export const addressRules = {
  takesTurns: (desk: DeskView, origin: string): boolean => !isOwn(desk, origin),
}

/** Whether the host is of the user's own. */
export function isOwn({ sites }: Pick<DeskView, 'sites'>, origin: string): boolean {
  return sites.hasOwnHosts && sites.isOwnHost(siteOf(`${origin}/`)!)
}

function latest(names: readonly string[], timeOf: (name: string) => number): number {
  let time = 0
  for (const name of names) time = Math.max(time, timeOf(name))
  return time
}
