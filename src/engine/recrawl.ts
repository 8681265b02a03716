/**
 * The held pages of a crawl that fetches pages again. They wait in a frontier of their own, ordered by the keys of
 * the recrawl policy. A site is busy or resting in both frontiers at the same times. A crawl that fetches every page
 * once has no object of this class.
 *
 *   new pages ▷ frontier, by the strategy ─┐
 *                                          ├─▶ the higher key, if there is a token
 *   held pages ▷ frontier, by the policy ──┘
 */
import { assert } from '../lib/assert.ts'
import { GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Frontier } from './frontier.ts'
import { none } from './page-forest.ts'
import type { PageStates } from './page-states.ts'
import { type RecrawlPolicy, type Verdict } from './recrawl-policy.ts'

const secondsPerDay = 86_400
/** Unused budget expires after this time. */
const burstSeconds = 10

const waits = 1
const isInFlight = 2

export interface RecrawlOptions {
  readonly policy: RecrawlPolicy
  /** An empty frontier for the held pages. Both frontiers must implement `occupy` and `keyOf`. */
  readonly frontier: Frontier
  /** Maximum number of fetches per day. Default: no limit. */
  readonly perDay?: number
}

export interface RecrawlParts {
  readonly options: EngineOptions
  readonly pages: PageStates
  /** Records the current dispatch as a fact. */
  note(now: number): void
  discover(site: number, parent: number): void
  rekey(page: number, score: number): void
  /** A held page is no longer in flight. */
  settle(): void
}

/** The page to fetch next: a held one, the best new one, or none. */
export type NextPage = 'held' | 'new' | 'none'

const noLinks = new Uint32Array(0)

export class Recrawl {
  readonly policy: RecrawlPolicy
  readonly frontier: Frontier
  readonly #parts: RecrawlParts
  readonly #pages: PageStates
  /** `waits` (in the frontier) or `isInFlight`; 0 for pages without a key. */
  readonly #states = new GrowingUint8()
  /** Held pages whose mass the last fetch may have changed. */
  readonly #moved: number[] = []
  /** Seconds between tokens, and the time of the next token. */
  #interval = 0
  #nextToken = 0
  /** The time of the last look. */
  #lookedAt = 0
  /** The key of the page taken last. */
  takenKey = 0
  /** The time of the last choice, whether or not it became a fact. */
  #now = 0

  constructor(options: RecrawlOptions, parts: RecrawlParts) {
    const { pages } = parts
    this.#parts = parts
    this.policy = options.policy
    this.frontier = options.frontier
    this.#pages = pages
    const massOf = parts.options.strategy.masses?.() ?? (() => 1)
    this.policy.start({
      known: () => pages.known,
      siteOf: (page) => pages.siteOf(page),
      massOf,
      key: (page, key) => this.#setKey(page, key),
      highest: () => this.#highest(),
    })
    this.#setRate(options.perDay ?? Infinity)
  }

  /** Sets the number of fetches per day. */
  rate(perDay: number): void {
    this.#parts.options.facts?.rate(perDay)
    this.#setRate(perDay)
  }

  #setRate(perDay: number): void {
    this.#interval = secondsPerDay / perDay
    this.policy.rate(perDay)
  }

  /** How long before its time in a steady stream a token may be used. */
  get #slack(): number {
    return Math.max(0, burstSeconds - this.#interval)
  }

  hasToken(now: number): boolean {
    return now >= this.#nextToken
  }

  /** A new page was taken: its site becomes busy here too. */
  takenNew(site: number, now: number): void {
    this.frontier.occupy!(site, now)
    this.#useToken(now)
  }

  #useToken(now: number): void {
    this.#nextToken = Math.max(this.#nextToken, now - this.#slack) + this.#interval
  }

  /** Compares the best held page with `best`, the best new page or `none`. The policy may have a key for neither. */
  next(best: number, now: number): NextPage {
    this.#now = now
    const day = now / secondsPerDay
    const keyOfNew = (): number => (best === none ? -Infinity : this.policy.newKey(best, day))
    if (this.policy.raise?.(day, keyOfNew()) === true) this.#parts.note(now)
    const newKey = keyOfNew()
    const key = this.#highest()
    this.takenKey = Math.max(key, newKey)
    if (key === -Infinity) return newKey === -Infinity ? 'none' : 'new'
    return key > newKey || (key === newKey && this.frontier.best(now) < best) ? 'held' : 'new'
  }

  #highest(): number {
    const held = this.frontier.best(this.#now)
    return held === none ? -Infinity : this.frontier.keyOf!(held)
  }

  /** Takes the best held page and makes its site busy in both frontiers. */
  take(now: number): number {
    const page = this.frontier.take(now)
    this.#parts.note(now)
    this.#parts.options.frontier.occupy!(this.#pages.siteOf(page), now)
    this.#states.array[page] = isInFlight
    this.#useToken(now)
    return page
  }

  /** The result of a look. Links to unknown pages discover them and carry a share to them; other links are ignored. */
  looked(
    page: number,
    seconds: number,
    verdict: Verdict,
    links: Uint32Array = noLinks,
    linkCount = 0,
    newSites: Uint32Array = noLinks,
  ): void {
    const { pages } = this.#parts
    const { strategy, facts } = this.#parts.options
    const knownBefore = pages.known
    if (verdict !== 'first') this.#parts.settle()
    const share = linkCount === 0 ? 0 : (strategy.relinked?.(page, linkCount) ?? 0)
    for (let i = 0; i < linkCount; i++) {
      if (links[i] < pages.known) continue
      this.#parts.discover(newSites[pages.known - knownBefore], page)
      if (share !== 0) this.#parts.rekey(links[i], strategy.linked(links[i], share))
    }
    facts?.looked(page, seconds, verdict, links, linkCount, newSites, pages.known - knownBefore)
    this.#settle(page, seconds, verdict)
  }

  #settle(page: number, seconds: number, verdict: Verdict): void {
    this.#states.ensure(page)
    assert(
      (this.#states.array[page] === isInFlight) === (verdict !== 'first'),
      'a look must be the first one or of a held page in flight',
    )
    this.#states.array[page] = 0
    this.#lookedAt = seconds
    const day = seconds / secondsPerDay
    this.policy.looked(page, day, verdict)
    for (const moved of this.#moved)
      if (this.#states.array[moved] === waits) this.policy.massMoved?.(moved, day)
    this.#moved.length = 0
  }

  /** A sitemap, feed or ping reports that a page has changed. */
  signal(page: number, seconds: number): void {
    this.#parts.options.facts?.signal(page, seconds)
    if (this.#states.array[page] === waits) this.policy.signal?.(page, seconds / secondsPerDay)
  }

  /** The links of a fetched page: the masses of their targets may have changed. Processed at the next look. */
  linked(links: Uint32Array, count: number): void {
    if (this.policy.massMoved === undefined) return
    for (let i = 0; i < count; i++) if (this.#pages.isCrawled(links[i])) this.#moved.push(links[i])
  }

  /** The next time at which a page can be chosen without a further outcome; `newFree` is that time for new pages. */
  nextDue(newFree: number): number {
    if (!this.hasToken(this.#now)) return this.#nextToken
    const rise = (this.policy.nextRise?.() ?? Infinity) * secondsPerDay
    return Math.min(newFree, this.frontier.nextFree(), rise)
  }

  #setKey(page: number, key: number): void {
    this.#states.ensure(page)
    const state = this.#states.array[page]
    if (state === waits) this.frontier.update(page, this.#pages.siteOf(page), key)
    else if (state !== isInFlight && key !== -Infinity) {
      this.#states.array[page] = waits
      this.frontier.add(page, this.#pages.siteOf(page), key)
    }
  }

  /**
   * Keys depend on the time of the last choice. A replay makes fewer choices, so the keys are written as of the
   * last look.
   */
  transfer(state: StateCodec): void {
    state.section('recrawl', 1)
    this.#interval = state.number(this.#interval)
    this.#nextToken = state.number(this.#nextToken)
    this.#lookedAt = state.number(this.#lookedAt)
    if (!state.isReading) this.#rekey()
    state.growing(this.#states)
    this.frontier.transfer(state)
    this.policy.transfer(state)
    if (state.isReading) this.#rekey()
  }

  #rekey(): void {
    const states = this.#states.array
    for (let page = 0; page < this.#states.length; page++) if (states[page] === waits) states[page] = 0
    this.frontier.clear()
    this.policy.rekey(this.#lookedAt / secondsPerDay)
  }

  get byteLength(): number {
    return this.#states.array.byteLength + this.frontier.byteLength + this.policy.byteLength
  }
}
