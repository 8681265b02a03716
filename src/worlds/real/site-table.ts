/**
 * The sites of a crawl by number, with the data that politeness needs. Names are hosts with their ports, in
 * discovery order.
 */
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { PageStates } from '../../engine/page-states.ts'
import type { StateCodec } from '../../lib/state.ts'

export class SiteTable {
  readonly #names: string[] = []
  readonly #numbers = new Map<string, number>()
  /** When each may be requested again. */
  readonly #freeAt = new GrowingFloat64(64)
  /** Numbers of requested pages and of waiting pages. */
  readonly #asked = new GrowingUint32(64)
  readonly #waiting = new GrowingUint32(64)
  /** Consecutive failures to reach it; 255 if it has failed for good. */
  readonly #failures = new GrowingUint8(64)
  /** 1 if it has responded before. */
  readonly #known = new GrowingUint8(64)
  /** Numbers of sites with waiting pages, and of those that responded before and are unreachable now. */
  withWaiting = 0
  missingWithWaiting = 0
  /** Whether any site has ever responded. */
  anyReached = false

  get count(): number {
    return this.#names.length
  }

  /** The number of this site; assigns a new one if needed. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.#names.length
    this.#names.push(name)
    this.#numbers.set(name, number)
    this.#freeAt.ensure(number)
    this.#asked.ensure(number)
    this.#waiting.ensure(number)
    this.#failures.ensure(number)
    this.#known.ensure(number)
    return number
  }

  /** Undefined if no page of this site is known. */
  find(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  name(site: number): string {
    return this.#names[site]
  }

  freeAt(site: number): number {
    return this.#freeAt.array[site]
  }

  rest(site: number, until: number): void {
    this.#freeAt.array[site] = until
  }

  asked(site: number): number {
    return this.#asked.array[site]
  }

  ask(site: number): void {
    this.#asked.array[site]++
  }

  waiting(site: number): number {
    return this.#waiting.array[site]
  }

  addWaiting(site: number): void {
    if (this.#waiting.array[site]++ > 0) return
    this.withWaiting++
    if (this.isMissing(site)) this.missingWithWaiting++
  }

  removeWaiting(site: number): void {
    if (--this.#waiting.array[site] > 0) return
    this.withWaiting--
    if (this.isMissing(site)) this.missingWithWaiting--
  }

  /** The site responded. */
  reached(site: number): void {
    this.acquit(site)
    this.#known.array[site] = 1
    this.anyReached = true
  }

  wasReached(site: number): boolean {
    return this.#known.array[site] === 1
  }

  failures(site: number): number {
    return this.#failures.array[site]
  }

  /** The site could not be reached; returns the number of consecutive failures. */
  missed(site: number): number {
    const failures = Math.min(254, this.#failures.array[site] + 1)
    this.#setFailures(site, failures)
    return failures
  }

  /** The failures were not the site's own: resets them. */
  acquit(site: number): void {
    if (this.#failures.array[site] > 0) this.#setFailures(site, 0)
  }

  giveUp(site: number): void {
    this.#setFailures(site, 255)
  }

  isGivenUp(site: number): boolean {
    return this.#failures.array[site] === 255
  }

  /** Whether it responded before, is unreachable now, and has not failed for good. */
  isMissing(site: number): boolean {
    const failures = this.#failures.array[site]
    return this.#known.array[site] === 1 && failures > 0 && failures < 255
  }

  /** Updates the counts that depend on whether it is missing. */
  #setFailures(site: number, failures: number): void {
    const hasWaiting = this.#waiting.array[site] > 0
    if (hasWaiting && this.isMissing(site)) this.missingWithWaiting--
    this.#failures.array[site] = failures
    if (hasWaiting && this.isMissing(site)) this.missingWithWaiting++
  }

  /**
   * Saves only the names: everything else follows from the outcomes of its pages (`recount`), or is learnt
   * again.
   */
  transfer(state: StateCodec): void {
    state.section('site table', 2)
    for (const name of state.texts(this.#names)) if (state.isReading) this.numberOf(name)
  }

  /** After a resume: a requested page counts for its site, and a site that responded is known. */
  recount(pages: Pick<PageStates, 'known' | 'siteOf' | 'isCrawled' | 'failureOf'>): void {
    for (let page = 0; page < pages.known; page++) {
      const cause = pages.failureOf(page)
      const hasResponded = pages.isCrawled(page) || cause === 'failed'
      if (!hasResponded && cause !== 'temporary') continue
      const site = pages.siteOf(page)
      this.ask(site)
      if (hasResponded) this.reached(site)
    }
  }
}
