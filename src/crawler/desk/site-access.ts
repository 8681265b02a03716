/**
 * Prerequisites for requesting a page of a site: its checked address and its robots.txt. Both are requested
 * when the first page of the site is due; the page is then postponed, so that the next page is chosen when it
 * can be requested, and not before.
 *
 *   first page due ──▶ address? ──▶ robots.txt? ──▶ the site rests, its pages wait
 */
import type { FetchResult } from '../world/fetch-result.ts'
import { isNoConnection, requestedRest } from '../world/outcome-policy.ts'
import { robotsOfStatus } from '../../web/robots/robots-answer.ts'
import { allowAll, type RobotsRules } from '../../web/robots/robots-rules.ts'
import { siteOf } from '../../web/url/site.ts'
import type { Addresses, NoPlace, Place } from './addresses.ts'
import type { Desk, Target } from './desk.ts'
import type { Miss } from './reachability.ts'
import type { RobotsCache, RobotsRecord } from './robots-cache.ts'
import { robotsRules } from './rules.ts'
import type { Owner } from './wire.ts'

interface SiteAccessOptions {
  readonly addresses: Addresses
  /** Undefined if robots.txt is not obeyed. */
  readonly robots: RobotsCache | undefined
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
      /** Of a robots.txt that could not be had. */
      readonly status?: number | undefined
    }
  | { readonly kind: 'unreachable'; readonly error: string; readonly text?: string | undefined }

const redirectsMax = 5
/** How long the other channels of a host wait for its robots.txt before they check again. */
const channelSeconds = 0.02

/** The target of a redirecting robots.txt, and the number of redirects. */
interface Hop {
  readonly url: string
  readonly number: number
}

interface Asking {
  readonly site: number
  readonly origin: string
  readonly hop: Hop | undefined
  readonly target: Target
  /** The address whose turn it has; undefined if it takes none. */
  readonly address: string | undefined
  readonly answer: (readiness: Readiness) => void
}

export class SiteAccess implements Owner {
  readonly #desk: Desk
  readonly #options: SiteAccessOptions
  /** By the number of the request. */
  readonly #asking = new Map<number, Asking>()
  /** Origins whose robots.txt redirects. */
  readonly #hops = new Map<string, Hop>()
  /** Origins with an invalid certificate. */
  readonly #lost = new Set<string>()
  #asked = 0

  constructor(desk: Desk, options: SiteAccessOptions) {
    this.#desk = desk
    this.#options = options
  }

  /** The address of this origin, if all prerequisites are known; undefined if `prepare` must be called. */
  placeOf(origin: string): Target | undefined {
    if (robotsRules.isMissing(this.#desk, origin)) return undefined
    if (this.#desk.proxies !== undefined) return 'proxy'
    const { host, port } = hostAndPort(origin)
    const place = this.#options.addresses.known(host, port, this.#desk.now())
    return typeof place === 'string' ? undefined : place
  }

  /** Whether its robots.txt is known, or is not obeyed. */
  hasRobots(origin: string): boolean {
    const { robots } = this.#options
    return robots === undefined || robots.rules(origin, this.#desk.now()) !== undefined
  }

  /** Marks an origin with an invalid certificate; the host's other scheme may still be requested. */
  lose(origin: string): void {
    this.#lost.add(origin)
  }

  isLost(origin: string): boolean {
    return this.#lost.has(origin)
  }

  rulesOf(origin: string): RobotsRules {
    const { robots } = this.#options
    return robots === undefined ? allowAll : (robots.rules(origin, this.#desk.now()) ?? allowAll)
  }

  /** Requests the missing prerequisites; calls `answer` once. */
  prepare(site: number, origin: string, answer: (readiness: Readiness) => void): void {
    const desk = this.#desk
    const { proxies, hosts } = desk
    const isNeeded = robotsRules.isMissing(desk, origin)
    const hop = isNeeded ? this.#hops.get(origin) : undefined
    const from = hop === undefined ? origin : new URL(hop.url).origin
    const host = hop === undefined ? undefined : this.#otherHost(site, hop.url)
    const go = (target: Target): void => {
      if (!isNeeded) return answer({ kind: 'ready', wasAsked: false })
      // Another channel of the host requests it already.
      const isAsked = desk.isOwn(origin) && [...this.#asking.values()].some((one) => one.origin === origin)
      if (isAsked) return answer({ kind: 'later', wasAsked: false, restSeconds: channelSeconds })
      const address = desk.addressOf(from, target)
      const freeAt = Math.max(desk.turnAt(from, address), host === undefined ? 0 : hosts.freeAt(host))
      const restSeconds = freeAt - desk.now()
      if (restSeconds > 0) answer({ kind: 'later', wasAsked: false, restSeconds })
      else this.#ask({ site, origin, hop, target, address, answer })
    }
    if (proxies !== undefined) {
      go('proxy')
      return
    }
    void this.#place(from).then((place) => {
      if (typeof place !== 'string') go(place)
      else if (hop === undefined) answer(this.#noPlace(site, place))
      else {
        this.#settle(origin, { at: desk.now(), status: 404, text: '' })
        answer({ kind: 'ready', wasAsked: false })
      }
    })
  }

  async #place(origin: string): Promise<Place | NoPlace> {
    const { addresses } = this.#options
    const { host, port } = hostAndPort(origin)
    const now = this.#desk.now()
    return addresses.known(host, port, now) ?? (await addresses.resolve(host, port, now))
  }

  #noPlace(site: number, why: NoPlace): Readiness {
    const { sites, reachability } = this.#desk
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
    const { site, origin, hop, target, address } = asking
    const desk = this.#desk
    const url = hop?.url ?? `${origin}/robots.txt`
    const subject = this.#asked++
    this.#asking.set(subject, asking)
    const host = hop === undefined ? undefined : this.#otherHost(site, hop.url)
    if (host !== undefined) desk.hosts.occupy(host)
    const id = desk.line.request(this, subject)
    desk.send({ site, requests: [{ id, purpose: 'robots', url }] }, target, address)
    desk.line.flush()
  }

  /** A request for robots.txt that holds the connection of its site. */
  slow(subject: number, id: number, thread: number): void {
    const asking = this.#asking.get(subject)
    if (asking !== undefined) this.#desk.slow(asking.site, id, thread)
  }

  /** The result of a request for robots.txt. */
  received(subject: number, result: FetchResult, thread: number): void {
    const asking = this.#asking.get(subject)
    this.#desk.line.keep(thread, { id: result.id })
    if (asking === undefined) return
    this.#asking.delete(subject)
    // Not by the time stamps of the result: the system clock may have been set since.
    const end = this.#desk.now()
    this.#desk.release(asking.address, end)
    if (asking.hop !== undefined) this.#endHop(asking.site, asking.hop, end, result.durationMs / 1000)
    asking.answer(this.#readiness(asking, result, end))
  }

  #readiness(asking: Asking, result: FetchResult, end: number): Readiness {
    const { site, origin, hop } = asking
    const { reachability } = this.#desk
    const { failure, proxyFailed, status, location } = result
    if (proxyFailed === true || failure === 'aborted' || failure === 'tls') {
      reachability.unclear(site)
      if (proxyFailed === true) return { kind: 'later', wasAsked: false, restSeconds: 0, error: 'proxy' }
      return failure === 'tls'
        ? { kind: 'unreachable', error: 'tls', text: result.failureText }
        : { kind: 'later', wasAsked: true, restSeconds: 0 }
    }
    // The response of a wall says nothing about the file.
    const isAnswered = failure === undefined && result.blocked === undefined
    const verdict = robotsOfStatus(isAnswered ? status : undefined)
    if (verdict === 'disallow-all') return this.#unreadable(asking, result, end)
    reachability.reached(site)
    const number = (hop?.number ?? 0) + 1
    if (verdict === 'redirect' && location !== undefined && number <= redirectsMax) {
      // The next hop is a request like any other: the site rests first.
      this.#hops.set(origin, { url: location, number })
      return { kind: 'later', wasAsked: true, restSeconds: 0 }
    }
    // A redirect without a target counts as a missing file.
    this.#settle(origin, {
      at: end,
      status: verdict === 'redirect' ? 404 : status,
      text: textOf(result.body),
    })
    return { kind: 'ready', wasAsked: true }
  }

  /** RFC 9309: nothing may be fetched until robots.txt can be. It is requested again. */
  #unreadable(asking: Asking, result: FetchResult, end: number): Readiness {
    const { failure, failureText: text, blocked } = result
    const miss = this.#miss(asking, result, end)
    const kept = blocked === undefined ? 'unreachable' : 'blocked'
    if (miss.kind === 'unreachable') return { ...miss, error: failure ?? `robots-${kept}`, text }
    const error = `robots-${failure ?? kept}`
    return { ...miss, wasAsked: true, error, status: failure === undefined ? result.status : undefined }
  }

  #miss({ site, origin, hop }: Asking, result: FetchResult, end: number): Miss {
    const { reachability } = this.#desk
    const { failure } = result
    if (failure === undefined) {
      const requestedSeconds = requestedRest(result)
      // Not by another host, to which this robots.txt redirects.
      if (requestedSeconds !== undefined && hop === undefined)
        this.#desk.leave(site, origin, end + requestedSeconds)
      const error = result.blocked === undefined ? 'robots-unreachable' : 'robots-blocked'
      return reachability.troubled(site, error, requestedSeconds)
    }
    return isNoConnection(failure) ? reachability.missed(site, failure) : reachability.broke(site, failure)
  }

  /** The host that served another host's robots.txt rests for its own gap. */
  #endHop(site: number, { url }: Hop, end: number, tookSeconds: number): void {
    const host = this.#otherHost(site, url)
    if (host === undefined) return
    this.#desk.hosts.release(host, end + this.#desk.gap(new URL(url).origin, tookSeconds, 0))
  }

  /** The host of this URL; undefined if it is the site itself, which rests anyway. */
  #otherHost(site: number, url: string): string | undefined {
    const host = siteOf(url)
    return host === this.#desk.sites.name(site) ? undefined : host
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

function hostAndPort(origin: string): { host: string; port: number } {
  const scheme = origin.startsWith('https:') ? 'https://' : 'http://'
  const place = origin.slice(Math.max(scheme.length, origin.lastIndexOf('@') + 1))
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(place) ?? ['', '', '']
  return { host, port: port === undefined ? (scheme === 'https://' ? 443 : 80) : Number(port) }
}
