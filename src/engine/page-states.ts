/** What became of every known page, and which site it stands on: 5 bytes a page, 6 where some wait until the last. */
import { assert } from '../lib/assert.ts'
import { GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { roundScore } from '../lib/score-rounding.ts'
import { failureCauses, type FailureCause } from './world.ts'

export const waiting = 1
/** Waits for a batch to take it. */
export const reserved = 2
export const inFlight = 3
export const crawled = 4
/** Does not come; the causes count from here on. */
const failed = 5

/** What becomes of the importance that rests on a page (coverage.ts). */
export const obtainable = 0
export const unobtainable = 1
export const excluded = 2

const lossByCause: Readonly<Record<FailureCause, number>> = {
  robots: unobtainable,
  failed: unobtainable,
  scope: excluded,
  limit: excluded,
  unreachable: obtainable,
  temporary: obtainable,
}
const lossByState = Uint8Array.from([
  ...Array.from({ length: failed }, () => obtainable),
  ...failureCauses.map((cause) => lossByCause[cause]),
])

export function failedBy(cause: FailureCause): number {
  return failed + failureCauses.indexOf(cause)
}

export class PageStates {
  readonly #states = new GrowingUint8()
  readonly #siteOf = new GrowingUint32()
  /** 1: waits until nothing else does. Empty until the first of them. */
  readonly #demoted = new GrowingUint8(0)
  known = 0
  crawledCount = 0
  failedCount = 0

  /** The next page, in no state yet. */
  add(site: number): number {
    const page = this.known++
    this.#states.ensure(page)
    this.#siteOf.ensure(page)
    this.#siteOf.array[page] = site
    return page
  }

  of(page: number): number {
    return this.#states.array[page]
  }

  set(page: number, state: number): void {
    this.#states.array[page] = state
  }

  demote(page: number): void {
    this.#demoted.ensure(page)
    this.#demoted.array[page] = 1
  }

  isDemoted(page: number): boolean {
    return this.#demoted.array[page] === 1
  }

  /** What the frontier goes by. */
  key(page: number, score: number): number {
    return this.isDemoted(page) ? -Number.MAX_VALUE : roundScore(score)
  }

  siteOf(page: number): number {
    return this.#siteOf.array[page]
  }

  /** An outcome came for a page that was asked for. */
  settle(page: number, state: number): void {
    assert(this.of(page) === inFlight, 'an outcome came for a page that was not asked for')
    this.#states.array[page] = state
    if (state === crawled) this.crawledCount++
    else if (state >= failed) this.failedCount++
  }

  /** A page that failed may still come. Gives why it had failed. */
  unfail(page: number): FailureCause {
    const cause = this.failureOf(page)
    assert(cause === 'temporary' || cause === 'unreachable', 'a page is retried that failed for good')
    this.failedCount--
    return cause
  }

  isCrawled(page: number): boolean {
    return this.#states.array[page] === crawled
  }

  isWaiting(page: number): boolean {
    return this.#states.array[page] <= reserved
  }

  /** Is the importance that rests on this page `obtainable`, `unobtainable` or `excluded`? */
  lossOf(page: number): number {
    return lossByState[this.#states.array[page]]
  }

  /** Why a page does not come; undefined: it has come, or waits. */
  failureOf(page: number): FailureCause | undefined {
    return failureCauses[this.#states.array[page] - failed]
  }

  /** Pages that were taken and have not come. */
  underWay(): number[] {
    const pages: number[] = []
    for (let page = 0; page < this.known; page++) if (this.of(page) === inFlight) pages.push(page)
    return pages
  }

  transfer(state: StateCodec): void {
    state.section('page states', 1)
    this.known = state.number(this.known)
    this.crawledCount = state.number(this.crawledCount)
    this.failedCount = state.number(this.failedCount)
    state.growing(this.#states)
    state.appended(this.#siteOf)
    state.growing(this.#demoted)
  }

  get byteLength(): number {
    return this.#states.array.byteLength + this.#siteOf.array.byteLength + this.#demoted.array.byteLength
  }
}
