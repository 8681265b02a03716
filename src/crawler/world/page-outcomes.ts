/**
 * Processes the outcomes of requested pages: reports them to the engine, archives and records them.
 * `outcome-policy.ts` decides the consequences.
 */
import { readingWithout, relevanceOf } from '../../engine/reading.ts'
import type { FailureCause, WorldListener } from '../../engine/world.ts'
import { assert } from '../../lib/assert.ts'
import { isSameBody, leadsOn, noCopy } from './copy.ts'
import type { FetchResult } from './fetch-result.ts'
import { HeldOutcomes } from './held-outcomes.ts'
import type { Connection } from '../desk/open-connections.ts'
import {
  consequenceOf,
  errorName,
  isContent,
  isTemporary,
  requestedRest,
  type Consequence,
} from './outcome-policy.ts'
import { PageLinks } from './page-links.ts'
import type { PageRecords, RealWorldOptions } from './real-world-options.ts'
import { RedirectChains } from './redirect-chains.ts'

export class PageOutcomes {
  readonly #options: RealWorldOptions
  readonly #links: PageLinks
  readonly #chains: RedirectChains
  readonly #held: HeldOutcomes | undefined
  /** Number of failed requests of pages that wait for a retry. */
  readonly #attempts = new Map<number, number>()

  constructor(options: RealWorldOptions) {
    this.#options = options
    this.#links = new PageLinks(options.pages, options.countsOutside, options.keepsAnchors)
    this.#chains = new RedirectChains(options.pages, options.records)
    this.#held =
      options.looks &&
      new HeldOutcomes({
        world: options,
        looks: options.looks,
        links: this.#links,
        chains: this.#chains,
      })
  }

  /** A page that failed in an earlier session is requested again; it already counts as requested. */
  retry(page: number): void {
    this.#attempts.set(page, 0)
  }

  /** Whether this page was requested before. */
  isRetry(page: number): boolean {
    return this.#attempts.has(page)
  }

  /** A page was not requested, and will not be for now. */
  refused(
    page: number,
    cause: FailureCause,
    error: string,
    text: string | undefined,
    listener: WorldListener,
  ): void {
    if (this.#options.looks?.isHeld(page) === true) {
      this.#held?.refused(page, cause, error, text, listener)
      return
    }
    listener.failed(page, cause)
    this.#options.watch.refused(page, cause, error, text)
  }

  /** Whether `settle` will report content that the page did not have before. */
  isNewContent(page: number, result: FetchResult): boolean {
    const { desk, looks } = this.#options
    if (!isContent(result, this.#attemptOf(page), desk.retries)) return false
    if (looks?.isHeld(page) !== true) return true
    return result.broken === undefined && looks.isChanged(page, result)
  }

  #attemptOf(page: number): number {
    return (this.#attempts.get(page) ?? 0) + 1
  }

  /** `endedAt`: when the response ended, by the clock of the crawl. The time stamps of the result are those of the system clock. */
  settle(page: number, result: FetchResult, endedAt: number, thread: number, listener: WorldListener): void {
    const { desk, looks } = this.#options
    const { reachability, connections } = desk
    const attempt = this.#attemptOf(page)
    const connection = connections.get(result.site)
    assert(connection?.pages.delete(page) === true, 'an outcome without a request')
    const consequence = consequenceOf(result, attempt, desk.retries)
    if (result.failure === undefined) {
      reachability.reached(result.site)
      if (connections.answered(result.site)) listener.proven(result.site)
    } else if (consequence.kind !== 'missed') reachability.unclear(result.site)
    if (looks?.isHeld(page) === true) {
      this.#held?.settle(page, result, thread, consequence, connection, listener)
    } else this.#settleNew(page, result, thread, consequence, connection, attempt, listener)
    // Also after the last attempt at a page.
    const requestedSeconds = requestedRest(result)
    if (requestedSeconds !== undefined) {
      connection.restSeconds = Math.max(connection.restSeconds, requestedSeconds)
      desk.leave(result.site, connection.origin, endedAt + requestedSeconds)
    }
    if (result.last) {
      const freeAt = desk.close(result.site, endedAt, result.durationMs / 1000, connection.restSeconds)
      listener.closed(result.site, freeAt)
    }
  }

  #settleNew(
    page: number,
    result: FetchResult,
    thread: number,
    consequence: Consequence,
    connection: Connection,
    attempt: number,
    listener: WorldListener,
  ): void {
    switch (consequence.kind) {
      case 'fetched': {
        const fault = this.#chains.fault(page, result)
        if (fault === undefined) this.#fetched(page, result, thread, attempt, listener)
        else {
          const named = { ...result, failureText: fault.text }
          this.#failed(page, named, thread, attempt, listener, fault.error)
        }
        break
      }
      case 'again':
        if (consequence.spent) this.#attempts.set(page, attempt)
        if (consequence.spent || result.proxyFailed === true) this.#options.watch.missed(errorName(result))
        connection.restSeconds = Math.max(connection.restSeconds, consequence.restSeconds)
        this.#again(page, result, thread, listener)
        break
      case 'missed':
        this.#missed(page, result, connection, listener)
        break
      case 'unreachable':
        this.#options.desk.access.lose(connection.origin)
        listener.failed(page, 'unreachable')
        this.#options.watch.refused(page, 'unreachable', errorName(result), result.failureText)
        break
      case 'failed':
        this.#failed(page, result, thread, attempt, listener)
    }
  }

  #failed(
    page: number,
    result: FetchResult,
    thread: number,
    attempts: number,
    listener: WorldListener,
    error = errorName(result),
  ): void {
    this.#attempts.delete(page)
    if (!isTemporary(error)) this.#options.parts.failed(page)
    listener.failed(page, isTemporary(error) ? 'temporary' : 'failed')
    this.#options.watch.settled(page, result, { error, attempts, links: 0 })
    if (result.rejected === true) this.#drop(thread, result)
    else this.#keep(thread, result, undefined)
  }

  #again(page: number, result: FetchResult, thread: number, listener: WorldListener): void {
    this.#options.sites.addWaiting(result.site)
    this.#drop(thread, result)
    this.#options.watch.postponed(page)
    listener.postponed(page, 'retry')
  }

  #missed(page: number, result: FetchResult, connection: Connection, listener: WorldListener): void {
    const { sites, watch, desk } = this.#options
    const error = errorName(result)
    connection.miss ??= desk.reachability.missed(result.site, error)
    if (connection.miss.kind === 'later') {
      connection.restSeconds = connection.miss.restSeconds
      watch.missed(error)
      sites.addWaiting(result.site)
      watch.postponed(page)
      listener.postponed(page, 'retry')
      return
    }
    listener.failed(page, 'unreachable')
    watch.refused(page, 'unreachable', error, result.failureText)
  }

  #fetched(
    page: number,
    result: FetchResult,
    thread: number,
    attempts: number,
    listener: WorldListener,
  ): void {
    const { watch, records, looks, parts, desk } = this.#options
    this.#attempts.delete(page)
    const isRedirect = result.location !== undefined
    // A redirect has no content that could be a copy.
    const copy = isRedirect ? noCopy : parts.copyOf(page, result)
    const knownBefore = this.#options.pages.known
    this.#links.read(page, result, leadsOn(copy), parts.linkDecision(result))
    const { links, count, newSites, unfollowed } = this.#links
    const read = parts.reading(page, result)
    const { leftOut } = this.#links
    const reading = read === undefined || leftOut.length === 0 ? read : readingWithout(read, leftOut)
    // The engine counts pages. It comes first, so that the progress during an event includes the page of that
    // event.
    listener.fetched(page, links, count, newSites, reading, isRedirect)
    watch.settled(page, result, { ...copy, attempts, links: count, unfollowed, ...relevanceOf(reading) })
    parts.fetched({ page, result, isRedirect, isFirst: true, copy, links, linkCount: count, knownBefore })
    if (looks !== undefined) {
      listener.looked?.(page, desk.now(), 'first', undefined, 0, undefined, undefined, result.bytes)
      watch.looked(page, looks.first(page), result)
      parts.looked(page, desk.now(), 'first', result)
    }
    this.#keep(thread, result, isSameBody(copy) ? records.archived(copy.duplicateOf!) : undefined)
  }

  #drop(thread: number, { id }: FetchResult): void {
    this.#options.desk.line.keep(thread, { id, drop: true })
  }

  #keep(thread: number, result: FetchResult, sameAs: ReturnType<PageRecords['archived']>): void {
    this.#options.desk.line.keep(thread, { id: result.id, sameAs })
  }
}
