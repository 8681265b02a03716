/**
 * The held pages of a continuous crawl, as the engine sees them: those that may be fetched again wait in a frontier of their own, by the
 * keys of the policy. Sites are busy and rest in both frontiers alike. A crawl that fetches every page once has none of this.
 *
 *   new pages ▷ frontier, by the strategy ─┐
 *                                          ├─▶ the higher key, when there is a token
 *   held pages ▷ frontier, by the policy ──┘
 */
import { assert } from '../lib/assert.ts'
import { GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import type { FactWriter } from './fact.ts'
import type { Frontier } from './frontier.ts'
import { none } from './page-forest.ts'
import type { PageStates } from './page-states.ts'
import { type RecrawlPolicy, type Verdict } from './recrawl-policy.ts'
import type { Strategy } from './strategy.ts'

const secondsPerDay = 86_400
/** Unused budget is kept for this long. */
const burstSeconds = 10

const waits = 1
const isUnderWay = 2

export interface RecrawlOptions {
  readonly policy: RecrawlPolicy
  /** Empty, for the held pages. It must offer `occupy` and `keyOf`, as the frontier of the new pages must. */
  readonly frontier: Frontier
  /** Fetches a day; no limit unless given. */
  readonly perDay?: number
}

/** What the engine lets it do. */
export interface RecrawlParts {
  readonly pages: PageStates
  readonly strategy: Strategy
  readonly facts: FactWriter | undefined
  /** Makes the choice under way a fact. */
  note(now: number): void
  discover(site: number, parent: number): void
  rekey(page: number, score: number): void
  /** A page that was fetched again is not under way any more. */
  settle(): void
}

const noLinks = new Uint32Array(0)

export class Recrawl {
  readonly policy: RecrawlPolicy
  readonly frontier: Frontier
  readonly #parts: RecrawlParts
  readonly #pages: PageStates
  /** `waits` in the frontier, `isUnderWay`, or neither: it has no key. */
  readonly #states = new GrowingUint8()
  /** Pages whose mass the last fetch may have changed. */
  readonly #moved: number[] = []
  /** Seconds from one token to the next, and when the next token is there. */
  #interval = 0
  #nextToken = 0
  /** The time of the last look. */
  #lookedAt = 0
  /** The key of the last page that was taken. */
  takenKey = 0
  /** The time of the last choice, fact or not. */
  #now = 0

  constructor(options: RecrawlOptions, parts: RecrawlParts) {
    const { pages, strategy } = parts
    this.#parts = parts
    this.policy = options.policy
    this.frontier = options.frontier
    this.#pages = pages
    const massOf = strategy.masses?.() ?? (() => 1)
    this.policy.start({
      known: () => pages.known,
      siteOf: (page) => pages.siteOf(page),
      massOf,
      key: (page, key) => this.#setKey(page, key),
      highest: () => this.#highest(),
    })
    this.#setRate(options.perDay ?? Infinity)
  }

  /** Fetches a day from now on. */
  rate(perDay: number): void {
    this.#parts.facts?.rate(perDay)
    this.#setRate(perDay)
  }

  #setRate(perDay: number): void {
    this.#interval = secondsPerDay / perDay
    this.policy.rate(perDay)
  }

  /** How much earlier than in a steady stream a token may be used. */
  get #slack(): number {
    return Math.max(0, burstSeconds - this.#interval)
  }

  hasToken(now: number): boolean {
    return now >= this.#nextToken
  }

  /** A page never fetched was taken: its site is busy here too. */
  takenNew(site: number, now: number): void {
    this.frontier.occupy!(site, now)
    this.#useToken(now)
  }

  #useToken(now: number): void {
    this.#nextToken = Math.max(this.#nextToken, now - this.#slack) + this.#interval
  }

  /**
   * Which page is next: a held one, or `best`, the best new one (or `none`)? Neither, where the policy has no key for either.
   */
  next(best: number, now: number): 'held' | 'new' | 'neither' {
    this.#now = now
    const day = now / secondsPerDay
    const keyOfNew = (): number => (best === none ? -Infinity : this.policy.newKey(best, day))
    if (this.policy.raise?.(day, keyOfNew()) === true) this.#parts.note(now)
    const newKey = keyOfNew()
    const key = this.#highest()
    this.takenKey = Math.max(key, newKey)
    if (key === -Infinity) return newKey === -Infinity ? 'neither' : 'new'
    return key > newKey || (key === newKey && this.frontier.best(now) < best) ? 'held' : 'new'
  }

  #highest(): number {
    const held = this.frontier.best(this.#now)
    return held === none ? -Infinity : this.frontier.keyOf!(held)
  }

  /** Takes the best held page; its site is busy then. */
  take(now: number): number {
    const page = this.frontier.take(now)
    this.#states.array[page] = isUnderWay
    this.#useToken(now)
    return page
  }

  /** A look has come. Links to pages never seen before find them, and carry a share to them. */
  looked(
    page: number,
    seconds: number,
    verdict: Verdict,
    links: Uint32Array = noLinks,
    linkCount = 0,
    newSites: Uint32Array = noLinks,
  ): void {
    const { pages, strategy, facts } = this.#parts
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
      (this.#states.array[page] === isUnderWay) === (verdict !== 'first'),
      'an outcome came for a held page that was not asked for',
    )
    this.#states.array[page] = 0
    this.#lookedAt = seconds
    const day = seconds / secondsPerDay
    this.policy.looked(page, day, verdict)
    for (const moved of this.#moved)
      if (this.#states.array[moved] === waits) this.policy.massMoved?.(moved, day)
    this.#moved.length = 0
  }

  /** A sitemap, feed or ping says that a page has changed. */
  signal(page: number, seconds: number): void {
    this.#parts.facts?.signal(page, seconds)
    if (this.#states.array[page] === waits) this.policy.signal?.(page, seconds / secondsPerDay)
  }

  /** Links of the page that is looked at next lead here: masses may have changed. */
  linked(links: Uint32Array, count: number): void {
    if (this.policy.massMoved === undefined) return
    for (let i = 0; i < count; i++) if (this.#pages.isCrawled(links[i])) this.#moved.push(links[i])
  }

  /** When a choice can next be made by itself, where the new pages have nothing before `newFree`. */
  nextDue(newFree: number): number {
    if (!this.hasToken(this.#now)) return this.#nextToken
    const rise = (this.policy.nextRise?.() ?? Infinity) * secondsPerDay
    return Math.min(newFree, this.frontier.nextFree(), rise)
  }

  #setKey(page: number, key: number): void {
    this.#states.ensure(page)
    const state = this.#states.array[page]
    if (state === waits) this.frontier.update(page, this.#pages.siteOf(page), key)
    else if (state !== isUnderWay && key !== -Infinity) {
      this.#states.array[page] = waits
      this.frontier.add(page, this.#pages.siteOf(page), key)
    }
  }

  /** Keys depend on when a choice was last made, which a replay does less often: they are written as of the last look. */
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
