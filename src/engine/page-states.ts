/**
 * The state and the site of every known page: 5 bytes per page, one more if some pages wait until last, and one more once a held
 * page is gone or forbidden.
 */
import { assert } from '../lib/assert.ts'
import { GrowingUint32, GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { roundScore } from '../lib/score-rounding.ts'
import type { FoundOrder } from './found-order.ts'
import { failureCauses, type FailureCause } from './world.ts'

export const waiting = 1
/** In the reserve, until a batch takes it. */
export const reserved = 2
export const inFlight = 3
/** Fetched, with content. */
export const crawled = 4
/** Fetched, but a redirect: one link and no content. */
export const redirected = 5
/** Owned by another shard: never fetched here. */
export const away = 6
/** Never fetched; the causes are numbered from here. */
const failed = 7

/** How the importance of a page counts for coverage (coverage.ts). */
export const obtainable = 0
export const unobtainable = 1
export const excluded = 2
/** Not a loss: another shard counts it. */
export const elsewhere = 3

const lossByCause: Readonly<Record<FailureCause, number>> = {
  robots: unobtainable,
  failed: unobtainable,
  scope: excluded,
  limit: excluded,
  unreachable: obtainable,
  temporary: obtainable,
}
const lossByState = Uint8Array.from([
  ...Array.from({ length: failed }, (_, state) => (state === away ? elsewhere : obtainable)),
  ...failureCauses.map((cause) => lossByCause[cause]),
])

const stateByCause = Object.fromEntries(failureCauses.map((cause, i) => [cause, failed + i])) as Readonly<
  Record<FailureCause, number>
>

export function failedBy(cause: FailureCause): number {
  return stateByCause[cause]
}

/** Of a fetched page whose copy does not count: it waits to be fetched again. Others have the state of their cause. */
const reopened = waiting

/** The keys of pages put last, by how often. They are so far apart that pages put last twice wait for the others with any patience. */
const lastKeys = [-1e280, -Number.MAX_VALUE]

export class PageStates {
  readonly #states = new GrowingUint8()
  readonly #siteOf = new GrowingUint32()
  /** How often the page was put last, at most twice: it waits until no other page does. Empty until the first such page. */
  readonly #demoted = new GrowingUint8(0)
  /** Of fetched pages whose copy does not count: `reopened`, or the state of the cause; 0 of all others. Empty until the first such page. */
  readonly #left = new GrowingUint8(0)
  /** Number of pages per state: the only place where outcomes are counted. */
  readonly #counts = new Uint32Array(failed + failureCauses.length)
  known = 0
  /** Undefined if the crawl has one engine, where the numbers of pages are the order of discovery. */
  order: FoundOrder | undefined

  /** Adds the next page, without a state. */
  add(site: number): number {
    const page = this.known++
    this.#states.ensure(page)
    this.#siteOf.ensure(page)
    this.#siteOf.array[page] = site
    this.#counts[0]++
    this.order?.found(page)
    return page
  }

  of(page: number): number {
    return this.#states.array[page]
  }

  set(page: number, state: number): void {
    const before = this.#states.array[page]
    this.#counts[before]--
    this.#counts[state]++
    this.#states.array[page] = state
  }

  /** Pages fetched with content; these count against the page budget. */
  get fetchedCount(): number {
    return this.#counts[crawled]
  }

  get inFlightCount(): number {
    return this.#counts[inFlight]
  }

  get redirectCount(): number {
    return this.#counts[redirected]
  }

  /** Pages whose links are known, including redirects. */
  get crawledCount(): number {
    return this.#counts[crawled] + this.#counts[redirected]
  }

  failedFor(cause: FailureCause): number {
    return this.#counts[failedBy(cause)]
  }

  /** Pages that will never be fetched, excluding those out of scope. */
  get failedCount(): number {
    return failureCauses.reduce((sum, cause) => sum + (cause === 'scope' ? 0 : this.failedFor(cause)), 0)
  }

  demote(page: number): void {
    assert(this.mayDemote(page), 'a page was put last three times')
    this.#demoted.ensure(page)
    this.#demoted.array[page]++
  }

  isDemoted(page: number): boolean {
    return this.#demoted.array[page] > 0
  }

  /** A page put last is judged once more when its turn comes. If it is put last again, it waits for the others that were put last. */
  mayDemote(page: number): boolean {
    return !(this.#demoted.array[page] >= lastKeys.length)
  }

  /** The key that the frontier sorts by. */
  key(page: number, score: number): number {
    if (this.isDemoted(page)) return lastKeys[this.#demoted.array[page] - 1]
    return this.order === undefined ? roundScore(score) : this.order.key(page, score)
  }

  siteOf(page: number): number {
    return this.#siteOf.array[page]
  }

  /** Records the outcome of a requested page. */
  settle(page: number, state: number): void {
    assert(this.of(page) === inFlight, 'an outcome was reported for a page that was not requested')
    this.set(page, state)
  }

  /** Requeues a failed page. Returns the cause of the failure. */
  unfail(page: number): FailureCause {
    const cause = this.failureOf(page)
    assert(
      cause !== undefined && lossByCause[cause] !== unobtainable,
      'a page that failed permanently cannot be retried',
    )
    return cause
  }

  isCrawled(page: number): boolean {
    const state = this.#states.array[page]
    return state === crawled || state === redirected
  }

  /** True if the page is fetched and its copy counts: it is neither gone nor forbidden since. */
  isHeld(page: number): boolean {
    return this.isCrawled(page) && (this.#left.length === 0 || !(this.#left.array[page] > 0))
  }

  /** The copy of a fetched page does not count any more, because of `cause`, or until the page is fetched again. */
  leave(page: number, cause: FailureCause | undefined): void {
    this.#left.ensure(page)
    this.#left.array[page] = cause === undefined ? reopened : failedBy(cause)
  }

  /** The copy of a page that had left counts again. */
  rejoin(page: number): void {
    this.#left.array[page] = 0
  }

  isRedirect(page: number): boolean {
    return this.#states.array[page] === redirected
  }

  isWaiting(page: number): boolean {
    return this.#states.array[page] <= reserved
  }

  /** Whether the importance of this page is `obtainable`, `unobtainable`, `excluded` or `elsewhere`. */
  lossOf(page: number): number {
    if (this.#left.length > 0 && this.#left.array[page] > 0) return lossByState[this.#left.array[page]]
    return lossByState[this.#states.array[page]]
  }

  /** Why the page is not held; undefined if it is, or if it waits. */
  lossCauseOf(page: number): FailureCause | undefined {
    const left = this.#left.length === 0 ? 0 : this.#left.array[page]
    return left > 0 ? failureCauses[left - failed] : this.failureOf(page)
  }

  /** Why the page is not fetched; undefined if it was fetched or is waiting. */
  failureOf(page: number): FailureCause | undefined {
    return failureCauses[this.#states.array[page] - failed]
  }

  /** Pages in flight: taken, with no outcome yet. */
  underWay(): number[] {
    const pages: number[] = []
    for (let page = 0; page < this.known; page++) if (this.of(page) === inFlight) pages.push(page)
    return pages
  }

  transfer(state: StateCodec): void {
    state.section('page states', 3)
    this.known = state.number(this.known)
    state.fixed(this.#counts)
    state.growing(this.#states)
    state.appended(this.#siteOf)
    state.growing(this.#demoted)
    state.growing(this.#left)
    this.order?.transfer(state)
  }

  get byteLength(): number {
    const { byteLength: order = 0 } = this.order ?? {}
    return (
      this.#states.array.byteLength +
      this.#siteOf.array.byteLength +
      this.#demoted.array.byteLength +
      this.#left.array.byteLength +
      order
    )
  }
}
