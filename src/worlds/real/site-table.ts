/**
 * The sites of a crawl by number, with what politeness needs to know of each. Names are hosts with their ports, in the
 * order they were found.
 */
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import type { PageStates } from '../../engine/page-states.ts'
import type { StateCodec } from '../../lib/state.ts'

export class SiteTable {
  readonly #names: string[] = []
  readonly #numbers = new Map<string, number>()
  /** From when on each may be asked again. */
  readonly #freeAt = new GrowingFloat64(64)
  /** Pages asked for, and pages that wait. */
  readonly #asked = new GrowingUint32(64)
  readonly #waiting = new GrowingUint32(64)
  /** Failures in a row to reach it at all; 255: it is given up. */
  readonly #failures = new GrowingUint8(64)
  /** 1: it has responded before. */
  readonly #known = new GrowingUint8(64)
  /** Sites with pages that wait, and those of them that responded before and are unreachable now. */
  withWaiting = 0
  missingWithWaiting = 0
  /** Has any site ever responded? */
  anyReached = false

  get count(): number {
    return this.#names.length
  }

  /** The number of this site; a new one where it has none. */
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

  /** Undefined: no page of this site is known. */
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

  /** It responded. */
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

  /** Could not be reached; gives how often in a row. */
  missed(site: number): number {
    const failures = Math.min(254, this.#failures.array[site] + 1)
    this.#setFailures(site, failures)
    return failures
  }

  /** Its failures were not its own. */
  acquit(site: number): void {
    if (this.#failures.array[site] > 0) this.#setFailures(site, 0)
  }

  giveUp(site: number): void {
    this.#setFailures(site, 255)
  }

  isGivenUp(site: number): boolean {
    return this.#failures.array[site] === 255
  }

  /** It responded before, cannot be reached now, and is not given up. */
  isMissing(site: number): boolean {
    const failures = this.#failures.array[site]
    return this.#known.array[site] === 1 && failures > 0 && failures < 255
  }

  /** What depends on whether it is missing is counted anew. */
  #setFailures(site: number, failures: number): void {
    const hasWaiting = this.#waiting.array[site] > 0
    if (hasWaiting && this.isMissing(site)) this.missingWithWaiting--
    this.#failures.array[site] = failures
    if (hasWaiting && this.isMissing(site)) this.missingWithWaiting++
  }

  /** The names alone: what else is known of a site follows from the outcomes of its pages (`recount`), or is learnt anew. */
  transfer(state: StateCodec): void {
    state.section('site table', 2)
    for (const name of state.texts(this.#names)) if (state.isReading) this.numberOf(name)
  }

  /** After a resume: a page that was requested counts for its site, and a site that responded is known. */
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
