/**
 * Requests for the sitemaps and feeds that are due. They follow the rules for pages: robots.txt, one
 * connection to a site, its gap after every request, turns at shared addresses. Between
 * two sources of a site there are at least ten gaps, so that they take a tenth of its time at most.
 *
 *   due ─▶ host claimed ─▶ its page under way ends, it rests ─▶ request ─▶ host rests ─▶ released
 *
 * A claimed host gets no requests for pages, otherwise a site with many waiting pages would never be free for
 * a source.
 */
import type { AddressTurns } from './address-rests.ts'
import type { FetchResult } from './fetch-result.ts'
import type { HostRests } from './host-rests.ts'
import type { SourceSchedule } from './looks/source-schedule.ts'
import type { FetchConnection } from './messages.ts'
import { requestedRest } from './outcome-policy.ts'
import type { Reachability } from './reachability.ts'
import { originOf, type SiteAccess } from './site-access.ts'
import type { SiteTable } from './site-table.ts'
import { siteOf } from './url/site.ts'

export interface SourceRequestsOptions {
  readonly schedule: SourceSchedule
  readonly sites: SiteTable
  readonly access: SiteAccess
  readonly hosts: HostRests
  readonly rests: AddressTurns
  readonly reachability: Reachability
  readonly send: (connection: FetchConnection) => void
  readonly now: () => number
  /** Called if a source can be requested earlier than `turn` has returned. */
  readonly wake: () => void
}

/** A result and its source. */
export interface SourceFetched {
  readonly source: number
  readonly result: FetchResult
  /** When the response ended, by the clock of the crawl. */
  readonly at: number
}

interface UnderWay {
  readonly source: number
  readonly origin: string
  readonly address: string | undefined
}

/** Requests under way at a time. */
const openMax = 8
/** Gaps of a site between the requests for two of its sources. */
const gapsPerSource = 10
/** The shortest wait for a busy host, and the wait for a claimed one. */
const busySeconds = 0.1
const claimedSeconds = 1
/** Ids of requests: above those of sitemap-visit.ts. */
const idMin = 2 ** 41

export class SourceRequests {
  readonly #options: SourceRequestsOptions
  readonly #underWay = new Map<number, UnderWay>()
  /** Sources that have claimed their hosts. */
  readonly #claims = new Map<number, readonly string[]>()
  /** When the next source of a site may be requested; Infinity: one is under way or has a claim. */
  readonly #siteFreeAt = new Map<number, number>()
  #preparing = 0
  #fetched: SourceFetched[] = []
  #nextId = idMin
  #isStopped = false

  constructor(options: SourceRequestsOptions) {
    this.#options = options
  }

  /** Requests what is due; returns when there is more to do, as far as that is known. */
  turn(): number {
    const { schedule, now } = this.#options
    if (this.#isStopped) return Infinity
    while (this.#underWay.size + this.#preparing < openMax) {
      const source = schedule.take(now())
      if (source === undefined) return schedule.nextDue
      this.#begin(source)
    }
    // The end of a request leads to the next turn.
    return Infinity
  }

  /** Requests nothing more. */
  stop(): void {
    this.#isStopped = true
    const underWay = new Set([...this.#underWay.values()].map(({ source }) => source))
    for (const source of this.#claims.keys()) if (!underWay.has(source)) this.#release(source)
  }

  /** Is this the result of a request for a source that has not changed since its last reading? */
  isUnchanged({ id, status, bodyLow, bodyHigh }: FetchResult): boolean {
    const source = this.#underWay.get(id)?.source
    if (source === undefined) return false
    return status === 304 || this.#options.schedule.hasPrint(source, bodyLow, bodyHigh)
  }

  /** The result of a request; false if it was not for a source. */
  received(result: FetchResult): boolean {
    const request = this.#underWay.get(result.id)
    if (request === undefined) return false
    this.#underWay.delete(result.id)
    this.#end(request, result)
    return true
  }

  get hasFetched(): boolean {
    return this.#fetched.length > 0
  }

  /** The results since the last call. */
  takeFetched(): readonly SourceFetched[] {
    const fetched = this.#fetched
    this.#fetched = []
    return fetched
  }

  #begin(source: number): void {
    const { schedule, sites, access, hosts, reachability, now } = this.#options
    const url = schedule.urlOf(source)
    const site = schedule.siteOf(source)
    const names = [...new Set([siteOf(url) ?? '', sites.name(site)])]
    const isClaimed = this.#claims.has(source)
    const restUntil = Math.max(
      reachability.heldUntil(site) ?? 0,
      ...(isClaimed ? [] : [this.#restOf(site), ...names.map((name) => hosts.restOf(name))]),
    )
    if (restUntil > now()) {
      this.#release(source)
      schedule.postpone(source, restUntil)
      return
    }
    if (!isClaimed) this.#claim(source, names)
    const origin = originOf(url)
    // A host of the user's own has a connection for them beside those of its pages.
    const freeAt = access.isOwn(origin) ? 0 : Math.max(...names.map((name) => hosts.pagesFreeAt(name)))
    if (freeAt > now()) schedule.postpone(source, Math.max(freeAt, now() + busySeconds))
    else if (reachability.reasonOf(site) !== undefined || access.isLost(origin)) this.#fail(source)
    else this.#request(source, site, url, origin)
  }

  #request(source: number, site: number, url: string, origin: string): void {
    const { schedule, access, rests, now, send } = this.#options
    const place = access.placeOf(origin)
    if (place === undefined) {
      this.#prepare(source, site, origin)
      return
    }
    if (!access.rulesOf(origin).allows(url.slice(origin.length)) || access.isTooSlow(origin)) {
      this.#fail(source)
      return
    }
    const { address: to, port } = place === 'proxy' ? { address: undefined, port: undefined } : place
    const address = access.turnAddress(origin, place)
    const turnAt = address === undefined ? 0 : rests.turn(address, site)
    if (turnAt > now()) {
      schedule.postpone(source, turnAt)
      return
    }
    if (address !== undefined) rests.occupy(address, now())
    const id = this.#nextId++
    this.#underWay.set(id, { source, origin, address })
    const request = { id, purpose: 'sitemap', url, ...schedule.conditions(source) } as const
    send({ site, address: to, port, requests: [request] })
  }

  /** Looks up the address and robots.txt of a source's origin. */
  #prepare(source: number, site: number, origin: string): void {
    const { schedule, access, now, wake } = this.#options
    this.#preparing++
    access.prepare(site, origin, (readiness) => {
      this.#preparing--
      const freeAt = now() + access.gapAfter(origin, readiness)
      this.#release(source, freeAt)
      if (readiness.kind === 'unreachable') schedule.settle(source, now(), { kind: 'failed' })
      else schedule.postpone(source, freeAt)
      wake()
    })
  }

  #end({ source, origin, address }: UnderWay, result: FetchResult): void {
    const { schedule, access, rests, now } = this.#options
    // Not by the time stamps of the result: the system clock may have been set since.
    const end = now()
    const gap = access.gapOf(origin, result.durationMs / 1000, requestedRest(result) ?? 0)
    if (address !== undefined) rests.release(address, end)
    this.#release(source, end + gap)
    const site = schedule.siteOf(source)
    this.#siteFreeAt.set(site, end + gapsPerSource * gap)
    if (result.failure === 'aborted') schedule.postpone(source, end)
    else this.#fetched.push({ source, result, at: end })
  }

  #fail(source: number): void {
    const { schedule, now } = this.#options
    this.#release(source)
    schedule.settle(source, now(), { kind: 'failed' })
  }

  #claim(source: number, names: readonly string[]): void {
    this.#claims.set(source, names)
    this.#siteFreeAt.set(this.#options.schedule.siteOf(source), Infinity)
    for (const name of names) this.#options.hosts.occupy(name)
  }

  /** Gives back the hosts that a source has claimed; they rest until `freeAt`. */
  #release(source: number, freeAt = 0): void {
    const names = this.#claims.get(source)
    if (names === undefined) return
    this.#claims.delete(source)
    this.#siteFreeAt.delete(this.#options.schedule.siteOf(source))
    for (const name of names) this.#options.hosts.release(name, freeAt)
  }

  #restOf(site: number): number {
    const now = this.#options.now()
    const freeAt = this.#siteFreeAt.get(site) ?? 0
    if (freeAt <= now) this.#siteFreeAt.delete(site)
    return freeAt === Infinity ? now + claimedSeconds : freeAt
  }
}
