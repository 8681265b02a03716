/**
 * The real web: pages over HTTP, under the real clock. It executes the engine's decisions and reports their
 * outcomes. Whether a page may be requested when it is due, the desk decides (desk/desk.ts) and the user's limits.
 *
 *   fetch ──▶ desk: may it be requested? ──▶ limits? ──▶ fetch thread ──▶ outcome ──▶ deliver
 *               │ address and robots.txt first; the pages are postponed
 */
import type { FailureCause, Postponement, World, WorldListener } from '../../engine/world.ts'
import type { Ruling } from '../desk/desk.ts'
import { originOf, type Readiness } from '../desk/site-access.ts'
import type { Owner } from '../desk/wire.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import type { Kept } from './messages.ts'
import { PageOutcomes } from './page-outcomes.ts'
import { PagePermission } from './page-permission.ts'
import type { RealWorldOptions } from './real-world-options.ts'
import { ResponseEnds } from './response-ends.ts'

/** Events that the real world reports to the engine at its next delivery. */
type WorldEvent =
  | {
      readonly kind: 'result'
      readonly page: number
      readonly result: FetchResult
      /** When its response ended, by the clock of the crawl. */
      readonly endedAt: number
      readonly thread: number
    }
  | {
      readonly kind: 'refused'
      readonly page: number
      readonly cause: FailureCause
      readonly error: string
      readonly text: string | undefined
    }
  | { readonly kind: 'postponed'; readonly page: number; readonly why: Postponement }
  | { readonly kind: 'proven' | 'slow'; readonly site: number }
  | { readonly kind: 'closed'; readonly site: number; readonly freeAt: number }

/** After this time without a pause, signals, timers and messages of threads get their turn. Tests change it. */
export const turns = { msMax: 20 }

export class RealWorld implements World, Owner {
  readonly #options: RealWorldOptions
  readonly #permission: PagePermission
  readonly #outcomes: PageOutcomes
  readonly #ends: ResponseEnds
  #events: WorldEvent[] = []
  #wake: (() => void) | undefined
  /** Set if `wake` was called during a turn. */
  #isWoken = false
  #failure: Error | undefined
  #pausedAt = performance.now()

  constructor(options: RealWorldOptions) {
    this.#options = options
    this.#permission = new PagePermission(options)
    this.#outcomes = new PageOutcomes(options)
    this.#ends = new ResponseEnds(() => options.desk.now())
  }

  now(): number {
    return this.#options.desk.now()
  }

  /** Number of sites with a connection that is open or about to be. */
  get connections(): number {
    return this.#options.desk.connections.size
  }

  /** Whether `deliver` has anything to report. */
  get hasNews(): boolean {
    return this.#events.length > 0 || this.#failure !== undefined
  }

  /** A page that failed in an earlier session is requested again; it already counts as requested. */
  retry(page: number): void {
    this.#outcomes.retry(page)
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    const { sites, desk } = this.#options
    for (let i = 0; i < count; i++) if (!this.#isHeld(pages[i])) sites.removeWaiting(site)
    const asked = [...pages.subarray(0, count)]
    const origin = originOf(this.#options.pages.url(asked[0]))
    const ruling = desk.ruling({ site, origin })
    switch (ruling.kind) {
      case 'refuse':
        this.#refuseAll(site, origin, asked, ruling)
        break
      case 'wait':
        this.#postponeAll(site, asked, ruling)
        break
      case 'prepare':
        this.#prepare(site, origin, asked)
        break
      case 'go':
        this.#send(site, origin, asked, ruling)
    }
  }

  #refuseAll(
    site: number,
    origin: string,
    pages: readonly number[],
    { error, because }: Extract<Ruling, { kind: 'refuse' }>,
  ): void {
    for (const page of pages) {
      // Pages of another origin are requested later.
      const isHere = because === 'unreachable' || originOf(this.#options.pages.url(page)) === origin
      if (isHere) this.#refuse(page, 'unreachable', error)
      else this.#postpone(site, page)
    }
    this.#close(site, this.#options.sites.freeAt(site))
  }

  #postponeAll(
    site: number,
    pages: readonly number[],
    { until, because }: Extract<Ruling, { kind: 'wait' }>,
  ): void {
    const { looks, sites } = this.#options
    const isAway = because === 'backOff' || because === 'outage'
    const isFailed = isAway && looks?.failsUnreachable === true && sites.isMissing(site)
    for (const page of pages) {
      if (isFailed && this.#isHeld(page)) this.#refuse(page, 'unreachable', 'site-unreachable')
      else this.#postpone(site, page)
    }
    this.#close(site, isFailed ? this.now() : until)
  }

  /** The crawl cannot continue: rejects the pending wait. */
  fail(error: Error): void {
    this.#failure ??= error
    this.wake()
  }

  wake(): void {
    this.#isWoken = true
    this.#wake?.()
    this.#wake = undefined
    this.#options.onWake?.()
  }

  /** The result of a request for a page. */
  received(page: number, result: FetchResult, thread: number): void {
    const { stations } = this.#options.parts
    // The gap of its site begins here, not when the last station is done.
    const endedAt = this.#ends.endOf(result)
    if (stations.count === 0) {
      this.#events.push({ kind: 'result', page, result, endedAt, thread })
      return
    }
    stations.pass(
      { page, result, isNewContent: () => this.#outcomes.isNewContent(page, result) },
      (arrived) => {
        this.#events.push({ kind: 'result', page, result: arrived, endedAt, thread })
        this.wake()
      },
      (error) => this.fail(error),
    )
  }

  slow(page: number, id: number, thread: number): void {
    const { desk } = this.#options
    const site = desk.connections.siteWith(page)
    if (site !== undefined) desk.slow(site, id, thread)
  }

  /** The connection of a site has become slow. */
  slowed(site: number): void {
    this.#events.push({ kind: 'slow', site })
  }

  kept(page: number, kept: Kept, thread: number): void {
    this.#options.watch.kept(page, kept, thread)
  }

  deliver(listener: WorldListener): void {
    if (this.#failure !== undefined) throw this.#failure
    const events = this.#events
    this.#events = []
    this.#options.parts.deliver(listener)
    for (const event of events) {
      switch (event.kind) {
        case 'result':
          this.#outcomes.settle(event.page, event.result, event.endedAt, event.thread, listener)
          break
        case 'refused':
          this.#outcomes.refused(event.page, event.cause, event.error, event.text, listener)
          break
        case 'postponed':
          this.#options.watch.postponed(event.page)
          listener.postponed(event.page, event.why)
          break
        case 'proven':
          listener.proven(event.site)
          break
        case 'slow':
          listener.slow(event.site)
          break
        case 'closed':
          listener.closed(event.site, event.freeAt)
      }
    }
  }

  wait(due: number): Promise<void> | undefined {
    const { parts } = this.#options
    const partsDue = parts.turn()
    this.#options.desk.line.flush()
    this.#isWoken = false
    const hold = this.#options.turn() ?? parts.full()
    if (hold !== undefined) return hold
    const hasNews = this.#isWoken || this.#events.length > 0 || parts.hasNews
    if (hasNews || this.#failure !== undefined) return this.#pause()
    // The crawl ends then, at the next turn; requests in flight are still awaited.
    const endsAt = Math.max(this.#options.desk.reachability.endsAt(), this.now() + 0.05)
    const until = Math.min(due, endsAt, partsDue)
    const delayMs = Math.min(1000 * (until - this.now()), 60_000)
    if (delayMs <= 0) return this.#pause()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), Math.ceil(delayMs))
      this.#wake = () => {
        clearTimeout(timer)
        this.#pausedAt = performance.now()
        resolve()
      }
    })
  }

  /** Thousands of pages in a row may need no request, such as those that robots.txt forbids. */
  #pause(): Promise<void> | undefined {
    const now = performance.now()
    if (now - this.#pausedAt < turns.msMax) return undefined
    this.#pausedAt = now
    return new Promise((resolve) => setImmediate(resolve))
  }

  #prepare(site: number, origin: string, pages: readonly number[]): void {
    const { desk } = this.#options
    desk.connections.open(site, origin, undefined, pages)
    desk.prepare(site, origin, (readiness) => this.#prepared(site, pages, readiness))
  }

  #prepared(site: number, pages: readonly number[], readiness: Readiness): void {
    const { desk, watch, sites } = this.#options
    if (readiness.kind === 'unreachable') {
      for (const page of pages) this.#refuse(page, 'unreachable', readiness.error, readiness.text)
    } else {
      if (readiness.kind === 'later' && readiness.error !== undefined) watch.missed(readiness.error)
      for (const page of pages) this.#postpone(site, page)
    }
    const restSeconds = readiness.kind === 'later' ? readiness.restSeconds : 0
    if (readiness.kind !== 'unreachable' && readiness.wasAsked) {
      const isAnswer = readiness.kind === 'ready' || readiness.error === undefined
      if (isAnswer && desk.connections.answered(site)) this.#events.push({ kind: 'proven', site })
      this.#close(site, desk.close(site, this.now(), 0, restSeconds))
    } else {
      desk.connections.take(site)
      this.#close(site, Math.max(sites.freeAt(site), this.now() + restSeconds))
    }
    this.wake()
  }

  /** Requests those of the pages that are permitted, on one connection. */
  #send(
    site: number,
    origin: string,
    pages: readonly number[],
    { target, address }: Extract<Ruling, { kind: 'go' }>,
  ): void {
    const { sites, desk } = this.#options
    const asked: number[] = []
    const requests = this.#requests(site, origin, pages, asked)
    if (requests.length === 0) {
      desk.reachability.unclear(site)
      this.#close(site, sites.freeAt(site))
      return
    }
    desk.connections.open(site, origin, address, asked)
    desk.send({ site, channel: desk.isOwn(origin) ? site : undefined, requests }, target, address)
  }

  /** `asked` gets the pages of the requests. */
  #requests(site: number, origin: string, pages: readonly number[], asked: number[]): FetchRequest[] {
    const { desk, sites, watch, maxDepth, looks } = this.#options
    const requests: FetchRequest[] = []
    for (const page of pages) {
      const url = this.#options.pages.url(page)
      if (!url.startsWith(origin) || originOf(url) !== origin) {
        this.#postpone(site, page)
        continue
      }
      const isHeld = this.#isHeld(page)
      const isRetry = isHeld || this.#outcomes.isRetry(page)
      const permission = this.#permission.of(page, url, origin, site, isRetry)
      if (permission.kind === 'refuse')
        this.#refuse(page, permission.cause, permission.error, permission.text)
      else if (permission.kind === 'last') this.#postpone(site, page, 'last')
      else if (permission.kind === 'later') this.#postpone(site, page)
      else {
        if (!isRetry) sites.ask(site)
        watch.sent(page)
        asked.push(page)
        const leaf = this.#options.pages.depth(page) >= maxDepth
        const conditions = isHeld ? looks?.conditions(page, site) : undefined
        const id = desk.line.request(this, page)
        requests.push({ id, purpose: 'page', url, ...(leaf ? { leaf } : {}), ...conditions })
      }
    }
    return requests
  }

  #isHeld(page: number): boolean {
    return this.#options.looks?.isHeld(page) === true
  }

  #refuse(page: number, cause: FailureCause, error: string, text?: string): void {
    this.#events.push({ kind: 'refused', page, cause, error, text })
  }

  #postpone(site: number, page: number, why: Postponement = 'turn'): void {
    if (!this.#isHeld(page)) this.#options.sites.addWaiting(site)
    this.#events.push({ kind: 'postponed', page, why })
  }

  #close(site: number, freeAt: number): void {
    this.#events.push({ kind: 'closed', site, freeAt })
  }
}
