/**
 * The desk of a crawl: the only place that decides when a request may be sent, and that sends it. Pages, robots.txt,
 * sitemaps, feeds and requisites all go through it, by the same rules (rules.ts).
 *
 *   page due ─────▶ ruling ─▶ go ─▶ open ─▶ results ─▶ close ─▶ the site rests
 *   side request ─▶ claim ─▶ ruling ─▶ go ─▶ result ─▶ the hosts rest ─▶ released      (side-requests.ts)
 *                     │ prepare: address and robots.txt first (site-access.ts)
 */
import type { Waits } from '../../engine/politeness.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import type { FetchConnection } from '../world/messages.ts'
import type { RetryRules } from '../world/outcome-policy.ts'
import type { SiteTable } from '../world/site-table.ts'
import { siteOf } from '../../web/url/site.ts'
import type { AddressTurns } from './address-rests.ts'
import type { Addresses, Place } from './addresses.ts'
import { HostRests } from './host-rests.ts'
import { OpenConnections } from './open-connections.ts'
import type { Proxies } from './proxies.ts'
import { Reachability } from './reachability.ts'
import type { RobotsCache } from './robots-cache.ts'
import {
  addressRules,
  claims,
  gaps,
  ownHosts,
  refusals,
  robotsRules,
  waits,
  type Ask,
  type DeskView,
  type WaitName,
} from './rules.ts'
import { SiteAccess, type Readiness } from './site-access.ts'
import type { Line } from './wire.ts'

/** Sees every request before it is sent, and every result before its owner. */
export interface RequestFilter {
  request(request: FetchRequest): FetchRequest
  result(result: FetchResult): FetchResult
}

export interface DeskOptions {
  readonly sites: SiteTable
  readonly addresses: Addresses
  /** Undefined if robots.txt is not obeyed. */
  readonly robots: RobotsCache | undefined
  /** Turns at addresses that sites share. */
  readonly turns: AddressTurns
  /** Undefined if no proxies are used. */
  readonly proxies?: Proxies | undefined
  /** Applied in order. Default: none. */
  readonly filters?: readonly RequestFilter[] | undefined
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
  /** The rests of all shards of this process. Default: this is the only desk. */
  readonly neighbours?: Set<HostRests> | undefined
}

/** Where to connect: a checked address, or a proxy, which resolves names itself. */
export type Target = Place | 'proxy'

/** What the rules say about a request. */
export type Ruling =
  | { readonly kind: 'go'; readonly target: Target; readonly address: string | undefined }
  /** `because`: the rule that holds it longest. `isNext`: a side request claims its host meanwhile. */
  | {
      readonly kind: 'wait'
      readonly until: number
      readonly because: WaitName
      readonly isNext: boolean
    }
  /** The address or robots.txt of its origin is not known. */
  | { readonly kind: 'prepare' }
  | { readonly kind: 'refuse'; readonly error: string; readonly because: keyof typeof refusals }

const waitNames = Object.keys(waits) as readonly (keyof typeof waits)[]
const refusalNames = Object.keys(refusals) as readonly (keyof typeof refusals)[]

export class Desk implements DeskView {
  readonly #options: DeskOptions
  readonly sites: SiteTable
  readonly #filters: readonly RequestFilter[]
  readonly proxies: Proxies | undefined
  readonly waits: () => Waits
  readonly unknownUntil: number | undefined
  readonly line: Line
  readonly hosts: HostRests
  readonly reachability: Reachability
  readonly access: SiteAccess
  readonly connections: OpenConnections

  constructor(options: DeskOptions) {
    const { sites, proxies, retries, now, filters = [] } = options
    this.#options = options
    this.#filters = filters
    this.sites = sites
    this.proxies = proxies
    this.waits = options.waits
    this.unknownUntil = options.unknownUntil
    this.line = options.openLine((result) => this.#received(result))
    this.connections = new OpenConnections({
      slowMax: options.slowMax,
      cut: (thread, id) => this.line.cut(thread, id),
    })
    const { neighbours } = options
    this.hosts = new HostRests({ sites, isOpen: (site) => this.connections.has(site), now, neighbours })
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
      if (error !== undefined) return { kind: 'refuse', error, because }
    }
    const held = this.#held(ask)
    if (held !== undefined) return held
    const target = this.access.placeOf(origin)
    if (target === undefined) {
      this.reachability.probes(site)
      return { kind: 'prepare' }
    }
    const address = this.addressOf(origin, target)
    const until = this.turnAt(origin, address)
    if (until > this.now()) {
      return { kind: 'wait', until, because: 'addressTurn', isNext: claims.isNext('addressTurn') }
    }
    this.reachability.probes(site)
    return { kind: 'go', target, address }
  }

  /** Undefined if no rule makes it wait. */
  #held(ask: Ask): Extract<Ruling, { kind: 'wait' }> | undefined {
    const now = this.now()
    let until = now
    let because: WaitName | undefined
    let isNext = true
    for (const name of waitNames) {
      const time = waits[name](this, ask)
      if (time <= now) continue
      isNext &&= claims.isNext(name)
      if (time <= until) continue
      until = time
      because = name
    }
    return because === undefined ? undefined : { kind: 'wait', until, because, isNext }
  }

  isOwn(origin: string): boolean {
    return ownHosts.isOwn(this, origin)
  }

  /** The address, or place, whose turns an origin takes; undefined if it takes none. */
  addressOf(origin: string, target: Target | undefined): string | undefined {
    if (target === undefined || target === 'proxy') return undefined
    if (!addressRules.takesTurns(this, origin)) return undefined
    const { turns } = this.#options
    return turns.placeOf?.(target.address, siteOf(origin) ?? '') ?? target.address
  }

  turnAt(origin: string, address: string | undefined): number {
    return address === undefined ? 0 : this.#options.turns.turn(address, siteOf(origin) ?? '')
  }

  allows(origin: string, path: string): boolean {
    return robotsRules.allows(this, origin, path)
  }

  /** Whether its Crawl-delay is too long to wait for, and has not passed since the last request. */
  isTooSlow(origin: string, sinceSeconds = 0): boolean {
    return robotsRules.isTooSlow(this, origin, sinceSeconds)
  }

  /** Looks up the address and robots.txt of an origin; calls `answer` once. */
  prepare(site: number, origin: string, answer: (readiness: Readiness) => void): void {
    this.access.prepare(site, origin, (readiness) => {
      if (readiness.kind === 'unreachable') {
        if (readiness.error === 'tls') this.access.lose(origin)
      } else if (!readiness.wasAsked) this.reachability.unclear(site)
      answer(readiness)
    })
  }

  /** Sends requests one after the other on one connection. `address`: the one whose turn this is. */
  send(
    connection: Pick<FetchConnection, 'site' | 'channel' | 'requests'>,
    target: Target,
    address: string | undefined,
  ): void {
    const { turns } = this.#options
    if (address !== undefined) turns.occupy(address, this.now())
    let { requests } = connection
    for (const filter of this.#filters) requests = requests.map((request) => filter.request(request))
    this.line.fetch({
      ...connection,
      requests,
      address: target === 'proxy' ? undefined : target.address,
      port: target === 'proxy' ? undefined : target.port,
      proxy: this.proxies?.proxyOf(connection.site),
    })
  }

  /** A request to this address has ended. */
  release(address: string | undefined, end: number): void {
    if (address !== undefined) this.#options.turns.release(address, end)
  }

  /** Seconds from the end of a request to the start of the next one. */
  gap(origin: string, tookSeconds: number, restSeconds: number): number {
    return gaps.ofOrigin(this, origin, tookSeconds, restSeconds)
  }

  /** Ends the connection of a site; returns when the site may be requested again. */
  close(site: number, end: number, tookSeconds: number, restSeconds: number): number {
    const connection = this.connections.take(site)
    this.release(connection?.address, end)
    const gap = connection === undefined ? 0 : this.gap(connection.origin, tookSeconds, restSeconds)
    const freeAt = Math.max(end + gap, connection?.restUntil ?? 0)
    this.sites.rest(site, freeAt)
    return freeAt
  }

  /** A page has arrived, and keeps the connection of its site: others may take turns at its address. */
  arrived(site: number): void {
    const connection = this.connections.get(site)
    if (connection?.address === undefined) return
    this.release(connection.address, this.now())
    connection.address = undefined
  }

  /** The page that keeps the connection of its site has sent requests of its own: the site rests longer. */
  restUntil(site: number, until: number): void {
    const connection = this.connections.get(site)
    if (connection !== undefined) connection.restUntil = Math.max(connection.restUntil, until)
  }

  /** A response of this origin has a Retry-After. The site rests by itself; a host of the user's own has other channels. */
  leave(site: number, origin: string, until: number): void {
    if (this.isOwn(origin)) this.hosts.leave(this.sites.name(site), until)
  }

  /** A request on the connection of a site is slow. */
  slow(site: number, id: number, thread: number): void {
    if (this.connections.slow(site, thread, id)) this.#options.onSlow(site)
  }

  /** Every result passes here first. */
  #received(result: FetchResult): FetchResult {
    this.proxies?.took(result)
    let seen = result
    for (const filter of this.#filters) seen = filter.result(seen)
    return seen
  }
}
