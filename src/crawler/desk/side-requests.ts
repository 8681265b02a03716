/**
 * Requests that are not for pages: sitemaps, feeds, requisites. They follow the rules for pages, and claim their host:
 *
 *   due ─▶ host claimed ─▶ the page under way ends, the site rests ─▶ request ─▶ the host rests ─▶ released
 *
 * A claimed host gets no requests for pages, otherwise a site with many waiting pages would never be free for another
 * request. Who sends such requests decides which and how many; the desk decides when.
 */
import type { FetchResult } from '../world/fetch-result.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import type { Kept } from '../world/messages.ts'
import { consequenceOf, errorName, requestedRest, type Consequence } from '../world/outcome-policy.ts'
import type { Desk, Ruling, Target } from './desk.ts'
import type { Miss } from './reachability.ts'
import { originOf, type Readiness } from './site-access.ts'
import type { Owner } from './wire.ts'

interface SideRequest extends Pick<FetchRequest, 'purpose' | 'url' | 'etag' | 'lastModified' | 'wantsBody'> {
  /** The site of the URL. */
  readonly site: number
  /** The number of this attempt, from 1, for the back-off. Default: 1. */
  readonly attempt?: number | undefined
  /** Whether it is sent although the Crawl-delay of the site is too long to wait for. Default: no. */
  readonly isFirst?: boolean | undefined
  /** Whether it belongs to the page that has the connection of its site, which waits for it. Default: no. */
  readonly isWithin?: boolean | undefined
  /** Whether its host belongs to another shard, so that only the usual gap is kept by all workers together. Default: no. */
  readonly isAway?: boolean | undefined
  /** Whether its host stays claimed after the response, without a rest: the gap is left to the sender. Default: no. */
  readonly isHeld?: boolean | undefined
}

/** Why a request was not sent. */
type NotSent =
  /** It may be tried again at this time. `error`: its robots.txt or its address could not be had. */
  | { readonly kind: 'later'; readonly at: number; readonly error?: string | undefined }
  /** It must not be tried again. */
  | { readonly kind: 'refused'; readonly error: string }

/** What became of an attempt to send it. */
export type SideOutcome = NotSent | SideResult
export type Preparation = NotSent | { readonly kind: 'ready' }

export interface SideResult {
  readonly kind: 'result'
  readonly result: FetchResult
  readonly thread: number
  readonly consequence: Consequence
  /** The consequence of a failed connection; undefined if it was opened. */
  readonly miss: Miss | undefined
  /** When it ended, by the clock of the crawl, and the gap after it. */
  readonly end: number
  readonly gapSeconds: number
}

/** A place in line for one request at a time. */
export class SideClaim implements Owner {
  readonly #desk: Desk
  /** The claimed host; undefined if there is no claim. */
  #claimed: string | undefined
  #underWay: UnderWay | undefined
  #isBusy = false
  /** Called with the place in the archive of the last response. */
  onKept: ((kept: Kept, thread: number) => void) | undefined

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Whether a request is under way, or its address or robots.txt is being looked up. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  get isClaimed(): boolean {
    return this.#claimed !== undefined
  }

  /** Tries to send a request. `done` is called once, maybe before this returns. */
  attempt(request: SideRequest, done: (outcome: SideOutcome) => void): void {
    const origin = originOf(request.url)
    this.#reach(request, done, ({ target, address }) => {
      const error = this.#refusalOf(request, origin)
      if (error !== undefined) {
        this.#desk.reachability.unclear(request.site)
        this.release()
        done({ kind: 'refused', error })
      } else this.#send(request, origin, target, address, done)
    })
  }

  /** Looks up the address and robots.txt of a URL's origin, without another request. */
  prepare(request: Pick<SideRequest, 'site' | 'url'>, done: (outcome: Preparation) => void): void {
    this.#reach(request, done, () => {
      this.#desk.reachability.unclear(request.site)
      this.release()
      done({ kind: 'ready' })
    })
  }

  #reach(
    { site, url, isWithin }: Pick<SideRequest, 'site' | 'url' | 'isWithin'>,
    done: (outcome: NotSent) => void,
    go: (ruling: Extract<Ruling, { kind: 'go' }>) => void,
  ): void {
    const desk = this.#desk
    const origin = originOf(url)
    const { isClaimed } = this
    const ruling = desk.ruling({ site, origin, isSide: true, isClaimed, isWithin })
    if (ruling.kind === 'refuse') {
      this.release()
      done({ kind: 'refused', error: ruling.error })
      return
    }
    if (ruling.kind === 'wait' && !ruling.isNext) this.release()
    else if (!isClaimed && isWithin !== true) this.#claim(site, origin)
    if (ruling.kind === 'go') go(ruling)
    else if (ruling.kind === 'wait') done({ kind: 'later', at: ruling.until })
    else {
      this.#isBusy = true
      desk.prepare(site, origin, (readiness) => this.#prepared(origin, readiness, done))
    }
  }

  #refusalOf({ url, isFirst, isAway }: SideRequest, origin: string): string | undefined {
    const desk = this.#desk
    if (!desk.allows(origin, url.slice(origin.length))) return 'robots'
    if (isAway === true && desk.gap(origin, 0, 0) > desk.waits().wait) return 'crawl-delay'
    return isFirst !== true && desk.isTooSlow(origin) ? 'crawl-delay' : undefined
  }

  #send(
    request: SideRequest,
    origin: string,
    target: Target,
    address: string | undefined,
    done: (outcome: SideOutcome) => void,
  ): void {
    const { site, purpose, url, etag, lastModified, wantsBody } = request
    const desk = this.#desk
    this.#isBusy = true
    this.#underWay = { request, origin, address, done }
    const id = desk.line.request(this, 0)
    desk.send({ site, requests: [{ id, purpose, url, etag, lastModified, wantsBody }] }, target, address)
    desk.line.flush()
  }

  /** The address and robots.txt of its origin are known, or not. The request itself comes next. */
  #prepared(origin: string, readiness: Readiness, done: (outcome: NotSent) => void): void {
    const now = this.#desk.now()
    this.#isBusy = false
    if (readiness.kind === 'unreachable') {
      this.release(now + this.#desk.gap(origin, 0, 0))
      done({ kind: 'refused', error: readiness.error })
      return
    }
    const restSeconds = readiness.kind === 'later' ? readiness.restSeconds : 0
    const gap = readiness.wasAsked ? this.#desk.gap(origin, 0, restSeconds) : restSeconds
    this.release(now + gap)
    const error = readiness.kind === 'later' ? readiness.error : undefined
    done({ kind: 'later', at: now + gap, error })
  }

  received(_subject: number, result: FetchResult, thread: number): void {
    const { request, origin, address, done } = this.#underWay!
    const desk = this.#desk
    this.#isBusy = false
    this.#underWay = undefined
    // Not by the time stamps of the result: the system clock may have been set since.
    const end = desk.now()
    desk.release(address, end)
    const { consequence, miss, restSeconds } = this.#settled(request, origin, result)
    const gapSeconds = desk.gap(origin, result.durationMs / 1000, restSeconds)
    if (request.isHeld !== true) {
      // A host of the user's own was not claimed, and rests only if it said so.
      if (!this.isClaimed && gapSeconds > 0)
        desk.hosts.release(desk.sites.name(request.site), end + gapSeconds)
      this.release(end + gapSeconds)
    }
    done({ kind: 'result', result, thread, consequence, miss, end, gapSeconds })
  }

  /** What the response says about its site. */
  #settled(
    { site, attempt = 1 }: SideRequest,
    origin: string,
    result: FetchResult,
  ): { consequence: Consequence; miss: Miss | undefined; restSeconds: number } {
    const { reachability, access, retries } = this.#desk
    const consequence = consequenceOf(result, attempt, retries)
    const miss = consequence.kind === 'missed' ? reachability.missed(site, errorName(result)) : undefined
    if (result.failure === undefined) reachability.reached(site)
    else if (miss === undefined) reachability.unclear(site)
    if (consequence.kind === 'unreachable') access.lose(origin)
    const backOff = consequence.kind === 'again' ? consequence : miss?.kind === 'later' ? miss : noRest
    const restSeconds = Math.max(backOff.restSeconds, requestedRest(result) ?? 0)
    return { consequence, miss, restSeconds }
  }

  kept(_subject: number, kept: Kept, thread: number): void {
    this.onKept?.(kept, thread)
  }

  #claim(site: number, origin: string): void {
    // Hosts of the user's own have room for other connections.
    if (this.#desk.isOwn(origin)) return
    this.#claimed = this.#desk.sites.name(site)
    this.#desk.hosts.occupy(this.#claimed)
  }

  /** Gives back the claimed host; it rests until `freeAt`. */
  release(freeAt = 0): void {
    if (this.#claimed !== undefined) this.#desk.hosts.release(this.#claimed, freeAt)
    this.#claimed = undefined
  }
}

interface UnderWay {
  readonly request: SideRequest
  readonly origin: string
  readonly address: string | undefined
  readonly done: (outcome: SideOutcome) => void
}

const noRest = { restSeconds: 0 }
