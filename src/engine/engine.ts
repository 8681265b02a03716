/**
 * The crawl engine: decides what to fetch next. Synchronous and deterministic; it works on page and site
 * numbers, without clock, network, disk or URLs. Its state is a function of the sequence of facts.
 *
 *   world ──fetched──▶ strategy ──scores──▶ frontier ──pages due──▶ world
 *
 * Invariant: each known page has one state (page-states.ts); exactly the `waiting` ones are in the frontier, the `reserved` ones in the reserve.
 */
import { assert } from '../lib/assert.ts'
import { none } from './page-forest.ts'
import { transferList } from '../lib/state-views.ts'
import type { StateCodec } from '../lib/state.ts'
import { Batches } from './batches.ts'
import { Connections, type OpenSites } from './connections.ts'
import { CoverageGoal } from './coverage-goal.ts'
import { Copies } from './copies.ts'
import type { EngineOptions, StopReason } from './engine-options.ts'
import { Exchange } from './exchange.ts'
import type { FactListener } from './fact.ts'
import { FoundLinks } from './found-links.ts'
import type { Frontier } from './frontier.ts'
import { KnownLinks } from './known-links.ts'
import { Moments } from './moments.ts'
import { PageBudget } from './page-budget.ts'
import { patienceOf, type Patience } from './patience.ts'
import { crawled, failedBy, inFlight, PageStates, redirected, waiting } from './page-states.ts'
import { emptyReading } from './reading.ts'
import { Recrawl, type NextPage } from './recrawl.ts'
import { shownScore, strategyServices } from './strategy-services.ts'
import { noParent, type Strategy } from './strategy.ts'
import { WaitingPages } from './waiting-pages.ts'
import type { FailureCause, Postponement, World, WorldListener } from './world.ts'

export class Engine implements WorldListener, FactListener {
  readonly strategy: Strategy
  readonly frontier: Frontier
  /** Of new pages, and of held ones if there are any. A site is busy or rests in both. */
  readonly #frontiers: readonly Frontier[]
  readonly #options: EngineOptions
  readonly #found: FoundLinks
  readonly pages = new PageStates()
  readonly #connections: Connections
  readonly #seeds: number[] = []
  readonly #waiting: WaitingPages
  readonly #batches: Batches
  readonly #connection: Uint32Array
  #started = false
  readonly #moments: Moments
  readonly #budget: PageBudget
  readonly #goal: CoverageGoal
  /** Undefined if whatever is free is taken. */
  readonly patience: Patience | undefined
  /** Undefined if every page is fetched once. */
  readonly recrawl: Recrawl | undefined
  /** Undefined if the crawl has one shard. */
  readonly exchange: Exchange | undefined
  #stopReason: StopReason | undefined
  /** No page is in flight, and the strategy has been notified. */
  #ended = false

  constructor(options: EngineOptions) {
    this.#options = options
    const { connections: max = 1, unprovenMax = Infinity } = options
    this.#connections = new Connections({ max, unprovenMax })
    this.#budget = new PageBudget(options.pagesMax, options.failuresMax)
    this.strategy = options.strategy
    this.#goal = new CoverageGoal(options.strategy, options.coverage ?? Infinity, options.onOutOfReach)
    this.frontier = options.frontier
    this.#connection = new Uint32Array(options.perConnection ?? 1)
    this.#waiting = new WaitingPages(this.pages, options)
    this.#moments = new Moments(options.facts, (now) => this.pages.order?.at(now))
    const { pages, strategy } = this
    const note = (now: number): void => this.#moments.decided(now)
    const parts = { options, pages, waiting: this.#waiting, mayTake: () => this.#mayTake(), note }
    this.#batches = new Batches({
      ...parts,
      connections: this.#connections,
      versions: () => this.pages.crawledCount + (this.recrawl?.held.changes ?? 0),
      fetches: options.recrawl && (() => this.pages.crawledCount + this.recrawl!.held.refreshes),
      rescored: () => this.recrawl?.rescored(),
    })
    const links = new KnownLinks({ isReplaceable: options.recrawl !== undefined })
    const { services, keepsLinks } = strategyServices(options.names, pages, this.#waiting, links, (page) => {
      this.#waiting.rekey(page, strategy.score(page))
      this.recrawl?.massMoved(page)
    })
    strategy.start?.(services)
    const copies = new Copies(pages, strategy)
    const relink = (...look: Parameters<FoundLinks['again']>): number => this.#found.again(...look)
    this.recrawl = options.recrawl && new Recrawl(options.recrawl, { options, pages, copies, note, relink })
    const isRelinked = this.recrawl !== undefined && ('relinked' in strategy || 'rerouted' in strategy)
    const kept = keepsLinks() || isRelinked ? links : undefined
    this.#found = new FoundLinks({ strategy, pages, waiting: this.#waiting, kept })
    this.#frontiers = this.recrawl === undefined ? [this.frontier] : [this.frontier, this.recrawl.frontier]
    const pagesLeft = (): number => (this.#mayTake() ? this.#budget.left(pages) : 0)
    const waited = { pages, frontiers: this.#frontiers, connections: this.#connections, pagesLeft }
    this.patience = patienceOf(options, waited)
    const [found, moments, begin] = [this.#found, this.#moments, (): void => this.#begin()]
    const shared = { ...parts, found, moments, begin, recrawl: this.recrawl }
    this.exchange = options.isShard === true ? new Exchange(shared) : undefined
  }

  get known(): number {
    return this.pages.known
  }

  get waitingCount(): number {
    return this.#waiting.count
  }

  /** Why the crawl ended; undefined while it is running. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason
  }

  get finished(): boolean {
    if (this.pages.inFlightCount + (this.recrawl?.held.inFlight ?? 0) > 0) return false
    if (this.#ended) return true
    if (this.#stopReason === undefined) {
      // With held pages, a limit of pages only ends the search for new ones.
      const reached = this.recrawl === undefined ? this.#budget.reached(this.pages) : undefined
      if (reached !== undefined) this.#stopReason = reached
      else if (this.#goal.isReached()) this.#stopReason = 'coverage'
      else if (this.waitingCount === 0 && this.recrawl === undefined) this.#stopReason = 'finished'
      else return false
    }
    this.#ended = true
    if (this.#stopReason !== 'interrupted') this.strategy.ended?.()
    return true
  }

  /** Takes no more pages; those in flight still finish. */
  stop(reason: StopReason = 'interrupted'): void {
    this.#stopReason ??= reason
  }

  /** Replaces the limits. A crawl that stopped at the old limits continues. */
  budget(pagesMax: number, coverage: number, failuresMax: number): void {
    this.#options.facts?.budget(pagesMax, coverage, failuresMax)
    this.#budget.set(pagesMax, failuresMax)
    this.#goal.set(coverage)
    this.#stopReason = undefined
    this.#ended = false
  }

  /** Adds a seed, before anything is crawled. Its number is the next one. */
  seed(site: number): void {
    assert(!this.#started, 'seeds must be added before the crawl starts')
    this.#options.facts?.seed(site)
    this.#seeds.push(this.known)
    this.#found.discover(site, noParent)
  }

  readonly fetched: WorldListener['fetched'] = (page, links, linkCount, newSites, reading, isRedirect) => {
    this.pages.settle(page, isRedirect === true ? redirected : crawled)
    const read = this.strategy.read === undefined ? undefined : (reading ?? emptyReading)
    if (read !== undefined) this.strategy.read?.(page, read)
    this.patience?.answered(this.pages.siteOf(page), true)
    const newPages = this.#found.first(page, links, linkCount, newSites)
    this.recrawl?.linked(links, linkCount)
    this.#options.facts?.fetched(page, links, linkCount, newSites, newPages, read, isRedirect === true)
    this.#options.onCrawled?.(page)
    this.#goal.look()
  }

  /** Facts of a crawl that fetches pages again. */
  readonly looked: NonNullable<WorldListener['looked']> = (...look) => {
    this.patience?.looked(look[0], look[2])
    this.recrawl?.looked(...look)
  }
  readonly signal: NonNullable<FactListener['signal']> = (...signal) => this.recrawl?.signal(...signal)
  readonly rate = (perDay: number): void => this.recrawl?.rate(perDay)
  readonly round = (isRound: boolean): void => this.recrawl?.round(isRound)
  readonly allKnown = (pages: number): void => this.recrawl?.allKnown(pages)
  readonly raisedAt = (now: number): void => void this.exchange?.offers.bestKey(now)
  /** Facts of a crawl on several shards. */
  readonly cut: NonNullable<FactListener['cut']> = (limit, all) => this.exchange?.cut(limit, all)
  readonly arrived: NonNullable<FactListener['arrived']> = (...fact) => this.exchange?.arrived(...fact)
  readonly price = (key: number): void => this.exchange?.price(key)

  /** The time of the last fact, in seconds. No earlier time may be passed from then on. */
  get time(): number {
    return Math.max(this.#moments.last, this.recrawl?.time ?? 0)
  }

  /** A group of facts ends at this time. */
  readonly moment = (now: number): void => this.#moments.ended(now)

  /** Adds a page that no link leads to: from a list of its site, or, without a parent, by the user. */
  listed(site: number, parent: number): void {
    assert(this.recrawl !== undefined || parent === noParent, 'a crawl without looks reads no lists')
    this.#options.facts?.listed(site, parent)
    this.#found.listed(site, parent)
  }

  failed(page: number, cause: FailureCause): void {
    this.#options.facts?.failed(page, cause)
    this.pages.settle(page, failedBy(cause))
    this.patience?.failed(this.pages.siteOf(page), cause)
    this.strategy.failed?.(page)
    this.#goal.look()
  }

  postponed(page: number, why: Postponement = 'turn'): void {
    this.#options.facts?.postponed(page, why)
    if (why === 'retry') this.patience?.answered(this.pages.siteOf(page), false)
    if (this.recrawl?.postponed(page) === true) return
    if (why === 'last') this.pages.demote(page)
    this.pages.settle(page, waiting)
    this.#waiting.add(page, this.strategy.score(page))
  }

  /** Requeues a page that failed temporarily, or a held page that robots.txt allows again. */
  retry(page: number): void {
    this.#options.facts?.retry(page)
    if (this.recrawl?.permitted(page) === true) return
    this.strategy.retried?.(page)
    this.pages.unfail(page)
    this.#waiting.add(page, this.strategy.score(page))
  }

  /** Sets the limits of connections, in all and to unproven sites. */
  connections(max: number, unprovenMax: number): void {
    this.#options.facts?.connections(max, unprovenMax)
    this.#connections.limit({ max, unprovenMax })
  }

  /** Sites with an open connection; after a crash, those that the killed crawl had open. */
  get busySites(): OpenSites {
    return this.#connections.sites
  }

  /** The open connections that count against the limits. */
  get open(): Pick<Connections, 'count' | 'unproven'> {
    return this.#connections
  }

  closed(site: number, freeAt: number): void {
    this.#options.facts?.closed(site, freeAt)
    this.#connections.close(site)
    for (const frontier of this.#frontiers) frontier.release(site, freeAt)
  }

  proven(site: number): void {
    if (this.frontier.isProven(site)) return
    this.#options.facts?.proven(site)
    this.#connections.proven(site)
    for (const frontier of this.#frontiers) frontier.prove(site, true)
  }

  slow(site: number): void {
    this.#options.facts?.slow(site)
    this.#connections.slow(site)
    this.patience?.answered(site, false)
    for (const frontier of this.#frontiers) frontier.prove(site, false)
  }

  /** True if the next connection may only go to a proven site. */
  get provenOnly(): boolean {
    return this.#connections.provenOnly
  }

  /** Requests every page that is due now from the world. */
  dispatch(world: World): void {
    const now = world.now()
    this.#dispatch(now, (site, pages, count) => world.fetch(site, pages, count))
    this.patience?.dispatched(now)
  }

  /** Repeats the decisions of a record, without fetching. */
  dispatchAt(now: number): void {
    this.#dispatch(now, () => {})
  }

  /** The next time at which `dispatch` can do anything by itself; Infinity if only an outcome can change that. */
  nextDue(): number {
    if (this.#connections.isFull || this.#stopReason !== undefined) return Infinity
    const free = this.#mayTake() ? this.frontier.nextFree() : Infinity
    return this.recrawl === undefined ? free : this.recrawl.nextDue(free)
  }

  #dispatch(now: number, fetch: World['fetch']): void {
    this.#begin()
    this.#moments.begin()
    do {
      this.#batches.fill(now, this.pages.inFlightCount)
      this.#handOut(now, fetch)
    } while (this.#batches.ends(now))
  }

  #handOut(now: number, fetch: World['fetch']): void {
    while (!this.#connections.isFull) {
      const next = this.#next(now)
      if (next === 'none') break
      const count = next === 'new' ? this.#takeNew(now) : 1
      if (next === 'held') this.#connection[0] = this.recrawl!.take(now, this.provenOnly)
      const site = this.pages.siteOf(this.#connection[0])
      this.#connections.open(site, this.frontier.isProven(site))
      fetch(site, this.#connection, count)
    }
  }

  /** Whether the next page is a new one or a held one; none if no page can be chosen now. */
  #next(now: number): NextPage {
    const { recrawl } = this
    if (recrawl?.hasToken(now) === false) return 'none'
    const hasNew = this.#mayTake() && this.#advanced(now)
    if (recrawl === undefined) return hasNew ? 'new' : 'none'
    const best = hasNew ? this.frontier.best(now, this.provenOnly) : none
    const next = this.#stopReason === undefined ? recrawl.next(best, now, this.provenOnly) : 'none'
    const waits = next !== 'none' && this.patience?.isEarlyAmong(recrawl, now, this.#mayTake()) === true
    return waits ? 'none' : next
  }

  /** Takes new pages of one site for a connection. Returns their number. */
  #takeNew(now: number): number {
    const connection = this.#connection
    connection[0] = this.#take(this.frontier.take(now, this.provenOnly), now)
    const site = this.pages.siteOf(connection[0])
    this.recrawl?.takenNew(site, now)
    let count = 1
    while (count < connection.length && this.#mayTake() && this.recrawl?.hasToken(now) !== false) {
      const next = this.frontier.takeFrom(site)
      if (next === none) break
      connection[count++] = this.#take(next, now)
      this.recrawl?.useToken(now)
    }
    this.#waiting.batch.opened++
    return count
  }

  #mayTake(): boolean {
    return this.#stopReason === undefined && this.#budget.reached(this.pages) === undefined
  }

  /** Runs the strategy's work before a choice. Returns false if no page can be chosen now, or none is needed. */
  #advanced(now: number): boolean {
    this.#batches.rescoreIfDue(now)
    for (;;) {
      const best = this.frontier.best(now, this.provenOnly)
      if (best === none || this.exchange?.isBelowPrice(best) === true) return false
      if (this.patience?.isTooEarly(best, now) === true) return false
      this.#moments.decided(now)
      if (this.#goal.isReached()) {
        this.#stopReason = 'coverage'
        return false
      }
      if (this.strategy.advance === undefined || !this.strategy.advance(best)) return true
    }
  }

  #begin(): void {
    if (this.#started) return
    this.#started = true
    this.exchange?.seeded(this.#seeds.length)
    this.strategy.seeded?.(this.#seeds)
    for (const page of this.#seeds) this.#waiting.rekey(page, this.strategy.score(page))
  }

  #take(page: number, now: number): number {
    this.pages.set(page, inFlight)
    this.#waiting.keys?.remove(page)
    this.#options.onTaken?.(page, shownScore(this.strategy, this.frontier, page), now)
    return page
  }

  /** False without `transfer`, and after the strategy's final work: a crawl that continued from there would differ from its facts. */
  get isRestorable(): boolean {
    return this.strategy.transfer !== undefined && (!this.#ended || this.#stopReason === 'interrupted')
  }

  /** Everything that follows from the facts, strategy and frontier included: equal facts give equal bytes. */
  transfer(state: StateCodec): void {
    assert(this.strategy.transfer !== undefined, `the strategy ${this.strategy.name} has no transfer`)
    state.section('engine', 2)
    transferList(state, this.#seeds)
    this.#connections.transfer(state)
    this.#moments.transfer(state)
    this.#started = state.number(Number(this.#started)) === 1
    this.#batches.transfer(state)
    this.#budget.transfer(state)
    this.#goal.transfer(state)
    // This is the only stop reason decided by a dispatch; a resumed crawl derives the others again.
    const isCovered = state.number(Number(this.#stopReason === 'coverage')) === 1
    if (state.isReading) this.#stopReason = isCovered ? 'coverage' : undefined
    this.pages.transfer(state)
    this.#waiting.transfer(state)
    this.#found.transfer(state)
    this.strategy.transfer(state)
    if (this.recrawl === undefined) this.frontier.transfer(state)
    else this.recrawl.transfer(state, this.frontier)
    for (const part of [this.exchange, this.patience]) part?.transfer(state)
  }

  get byteLength(): number {
    const parts = [this.pages, this.#connections, this.#waiting, this.frontier, this.#found, this.recrawl]
    return parts.reduce((sum, part) => sum + (part?.byteLength ?? 0), 0)
  }
}
