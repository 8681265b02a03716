/**
 * The rules for every request: whether it may be sent, and when. The desk (desk.ts) applies them to all requests of a
 * crawl. Each is a small function of what the desk knows; docs/guide/politeness.md explains them to site owners, and
 * engine/politeness.ts has the lengths of rests.
 *
 *   refusals ─▶ waits ─▶ address and robots.txt known? ─▶ robots.txt allows it? ─▶ turn at its address ─▶ sent ─▶ gap
 *
 * `test/desk-rules.test.ts` breaks each rule in turn and shows that the log of a server gives it away.
 */
import {
  backOffSeconds,
  gapSeconds,
  isTooSlow,
  retryAfterSeconds,
  type BackOff,
  type Waits,
} from '../../engine/politeness.ts'
import type { SiteTable } from '../world/site-table.ts'
import { siteOf } from '../../web/url/site.ts'
import type { HostRests } from './host-rests.ts'
import type { Proxies } from './proxies.ts'
import type { Reachability } from './reachability.ts'
import type { SiteAccess } from './site-access.ts'

/** A request that may be sent or not. */
export interface Ask {
  /** The site of its URL. */
  readonly site: number
  /** Scheme, host and port of its URL. */
  readonly origin: string
  /** Whether it is a side request, and not for a page. */
  readonly isSide?: boolean | undefined
  /** Whether its host is claimed for it already. */
  readonly isClaimed?: boolean | undefined
  /** Whether it belongs to the page that has the connection of its site: that page has arrived, and waits for it. */
  readonly isWithin?: boolean | undefined
}

/** What the rules know. */
export interface DeskView {
  readonly sites: SiteTable
  readonly access: SiteAccess
  readonly hosts: HostRests
  readonly reachability: Reachability
  /** Undefined if no proxies are used. */
  readonly proxies: Pick<Proxies, 'freeAt'> | undefined
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
      : desk.unknownUntil + gaps.ofOrigin(desk, origin, 0, 0),
  /** A side request has claimed the host, or the host rests after one. */
  sideRequests: (desk: DeskView, { site, origin, isClaimed, isWithin }: Ask): number =>
    isClaimed === true || isWithin === true
      ? 0
      : desk.hosts.restOf(desk.sites.name(site), ownHosts.isOwn(desk, origin)),
  /** A host of the user's own has sent a Retry-After on one of its channels: all of them rest. */
  hostRest: ({ hosts, sites }: DeskView, { site }: Ask): number => hosts.requestedUntil(sites.name(site)),
  /** A site has one connection. The engine sees to it for pages. */
  oneConnection: (desk: DeskView, { site, origin, isSide, isWithin }: Ask): number =>
    isSide !== true || isWithin === true || ownHosts.isOwn(desk, origin)
      ? 0
      : desk.hosts.busyUntil(desk.sites.name(site)),
  /** The gap after the last page of a site. The engine sees to it for pages. */
  siteGap: ({ hosts, sites }: DeskView, { site, isSide, isWithin }: Ask): number =>
    isSide === true && isWithin !== true ? hosts.pageGapUntil(sites.name(site)) : 0,
}
export type WaitName = keyof typeof waits | 'addressTurn'

export const claims = {
  /** While only these hold it back, a side request claims its host: it is next once the page under way has ended and the site has rested. */
  isNext: (because: WaitName): boolean =>
    because === 'oneConnection' || because === 'siteGap' || because === 'addressTurn',
}

/** By the robots.txt of the origin. */
export const robotsRules = {
  /** It is requested before anything else of the origin. */
  isMissing: ({ access }: DeskView, origin: string): boolean => !access.hasRobots(origin),
  allows: ({ access }: DeskView, origin: string, path: string): boolean =>
    access.rulesOf(origin).allows(path),
  /**
   * A Crawl-delay that is too long to wait for: one page is requested, and no other. `sinceSeconds`: since the last request, for a page
   * that is requested again.
   */
  isTooSlow: (desk: DeskView, origin: string, sinceSeconds: number): boolean => {
    const delay = desk.access.rulesOf(origin).gapSeconds
    return sinceSeconds < delay && isTooSlow(delay, desk.waits().wait) && !ownHosts.isOwn(desk, origin)
  },
}

/** Seconds from the end of a request to the start of the next one: the longest of these. */
export const gaps = {
  /** `restSeconds`: a Retry-After or a back-off; 0 if there is none. It holds for hosts of the user's own too. */
  ofOrigin: (desk: DeskView, origin: string, tookSeconds: number, restSeconds: number): number => {
    if (ownHosts.isOwn(desk, origin)) return restSeconds
    const wait = gaps.wait(desk)
    const waitFactor = gaps.waitFactor(desk)
    const crawlDelaySeconds = gaps.crawlDelay(desk, origin)
    return gapSeconds({ wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds })
  },
  wait: (desk: DeskView): number => desk.waits().wait,
  /** A slow server is requested less often. */
  waitFactor: (desk: DeskView): number => desk.waits().waitFactor,
  crawlDelay: ({ access }: DeskView, origin: string): number => access.rulesOf(origin).gapSeconds,
}

/** How long a site or a proxy rests after a temporary failure. */
export const rests = {
  /** `requestedSeconds`: by `retryAfter`; undefined without a Retry-After. */
  afterFailure: (failures: number, site: number, backOff: BackOff, requestedSeconds?: number): number =>
    requestedSeconds ?? rests.backOff(failures, site, backOff),
  /** The server requests this with a 429 or 503. */
  retryAfter: (requestedSeconds: number): number => retryAfterSeconds(requestedSeconds),
  /** Twice as long with every failure in a row. */
  backOff: (failures: number, site: number, backOff: BackOff): number =>
    backOffSeconds(failures, site, backOff),
  proxy: (failures: number, proxy: number, backOff: BackOff): number =>
    backOffSeconds(failures, proxy, backOff),
}

export const addressRules = {
  /** Private addresses are refused. `isNamed`: the user allows them, or gives this one. */
  isAllowed: (isPublic: boolean, isNamed: boolean): boolean => isPublic || isNamed,
  /** Sites that share an address take turns at it. */
  takesTurns: (desk: DeskView, origin: string): boolean => !ownHosts.isOwn(desk, origin),
}

/** Hosts of the user's own have no gap, several connections, and no turns at their addresses. */
export const ownHosts = {
  isOwn: ({ sites }: DeskView, origin: string): boolean =>
    sites.hasOwn && sites.isOwnHost(siteOf(origin) ?? ''),
}
