/**
 * The maximum number of pages that a crawl fetches, and of requests that may fail before it ends.
 *
 * Every page in flight reserves one page of the budget and returns it unless it is fetched with content. So a
 * crawl never exceeds its budget, regardless of the number of connections, and redirects and failures do not
 * count.
 */
import type { StateCodec } from '../lib/state.ts'
import type { PageStates } from './page-states.ts'

/**
 * Default limit of failed requests: ten for each page of the budget, and at least 10,000. Without a page
 * budget there is no such limit: the crawl ends when no page is left.
 */
export function defaultFailuresMax(pagesMax = Infinity): number {
  return Math.max(10_000, 10 * pagesMax)
}

export class PageBudget {
  #pagesMax: number
  #failuresMax: number

  constructor(pagesMax = Infinity, failuresMax = defaultFailuresMax(pagesMax)) {
    this.#pagesMax = pagesMax
    this.#failuresMax = failuresMax
  }

  set(pagesMax: number, failuresMax: number): void {
    this.#pagesMax = pagesMax
    this.#failuresMax = failuresMax
  }

  transfer(state: StateCodec): void {
    this.#pagesMax = state.number(this.#pagesMax)
    this.#failuresMax = state.number(this.#failuresMax)
  }

  /** Number of pages that may still be taken. */
  left(pages: PageStates): number {
    return this.#pagesMax - pages.fetchedCount - pages.inFlightCount
  }

  /** The limit that is reached; undefined if another page may be taken. */
  reached(pages: PageStates): 'pages' | 'failures' | undefined {
    if (this.left(pages) <= 0) return 'pages'
    const failures = pages.failedFor('failed') + pages.failedFor('temporary')
    return failures >= this.#failuresMax ? 'failures' : undefined
  }
}
