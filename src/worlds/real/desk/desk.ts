/**
 * The desk of a crawl: the only place that decides when a request may be sent, and that sends it. Pages, robots.txt,
 * sitemaps, feeds and requisites all go through it, by the same rules (rules.ts).
 *
 *   page due ─────▶ ruling ─▶ go ─▶ open ─▶ results ─▶ close ─▶ the site rests
 *   side request ─▶ claim ─▶ ruling ─▶ go ─▶ result ─▶ the hosts rest ─▶ released      (side-requests.ts)
 *                     │ prepare: address and robots.txt first (site-access.ts)
 */
import type { Waits } from '../../../engine/politeness.ts'
import type { CookieJars } from '../cookies/cookie-jars.ts'
import type { FetchResult } from '../fetch-result.ts'
import type { FetchRequest } from '../fetch/http-request.ts'
import type { FetchConnection } from '../messages.ts'
import type { RetryRules } from '../outcome-policy.ts'
import type { SiteTable } from '../site-table.ts'
import type { AddressTurns } from './address-rests.ts'
import type { Addresses, Place } from './addresses.ts'
import { HostRests } from './host-rests.ts'
import { OpenConnections } from './open-connections.ts'
import type { ProxyPool } from './proxy-pool.ts'
import { Reachability } from './reachability.ts'
import type { RobotsCache } from './robots-cache.ts'
import {
  addressRules,
  gaps,
  refusals,
  robotsRules,
  waits,
  type Ask,
  type DeskView,
  type WaitName,
} from './rules.ts'
import { SiteAccess, type Readiness } from './site-access.ts'
import type { Line } from './wire.ts'

export interface DeskOptions {
  readonly sites: SiteTable
  readonly addresses: Addresses
  /** Undefined if robots.txt is not obeyed. */
  readonly robots: RobotsCache | undefined
  /** Turns at addresses that sites share. */
  readonly turns: AddressTurns
  /** Undefined if no proxies are used. */
  readonly proxies?: ProxyPool | undefined
  /** Undefined if no cookies are kept. */
  readonly cookies?: CookieJars | undefined
  readonly retries: RetryRules
  /** How long the crawl waits when only unreachable sites are left. */
  readonly outageSeconds: number
  /** Maximum number of simultaneous slow connections. */
  readonly slowMax: number
  /** The waits of this moment: they may change while the crawl runs. */
  readonly waits: () => Waits
  /** The worker before this one may have requested any site up to this time. Undefined if there was none. */
  readonly unknownUntil?: number | undefined
  /** A connection for pages has become slow, for the first time. */
  readonly onSlow: (site: number) => void
  /** Opens the line to the fetch threads. */
  readonly openLine: (onResult: (result: FetchResult) => FetchResult) => Line
  readonly now: () => number
}

/** Where to connect: a checked address, or a proxy, which resolves names itself. */
export type Target = Place | 'proxy'

/** What the rules say about a request. */
export type Ruling =
  | { readonly kind: 'go'; readonly target: Target; readonly address: string | undefined }
  | { readonly kind: 'wait'; readonly until: number; readonly because: WaitName | 'addressTurn' }
  /** The address or robots.txt of its origin is not known. */
  | { readonly kind: 'prepare' }
  | { readonly kind: 'refuse'; readonly error: string; readonly because: keyof typeof refusals }

const waitNames = Object.keys(waits) as readonly WaitName[]
const refusalNames = Object.keys(refusals) as readonly (keyof typeof refusals)[]

export class Desk implements DeskView {
  readonly #options: DeskOptions
  readonly sites: SiteTable
  readonly proxies: ProxyPool | undefined
  readonly waits: () => Waits
  readonly unknownUntil: number | undefined
  readonly line: Line
  readonly hosts: HostRests
  readonly reachability: Reachability
  readonly access: SiteAccess
  readonly connections: OpenConnections

  constructor(options: DeskOptions) {
    const { sites, proxies, retries, now } = options
    this.#options = options
    this.sites = sites
    this.proxies = proxies
    this.waits = options.waits
    this.unknownUntil = options.unknownUntil
    this.line = options.openLine((result) => this.#received(result))
    this.connections = new OpenConnections({
      slowMax: options.slowMax,
      cut: (thread, id) => this.line.cut(thread, id),
    })
    this.hosts = new HostRests({ sites, isOpen: (site) => this.connections.has(site), now })
    this.reachability = new Reachability({
      sites,
      rules: retries,
      waitSeconds: options.outageSeconds,
      now,
      proxies,
      openSites: () => this.connections.sites,
      connections: () => this.connections.size,
    })
    this.access = new SiteAccess(this, options)
  }

  get retries(): RetryRules {
    return this.#options.retries
  }

  now(): number {
    return this.#options.now()
  }

  /** Whether, and when, a request may be sent. */
  ruling(ask: Ask): Ruling {
    const { site, origin } = ask
    for (const because of refusalNames) {
      const error = refusals[because](this, ask)
      if (error !== undefined) return this.#refused({ kind: 'refuse', error, because }, site)
    }
    const now = this.now()
    let until = now
    let because: WaitName | undefined
    for (const name of waitNames) {
      const time = waits[name](this, ask)
      if (time <= until) continue
      until = time
      because = name
    }
    if (because !== undefined) return this.#refused({ kind: 'wait', until, because }, site)
    const target = this.access.placeOf(origin)
    if (target === undefined) return { kind: 'prepare' }
    const address = this.addressOf(origin, target)
    const turnAt = this.turnAt(site, address)
    return turnAt > now
      ? this.#refused({ kind: 'wait', until: turnAt, because: 'addressTurn' }, site)
      : { kind: 'go', target, address }
  }

  /** Nothing was sent: if the site was to be a probe of the network, another one is. */
  #refused(ruling: Ruling, site: number): Ruling {
    this.reachability.unclear(site)
    return ruling
  }

  /** The address at which requests to an origin take turns; undefined if they take none. */
  addressOf(origin: string, target: Target): string | undefined {
    return target !== 'proxy' && addressRules.takesTurns(this, origin) ? target.address : undefined
  }

  turnAt(site: number, address: string | undefined): number {
    return address === undefined ? 0 : this.#options.turns.turn(address, this.sites.name(site))
  }

  allows(origin: string, path: string): boolean {
    return robotsRules.allows(this, origin, path)
  }

  isTooSlow(origin: string): boolean {
    return robotsRules.isTooSlow(this, origin)
  }

  /** Looks up the address and robots.txt of an origin; calls `answer` once. */
  prepare(site: number, origin: string, answer: (readiness: Readiness) => void): void {
    this.access.prepare(site, origin, (readiness) => {
      if (readiness.kind === 'unreachable' && readiness.error === 'tls') this.access.lose(origin)
      answer(readiness)
    })
  }

  /** Sends requests one after the other on one connection. `address`: the one whose turn this is. */
  send(
    connection: Pick<FetchConnection, 'site' | 'channel' | 'requests'>,
    target: Target,
    address: string | undefined,
  ): void {
    const { cookies, proxies, turns } = this.#options
    if (address !== undefined) turns.occupy(address, this.now())
    const withCookie = (request: FetchRequest): FetchRequest =>
      request.purpose === 'robots' ? request : { ...request, cookie: cookies?.headerOf(request.url) }
    const { requests } = connection
    this.line.fetch({
      ...connection,
      requests: cookies === undefined ? requests : requests.map(withCookie),
      address: target === 'proxy' ? undefined : target.address,
      port: target === 'proxy' ? undefined : target.port,
      proxy: proxies?.proxyOf(connection.site),
    })
  }

  /** A request to this address has ended. */
  release(address: string | undefined, end: number): void {
    if (address !== undefined) this.#options.turns.release(address, end)
  }

  /** Seconds from the end of a request to the start of the next one. */
  gap(origin: string, tookSeconds: number, restSeconds: number): number {
    return gaps.after(this, origin, tookSeconds, restSeconds)
  }

  /** Ends the connection of a site; returns when the site may be requested again. */
  close(site: number, end: number, tookSeconds: number, restSeconds: number): number {
    const connection = this.connections.take(site)
    this.release(connection?.address, end)
    const gap = connection === undefined ? 0 : this.gap(connection.origin, tookSeconds, restSeconds)
    this.sites.rest(site, end + gap)
    return end + gap
  }

  /** A request on the connection of a site is slow. */
  slow(site: number, id: number, thread: number): void {
    if (this.connections.slow(site, thread, id)) this.#options.onSlow(site)
  }

  /** Every result passes here first. */
  #received(result: FetchResult): FetchResult {
    const { proxies, cookies } = this.#options
    proxies?.took(result)
    const isNew = result.setCookies !== undefined && cookies?.take(result.setCookies) === true
    const beginsSession = isNew && result.location !== undefined && result.purpose === 'page'
    return beginsSession ? { ...result, beginsSession } : result
  }
}
