/**
 * Fetches the requisites of a crawl, as side requests (desk/side-requests.ts). They share the limit of connections with the pages.
 *
 * While pages of a site wait, there is time for one of them between two requisites, so a site with many images still gets half of
 * its requests for pages. The rest is fetched when the engine has finished (`isAlone`).
 */
import { SiteHeap } from '../../../engine/site-heap.ts'
import type { Desk } from '../../desk/desk.ts'
import type { RequisiteBudget } from './options.ts'
import { SideClaim, type SideOutcome, type SideResult } from '../../desk/side-requests.ts'
import type { FetchResult } from '../../world/fetch-result.ts'
import type { Kept } from '../../world/messages.ts'
import { errorName } from '../../world/outcome-policy.ts'
import type { RequisiteCounts, RequisiteOutcome, RequisiteQueue } from './requisite-queue.ts'

interface RequisitesOptions {
  readonly queue: RequisiteQueue
  readonly desk: Desk
  readonly budget: () => RequisiteBudget
  /** Whether a page of the crawl has this URL, and whether it still waits. */
  readonly pageOf: (url: string) => 'none' | 'waiting' | 'requested'
  /** Whether the user excludes this URL. */
  readonly isExcluded: (url: string) => boolean
  /** The worker that writes the archive, in a crawl on several machines. */
  readonly worker?: string | undefined
  /** Whether a host belongs to another shard: its gap is kept between workers, but not a longer Crawl-delay. Default: none does. */
  readonly isAway?: ((host: string) => boolean) | undefined
  /** Connections that pages leave to requisites now. */
  readonly connections: () => number
  /** Called if a requisite can be requested earlier than `turn` has returned. */
  readonly wake: () => void
}

/** Time for the engine to request a page, and the wait for a page with the URL of a requisite. */
const pageTurnSeconds = 0.2
const pageSeconds = 1
/** Requisites of a host that are looked at in one turn, to find one that may be requested. */
const lookedMax = 64

export class Requisites {
  readonly #options: RequisitesOptions
  readonly #heap = new SiteHeap()
  /** By host. */
  readonly #claims = new Map<number, SideClaim>()
  /** Hosts with a request under way, or whose address or robots.txt is being looked up. */
  readonly #busy = new Set<number>()
  /** Failed requests of the first requisite of a host. */
  readonly #attempts = new Map<number, number>()
  /** Outcomes that are being archived, by the id of their requests. */
  readonly #archiving = new Map<number, RequisiteOutcome>()
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
    return this.#busy.size
  }

  /** Whether there is anything to wait for: a request under way, or one that may be sent. */
  get isBusy(): boolean {
    return (
      this.#busy.size > 0 ||
      (this.stopped === undefined && !this.isUsedUp && this.#options.queue.waitingCount > 0)
    )
  }

  /** Whether the budget is used up. Requests under way count. */
  get isUsedUp(): boolean {
    const { queue, budget } = this.#options
    const { files, bytes } = budget()
    return queue.requested + this.#busy.size >= files || queue.bytes >= bytes
  }

  /** Requests nothing more. */
  stop(because: 'interrupted' | 'time'): void {
    this.stopped ??= because
    for (const claim of this.#claims.values()) if (!claim.isBusy) claim.release()
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
    const { desk, connections } = this.#options
    while (this.stopped === undefined && !this.isUsedUp && this.#heap.length > 0) {
      if (connections() <= 0) return Infinity
      const host = this.#heap.first()
      const dueAt = -this.#heap.rank(host)
      if (dueAt > desk.now()) return dueAt
      this.#heap.delete(host)
      this.#begin(host)
    }
    // The end of a request leads to the next turn. If none is left, there is nothing to wait for.
    return this.isAlone && !this.isBusy ? 0 : Infinity
  }

  #begin(host: number): void {
    const { queue, desk, wake } = this.#options
    const number = this.#next(host)
    if (number === undefined) return
    const claim = this.#claimOf(host)
    this.#busy.add(host)
    const request = {
      site: desk.sites.numberOf(queue.nameOf(host)),
      url: queue.urlOf(number),
      purpose: 'requisite',
      attempt: (this.#attempts.get(host) ?? 0) + 1,
      isAway: this.#options.isAway?.(queue.nameOf(host)),
    } as const
    claim.attempt(request, (outcome) => {
      this.#busy.delete(host)
      this.#ended(host, outcome)
      wake()
    })
  }

  #claimOf(host: number): SideClaim {
    const known = this.#claims.get(host)
    if (known !== undefined) return known
    const claim = new SideClaim(this.#options.desk)
    claim.onKept = (kept, thread) => this.#kept(kept, thread)
    this.#claims.set(host, claim)
    return claim
  }

  #ended(host: number, outcome: SideOutcome): void {
    if (outcome.kind === 'result') this.#received(host, outcome)
    else if (outcome.kind === 'refused') this.#refuse(host, outcome.error)
    else {
      const { error } = outcome
      // Without a network or a proxy, nothing counts against the host.
      const isOwnError =
        error !== undefined && error !== 'proxy' && !this.#options.desk.reachability.isNetworkDown
      if (isOwnError && this.#isLastAttempt(host)) this.#refuse(host, error)
      this.#schedule(host, outcome.at)
    }
  }

  /** The first requisite of a host that may be requested; undefined if the host has to wait, or none is left. */
  #next(host: number): number | undefined {
    const { queue, pageOf, desk } = this.#options
    for (let looked = 0; looked < lookedMax; looked++) {
      const number = queue.firstOf(host)
      if (number === undefined) {
        this.#forget(host)
        return undefined
      }
      const page = pageOf(queue.urlOf(number))
      if (page === 'none' || (page === 'waiting' && this.isAlone)) return number
      this.#attempts.delete(host)
      if (page === 'waiting') queue.moveBack(host)
      else queue.settle(host, unrequested('page'))
    }
    this.#claims.get(host)?.release()
    this.#schedule(host, desk.now() + pageSeconds)
    return undefined
  }

  #received(host: number, { result, thread, consequence, miss, end, gapSeconds }: SideResult): void {
    const { queue, desk } = this.#options
    const isDown = desk.reachability.isNetworkDown
    if (consequence.kind === 'again') {
      if (consequence.spent) this.#isLastAttempt(host)
      this.#drop(result, thread)
    } else if (consequence.kind === 'missed') {
      const isLast = !isDown && this.#isLastAttempt(host)
      if (miss?.kind === 'unreachable' || isLast) this.#settle(host, result, errorName(result))
    } else {
      const error = consequence.kind === 'fetched' ? undefined : errorName(result)
      if (error === undefined) this.#namesMore(host, result)
      const outcome = this.#settle(host, result, error)
      if (result.failure === undefined) this.#archive(result, thread, outcome)
    }
    // A page of the site gets its turn first.
    const site = desk.sites.numberOf(queue.nameOf(host))
    const hasPages =
      !this.isAlone && !desk.sites.isOwnHost(queue.nameOf(host)) && desk.sites.waiting(site) > 0
    this.#schedule(host, end + gapSeconds + (hasPages ? gapSeconds + pageTurnSeconds : 0))
  }

  /** A style sheet names other files, and a redirect its target. */
  #namesMore(host: number, { location, requisites }: FetchResult): void {
    const { queue } = this.#options
    const urls = location ?? requisites
    if (urls !== undefined && urls !== '') this.found(queue.within(queue.firstOf(host)!), urls)
  }

  #archive({ id }: FetchResult, thread: number, outcome: RequisiteOutcome): void {
    this.#archiving.set(id, outcome)
    this.#options.desk.line.keep(thread, { id })
  }

  #drop({ id, failure }: FetchResult, thread: number): void {
    if (failure === undefined) this.#options.desk.line.keep(thread, { id, drop: true })
  }

  #kept({ id, serial, offset, length }: Kept, thread: number): void {
    const outcome = this.#archiving.get(id)
    this.#archiving.delete(id)
    const { worker } = this.#options
    if (outcome !== undefined && serial >= 0) outcome.warc = { worker, thread, serial, offset, length }
  }

  /** Counts an attempt at the first requisite of a host; true if it was the last. */
  #isLastAttempt(host: number): boolean {
    const attempts = (this.#attempts.get(host) ?? 0) + 1
    this.#attempts.set(host, attempts)
    return attempts >= this.#options.desk.retries.attempts
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
    this.#claims.get(host)?.release()
    this.#schedule(host, 0)
  }

  #schedule(host: number, dueAt: number): void {
    if (this.#options.queue.firstOf(host) !== undefined) this.#heap.set(host, -dueAt, host)
    else this.#forget(host)
  }

  /** A host without requisites needs no claim. */
  #forget(host: number): void {
    this.#claims.get(host)?.release()
    this.#claims.delete(host)
  }
}

function unrequested(error: string): RequisiteOutcome {
  return { startMs: Date.now(), durationMs: 0, status: 0, bytes: 0, error }
}
