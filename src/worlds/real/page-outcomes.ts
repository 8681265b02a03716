/**
 * Outcomes of requested pages: what the engine learns, what is archived, and what is recorded. `outcome-policy.ts` decides
 * what follows from an outcome; this carries it out.
 */
import { readingWithout } from '../../engine/reading.ts'
import type { WorldListener } from '../../engine/world.ts'
import { assert } from '../../lib/assert.ts'
import { Copies, copyNote, leadsOn, noCopy } from './copies.ts'
import type { Came } from './messages.ts'
import type { Connection, OpenConnections } from './open-connections.ts'
import { consequenceOf, errorName, isTemporary } from './outcome-policy.ts'
import { PageLinks } from './page-links.ts'
import type { RealWorldOptions, WorldWatch } from './real-world-options.ts'
import { RedirectChains } from './redirect-chains.ts'
import { noteForTraps } from './trap-notes.ts'
import { siteOf } from './url/site.ts'

export class PageOutcomes {
  readonly #options: RealWorldOptions
  readonly #connections: OpenConnections
  readonly #links: PageLinks
  readonly #copies: Copies
  readonly #chains: RedirectChains
  /** Failed requests of pages that wait for another one. */
  readonly #attempts = new Map<number, number>()

  constructor(options: RealWorldOptions, connections: OpenConnections) {
    this.#options = options
    this.#connections = connections
    this.#links = new PageLinks(options.pages, options.countsOutside)
    this.#copies = new Copies(options.content, options.near, {
      siteOf: (page) => options.sites.numberOf(siteOf(options.pages.url(page)) ?? ''),
      parentOf: (page) => options.pages.found(page).parent,
      isRedirect: (page) => options.watch.isRedirect(page),
      isSiteCopy: (page) => options.watch.isSiteCopy(page),
      linkPrint: (page) => options.watch.linkPrint(page),
    })
    this.#chains = new RedirectChains(options.pages, (page) => options.watch.isRedirect(page))
  }

  /** A page that failed in an earlier session is requested again; it counts as requested already. */
  retry(page: number): void {
    this.#attempts.set(page, 0)
  }

  /** Was this page requested before? */
  isRetry(page: number): boolean {
    return this.#attempts.has(page)
  }

  settle(came: Came, thread: number, listener: WorldListener): void {
    const { reachability, retries } = this.#options
    const page = came.id
    const attempt = (this.#attempts.get(page) ?? 0) + 1
    const connection = this.#connections.get(came.site)
    assert(connection?.pages.delete(page) === true, 'an outcome without a request')
    const consequence = consequenceOf(came, attempt, retries)
    if (came.failure === undefined) {
      reachability.reached(came.site)
      if (this.#connections.answered(came.site)) listener.proven(came.site)
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
      const freeAt = this.#connections.close(came.site, end, came.durationMs / 1000, connection.restSeconds)
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
}
