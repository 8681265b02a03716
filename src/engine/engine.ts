/**
 * The crawl engine: decides what to fetch next. Synchronous and deterministic; it works on page and site numbers and
 * knows no clock, no network, no disk and no URL. Its state is a function of the facts it was told, in order.
 *
 *   world ──fetched──▶ strategy ──scores──▶ frontier ──pages due──▶ world
 *
 * Invariant: every known page is in exactly one state (page-states.ts); the `waiting` ones are exactly those in the frontier,
 * the `reserved` ones exactly those in the reserve.
 */
import { assert } from '../lib/assert.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import { none } from '../lib/page-forest.ts'
import type { EngineOptions, StopReason } from './engine-options.ts'
import type { FactListener } from './fact.ts'
import type { Frontier } from './frontier.ts'
import { KnownLinks } from './known-links.ts'
import { PageBudget } from './page-budget.ts'
import { crawled, failedBy, inFlight, PageStates, redirected, reserved, waiting } from './page-states.ts'
import { emptyReading, type Reading } from './reading.ts'
import { Reserve } from './reserve.ts'
import { noParent, type Strategy, type StrategyServices } from './strategy.ts'
import { noSite, type FailureCause, type World, type WorldListener } from './world.ts'

export type { EngineOptions, StopReason } from './engine-options.ts'

export class Engine implements WorldListener, FactListener {
  readonly strategy: Strategy
  readonly frontier: Frontier
  readonly #options: EngineOptions
  readonly #links = new KnownLinks()
  readonly #keepsLinks: boolean
  readonly #robots: number
  readonly #batchEndBelow: number
  readonly pages = new PageStates()
  /** Sites with a connection under way. */
  readonly #busySites = new Set<number>()
  readonly #seeds: number[] = []
  /** Pages that wait for a batch to take them; empty where there are no batches. */
  readonly #reserve: Reserve
  /** The pages of the current batch, those already taken included. */
  readonly #batch = new GrowingUint32(16)
  #batchLength = 0
  /** Connections opened since the current batch was chosen. */
  #batchOpened = 0
  readonly #batches: ((waiting: number) => number) | undefined
  readonly #connection: Uint32Array
  #inFlight = 0
  #started = false
  /** Is the dispatch under way written as a fact already? */
  #noted = false
  /** The number of crawled pages at which scores are computed anew. */
  #rescoreDue = 0
  #budget: PageBudget
  #coverageWanted: number
  #stopReason: StopReason | undefined
  /** Nothing is under way any more, and the strategy has been told. */
  #ended = false

  constructor(options: EngineOptions) {
    this.#options = options
    this.#robots = options.robots ?? 1
    this.#batchEndBelow = options.batchEndBelow ?? 0
    this.#budget = new PageBudget(options.pagesMax, options.failuresMax)
    this.#coverageWanted = options.coverage ?? Infinity
    this.strategy = options.strategy
    this.frontier = options.frontier
    this.#connection = new Uint32Array(options.perConnection ?? 1)
    this.#reserve = new Reserve({ ranksSites: this.strategy.ranksSites === true })
    const { batchSize } = options
    this.#batches =
      this.strategy.batchSize?.bind(this.strategy) ?? (batchSize === undefined ? undefined : () => batchSize)
    let keepsLinks = false
    const services: StrategyServices = {
      get links() {
        keepsLinks = true
        return links
      },
      known: () => this.known,
      crawledCount: () => this.crawledCount,
      isCrawled: (page) => this.pages.isCrawled(page),
      isWaiting: (page) => this.pages.isWaiting(page),
      siteOf: (page) => this.pages.siteOf(page),
      rescored: (page) => this.#rekey(page, this.strategy.score(page)),
    }
    const links = this.#links
    this.strategy.start?.(services)
    this.#keepsLinks = keepsLinks
  }

  get known(): number {
    return this.pages.known
  }

  get crawledCount(): number {
    return this.pages.crawledCount
  }

  get failedCount(): number {
    return this.pages.failedCount
  }

  get waitingCount(): number {
    return this.frontier.waiting + this.#reserve.count
  }

  /** Why the crawl ended, or undefined while it goes on. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason
  }

  get finished(): boolean {
    if (this.#inFlight > 0) return false
    if (this.#ended) return true
    if (this.#stopReason === undefined) {
      const reached = this.#budget.reached(this.pages, 0)
      if (reached !== undefined) this.#stopReason = reached
      else if (this.#covered()) this.#stopReason = 'coverage'
      else if (this.waitingCount === 0) this.#stopReason = 'finished'
      else return false
    }
    this.#ended = true
    if (this.#stopReason !== 'interrupted') this.strategy.ended?.()
    return true
  }

  /** Takes no further page; what is under way is still waited for. */
  stop(reason: StopReason = 'interrupted'): void {
    this.#stopReason ??= reason
  }

  /** Replaces the limits. A crawl that had stopped at the old ones goes on. */
  budget(pagesMax: number, coverage: number, failuresMax: number): void {
    this.#options.facts?.budget(pagesMax, coverage, failuresMax)
    this.#budget = new PageBudget(pagesMax, failuresMax)
    this.#coverageWanted = coverage
    this.#stopReason = undefined
    this.#ended = false
  }

  #covered(): boolean {
    return (this.strategy.coverage?.() ?? 0) >= this.#coverageWanted
  }

  /** A page to start from, before anything is crawled. Its number is the next one. */
  seed(site: number): void {
    assert(!this.#started, 'a seed came after the crawl began')
    this.#options.facts?.seed(site)
    this.#seeds.push(this.known)
    this.#discover(site, noParent)
  }

  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    reading?: Reading,
    isRedirect = false,
  ): void {
    const knownBefore = this.known
    this.#settle(page, isRedirect ? redirected : crawled)
    const read = this.strategy.read === undefined ? undefined : (reading ?? emptyReading)
    if (read !== undefined) this.strategy.read?.(page, read)
    if (this.#keepsLinks) this.#links.append(page, links, linkCount)
    const share = this.strategy.visited(page, linkCount)
    for (let i = 0; i < linkCount; i++) {
      const target = links[i]
      if (target >= this.known) {
        assert(target === this.known, 'pages must be numbered in the order they are found')
        this.#discover(newSites[this.known - knownBefore], page)
      }
      if (share !== 0) this.#rekey(target, this.strategy.linked(target, share))
    }
    this.#options.facts?.fetched(page, links, linkCount, newSites, this.known - knownBefore, read, isRedirect)
    this.#options.onCrawled?.(page)
  }

  failed(page: number, cause: FailureCause): void {
    this.#options.facts?.failed(page, cause)
    this.#settle(page, failedBy(cause))
  }

  postponed(page: number, last = false): void {
    this.#options.facts?.postponed(page, last)
    if (last) this.pages.demote(page)
    this.#settle(page, waiting)
    this.#wait(page, this.strategy.score(page))
  }

  /** Sites that are asked now; what a killed crawl had under way. */
  get busySites(): ReadonlySet<number> {
    return this.#busySites
  }

  closed(site: number, freeAt: number): void {
    this.#options.facts?.closed(site, freeAt)
    this.#busySites.delete(site)
    this.frontier.release(site, freeAt)
  }

  /** Asks the world for every page that is due now. */
  dispatch(world: World): void {
    this.#dispatch(world.now(), (site, pages, count) => world.fetch(site, pages, count))
  }

  /** The same decisions again, from a journal: nothing is fetched. */
  dispatchAt(now: number): void {
    this.#dispatch(now, () => {})
  }

  /** When `dispatch` can next do something by itself: Infinity where only an outcome can change anything. */
  nextDue(): number {
    if (!this.#mayTake() || this.#busySites.size >= this.#robots) return Infinity
    return this.frontier.nextFree()
  }

  #dispatch(now: number, fetch: (site: number, pages: Uint32Array, count: number) => void): void {
    this.#begin()
    this.#noted = false
    do {
      this.#fillBatch(now)
      this.#handOut(now, fetch)
    } while (this.#batchEnds(now))
  }

  /** A decision that changes anything is a fact: without it a replay would decide the same later, knowing more. */
  #note(now: number): void {
    if (!this.#noted) this.#options.facts?.dispatch(now)
    this.#noted = true
  }

  #handOut(now: number, fetch: (site: number, pages: Uint32Array, count: number) => void): void {
    while (this.#busySites.size < this.#robots && this.#mayTake()) {
      if (!this.#advanced(now)) break
      const page = this.#take(this.frontier.take(now), now)
      const site = this.pages.siteOf(page)
      const connection = this.#connection
      connection[0] = page
      let count = 1
      while (count < connection.length && this.#mayTake()) {
        const next = this.frontier.takeFrom(site)
        if (next === none) break
        connection[count++] = this.#take(next, now)
      }
      this.#busySites.add(site)
      this.#batchOpened++
      fetch(site, connection, count)
    }
  }

  #mayTake(): boolean {
    return this.#stopReason === undefined && this.#budget.reached(this.pages, this.#inFlight) === undefined
  }

  /** Lets the strategy do what it does before a choice. False: no page can be chosen now, or no more is needed. */
  #advanced(now: number): boolean {
    this.#rescoreIfDue(now)
    for (;;) {
      const best = this.frontier.best(now)
      if (best === none) return false
      this.#note(now)
      if (this.#covered()) {
        this.#stopReason = 'coverage'
        return false
      }
      if (this.strategy.advance === undefined || !this.strategy.advance(best)) return true
    }
  }

  #begin(): void {
    if (this.#started) return
    this.#started = true
    this.strategy.seeded?.(this.#seeds)
    for (const page of this.#seeds) this.#rekey(page, this.strategy.score(page))
  }

  #take(page: number, now: number): number {
    this.pages.set(page, inFlight)
    this.#inFlight++
    this.#options.onTaken?.(page, this.#shownScore(page), now)
    return page
  }

  #shownScore(page: number): number {
    const { strategy } = this
    if (strategy.ranksSites === true) return this.frontier.takenRank
    return strategy.shown === undefined ? strategy.score(page) : strategy.shown(page)
  }

  #settle(page: number, state: number): void {
    this.pages.settle(page, state)
    this.#inFlight--
  }

  #discover(site: number, parent: number): void {
    const page = this.pages.add(site)
    const score = this.strategy.discovered(page, parent)
    if (site === noSite) this.pages.set(page, failedBy('scope'))
    else this.#wait(page, score)
  }

  /** The page starts to wait, in the frontier or for a batch. */
  #wait(page: number, score: number): void {
    if (this.#batches === undefined) {
      this.pages.set(page, waiting)
      this.frontier.add(page, this.pages.siteOf(page), this.pages.key(page, score))
    } else {
      this.pages.set(page, reserved)
      this.#reserve.add(page, this.pages.siteOf(page), this.pages.key(page, score))
    }
  }

  #rekey(page: number, score: number): void {
    const state = this.pages.of(page)
    if (state === reserved) this.#reserve.update(page, this.pages.siteOf(page), this.pages.key(page, score))
    // Pages of a batch keep the order in which they were chosen.
    else if (state === waiting && this.#batches === undefined) {
      this.frontier.update(page, this.pages.siteOf(page), this.pages.key(page, score))
    }
  }

  /** Every page that waits, but for those of a batch under way, is scored anew. */
  #rekeyAll(): void {
    const old = this.#batches === undefined ? waiting : reserved
    if (this.#batches === undefined) this.frontier.clear()
    this.#reserve.clear()
    for (let page = 0; page < this.known; page++) {
      if (this.pages.of(page) === old) this.#wait(page, this.strategy.score(page))
    }
  }

  #rescoreIfDue(now: number): void {
    const { every } = this.strategy
    if (every === undefined || this.crawledCount < this.#rescoreDue) return
    this.#note(now)
    this.#rescoreDue = (Math.floor(this.crawledCount / every) + 1) * every
    this.strategy.rescore?.()
    this.#rekeyAll()
  }

  /** Chooses the next batch when the last one is used up: all of it crawled, or with overlap all of it handed out. */
  #fillBatch(now: number): void {
    if (this.#batches === undefined || this.frontier.waiting > 0 || this.#reserve.count === 0) return
    if (this.#busySites.size >= this.#robots || !this.#mayTake()) return
    if (this.#inFlight > 0 && !this.#mayOverlap()) return
    this.#note(now)
    if (this.strategy.batchSize === undefined) this.#rescoreIfDue(now)
    else {
      this.strategy.rescore?.()
      this.#rekeyAll()
    }
    const size = Math.min(this.#reserve.count, Math.max(1, this.#batches(this.#reserve.count)))
    this.#batch.ensure(size)
    this.#batchLength = size
    this.#batchOpened = 0
    for (let i = 0; i < size; i++) {
      const page = this.#reserve.take()
      this.#batch.array[i] = page
      this.pages.set(page, waiting)
      this.frontier.add(page, this.pages.siteOf(page), size - i)
    }
  }

  /** May the next batch be chosen while pages of this one are under way? */
  #mayOverlap(): boolean {
    return this.#options.batchOverlap === true || this.#busySites.size < this.#batchEndBelow
  }

  /** True: the next batch is to be chosen at once. What is left of this one has gone back to the reserve. */
  #batchEnds(now: number): boolean {
    if (this.#batches === undefined || this.#reserve.count === 0) return false
    if (this.#busySites.size >= this.#robots || !this.#mayTake()) return false
    if (this.frontier.waiting === 0) return this.#mayOverlap()
    const openedMin = Math.max(this.#batchEndBelow, this.#batchLength / 16)
    if (this.#busySites.size >= this.#batchEndBelow || this.#batchOpened < openedMin) return false
    this.#note(now)
    this.frontier.clear()
    for (let i = 0; i < this.#batchLength; i++) {
      const page = this.#batch.array[i]
      if (this.pages.of(page) === waiting) this.#wait(page, this.strategy.score(page))
    }
    return true
  }

  /** All that the engine remembers, as bytes: equal facts give equal bytes. */
  state(): ArrayBufferView[] {
    const { known, crawledCount, failedCount } = this
    const counts = [known, crawledCount, failedCount, this.#inFlight, this.#busySites.size]
    const batch = [this.#reserve.count, this.#batchOpened]
    const own = Float64Array.from([...counts, ...batch])
    return [own, ...this.pages.state(), ...this.frontier.state(), ...this.strategy.state()]
  }

  get byteLength(): number {
    const own = this.pages.byteLength + this.#reserve.byteLength + this.#batch.array.byteLength
    return own + this.frontier.byteLength + (this.#keepsLinks ? this.#links.byteLength : 0)
  }
}
