/**
 * Limits chains of redirects, and finds those that lead back to themselves. A redirect is a page with one link, so no chain
 * is stored: its length is counted backwards, from where each page was found, and a circle is followed forwards, along the
 * recorded locations; both only for redirects.
 */
import type { FetchResult } from './fetch-result.ts'
import type { PageTable } from './page-table.ts'
import type { PageRecords } from './real-world-options.ts'

/** Maximum number of consecutive redirects. RFC 9309 requires five for robots.txt; browsers follow 20. */
export const hopsMax = 10
/** Longer circles are not looked for. */
const circleMax = 2 * hopsMax

/** Why a redirect is not followed. */
export interface BadRedirect {
  readonly error: 'redirect-loop' | 'too-many-redirects'
  readonly text?: string | undefined
}

export class RedirectChains {
  readonly #pages: PageTable
  readonly #records: Pick<PageRecords, 'isRedirect' | 'redirectTarget' | 'targetOf'>

  constructor(pages: PageTable, records: Pick<PageRecords, 'isRedirect' | 'redirectTarget' | 'targetOf'>) {
    this.#pages = pages
    this.#records = records
  }

  /** What is wrong with this response, if it is a redirect; undefined if nothing is. */
  fault(page: number, result: FetchResult): BadRedirect | undefined {
    if (result.location === undefined) return undefined
    const circle = this.#circle(page, result.location)
    if (circle !== undefined) {
      const text = `redirect loop: ${circle.map((each) => this.#pages.url(each)).join(' → ')}`
      return { error: 'redirect-loop', text }
    }
    return this.#isTooLong(page, result) ? { error: 'too-many-redirects' } : undefined
  }

  /** The pages from this one back to itself, if its target leads there by redirects alone. */
  #circle(page: number, location: string): number[] | undefined {
    const circle = [page]
    let at = this.#records.targetOf(location)
    while (at >= 0 && circle.length <= circleMax) {
      circle.push(at)
      if (at === page) return circle
      at = this.#records.redirectTarget(at)
    }
    return undefined
  }

  /** Whether this page would lead to an unknown page by one redirect too many. */
  #isTooLong(page: number, { fingerprints }: FetchResult): boolean {
    if (fingerprints.length === 0) return false
    if (this.#pages.find(fingerprints[0], fingerprints[1]) >= 0) return false
    let at = page
    for (let hops = 0; hops < hopsMax; hops++) {
      const { parent } = this.#pages.found(at)
      if (parent === undefined || !this.#records.isRedirect(parent)) return false
      at = parent
    }
    return true
  }
}
