/**
 * The held pages of a crawl that fetches pages again. They wait in a frontier of their own, ordered by the keys of
 * the recrawl policy. A site is busy or resting in both frontiers at the same times. A crawl that fetches every page
 * once has no object of this class.
 *
 *   new pages ▷ frontier, by the strategy ─┐
 *                                          ├─▶ the higher key, if there is a token ─▶ look ─▶ rest ─┐
 *   held pages ▷ frontier, by the policy ──┘                                                        │
 *                     ▲─────────────────────────────────────────────────────────────────────────────┘
 *
 * Invariant: exactly the pages in state `waits` are in the frontier, and those in state `rests` rest, until a time or the next round.
 */
import { assert } from '../lib/assert.ts'
import { transferSet } from '../lib/state-views.ts'
import type { StateCodec } from '../lib/state.ts'
import type { Frontier } from './frontier.ts'
import { forbidden, gone, HeldPages, inFlight, rests, waits } from './held-pages.ts'
import { LookTokens } from './look-tokens.ts'
import { PageCosts } from './page-costs.ts'
import { none } from './page-forest.ts'
import type { RecrawlOptions, RecrawlParts } from './recrawl-options.ts'
import type { RecrawlPolicy, Verdict } from './recrawl-policy.ts'
import { GoingPrice } from './recrawl/going-price.ts'
import { Horizon } from './recrawl/horizon.ts'
import { keyMasses } from './recrawl/key-masses.ts'
import { RestingPages } from './resting-pages.ts'
import { Setbacks } from './setbacks.ts'

const daySeconds = 86_400

/** The page to fetch next: a held one, the best new one, or none. */
export type NextPage = 'held' | 'new' | 'none'

const noLinks = new Uint32Array(0)

export class Recrawl {
  readonly policy: RecrawlPolicy
  readonly frontier: Frontier
  readonly restSeconds: number
  readonly held = new HeldPages()
  readonly setbacks = new Setbacks()
  readonly horizon: Horizon
  /** The strategy's importance of any known page; and the same as keys count it. */
  readonly importanceOf: (page: number) => number
  readonly massOf: (page: number) => number
  readonly #parts: RecrawlParts
  readonly tokens: LookTokens
  readonly #costs: PageCosts | undefined
  readonly resting = new RestingPages()
  /** In a round: the pages that were looked at. They rest until the next round. */
  readonly #done = new RestingPages()
  isRound = false
  /** Pages that are gone and to which a page fetched later links. They count as never fetched. */
  readonly #found = new Set<number>()
  /** Seconds: the latest time of a look or of a choice that took a page. */
  time = 0
  readonly price = new GoingPrice()
  /** The time of the last choice, whether or not it became a fact. */
  #now = 0
  /** The pages that all shards know; 0 if there is one, or before that is known. */
  #allKnown = 0

  constructor(options: RecrawlOptions, parts: RecrawlParts) {
    const { pages } = parts
    this.#parts = parts
    this.policy = options.policy
    this.frontier = options.frontier
    this.frontier.shareWith?.(parts.options.frontier)
    this.restSeconds = options.restSeconds ?? 3600
    this.#costs = options.cost === 'bytes' ? new PageCosts() : undefined
    this.tokens = new LookTokens(options.refreshShare)
    this.importanceOf = parts.options.strategy.masses?.() ?? (() => 1)
    const { setbacks, jump = 0 } = { ...options, setbacks: this.setbacks }
    const known = (): number => this.#allKnown || pages.known
    this.massOf = keyMasses(this.importanceOf, { ...parts, known, setbacks, costs: this.#costs, jump })
    const { policy, restSeconds } = this
    this.horizon = new Horizon({ ...parts.options, ...options, givenDays: policy.givenHorizon, restSeconds })
    this.policy.start({
      horizon: this.horizon,
      roundDays: (day) => this.horizon.roundDays(this.#known(), this.tokens.used, day),
      siteOf: (page) => pages.siteOf(page),
      massOf: this.massOf,
      key: (page, key) => this.#setKey(page, key),
      eachWaiting: (visit) => this.#eachWaiting(visit),
      eachOfSite: (site, visit) => {
        for (const page of this.frontier.pagesOf!(site)) if (!this.#found.has(page)) visit(page)
      },
      highest: () => this.#highest(),
    })
    this.#setRate(options.perDay ?? Infinity)
  }

  #known(): number {
    const { pages } = this.#parts
    return this.#allKnown || pages.known - pages.failedCount - this.held.gone
  }

  /** So many pages are known to all shards, whose keys are compared: they have one horizon. */
  allKnown(count: number): void {
    this.#parts.options.facts?.allKnown(count)
    this.#allKnown = count
  }

  /** Sets the number of fetches per day. */
  rate(perDay: number): void {
    this.#parts.options.facts?.rate(perDay)
    this.#setRate(perDay)
  }

  /** Each held page is looked at once from now on, or again as often as is worth it. */
  round(isRound: boolean): void {
    this.#parts.options.facts?.round(isRound)
    this.isRound = isRound
    this.#done.moveTo(this.resting)
  }

  #setRate(perDay: number): void {
    // The shards of a worker share its tokens.
    this.tokens.rate(this.#parts.options.isShard === true ? Infinity : perDay)
    this.horizon.rate(perDay)
  }

  hasToken(now: number): boolean {
    return this.tokens.has(now)
  }

  readonly useToken = (now: number): void => this.tokens.use(now)

  /** A new page was taken: its site becomes busy here too. */
  takenNew(site: number, now: number): void {
    this.frontier.occupy(site, now)
    this.tokens.use(now)
    this.#took(now)
  }

  /** Compares the best held page with `best`, the best new page or `none`. The policy may have a key for neither. */
  next(best: number, now: number, provenOnly: boolean): NextPage {
    this.#now = now
    this.#wake(now)
    const day = now / daySeconds
    const keyOfNew = (): number => (best === none ? -Infinity : this.policy.newKey(best, day))
    const doublings = this.horizon.grow(this.#known(), this.tokens.used, day)
    if (doublings > 0) this.policy.grown?.(doublings, day)
    if (this.policy.raise?.(day, keyOfNew()) === true || doublings > 0) {
      this.#parts.note(now)
      for (const page of this.#found) if (this.held.of(page) === waits) this.#enter(page, day)
    }
    const newKey = keyOfNew()
    const held = this.frontier.best(now, provenOnly)
    const key = held === none ? -Infinity : this.frontier.keyOf!(held)
    if (key === -Infinity && newKey === -Infinity) return 'none'
    const isHeld =
      key !== -Infinity &&
      this.tokens.isForHeld(newKey !== -Infinity, key > newKey || (key === newKey && held < best))
    this.price.taken = isHeld ? key : newKey
    return isHeld ? 'held' : 'new'
  }

  /** Pages that have rested get a key. */
  #wake(now: number): void {
    if (this.resting.next() > now) return
    this.#parts.note(now)
    while (this.resting.next() <= now) {
      const page = this.resting.take()
      this.held.set(page, 0)
      this.#enter(page, now / daySeconds)
    }
  }

  #highest(): number {
    const held = this.frontier.best(this.#now)
    return held === none ? -Infinity : this.frontier.keyOf!(held)
  }

  /** Takes the best held page and makes its site busy in both frontiers. */
  take(now: number, provenOnly: boolean): number {
    const page = this.frontier.take(now, provenOnly)
    this.frontier.forget!(page)
    this.#parts.note(now)
    this.#parts.options.frontier.occupy(this.#parts.pages.siteOf(page), now)
    this.held.set(page, inFlight)
    this.policy.leave?.(page)
    this.tokens.use(now)
    this.#took(now)
    return page
  }

  #took(now: number): void {
    this.time = Math.max(this.time, now)
    this.horizon.fetched(now / daySeconds)
    this.price.fetched(this.tokens.used)
  }

  /** The result of a look (world.ts). */
  looked(
    page: number,
    seconds: number,
    verdict: Verdict,
    links: Uint32Array = noLinks,
    linkCount = 0,
    newSites: Uint32Array = noLinks,
    datedSeconds?: number,
    bytes?: number,
  ): void {
    assert(
      (this.held.of(page) === inFlight) === (verdict !== 'first'),
      'a look must be the first one or of a held page in flight',
    )
    // Facts hold milliseconds, and a replay must compute with the same numbers.
    const ms = Math.round(seconds * 1000)
    const datedMs = datedSeconds === undefined ? undefined : Math.max(0, Math.round(datedSeconds * 1000))
    let newPages = 0
    if (verdict === 'changed') {
      newPages = this.#parts.relink(page, links, linkCount, newSites)
      this.linked(links, linkCount)
    }
    this.#parts.options.facts?.looked(page, ms, verdict, links, linkCount, newSites, newPages, datedMs, bytes)
    this.time = Math.max(this.time, ms / 1000)
    if (bytes !== undefined) this.#costs?.looked(page, bytes)
    this.#settle(page, ms / 1000, verdict, datedMs)
    this.#parts.copies.looked(page, verdict)
  }

  #settle(page: number, seconds: number, verdict: Verdict, datedMs: number | undefined): void {
    const day = seconds / daySeconds
    const sinceDays = verdict === 'first' ? 0 : day - this.policy.lastLookDay(page)
    this.held.looked(page, verdict, sinceDays)
    this.horizon.fetched(day)
    if (verdict === 'forbidden') this.held.set(page, forbidden)
    else if (verdict === 'failed') {
      const { horizon, restSeconds } = this
      const rest = 2 ** this.setbacks.fail(page) * Math.max(horizon.unitSeconds, restSeconds)
      this.#rest(page, seconds + Math.min(rest, Math.max(horizon.seconds / 2, restSeconds)))
    } else if (verdict === 'gone' || verdict === 'missing') this.#missed(page, seconds, verdict)
    else {
      this.setbacks.clear(page)
      const wasGone = this.#found.delete(page)
      const datedDays = datedMs === undefined ? undefined : datedMs / 1000 / daySeconds
      this.policy.looked(page, day, wasGone ? 'first' : verdict, datedDays)
      this.#rest(page, seconds + this.restSeconds)
    }
  }

  /** A deletion is a change; that a page is still missing is none. */
  #missed(page: number, seconds: number, verdict: 'gone' | 'missing'): void {
    const wasGone = this.#found.delete(page)
    const wasMissing = this.setbacks.misses(page) > 0
    const isGone = verdict === 'gone' || this.setbacks.miss(page, seconds) || wasGone
    if (!wasGone) this.policy.looked(page, seconds / daySeconds, wasMissing ? 'same' : 'changed')
    if (!isGone) {
      this.#rest(page, seconds + this.restSeconds)
      return
    }
    this.held.set(page, gone)
    this.setbacks.clear(page)
    this.#parts.copies.left(page, 'failed')
    this.#parts.relink(page, noLinks, 0, noLinks)
  }

  #rest(page: number, until: number): void {
    if (this.isRound) {
      this.held.set(page, rests)
      this.#done.add(page, until)
      return
    }
    this.held.set(page, until <= this.time ? 0 : rests)
    if (until <= this.time) this.#enter(page, this.time / daySeconds)
    else this.resting.add(page, until)
  }

  /** A held page in flight was not requested after all: it waits again. False for other pages. */
  postponed(page: number): boolean {
    return this.#enterFrom(inFlight, page)
  }

  /** A forbidden page waits again, because robots.txt allows it. False for other pages. */
  permitted(page: number): boolean {
    return this.#enterFrom(forbidden, page)
  }

  #enterFrom(state: number, page: number): boolean {
    if (this.held.of(page) !== state) return false
    this.held.set(page, 0)
    if (state !== waits) this.#parts.copies.reopened(page)
    this.#enter(page, this.time / daySeconds)
    return true
  }

  /** A sitemap, feed or ping reports that a page has changed. */
  signal(page: number, seconds: number): void {
    const ms = Math.round(seconds * 1000)
    this.#parts.options.facts?.signal(page, ms)
    const state = this.held.of(page)
    if (this.policy.signal === undefined || state === 0 || state === gone) return
    this.policy.signal(page, ms / 1000 / daySeconds)
    if (state === waits) this.#enter(page, this.time / daySeconds)
  }

  /** The links of a fetched page: masses of held pages may have changed, and pages that were gone are found again. */
  linked(links: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const page = links[i]
      if (this.held.of(page) !== gone) this.massMoved(page)
      else {
        this.#found.add(page)
        this.#enterFrom(gone, page)
      }
    }
  }

  /** The mass of a page may have changed. */
  massMoved(page: number): void {
    const state = this.held.of(page)
    if (state === 0 || state === gone) return
    const day = this.time / daySeconds
    if (!this.#found.has(page)) this.policy.massMoved?.(page, day, state === waits)
    else if (state === waits) this.#enter(page, day)
  }

  /** The strategy has recomputed all scores. */
  rescored(): void {
    for (let page = 0; page < this.held.end; page++) this.massMoved(page)
  }

  /** The next time at which a page can be chosen without a further outcome; `newFree` is that time for new pages. */
  nextDue(newFree: number): number {
    if (!this.tokens.has(this.#now)) return this.tokens.next
    const rise = (this.policy.nextRise?.() ?? Infinity) * daySeconds
    return Math.min(newFree, this.frontier.nextFree(), rise, this.resting.next())
  }

  #enter(page: number, day: number): void {
    if (this.#found.has(page)) this.#setKey(page, this.policy.newKey(page, day))
    else this.policy.enter(page, day)
  }

  #setKey(page: number, key: number): void {
    const site = this.#parts.pages.siteOf(page)
    if (this.held.of(page) === waits) this.frontier.update(page, site, key)
    else {
      this.held.set(page, waits)
      this.frontier.add(page, site, key)
    }
  }

  #eachWaiting(visit: (page: number) => void): void {
    for (let page = 0; page < this.held.end; page++)
      if (this.held.of(page) === waits && !this.#found.has(page)) visit(page)
  }

  /**
   * Keys are not part of the state: they depend on the time of the last choice, and a replay makes fewer choices. So the
   * frontier is empty when it is written. The frontier of new pages may share its memory.
   */
  transfer(state: StateCodec, newPages: Frontier): void {
    const keys = state.isReading ? undefined : this.#takeKeys()
    newPages.transfer(state)
    this.#transferState(state)
    for (let page = 0; page < this.held.end; page++) {
      if (this.held.of(page) !== waits) continue
      if (keys === undefined) this.#enterFrom(waits, page)
      else this.frontier.add(page, this.#parts.pages.siteOf(page), keys[page])
    }
  }

  #takeKeys(): Float64Array {
    const keys = new Float64Array(this.held.end)
    this.frontier.clear()
    for (let page = 0; page < keys.length; page++) {
      if (this.held.of(page) !== waits) continue
      keys[page] = this.frontier.keyOf!(page)
      this.frontier.forget!(page)
    }
    return keys
  }

  #transferState(state: StateCodec): void {
    state.section('recrawl', 4)
    if (this.#parts.options.isShard === true) this.#allKnown = state.number(this.#allKnown)
    this.horizon.transfer(state)
    this.time = state.number(this.time)
    this.price.transfer(state)
    this.tokens.transfer(state)
    this.setbacks.transfer(state)
    this.#costs?.transfer(state)
    this.resting.transfer(state)
    this.#done.transfer(state)
    this.isRound = state.number(Number(this.isRound)) === 1
    transferSet(state, this.#found)
    this.held.transfer(state)
    this.frontier.transfer(state)
    this.policy.transfer(state)
  }

  get byteLength(): number {
    const resting = this.resting.byteLength + this.#done.byteLength
    const own = this.held.byteLength + resting + (this.#costs?.byteLength ?? 0)
    return own + this.frontier.byteLength + this.policy.byteLength
  }
}
