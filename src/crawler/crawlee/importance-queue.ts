/**
 * A request queue for Crawlee's crawlers in importance order: Crawlee keeps its handlers, browsers and sessions, and
 * this queue decides which request is next, with the engine of Rankward.
 *
 *   crawler ──fetchNextRequest──▶ engine: the best page ──▶ handler ──addRequests──▶ links of the page
 *   crawler ──markRequestHandled──▶ engine: fetched, with these links
 *
 * The links of a page are the requests that its handler adds (`enqueueLinks`, `addRequests`). Crawlee does not say whose
 * handler that was, so `handler` wraps the function that handles requests. Requests from elsewhere are seeds.
 *
 * Everything is in memory; Crawlee's storage is not used. This file imports nothing of Crawlee.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Engine } from '../../engine/engine.ts'
import { none } from '../../engine/page-forest.ts'
import { noParent, type Strategy } from '../../engine/strategy.ts'
import type { FailureCause } from '../../engine/world.ts'
import { frontierOf } from '../../engine/frontiers/index.ts'
import { RankwardError } from '../../lib/errors.ts'
import { checkOptions } from '../../lib/option-checks.ts'
import { queueChecks, queueStrategy, type ImportanceQueueOptions } from './queue-options.ts'
import { QueuedPages } from './queued-pages.ts'
import type { AddedRequest, CrawleeRequest, RequestLike, RequestsLike } from './crawlee-types.ts'

/** A request that a crawler is working on. */
interface Visit {
  readonly page: number
  /** The requests that its handler has added so far. */
  links: RequestLike[]
  /** The handler has returned without an error. */
  isHandled: boolean
  /** The wrapped handler was called. */
  wasSeen: boolean
  /** The request was handled, or has returned to the queue. */
  isOver: boolean
}

/** `RequestState` of Crawlee. */
const skippedState = 7
const failedStates = [5, 6]

export class ImportanceQueue<R extends CrawleeRequest = CrawleeRequest> {
  readonly #options: ImportanceQueueOptions<R>
  readonly #pages = new QueuedPages()
  readonly #strategy: Strategy
  readonly #engine: Engine
  readonly #current = new AsyncLocalStorage<Visit>()
  /** By unique key. */
  readonly #visits = new Map<string, Visit>()
  readonly #now: () => number
  #handled = 0
  /** The page that the engine has chosen in the current dispatch. */
  #chosen = -1

  constructor(options: ImportanceQueueOptions<R>) {
    checkOptions('ImportanceQueue', options, queueChecks)
    this.#options = options
    this.#now = () => performance.now() / 1000
    this.#strategy = queueStrategy(options, (page) => this.#pages.urlOf(page))
    this.#engine = new Engine({
      strategy: this.#strategy,
      frontier: frontierOf('two-level', { ranksSites: this.#strategy.ranksSites === true }),
      ...(options.pages === undefined ? {} : { pagesMax: options.pages }),
      ...(options.coverage === undefined ? {} : { coverage: options.coverage }),
    })
  }

  /** Wraps the function that handles requests, so that the queue knows whose links are added. */
  handler<Context extends { readonly request: CrawleeRequest }>(
    handle: (context: Context) => unknown,
  ): (context: Context) => Promise<void> {
    return async (context) => {
      const visit = this.#visits.get(context.request.uniqueKey)
      if (visit === undefined) throw notFromHere(context.request)
      visit.links = []
      visit.wasSeen = true
      await this.#current.run(visit, async () => handle(context))
      visit.isHandled = true
    }
  }

  /**
   * This queue as the option `requestQueue` of a crawler. Crawlee declares a class of its own there and accepts any object
   * with its methods.
   */
  // oxlint-disable-next-line typescript/no-explicit-any
  get requestQueue(): any {
    return this
  }

  /** The share of the importance that is certain: a lower bound, from 0 to 1; undefined if the strategy has none. */
  coverage(): number | undefined {
    return this.#strategy.coverage?.()
  }

  /** Why the crawl ended; undefined while it runs. */
  get stoppedBecause(): 'pages' | 'failures' | 'coverage' | 'finished' | undefined {
    const { stopReason } = this.#engine
    return stopReason === 'pages' ||
      stopReason === 'failures' ||
      stopReason === 'coverage' ||
      stopReason === 'finished'
      ? stopReason
      : undefined
  }

  // The methods below are those of Crawlee's `IRequestManager`.

  async isFinished(): Promise<boolean> {
    return this.#engine.known === 0 || this.#engine.finished
  }

  async isEmpty(): Promise<boolean> {
    const { waitingCount, frontier } = this.#engine
    if (waitingCount === 0 || this.#isEnough || (await this.isFinished())) return true
    const now = this.#now()
    if (frontier.best(now, false) !== none) return false
    // Strategies that take pages in batches form the next batch when nothing is in flight.
    return this.#visits.size > 0 || frontier.nextFree() < Infinity
  }

  async handledCount(): Promise<number> {
    return this.#handled
  }

  getTotalCount(): number {
    return this.#pages.count
  }

  getPendingCount(): number {
    return this.#pages.count - this.#handled
  }

  // Crawlee's method is generic in the type of `userData`, which only the caller knows.
  // oxlint-disable-next-line typescript/no-explicit-any
  async fetchNextRequest(): Promise<any> {
    if (await this.isEmpty()) return null
    this.#allowOneMore()
    this.#chosen = -1
    this.#engine.dispatch({
      now: this.#now,
      fetch: (_site, pages) => {
        this.#chosen = pages[0]
      },
      deliver: () => {},
      wait: () => undefined,
    })
    const page = this.#chosen
    if (page < 0) return null
    // Without a wait, Crawlee's own limits decide how many requests a site gets at a time.
    if (this.#wait === 0) this.#engine.closed(this.#pages.siteOf(page), 0)
    const request = this.#requestOf(page)
    this.#visits.set(request.uniqueKey, { page, links: [], isHandled: false, wasSeen: false, isOver: false })
    return request
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for (;;) {
      const request = (await this.fetchNextRequest()) as R | null
      if (request === null) return
      yield request
    }
  }

  async markRequestHandled(request: CrawleeRequest): Promise<null> {
    const visit = this.#visitOf(request)
    if (visit === undefined) return null
    const { page, isHandled, wasSeen, links } = visit
    const { state = 0 } = request
    if (!isHandled && !wasSeen && state !== skippedState && !failedStates.includes(state))
      throw new RankwardError(
        'USAGE',
        'A request was handled by a function that is not wrapped, so the links of its page are unknown: use requestHandler: queue.handler(…).',
      )
    this.#end(request, visit)
    this.#handled++
    if (isHandled) this.#fetched(page, links)
    else this.#engine.failed(page, state === skippedState ? 'robots' : ('failed' satisfies FailureCause))
    this.#pages.forget(page)
    this.#leave(page)
    return null
  }

  /** The request returns to its place in the order. */
  async reclaimRequest(request: CrawleeRequest): Promise<null> {
    const visit = this.#visitOf(request)
    if (visit === undefined) return null
    this.#end(request, visit)
    this.#pages.keep(visit.page, request)
    this.#engine.postponed(visit.page, 'retry')
    this.#leave(visit.page)
    return null
  }

  async addRequest(source: RequestLike): Promise<AddedRequest> {
    return this.#add(source)
  }

  /** Adds all of them before it returns. No link is dropped: `maxNewRequests` is ignored. */
  async addRequestsBatched(
    sources: RequestsLike,
  ): Promise<{ addedRequests: AddedRequest[]; waitForAllRequestsToBeAdded: Promise<AddedRequest[]> }> {
    const addedRequests: AddedRequest[] = []
    for await (const source of sources) addedRequests.push(this.#add(source))
    return { addedRequests, waitForAllRequestsToBeAdded: Promise.resolve([]) }
  }

  /** Budget or goal are reached once the requests in progress have been handled. */
  get #isEnough(): boolean {
    const { pages = Infinity, coverage = Infinity } = this.#options
    const taken = this.#engine.pages.crawledCount + this.#visits.size
    return taken >= pages || (this.coverage() ?? 0) >= coverage
  }

  get #wait(): number {
    return this.#options.wait ?? 0
  }

  #allowOneMore(): void {
    this.#engine.connections(this.#engine.open.count + 1, Infinity)
  }

  #visitOf(request: CrawleeRequest): Visit | undefined {
    return this.#visits.get(request.uniqueKey)
  }

  #end({ uniqueKey }: CrawleeRequest, visit: Visit): void {
    this.#visits.delete(uniqueKey)
    visit.isOver = true
  }

  #leave(page: number): void {
    if (this.#wait > 0) this.#engine.closed(this.#pages.siteOf(page), this.#now() + this.#wait)
  }

  #add(source: RequestLike): AddedRequest {
    const request = this.#made(source)
    const { uniqueKey } = request
    const known = this.#pages.find(uniqueKey)
    const visit = this.#current.getStore()
    // Of a call that the handler did not await, the page is unknown by now.
    if (visit?.isOver === false) visit.links.push(request)
    else if (known < 0) this.#addSeed(request)
    return {
      requestId: uniqueKey,
      uniqueKey,
      wasAlreadyPresent: known >= 0,
      wasAlreadyHandled: known >= 0 && this.#engine.pages.isCrawled(known),
      forefront: false,
    }
  }

  #addSeed(request: CrawleeRequest): void {
    const page = this.#pages.add(request)
    const site = this.#pages.siteOf(page)
    if (this.#handled + this.#visits.size === 0) this.#engine.seed(site)
    else {
      this.#engine.listed(site, noParent)
      // A crawl that had ended continues.
      if (this.#engine.stopReason === 'finished') {
        const { pages = Infinity, coverage = Infinity } = this.#options
        this.#engine.budget(pages, coverage, Infinity)
      }
    }
  }

  #fetched(page: number, links: readonly RequestLike[]): void {
    const targets = new Set<number>()
    const newSites: number[] = []
    for (const link of links as readonly CrawleeRequest[]) {
      let target = this.#pages.find(link.uniqueKey)
      if (target < 0) {
        target = this.#pages.add(link)
        newSites.push(this.#pages.siteOf(target))
      }
      if (target !== page) targets.add(target)
    }
    this.#engine.fetched(page, Uint32Array.from(targets), targets.size, Uint32Array.from(newSites))
  }

  #requestOf(page: number): R {
    const kept = this.#pages.kept(page)
    return kept === undefined ? this.#made(this.#pages.urlOf(page)) : this.#made(kept)
  }

  #made(source: RequestLike): R {
    const { Request } = this.#options
    if (source instanceof Request) return source
    return new Request(typeof source === 'string' ? { url: source } : source)
  }
}

function notFromHere({ url }: CrawleeRequest): RankwardError {
  return new RankwardError(
    'USAGE',
    `The request for ${url} is not from this queue: give the crawler requestQueue: queue.requestQueue.`,
  )
}
