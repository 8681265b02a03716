/**
 * How many pages a crawl may fetch, and how many requests may fail before it ends.
 *
 * Every page in flight reserves one page of the budget and returns it unless it is fetched with content. So a crawl never
 * fetches one page more than its budget, however many connections it has, and redirects and failures cost it nothing.
 */
import type { StateCodec } from '../lib/state.ts'
import type { PageStates } from './page-states.ts'

/**
 * The limit of failed requests where none is given: ten for each page of the budget, and at least 10,000. A crawl without a
 * budget of pages has no such limit: it ends when no page is left.
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

  /** The limit that is reached; undefined: one more page may be taken. */
  reached(pages: PageStates, inFlight: number): 'pages' | 'failures' | undefined {
    if (pages.fetchedCount + inFlight >= this.#pagesMax) return 'pages'
    const failures = pages.failedFor('failed') + pages.failedFor('temporary')
    return failures >= this.#failuresMax ? 'failures' : undefined
  }
}
