/**
 * Limits chains of redirects. A redirect is a page with one link, so no chain is stored: its length is
 * counted backwards, from where each page was found, and only for redirects.
 */
import type { FetchResult } from './fetch-result.ts'
import type { PageTable } from './page-table.ts'

/** Maximum number of consecutive redirects. RFC 9309 requires five for robots.txt; browsers follow 20. */
export const hopsMax = 10

export class RedirectChains {
  readonly #pages: PageTable
  readonly #isRedirect: (page: number) => boolean

  constructor(pages: PageTable, isRedirect: (page: number) => boolean) {
    this.#pages = pages
    this.#isRedirect = isRedirect
  }

  /** Whether this page would lead to an unknown page by one redirect too many. */
  isTooLong(page: number, { location, fingerprints }: FetchResult): boolean {
    if (location === undefined || fingerprints.length === 0) return false
    if (this.#pages.find(fingerprints[0], fingerprints[1]) >= 0) return false
    let at = page
    for (let hops = 0; hops < hopsMax; hops++) {
      const { parent } = this.#pages.found(at)
      if (parent === undefined || !this.#isRedirect(parent)) return false
      at = parent
    }
    return true
  }
}
