/**
 * The real web: pages over HTTP, under the real clock. It executes the engine's decisions and reports their
 * outcomes. Politeness, robots.txt and the user's limits are applied here, when a page is due.
 *
 *   fetch ──▶ site known? ──▶ robots.txt? limits? ──▶ fetch thread ──▶ outcome ──▶ deliver
 *               │ no: address and robots.txt first; the pages are postponed
 */
import type { FailureCause, World, WorldListener } from '../../engine/world.ts'
import { gapSeconds } from '../../engine/politeness.ts'
import type { Place } from './addresses.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FetchRequest } from './fetch/http-request.ts'
import { OpenConnections } from './open-connections.ts'
import { PageOutcomes } from './page-outcomes.ts'
import { PagePermission } from './page-permission.ts'
import type { RealWorldOptions } from './real-world-options.ts'
import { originOf, type Readiness } from './site-access.ts'
import type { WorldEvent } from './world-event.ts'

/** After this time without a pause, signals, timers and messages of threads get their turn. Tests change it. */
export const turns = { msMax: 20 }

export class RealWorld implements World {
  readonly #options: RealWorldOptions
  readonly #permission: PagePermission
  readonly #connections: OpenConnections
  readonly #outcomes: PageOutcomes
  #events: WorldEvent[] = []
  #wake: (() => void) | undefined
  /** Set if `wake` was called during a turn. */
  #isWoken = false
  #failure: Error | undefined
  #pausedAt = performance.now()

  constructor(options: RealWorldOptions) {
    this.#options = options
    this.#permission = new PagePermission(options)
    this.#connections = new OpenConnections(options)
    this.#outcomes = new PageOutcomes(options, this.#connections)
  }

  now(): number {
    return this.#options.now()
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Sites with a connection that is open or about to be. */
  get openSites(): Iterable<number> {
    return this.#connections.sites
  }

  isOpen(site: number): boolean {
    return this.#connections.has(site)
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
    const { sites, access, reachability, hosts, proxies, looks } = this.#options
    for (let i = 0; i < count; i++) if (!this.#isHeld(pages[i])) sites.removeWaiting(site)
    const asked = [...pages.subarray(0, count)]
    const origin = originOf(this.#options.pages.url(asked[0]))
    const reason = reachability.reasonOf(site)
    if (reason !== undefined || access.isLost(origin)) {
      // Pages of another origin are requested later.
      for (const page of asked) {
        const isHere = reason !== undefined || originOf(this.#options.pages.url(page)) === origin
        if (isHere) this.#refuse(page, 'unreachable', reason ?? 'tls')
        else this.#postpone(site, page)
      }
      this.#close(site, sites.freeAt(site))
      return
    }
    const heldUntil = Math.max(
      reachability.heldUntil(site) ?? 0,
      sites.isOwn(site) ? 0 : hosts.restOf(sites.name(site)),
      proxies?.freeAt() ?? 0,
      this.#firstRest(site, origin),
    )
    if (heldUntil > this.now()) {
      reachability.unclear(site)
      const isFailed = looks?.failsUnreachable === true && sites.isMissing(site)
      for (const page of asked) {
        if (isFailed && this.#isHeld(page)) this.#refuse(page, 'unreachable', 'site-unreachable')
        else this.#postpone(site, page)
      }
      this.#close(site, isFailed ? this.now() : heldUntil)
      return
    }
    const place = access.placeOf(origin)
    if (place === undefined) this.#prepare(site, origin, asked)
    else this.#send(site, origin, place, asked)
  }

  /** When a site may be requested that the worker before this one may have requested last. */
  #firstRest(site: number, origin: string): number {
    const { unknownUntil, sites, access, wait, waitFactor } = this.#options
    // A site that was requested since then has its own rest.
    if (unknownUntil === undefined || sites.freeAt(site) > 0) return 0
    const crawlDelaySeconds = access.rulesOf(origin).gapSeconds
    const gap = gapSeconds({ wait, waitFactor, tookSeconds: 0, crawlDelaySeconds, restSeconds: 0 })
    return unknownUntil + gap
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

  received(result: FetchResult, thread: number): void {
    const { proxies, cookies } = this.#options
    proxies?.took(result)
    const isNew = result.setCookies !== undefined && cookies?.take(result.setCookies) === true
    if (result.purpose === 'page') {
      const beginsSession = isNew && result.location !== undefined
      this.#pageReceived(beginsSession ? { ...result, beginsSession } : result, thread)
      return
    }
    if (this.#options.requisites?.received(result, thread) === true) return
    if (this.#options.isArchived && result.failure === undefined) {
      // Every version of a sitemap or feed is archived once.
      const drop = this.#options.sources?.isUnchanged(result) === true
      this.#options.threads.keep(thread, { id: result.id, drop })
    }
    if (result.purpose === 'robots') this.#options.access.received(result)
    else if (this.#options.sources?.received(result) !== true) this.#options.sitemaps.received(result)
  }

  slow(id: number, thread: number): void {
    const site = this.#connections.slow(id, thread)
    if (site !== undefined) this.#events.push({ kind: 'slow', site })
  }

  #pageReceived(result: FetchResult, thread: number): void {
    const { topic, handler, pages } = this.#options
    const arrive = (arrived: FetchResult): void =>
      void this.#events.push({ kind: 'result', result: arrived, thread })
    const arriveLate = (arrived: FetchResult): void => {
      arrive(arrived)
      this.wake()
    }
    const handle = (): void => {
      if (handler === undefined) return arriveLate(result)
      handler.handled(result, this.#outcomes.isNewContent(result), arriveLate)
    }
    if (topic?.hasScorer === true) topic.scored(result, pages.url(result.id), handle)
    else if (handler === undefined) arrive(result)
    else handle()
  }

  deliver(listener: WorldListener): void {
    if (this.#failure !== undefined) throw this.#failure
    const events = this.#events
    this.#events = []
    this.#options.sources?.deliver(listener)
    for (const event of events) {
      switch (event.kind) {
        case 'result':
          this.#outcomes.settle(event.result, event.thread, listener)
          break
        case 'refused':
          this.#outcomes.refused(event.page, event.cause, event.error, event.text, listener)
          break
        case 'postponed':
          this.#options.watch.postponed(event.page)
          listener.postponed(event.page, event.last)
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
    const { sources, requisites } = this.#options
    const sourceDue = Math.min(sources?.turn() ?? Infinity, requisites?.turn() ?? Infinity)
    this.#options.threads.flush()
    this.#isWoken = false
    const hold = this.#options.turn()
    if (hold !== undefined) return hold
    const hasNews = this.#isWoken || this.#events.length > 0 || sources?.hasNews === true
    if (hasNews || this.#failure !== undefined) return this.#pause()
    // The crawl ends then, at the next turn; requests in flight are still awaited.
    const endsAt = Math.max(this.#options.reachability.endsAt(), this.now() + 0.05)
    const until = Math.min(due, endsAt, sourceDue)
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
    this.#connections.open(site, origin, undefined, pages)
    this.#options.access.prepare(site, origin, (readiness) => this.#prepared(site, origin, pages, readiness))
  }

  #prepared(site: number, origin: string, pages: readonly number[], readiness: Readiness): void {
    const { access, watch, sites } = this.#options
    if (readiness.kind === 'unreachable') {
      if (readiness.error === 'tls') access.lose(origin)
      for (const page of pages) this.#refuse(page, 'unreachable', readiness.error, readiness.text)
    } else {
      if (readiness.kind === 'later' && readiness.error !== undefined) watch.missed(readiness.error)
      for (const page of pages) this.#postpone(site, page)
    }
    const restSeconds = readiness.kind === 'later' ? readiness.restSeconds : 0
    if (readiness.kind !== 'unreachable' && readiness.wasAsked) {
      const isAnswer = readiness.kind === 'ready' || readiness.error === undefined
      if (isAnswer && this.#connections.answered(site)) this.#events.push({ kind: 'proven', site })
      this.#close(site, this.#connections.close(site, this.now(), 0, restSeconds))
    } else {
      this.#connections.drop(site)
      this.#close(site, Math.max(sites.freeAt(site), this.now() + restSeconds))
    }
    this.wake()
  }

  /** Requests those of the pages that are permitted, on one connection. */
  #send(site: number, origin: string, place: Place | 'proxy', pages: readonly number[]): void {
    const { rests, sites, reachability } = this.#options
    const isOwn = sites.isOwn(site)
    // An address rests between sites that share it, except for those of the user's own.
    const address = place === 'proxy' || isOwn ? undefined : place.address
    const freeAt = address === undefined ? 0 : rests.turn(address, site)
    if (freeAt > this.now()) {
      reachability.unclear(site)
      for (const page of pages) this.#postpone(site, page)
      this.#close(site, freeAt)
      return
    }
    const requests = this.#requests(site, origin, pages)
    if (requests.length === 0) {
      reachability.unclear(site)
      this.#close(site, sites.freeAt(site))
      return
    }
    if (address !== undefined) rests.occupy(address, this.now())
    const asked = requests.map(({ id }) => id)
    this.#connections.open(site, origin, address, asked)
    this.#options.threads.fetch({
      site,
      address: place === 'proxy' ? undefined : place.address,
      port: place === 'proxy' ? undefined : place.port,
      channel: isOwn ? site : undefined,
      requests,
    })
  }

  #requests(site: number, origin: string, pages: readonly number[]): FetchRequest[] {
    const { access, sites, watch, maxDepth, looks } = this.#options
    const rules = access.rulesOf(origin)
    const requests: FetchRequest[] = []
    for (const page of pages) {
      const url = this.#options.pages.url(page)
      if (!url.startsWith(origin) || originOf(url) !== origin) {
        this.#postpone(site, page)
        continue
      }
      const isHeld = this.#isHeld(page)
      const isRetry = isHeld || this.#outcomes.isRetry(page)
      const permission = this.#permission.of(page, url, url.slice(origin.length), site, rules, isRetry)
      if (permission.kind === 'refuse') this.#refuse(page, permission.cause, permission.error)
      else if (permission.kind === 'last') this.#postpone(site, page, true)
      else {
        if (!isRetry) sites.ask(site)
        watch.sent(page)
        const leaf = this.#options.pages.depth(page) >= maxDepth
        const conditions = isHeld ? looks?.conditions(page, site) : undefined
        requests.push({ id: page, purpose: 'page', url, ...(leaf ? { leaf } : {}), ...conditions })
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

  #postpone(site: number, page: number, last = false): void {
    if (!this.#isHeld(page)) this.#options.sites.addWaiting(site)
    this.#events.push({ kind: 'postponed', page, last })
  }

  #close(site: number, freeAt: number): void {
    this.#events.push({ kind: 'closed', site, freeAt })
  }
}
