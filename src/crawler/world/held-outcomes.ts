/**
 * Outcomes of requests for held pages. Such a page keeps its version until a response replaces it; a failure
 * only makes it rest.
 *
 * | response | verdict |
 * | --- | --- |
 * | 2xx, a redirect, 304 | changed or same, by content (looks/change.ts) |
 * | 404; 410 | missing; gone |
 * | other errors, none | failed |
 * | none: robots.txt disallows the page, or it is out of scope | forbidden |
 */
import { relevanceOf } from '../../engine/reading.ts'
import type { FailureCause, WorldListener } from '../../engine/world.ts'
import { isSameBody, leadsOn, noCopy, type CopyOf } from './copy.ts'
import type { FetchResult } from './fetch-result.ts'
import type { PageLook, PageLooks } from './looks/page-looks.ts'
import type { ArchivedPage } from './messages.ts'
import type { Connection } from '../desk/open-connections.ts'
import { errorName, type Consequence } from './outcome-policy.ts'
import type { PageLinks } from './page-links.ts'
import type { RealWorldOptions } from './real-world-options.ts'
import type { BadRedirect, RedirectChains } from './redirect-chains.ts'

interface HeldOutcomesOptions {
  readonly world: RealWorldOptions
  readonly looks: PageLooks
  readonly links: PageLinks
  readonly chains: RedirectChains
}

export class HeldOutcomes {
  readonly #options: HeldOutcomesOptions

  constructor(options: HeldOutcomesOptions) {
    this.#options = options
  }

  settle(
    page: number,
    result: FetchResult,
    thread: number,
    consequence: Consequence,
    connection: Connection,
    listener: WorldListener,
  ): void {
    const { looks, chains } = this.#options
    this.#rest(result, consequence, connection)
    if (consequence.kind === 'again' && !consequence.spent) {
      looks.postponed(page)
      this.#drop(thread, result)
      listener.postponed(page, 'retry')
      return
    }
    const isAnswer = result.failure === undefined && result.broken === undefined && result.rejected !== true
    const fault = isAnswer ? chains.fault(page, result) : undefined
    const look = isAnswer && fault === undefined ? looks.look(page, result) : undefined
    if (look !== undefined) this.#looked(page, result, thread, look, listener)
    else this.#failed(page, result, thread, fault, listener)
  }

  /** The rest of the site after this result. */
  #rest(result: FetchResult, consequence: Consequence, connection: Connection): void {
    if (consequence.kind === 'again') {
      connection.restSeconds = Math.max(connection.restSeconds, consequence.restSeconds)
    } else if (consequence.kind === 'missed') {
      connection.miss ??= this.#options.world.desk.reachability.missed(result.site, errorName(result))
      if (connection.miss.kind === 'later') connection.restSeconds = connection.miss.restSeconds
    }
  }

  /** A held page was not requested. */
  refused(
    page: number,
    cause: FailureCause,
    error: string,
    text: string | undefined,
    listener: WorldListener,
  ): void {
    const { watch, desk } = this.#options.world
    const verdict = cause === 'unreachable' ? 'failed' : 'forbidden'
    const look = this.#options.looks.failed(page, verdict, error, text)
    listener.looked?.(page, desk.now(), verdict)
    watch.looked(page, look)
  }

  #failed(
    page: number,
    result: FetchResult,
    thread: number,
    fault: BadRedirect | undefined,
    listener: WorldListener,
  ): void {
    const { watch, desk } = this.#options.world
    const { error, text } = fault ?? { error: errorName(result), text: result.failureText }
    const look = this.#options.looks.failed(page, 'failed', error, text)
    listener.looked?.(page, desk.now(), 'failed')
    watch.looked(page, look, result)
    this.#drop(thread, result)
  }

  #looked(page: number, result: FetchResult, thread: number, look: PageLook, listener: WorldListener): void {
    const { watch, records, parts, desk } = this.#options.world
    const { verdict, changedMs } = look
    const seconds = desk.now()
    parts.looked(page, seconds, verdict, result)
    if (verdict === 'changed') {
      const dated = changedMs === undefined ? undefined : Math.max(0, (result.startMs - changedMs) / 1000)
      this.#changed(page, result, thread, look, listener, seconds, dated)
      return
    }
    listener.looked?.(page, seconds, verdict, undefined, 0, undefined, undefined, result.bytes)
    const isRevisit =
      result.status === 304 || (verdict === 'same' && this.#options.looks.isSameBody(page, result))
    const sameAs = isRevisit ? records.archived(page) : undefined
    watch.looked(page, look, result)
    // A 304 without an archived version says nothing by itself.
    if (result.status === 304 && sameAs === undefined) this.#drop(thread, result)
    else this.#keep(thread, result, sameAs)
  }

  #changed(
    page: number,
    result: FetchResult,
    thread: number,
    look: PageLook,
    listener: WorldListener,
    seconds: number,
    dated: number | undefined,
  ): void {
    const { watch, records, parts, pages } = this.#options.world
    const { links: pageLinks } = this.#options
    const copy = this.#copyOf(page, result)
    const knownBefore = pages.known
    pageLinks.read(page, result, leadsOn(copy), parts.linkDecision(result))
    const { links, count, newSites, unfollowed } = pageLinks
    listener.looked?.(page, seconds, 'changed', links, count, newSites, dated, result.bytes)
    // The relevance belongs to the version. The engine does not use it: pages that the links discover have no clues.
    const relevance = relevanceOf(parts.reading(page, result))
    watch.looked(page, look, result, { ...copy, links: count, unfollowed, ...relevance })
    const isRedirect = result.location !== undefined
    parts.fetched({ page, result, isRedirect, isFirst: false, copy, links, linkCount: count, knownBefore })
    this.#keep(thread, result, isSameBody(copy) ? records.archived(copy.duplicateOf!) : undefined)
  }

  /** A page is no copy of itself as it was before. */
  #copyOf(page: number, result: FetchResult): CopyOf {
    if (result.location !== undefined) return noCopy
    const copy = this.#options.world.parts.copyOf(page, result)
    const isOwn = copy.duplicateOf === page || copy.nearDuplicateOf === page
    return isOwn || copy.siteOriginal === page ? noCopy : copy
  }

  #keep(thread: number, { id }: FetchResult, sameAs: ArchivedPage | undefined): void {
    this.#options.world.desk.line.keep(thread, { id, sameAs })
  }

  #drop(thread: number, { id }: FetchResult): void {
    this.#options.world.desk.line.keep(thread, { id, drop: true })
  }
}
