/**
 * The real web: pages over HTTP, under the real clock. It carries out what the engine decides and tells what came of it;
 * whatever politeness, robots.txt and the user's limits have to say is said here, at the moment when a page is due.
 *
 *   fetch ──▶ site known? ──▶ robots.txt? limits? ──▶ fetch thread ──▶ outcome ──▶ deliver
 *               │ no: address and robots.txt first, and the pages wait again
 */
import { readingWithout } from '../../engine/reading.ts'
import type { FailureCause, World, WorldListener } from '../../engine/world.ts'
import { gapSeconds } from '../../engine/politeness.ts'
import { assert } from '../../lib/assert.ts'
import type { Place } from './addresses.ts'
import { ConnectionPace } from './connection-pace.ts'
import { Copies, copyNote, leadsOn, noCopy } from './copies.ts'
import type { Came, FetchRequest } from './messages.ts'
import { consequenceOf, errorName, isTemporary } from './outcome-policy.ts'
import { PageLinks } from './page-links.ts'
import { PagePermission } from './page-permission.ts'
import { RedirectChains } from './redirect-chains.ts'
import type { RealWorldOptions, WorldWatch } from './real-world-options.ts'
import { originOf, type Readiness } from './site-access.ts'
import { noteForTraps } from './trap-notes.ts'
import { siteOf } from './url/site.ts'
import type { Connection, WorldEvent } from './world-event.ts'

export class RealWorld implements World {
  readonly #options: RealWorldOptions
  readonly #links: PageLinks
  readonly #permission: PagePermission
  readonly #copies: Copies
  readonly #chains: RedirectChains
  readonly #pace: ConnectionPace
  readonly #connections = new Map<number, Connection>()
  readonly #attempts = new Map<number, number>()
  #events: WorldEvent[] = []
  #wake: (() => void) | undefined
  #failure: Error | undefined

  constructor(options: RealWorldOptions) {
    this.#options = options
    this.#links = new PageLinks(options.pages, options.countsOutside)
    this.#pace = new ConnectionPace({
      slowMax: options.slowMax,
      cut: (thread, id) => options.threads.cut(thread, id),
    })
    this.#permission = new PagePermission(options)
    this.#copies = new Copies(options.content, options.near, {
      siteOf: (page) => options.sites.numberOf(siteOf(options.pages.url(page)) ?? ''),
      parentOf: (page) => options.pages.found(page).parent,
      isRedirect: (page) => options.watch.isRedirect(page),
      isSiteCopy: (page) => options.watch.isSiteCopy(page),
      linkPrint: (page) => options.watch.linkPrint(page),
    })
    this.#chains = new RedirectChains(options.pages, (page) => options.watch.isRedirect(page))
  }

  now(): number {
    return this.#options.now()
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Sites with a connection open, or about to be. */
  get openSites(): Iterable<number> {
    return this.#connections.keys()
  }

  isOpen(site: number): boolean {
    return this.#connections.has(site)
  }

  /** A page that failed in an earlier session is requested again; it counts as requested already. */
  retry(page: number): void {
    this.#attempts.set(page, 0)
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    const { sites, access, reachability, hosts } = this.#options
    for (let i = 0; i < count; i++) sites.removeWaiting(site)
    const asked = [...pages.subarray(0, count)]
    const origin = originOf(this.#options.pages.url(asked[0]))
    const reason = reachability.reasonOf(site)
    if (reason !== undefined || access.isLost(origin)) {
      // Those of another origin have their turn later.
      for (const page of asked) {
        const isHere = reason !== undefined || originOf(this.#options.pages.url(page)) === origin
        if (isHere) this.#refuse(page, 'unreachable', reason ?? 'tls')
        else this.#postpone(site, page)
      }
      this.#close(site, sites.freeAt(site))
      return
    }
    const heldUntil = Math.max(reachability.heldUntil(site) ?? 0, hosts.restOf(sites.name(site)))
    if (heldUntil > this.now()) {
      reachability.unclear(site)
      for (const page of asked) this.#postpone(site, page)
      this.#close(site, heldUntil)
      return
    }
    const place = access.placeOf(origin)
    if (place === undefined) this.#prepare(site, origin, asked)
    else this.#send(site, origin, place, asked)
  }

  /** The crawl cannot go on: whoever waits is told. */
  fail(error: Error): void {
    this.#failure ??= error
    this.wake()
  }

  wake(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  came(came: Came, thread: number): void {
    if (came.purpose === 'page') {
      this.#pageCame(came, thread)
      return
    }
    if (this.#options.isArchived && came.failure === undefined) {
      this.#options.threads.keep(thread, { id: came.id })
    }
    if (came.purpose === 'robots') this.#options.access.came(came)
    else this.#options.sitemaps.came(came)
  }

  /** A request is slow. Those that are sent before the crawl begins hold no connection. */
  slow(id: number, thread: number): void {
    const robotsOf = this.#options.access.siteOf(id)
    for (const [site, { pages }] of this.#connections) {
      if (site !== robotsOf && !pages.has(id)) continue
      if (this.#pace.slow(site, thread, id)) this.#events.push({ kind: 'slow', site })
      return
    }
  }

  #pageCame(came: Came, thread: number): void {
    const { topic, pages } = this.#options
    const arrive = (): void => void this.#events.push({ kind: 'came', came, thread })
    if (topic?.hasScorer !== true) return arrive()
    topic.scored(came, pages.url(came.id), () => {
      arrive()
      this.wake()
    })
  }

  deliver(listener: WorldListener): void {
    if (this.#failure !== undefined) throw this.#failure
    const events = this.#events
    this.#events = []
    for (const event of events) {
      switch (event.kind) {
        case 'came':
          this.#tell(event.came, event.thread, listener)
          break
        case 'refused':
          listener.failed(event.page, event.cause)
          this.#options.watch.refused(event.page, event.cause, event.error, event.text)
          break
        case 'postponed':
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
    this.#options.threads.flush()
    const hold = this.#options.turn()
    if (hold !== undefined) return hold
    if (this.#events.length > 0 || this.#failure !== undefined) return undefined
    // The crawl ends then, at the next turn; what is under way is still waited for.
    const endsAt = Math.max(this.#options.reachability.endsAt(), this.now() + 0.05)
    const until = Math.min(due, endsAt)
    const delayMs = Math.min(1000 * (until - this.now()), 60_000)
    if (delayMs <= 0) return undefined
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), Math.ceil(delayMs))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #prepare(site: number, origin: string, pages: readonly number[]): void {
    this.#connections.set(site, {
      origin,
      address: undefined,
      pages: new Set(pages),
      restSeconds: 0,
      miss: undefined,
    })
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
      if (isAnswer && this.#pace.answered(site)) this.#events.push({ kind: 'proven', site })
      this.#end(site, this.now(), 0, restSeconds)
    } else {
      this.#connections.delete(site)
      this.#pace.closed(site)
      this.#close(site, Math.max(sites.freeAt(site), this.now() + restSeconds))
    }
    this.wake()
  }

  /** Asks for those of the pages that may be asked for, on one connection. */
  #send(site: number, origin: string, place: Place | 'proxy', pages: readonly number[]): void {
    const { rests, sites, reachability } = this.#options
    const address = place === 'proxy' ? undefined : place.address
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
    const asked = new Set(requests.map(({ id }) => id))
    this.#connections.set(site, { origin, address, pages: asked, restSeconds: 0, miss: undefined })
    this.#options.threads.fetch({
      site,
      address,
      port: place === 'proxy' ? undefined : place.port,
      requests,
    })
  }

  #requests(site: number, origin: string, pages: readonly number[]): FetchRequest[] {
    const { access, sites, watch, maxDepth } = this.#options
    const rules = access.rulesOf(origin)
    const requests: FetchRequest[] = []
    for (const page of pages) {
      const url = this.#options.pages.url(page)
      if (!url.startsWith(origin) || originOf(url) !== origin) {
        this.#postpone(site, page)
        continue
      }
      const isRetry = this.#attempts.has(page)
      const permission = this.#permission.of(page, url, url.slice(origin.length), site, rules, isRetry)
      if (permission.kind === 'refuse') this.#refuse(page, permission.cause, permission.error)
      else if (permission.kind === 'last') this.#postpone(site, page, true)
      else {
        if (!isRetry) sites.ask(site)
        watch.sent(page)
        const leaf = this.#options.pages.depth(page) >= maxDepth
        requests.push({ id: page, purpose: 'page', url, ...(leaf ? { leaf } : {}) })
      }
    }
    return requests
  }

  #tell(came: Came, thread: number, listener: WorldListener): void {
    const { reachability, retries } = this.#options
    const page = came.id
    const attempt = (this.#attempts.get(page) ?? 0) + 1
    const connection = this.#connections.get(came.site)
    assert(connection?.pages.delete(page) === true, 'something came that was not asked for')
    const consequence = consequenceOf(came, attempt, retries)
    if (came.failure === undefined) {
      reachability.reached(came.site)
      if (this.#pace.answered(came.site)) listener.proven(came.site)
    } else if (consequence.kind !== 'missed') reachability.unclear(came.site)
    switch (consequence.kind) {
      case 'fetched':
        if (this.#chains.isTooLong(page, came)) {
          this.#failed(page, came, thread, attempt, listener, 'too-many-redirects')
        } else this.#fetched(page, came, thread, attempt, listener)
        break
      case 'again':
        if (consequence.spent) {
          this.#attempts.set(page, attempt)
          this.#options.watch.missed(errorName(came))
        }
        connection.restSeconds = Math.max(connection.restSeconds, consequence.restSeconds)
        this.#again(page, came, thread, listener)
        break
      case 'missed':
        this.#missed(page, came, connection, listener)
        break
      case 'unreachable':
        this.#options.access.lose(connection.origin)
        listener.failed(page, 'unreachable')
        this.#options.watch.refused(page, 'unreachable', errorName(came), came.failureText)
        break
      case 'failed':
        this.#failed(page, came, thread, attempt, listener)
    }
    if (came.last) {
      const end = (came.startMs + came.durationMs) / 1000
      const freeAt = this.#rest(came.site, end, came.durationMs / 1000, connection.restSeconds)
      listener.closed(came.site, freeAt)
    }
  }

  #failed(
    page: number,
    came: Came,
    thread: number,
    attempts: number,
    listener: WorldListener,
    error = errorName(came),
  ): void {
    this.#attempts.delete(page)
    const outcome = { ...noCopy, error, attempts, links: 0, unfollowed: 0 }
    listener.failed(page, isTemporary(error) ? 'temporary' : 'failed')
    this.#options.watch.settled(page, came, outcome)
    this.#keep(thread, came, undefined)
  }

  #again(page: number, came: Came, thread: number, listener: WorldListener): void {
    this.#options.sites.addWaiting(came.site)
    if (this.#options.isArchived) this.#options.threads.keep(thread, { id: came.id, drop: true })
    listener.postponed(page)
  }

  #missed(page: number, came: Came, connection: Connection, listener: WorldListener): void {
    const { sites, watch, reachability } = this.#options
    const error = errorName(came)
    connection.miss ??= reachability.missed(came.site, error)
    if (connection.miss.kind === 'later') {
      connection.restSeconds = connection.miss.restSeconds
      watch.missed(error)
      sites.addWaiting(came.site)
      listener.postponed(page)
      return
    }
    listener.failed(page, 'unreachable')
    watch.refused(page, 'unreachable', error, came.failureText)
  }

  #fetched(page: number, came: Came, thread: number, attempts: number, listener: WorldListener): void {
    const { watch, traps } = this.#options
    this.#attempts.delete(page)
    const isRedirect = came.location !== undefined
    // A redirect has no content that could be a copy.
    const copy = isRedirect ? noCopy : this.#copies.look(page, came)
    const knownBefore = this.#options.pages.known
    this.#links.read(page, came, leadsOn(copy))
    const { links, count, newSites, unfollowed } = this.#links
    if (traps !== undefined) {
      const note = {
        links,
        linkCount: count,
        knownBefore,
        ...copyNote(copy),
        text: came.textLow,
        shape: came.shape ?? 0,
      }
      noteForTraps(traps, this.#options.pages, page, note)
    }
    const read = this.#options.topic?.reading(page, came)
    const { leftOut } = this.#links
    const reading = read === undefined || leftOut.length === 0 ? read : readingWithout(read, leftOut)
    // The engine counts pages. It comes first, so that progress during an event includes the page of that event.
    listener.fetched(page, links, count, newSites, reading, isRedirect)
    watch.settled(page, came, { ...copy, error: undefined, attempts, links: count, unfollowed, reading })
    const isSameBody = copy.duplicateOf >= 0 && !copy.isSameText
    this.#keep(thread, came, isSameBody ? watch.archived(copy.duplicateOf) : undefined)
  }

  #keep(thread: number, came: Came, sameAs: ReturnType<WorldWatch['archived']>): void {
    if (this.#options.isArchived) this.#options.threads.keep(thread, { id: came.id, sameAs })
  }

  #refuse(page: number, cause: FailureCause, error: string, text?: string): void {
    this.#events.push({ kind: 'refused', page, cause, error, text })
  }

  #postpone(site: number, page: number, last = false): void {
    this.#options.sites.addWaiting(site)
    this.#events.push({ kind: 'postponed', page, last })
  }

  #close(site: number, freeAt: number): void {
    this.#events.push({ kind: 'closed', site, freeAt })
  }

  /** The connection to a site has ended; it rests. */
  #end(site: number, end: number, tookSeconds: number, restSeconds: number): void {
    this.#close(site, this.#rest(site, end, tookSeconds, restSeconds))
  }

  #rest(site: number, end: number, tookSeconds: number, restSeconds: number): number {
    const { sites, access, rests, wait, waitFactor } = this.#options
    const connection = this.#connections.get(site)
    this.#connections.delete(site)
    this.#pace.closed(site)
    if (connection?.address !== undefined) rests.release(connection.address, end)
    const rules = connection === undefined ? undefined : access.rulesOf(connection.origin)
    const crawlDelaySeconds = rules?.gapSeconds ?? 0
    const freeAt = end + gapSeconds({ wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds })
    sites.rest(site, freeAt)
    return freeAt
  }
}
