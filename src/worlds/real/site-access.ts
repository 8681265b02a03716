/**
 * Prerequisites for requesting a page of a site: its checked address and its robots.txt. Both are requested
 * when the first page of the site is due; the page is then postponed, so that the next page is chosen when it
 * can be requested, and not before.
 *
 *   first page due ──▶ address? ──▶ robots.txt? ──▶ the site rests, its pages wait
 */
import { gapSeconds, isTooSlow, type Waits } from '../../engine/politeness.ts'
import type { AddressTurns } from './address-rests.ts'
import type { Addresses, NoPlace, Place } from './addresses.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FetchConnection } from './messages.ts'
import type { HostRests } from './host-rests.ts'
import type { ProxyPool } from './proxy-pool.ts'
import { isNoConnection, requestedRest } from './outcome-policy.ts'
import type { Miss, Reachability } from './reachability.ts'
import { robotsOfStatus } from './robots/robots-answer.ts'
import { allowAll, type RobotsRules } from './robots/robots-rules.ts'
import type { RobotsCache, RobotsRecord } from './robots-cache.ts'
import type { SiteTable } from './site-table.ts'
import { siteOf } from './url/site.ts'

export interface SiteAccessOptions extends Waits {
  readonly sites: SiteTable
  readonly addresses: Addresses
  /** Undefined if robots.txt is not obeyed. */
  readonly robots: RobotsCache | undefined
  readonly rests: AddressTurns
  /** Behind proxies no address is resolved; undefined without them. */
  readonly proxies?: ProxyPool | undefined
  readonly reachability: Reachability
  readonly hosts: HostRests
  readonly now: () => number
  readonly send: (connection: FetchConnection) => void
}

/** The result: the site may be requested, is retried later, or is unreachable. */
export type Readiness =
  | { readonly kind: 'ready'; readonly wasAsked: boolean }
  /** `wasAsked`: a request was sent, and the site's gap starts now. */
  | {
      readonly kind: 'later'
      readonly wasAsked: boolean
      readonly restSeconds: number
      readonly error?: string | undefined
    }
  | { readonly kind: 'unreachable'; readonly error: string; readonly text?: string | undefined }

const redirectsMax = 5
/** How long the other channels of a host wait for its robots.txt before they check again. */
const channelSeconds = 0.02
/** Ids of robots.txt requests start here; those of pages are below. */
const robotsIdMin = 2 ** 32

/** The target of a redirecting robots.txt, and the number of redirects. */
interface Hop {
  readonly url: string
  readonly number: number
}

interface Asking {
  readonly site: number
  readonly origin: string
  readonly hop: Hop | undefined
  readonly place: Place | undefined
  /** Where it takes its turn. */
  readonly address: string | undefined
  readonly answer: (readiness: Readiness) => void
}

export class SiteAccess {
  readonly #options: SiteAccessOptions
  readonly #asking = new Map<number, Asking>()
  /** Origins whose robots.txt redirects. */
  readonly #hops = new Map<string, Hop>()
  /** Origins with an invalid certificate. */
  readonly #lost = new Set<string>()
  #nextId = robotsIdMin

  constructor(options: SiteAccessOptions) {
    this.#options = options
  }

  /** The address of this origin, if all prerequisites are known; undefined if `prepare` must be called. */
  placeOf(origin: string): Place | 'proxy' | undefined {
    const { addresses, robots, proxies, now } = this.#options
    if (robots !== undefined && robots.rules(origin, now()) === undefined) return undefined
    if (proxies !== undefined) return 'proxy'
    const { host, port } = hostAndPort(origin)
    const place = addresses.known(host, port, now())
    return typeof place === 'string' ? undefined : place
  }

  /** Marks an origin with an invalid certificate; the host's other scheme may still be requested. */
  lose(origin: string): void {
    this.#lost.add(origin)
  }

  isLost(origin: string): boolean {
    return this.#lost.has(origin)
  }

  rulesOf(origin: string): RobotsRules {
    const { robots, now } = this.#options
    return robots === undefined ? allowAll : (robots.rules(origin, now()) ?? allowAll)
  }

  /** Whether the host is of the user's own: it has no gaps, and takes no turns at its address. */
  isOwn(origin: string): boolean {
    const { sites } = this.#options
    return sites.hasOwnHosts && sites.isOwnHost(siteOf(`${origin}/`)!)
  }

  /**
   * Seconds from the end of a request to the start of the next one, whatever was requested. `restSeconds`, a back-off or a Retry-After,
   * holds for the user's own hosts too.
   */
  gapOf(origin: string, tookSeconds: number, restSeconds: number): number {
    if (this.isOwn(origin)) return restSeconds
    const { wait, waitFactor } = this.#options
    const crawlDelaySeconds = this.rulesOf(origin).gapSeconds
    return gapSeconds({ wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds })
  }

  /** The gap after address and robots.txt were looked up; 0 if nothing was requested and nothing has to wait. */
  gapAfter(origin: string, readiness: Readiness): number {
    const restSeconds = readiness.kind === 'later' ? readiness.restSeconds : 0
    const wasAsked = readiness.kind === 'unreachable' || readiness.wasAsked
    return wasAsked ? this.gapOf(origin, 0, restSeconds) : restSeconds
  }

  /** Whether the crawl-delay is too long to wait for. */
  isTooSlow(origin: string): boolean {
    return !this.isOwn(origin) && isTooSlow(this.rulesOf(origin).gapSeconds, this.#options.wait)
  }

  /** The address at which a request takes its turn: none behind a proxy. */
  turnAddress(origin: string, place: Place | 'proxy' | undefined): string | undefined {
    return place === undefined || place === 'proxy' || this.isOwn(origin) ? undefined : place.address
  }

  /** Requests the missing prerequisites; calls `answer` once. */
  prepare(site: number, origin: string, answer: (readiness: Readiness) => void): void {
    const { proxies, robots, rests, hosts, sites, now } = this.#options
    const isNeeded = robots !== undefined && robots.rules(origin, now()) === undefined
    const hop = isNeeded ? this.#hops.get(origin) : undefined
    const host = hop === undefined ? undefined : this.#otherHost(site, hop.url)
    const go = (place: Place | undefined): void => {
      if (!isNeeded) return answer({ kind: 'ready', wasAsked: false })
      // Another channel of the host requests it already.
      const isAsked = sites.isOwn(site) && [...this.#asking.values()].some((one) => one.origin === origin)
      if (isAsked) return answer({ kind: 'later', wasAsked: false, restSeconds: channelSeconds })
      const address = this.turnAddress(hop === undefined ? origin : originOf(hop.url), place)
      const freeAt = Math.max(
        address === undefined ? 0 : rests.turn(address, site),
        host === undefined ? 0 : hosts.freeAt(host),
      )
      const restSeconds = freeAt - now()
      if (restSeconds > 0) answer({ kind: 'later', wasAsked: false, restSeconds })
      else this.#ask({ site, origin, hop, place, address, answer })
    }
    if (proxies !== undefined) {
      go(undefined)
      return
    }
    void this.#place(hop === undefined ? origin : new URL(hop.url).origin).then((place) => {
      if (typeof place !== 'string') go(place)
      else if (hop === undefined) answer(this.#noPlace(site, place))
      else {
        this.#settle(origin, { at: now(), status: 404, text: '' })
        answer({ kind: 'ready', wasAsked: false })
      }
    })
  }

  async #place(origin: string): Promise<Place | NoPlace> {
    const { addresses, now } = this.#options
    const { host, port } = hostAndPort(origin)
    return addresses.known(host, port, now()) ?? (await addresses.resolve(host, port, now()))
  }

  #noPlace(site: number, why: NoPlace): Readiness {
    const { sites, reachability } = this.#options
    // A name that had an address before is an outage of its DNS.
    const mayPass = why === 'no-answer' || (why === 'no-address' && sites.wasReached(site))
    const miss: Miss = mayPass ? reachability.missed(site, why) : { kind: 'unreachable' }
    if (miss.kind === 'later') {
      return { kind: 'later', wasAsked: false, restSeconds: miss.restSeconds, error: why }
    }
    reachability.giveUp(site, why)
    return { kind: 'unreachable', error: why }
  }

  #ask(asking: Asking): void {
    const { origin, hop, place, address } = asking
    const url = hop?.url ?? `${origin}/robots.txt`
    const id = this.#nextId++
    this.#asking.set(id, asking)
    if (address !== undefined) this.#options.rests.occupy(address, this.#options.now())
    const host = hop === undefined ? undefined : this.#otherHost(asking.site, hop.url)
    if (host !== undefined) this.#options.hosts.occupy(host)
    this.#options.send({
      site: asking.site,
      address: place?.address,
      port: place?.port,
      requests: [{ id, purpose: 'robots', url }],
    })
  }

  /** The site whose robots.txt this request is for. */
  siteOf(id: number): number | undefined {
    return this.#asking.get(id)?.site
  }

  /** The result of a request for robots.txt. */
  received(result: FetchResult): void {
    const asking = this.#asking.get(result.id)
    if (asking === undefined) return
    this.#asking.delete(result.id)
    const { rests, reachability, now } = this.#options
    const { site, origin, hop, address, answer } = asking
    // Not by the time stamps of the result: the system clock may have been set since.
    const end = now()
    if (address !== undefined) rests.release(address, end)
    if (hop !== undefined) this.#endHop(site, hop, end, result.durationMs / 1000)
    if (result.failure === 'aborted' || result.proxyFailed === true) {
      reachability.unclear(site)
      const error = result.proxyFailed === true ? 'proxy' : undefined
      answer({ kind: 'later', wasAsked: error === undefined, restSeconds: 0, error })
      return
    }
    if (result.failure === 'tls') {
      reachability.unclear(site)
      answer({ kind: 'unreachable', error: 'tls', text: result.failureText })
      return
    }
    const verdict = robotsOfStatus(result.failure === undefined ? result.status : undefined)
    const number = (hop?.number ?? 0) + 1
    if (verdict === 'redirect' && result.location !== undefined && number <= redirectsMax) {
      // The next hop is a request like any other: the site rests first.
      this.#hops.set(origin, { url: result.location, number })
      reachability.reached(site)
      answer({ kind: 'later', wasAsked: true, restSeconds: 0 })
      return
    }
    if (verdict === 'disallow-all') {
      // RFC 9309: nothing may be fetched until robots.txt can be. It is requested again.
      const miss =
        result.failure === undefined
          ? reachability.troubled(site, 'robots-unreachable', requestedRest(result))
          : isNoConnection(result.failure)
            ? reachability.missed(site, result.failure)
            : reachability.broke(site, result.failure)
      if (miss.kind === 'unreachable') {
        answer({
          kind: 'unreachable',
          error: result.failure ?? 'robots-unreachable',
          text: result.failureText,
        })
      } else {
        const error = `robots-${result.failure ?? 'unreachable'}`
        answer({ kind: 'later', wasAsked: true, restSeconds: miss.restSeconds, error })
      }
      return
    }
    reachability.reached(site)
    // A redirect without a target counts as a missing file.
    const status = verdict === 'redirect' ? 404 : result.status
    this.#settle(origin, { at: end, status, text: textOf(result.body) })
    answer({ kind: 'ready', wasAsked: true })
  }

  /** The host that served another host's robots.txt rests for its own gap. */
  #endHop(site: number, { url }: Hop, end: number, tookSeconds: number): void {
    const host = this.#otherHost(site, url)
    if (host !== undefined) this.#options.hosts.release(host, end + this.gapOf(originOf(url), tookSeconds, 0))
  }

  /** The host of this URL; undefined if it is the site itself, which rests anyway. */
  #otherHost(site: number, url: string): string | undefined {
    const host = siteOf(url)
    return host === this.#options.sites.name(site) ? undefined : host
  }

  #settle(origin: string, record: RobotsRecord): void {
    this.#hops.delete(origin)
    this.#options.robots?.put(origin, record)
  }
}

/** A robots.txt is bytes in any encoding: one character per byte preserves them. */
function textOf(body: Uint8Array | undefined): string {
  return body === undefined
    ? ''
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
}

/** Scheme, host and port of a canonical URL. */
export function originOf(url: string): string {
  return url.slice(0, url.indexOf('/', 'https://'.length))
}

export function hostAndPort(origin: string): { host: string; port: number } {
  const scheme = origin.startsWith('https:') ? 'https://' : 'http://'
  const place = origin.slice(Math.max(scheme.length, origin.lastIndexOf('@') + 1))
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(place) ?? ['', '', '']
  return { host, port: port === undefined ? (scheme === 'https://' ? 443 : 80) : Number(port) }
}
