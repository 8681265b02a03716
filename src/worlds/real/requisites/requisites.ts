/**
 * Fetches the requisites of a crawl. They follow the rules for pages: robots.txt, checked addresses, one connection to a site, its gap
 * after every request, turns at shared addresses, back-off, and the limit of connections, which they share with the pages.
 *
 *   found ─▶ host claimed ─▶ its page under way ends, it rests ─▶ request ─▶ host rests ─▶ released
 *
 * A claimed host gets no requests for pages. While pages of a site wait, there is time for one of them between two requisites, so a
 * site with many images still gets half of its requests for pages. The rest is fetched when the engine has finished (`isAlone`).
 */
import { SiteHeap } from '../../../engine/site-heap.ts'
import type { AddressTurns } from '../address-rests.ts'
import type { FetchResult } from '../fetch-result.ts'
import type { HostRests } from '../host-rests.ts'
import type { FetchConnection, Kept, Verdict } from '../messages.ts'
import { consequenceOf, errorName, type RetryRules } from '../outcome-policy.ts'
import type { ProxyPool } from '../proxy-pool.ts'
import type { Reachability } from '../reachability.ts'
import { originOf, type SiteAccess } from '../site-access.ts'
import type { SiteTable } from '../site-table.ts'
import type { RequisiteCounts, RequisiteOutcome, RequisiteQueue } from './requisite-queue.ts'

/** The budget of requisites. */
export interface RequisiteBudget {
  /** Requisites that are requested. */
  readonly files: number
  readonly bytes: number
}

export interface RequisitesOptions {
  readonly queue: RequisiteQueue
  readonly budget: () => RequisiteBudget
  readonly sites: SiteTable
  readonly access: SiteAccess
  readonly hosts: HostRests
  readonly rests: AddressTurns
  readonly reachability: Reachability
  /** Undefined if no proxies are used. */
  readonly proxies?: Pick<ProxyPool, 'freeAt'> | undefined
  readonly retries: RetryRules
  /** Whether a page of the crawl has this URL, and whether it still waits. */
  readonly pageOf: (url: string) => 'none' | 'waiting' | 'requested'
  /** Whether the user excludes this URL. */
  readonly isExcluded: (url: string) => boolean
  /** Connections that pages leave to requisites now. */
  readonly connections: () => number
  readonly send: (connection: FetchConnection) => void
  readonly keep: (thread: number, verdict: Verdict) => void
  readonly now: () => number
  /** Called if a requisite can be requested earlier than `turn` has returned. */
  readonly wake: () => void
}

interface UnderWay {
  readonly host: number
  readonly site: number
  readonly origin: string
  readonly address: string | undefined
}

/** Time for the engine to request a page, and the wait for a page with the URL of a requisite. */
const pageTurnSeconds = 0.2
const pageSeconds = 1
/** Requisites of a host that are looked at in one turn, to find one that may be requested. */
const lookedMax = 64
/** Ids of requests: above those of source-requests.ts. */
const idMin = 2 ** 42

export class Requisites {
  readonly #options: RequisitesOptions
  readonly #heap = new SiteHeap()
  readonly #underWay = new Map<number, UnderWay>()
  readonly #claimed = new Set<number>()
  /** Hosts with a request under way, or whose address or robots.txt is being looked up. */
  readonly #busy = new Set<number>()
  /** Failed requests of the first requisite of a host. */
  readonly #attempts = new Map<number, number>()
  /** Outcomes that are being archived, by the id of their requests. */
  readonly #archiving = new Map<number, RequisiteOutcome>()
  #nextId = idMin
  /** Why no more requisites are requested; undefined: they are. */
  stopped: 'interrupted' | 'time' | undefined
  /** No pages are requested any more. */
  isAlone = false

  constructor(options: RequisitesOptions) {
    this.#options = options
    for (let host = 0; host < options.queue.hostCount; host++) this.#schedule(host, 0)
  }

  get counts(): RequisiteCounts {
    return this.#options.queue.counts
  }

  /** Number of open connections. */
  get open(): number {
    return this.#underWay.size
  }

  /** Whether there is anything to wait for: a request under way, or one that may be sent. */
  get isBusy(): boolean {
    return (
      this.#underWay.size > 0 ||
      (this.stopped === undefined && !this.isUsedUp && this.#options.queue.waitingCount > 0)
    )
  }

  /** Whether the budget is used up. Requests under way count. */
  get isUsedUp(): boolean {
    const { queue, budget } = this.#options
    const { files, bytes } = budget()
    return queue.requested + this.#underWay.size >= files || queue.bytes >= bytes
  }

  /** Requests nothing more. */
  stop(because: 'interrupted' | 'time'): void {
    this.stopped ??= because
    for (const host of this.#claimed) if (!this.#busy.has(host)) this.#release(host, 0)
  }

  /** A page or a style sheet names these files, one URL a line. */
  found(within: { readonly page: number; readonly depth: number }, urls: string): void {
    const { queue, isExcluded, budget } = this.#options
    for (const url of urls.split('\n')) {
      if (isExcluded(url)) continue
      const host = queue.add({ url, ...within }, budget().files)
      if (host !== undefined && !this.#heap.has(host) && !this.#busy.has(host)) this.#schedule(host, 0)
    }
  }

  /** Requests what is due; returns when there is more to do, as far as that is known. */
  turn(): number {
    const { now, connections } = this.#options
    while (this.stopped === undefined && !this.isUsedUp && this.#heap.length > 0) {
      if (connections() <= 0) return Infinity
      const host = this.#heap.first()
      const dueAt = -this.#heap.rank(host)
      if (dueAt > now()) return dueAt
      this.#heap.delete(host)
      this.#begin(host)
    }
    // The end of a request leads to the next turn. If none is left, there is nothing to wait for.
    return this.isAlone && !this.isBusy ? 0 : Infinity
  }

  #begin(host: number): void {
    const { queue, sites, access, hosts, reachability, proxies, now } = this.#options
    const number = this.#next(host)
    if (number === undefined) return
    const name = queue.nameOf(host)
    const site = sites.numberOf(name)
    const isClaimed = this.#claimed.has(host)
    const restUntil = Math.max(
      reachability.heldUntil(site) ?? 0,
      isClaimed ? 0 : hosts.restOf(name),
      proxies?.freeAt() ?? 0,
    )
    if (restUntil > now()) {
      if (isClaimed) this.#release(host, 0)
      this.#schedule(host, restUntil)
      return
    }
    const url = queue.urlOf(number)
    const origin = originOf(url)
    const reason = reachability.reasonOf(site) ?? (access.isLost(origin) ? 'tls' : undefined)
    if (reason !== undefined) {
      reachability.unclear(site)
      this.#refuse(host, reason)
      return
    }
    if (!isClaimed) {
      this.#claimed.add(host)
      hosts.occupy(name)
    }
    // A host of the user's own has a connection for them beside those of its pages.
    const freeAt = access.isOwn(origin) ? 0 : hosts.pagesFreeAt(name)
    if (freeAt > now()) this.#schedule(host, freeAt)
    else this.#request(host, site, url, origin)
  }

  /** The first requisite of a host that may be requested; undefined if the host has to wait, or none is left. */
  #next(host: number): number | undefined {
    const { queue, pageOf, now } = this.#options
    for (let looked = 0; looked < lookedMax; looked++) {
      const number = queue.firstOf(host)
      if (number === undefined) {
        if (this.#claimed.has(host)) this.#release(host, 0)
        return undefined
      }
      const page = pageOf(queue.urlOf(number))
      if (page === 'none' || (page === 'waiting' && this.isAlone)) return number
      this.#attempts.delete(host)
      if (page === 'waiting') queue.moveBack(host)
      else queue.settle(host, unrequested('page'))
    }
    if (this.#claimed.has(host)) this.#release(host, 0)
    this.#schedule(host, now() + pageSeconds)
    return undefined
  }

  #request(host: number, site: number, url: string, origin: string): void {
    const { access, rests, now, send } = this.#options
    const place = access.placeOf(origin)
    if (place === undefined) {
      this.#prepare(host, site, origin)
      return
    }
    const rules = access.rulesOf(origin)
    const refusal = !rules.allows(url.slice(origin.length))
      ? 'robots'
      : access.isTooSlow(origin)
        ? 'crawl-delay'
        : undefined
    if (refusal !== undefined) {
      this.#refuse(host, refusal)
      return
    }
    const { address: to, port } = place === 'proxy' ? { address: undefined, port: undefined } : place
    const address = access.turnAddress(origin, place)
    const turnAt = address === undefined ? 0 : rests.turn(address, site)
    if (turnAt > now()) {
      this.#schedule(host, turnAt)
      return
    }
    if (address !== undefined) rests.occupy(address, now())
    const id = this.#nextId++
    this.#busy.add(host)
    this.#underWay.set(id, { host, site, origin, address })
    send({ site, address: to, port, requests: [{ id, purpose: 'requisite', url }] })
  }

  /** Looks up the address and robots.txt of an origin. */
  #prepare(host: number, site: number, origin: string): void {
    const { access, now, wake } = this.#options
    this.#busy.add(host)
    access.prepare(site, origin, (readiness) => {
      this.#busy.delete(host)
      if (readiness.kind === 'unreachable') {
        if (readiness.error === 'tls') access.lose(origin)
        this.#release(host, now())
        this.#refuse(host, readiness.error)
      } else {
        const freeAt = now() + access.gapAfter(origin, readiness)
        this.#release(host, freeAt)
        const error = readiness.kind === 'later' ? readiness.error : undefined
        // Without a network or a proxy, nothing counts against the host.
        const isOwnError =
          error !== undefined && error !== 'proxy' && !this.#options.reachability.isNetworkDown
        if (isOwnError && this.#isLastAttempt(host)) this.#refuse(host, error)
        this.#schedule(host, freeAt)
      }
      wake()
    })
  }

  /** The result of a request; false if it was not for a requisite. */
  received(result: FetchResult, thread: number): boolean {
    const request = this.#underWay.get(result.id)
    if (request === undefined) return false
    this.#underWay.delete(result.id)
    const { access, rests, reachability, retries, now } = this.#options
    const { host, site, origin, address } = request
    this.#busy.delete(host)
    // Not by the time stamps of the result: the system clock may have been set since.
    const end = now()
    if (address !== undefined) rests.release(address, end)
    if (result.failure === undefined) reachability.reached(site)
    const consequence = consequenceOf(result, (this.#attempts.get(host) ?? 0) + 1, retries)
    let restSeconds = 0
    if (consequence.kind === 'again') {
      restSeconds = consequence.restSeconds
      if (result.failure !== undefined) reachability.unclear(site)
      if (consequence.spent) this.#isLastAttempt(host)
      this.#drop(result, thread)
    } else if (consequence.kind === 'missed') {
      const miss = reachability.missed(site, errorName(result))
      if (miss.kind === 'later') restSeconds = miss.restSeconds
      const isLast = !reachability.isNetworkDown && this.#isLastAttempt(host)
      this.#drop(result, thread)
      if (miss.kind === 'unreachable' || isLast) this.#settle(host, result, errorName(result))
    } else {
      if (result.failure !== undefined) reachability.unclear(site)
      if (consequence.kind === 'unreachable') access.lose(origin)
      const error = consequence.kind === 'fetched' ? undefined : errorName(result)
      if (error === undefined) this.#namesMore(host, result)
      const outcome = this.#settle(host, result, error)
      if (result.failure === undefined) this.#archive(result, thread, outcome)
      else this.#drop(result, thread)
    }
    const gap = access.gapOf(origin, result.durationMs / 1000, restSeconds)
    this.#release(host, end + gap)
    // A page of the site gets its turn first.
    const hasPages = !this.isAlone && !access.isOwn(origin) && this.#options.sites.waiting(site) > 0
    this.#schedule(host, end + gap + (hasPages ? gap + pageTurnSeconds : 0))
    return true
  }

  /** A style sheet names other files, and a redirect its target. */
  #namesMore(host: number, { location, requisites }: FetchResult): void {
    const { queue } = this.#options
    const urls = location ?? requisites
    if (urls !== undefined && urls !== '') this.found(queue.within(queue.firstOf(host)!), urls)
  }

  #archive({ id }: FetchResult, thread: number, outcome: RequisiteOutcome): void {
    this.#archiving.set(id, outcome)
    this.#options.keep(thread, { id })
  }

  #drop({ id, failure }: FetchResult, thread: number): void {
    if (failure === undefined) this.#options.keep(thread, { id, drop: true })
  }

  /** A response was archived; false if it was not that of a requisite. */
  kept({ id, serial, offset, length }: Kept, thread: number): boolean {
    const outcome = this.#archiving.get(id)
    if (outcome === undefined) return id >= idMin
    this.#archiving.delete(id)
    if (serial >= 0) outcome.warc = { thread, serial, offset, length }
    return true
  }

  /** Counts an attempt at the first requisite of a host; true if it was the last. */
  #isLastAttempt(host: number): boolean {
    const attempts = (this.#attempts.get(host) ?? 0) + 1
    this.#attempts.set(host, attempts)
    return attempts >= this.#options.retries.attempts
  }

  #settle(host: number, result: FetchResult, error: string | undefined): RequisiteOutcome {
    const { startMs, durationMs, status, bytes, contentType, location } = result
    const outcome = {
      startMs,
      durationMs: Math.round(durationMs),
      status,
      bytes,
      error,
      contentType,
      location,
    }
    this.#attempts.delete(host)
    this.#options.queue.settle(host, outcome)
    return outcome
  }

  /** The first requisite of a host is not requested. */
  #refuse(host: number, error: string): void {
    this.#attempts.delete(host)
    this.#options.queue.settle(host, unrequested(error))
    if (this.#claimed.has(host)) this.#release(host, 0)
    this.#schedule(host, 0)
  }

  #release(host: number, freeAt: number): void {
    this.#claimed.delete(host)
    this.#options.hosts.release(this.#options.queue.nameOf(host), freeAt)
  }

  #schedule(host: number, dueAt: number): void {
    if (this.#options.queue.firstOf(host) !== undefined) this.#heap.set(host, -dueAt, host)
    else if (this.#claimed.has(host)) this.#release(host, 0)
  }
}

function unrequested(error: string): RequisiteOutcome {
  return { startMs: Date.now(), durationMs: 0, status: 0, bytes: 0, error }
}
