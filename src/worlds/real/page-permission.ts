/**
 * Whether a page that is due may be asked for now: what robots.txt, the user's limits and the watch for traps have to say,
 * in this order.
 */
import { isTooSlow } from '../../engine/politeness.ts'
import type { FailureCause } from '../../engine/world.ts'
import type { TrapWatch } from '../../traps/trap-watch.ts'
import type { PageTable } from './page-table.ts'
import type { RobotsRules } from './robots/robots-rules.ts'
import type { SiteTable } from './site-table.ts'

export type Permission =
  | { readonly kind: 'ask' }
  /** Not before everything else. */
  | { readonly kind: 'last' }
  | { readonly kind: 'refuse'; readonly cause: FailureCause; readonly error: string }

export interface PagePermissionOptions {
  readonly pages: PageTable
  readonly sites: SiteTable
  readonly maxPagesPerSite: number
  /** Is a page that was found before still in scope? Undefined: the scope has not changed since. */
  readonly isStillInScope?: ((page: number, url: string) => boolean) | undefined
  /** Seconds that a site rests by itself. */
  readonly wait: number
  /** Undefined: nobody watches. */
  readonly traps: TrapWatch | undefined
}

const ask: Permission = { kind: 'ask' }
const last: Permission = { kind: 'last' }

export class PagePermission {
  readonly #options: PagePermissionOptions
  /** Pages that were told to wait until the last, and do. */
  readonly #last = new Set<number>()

  constructor(options: PagePermissionOptions) {
    this.#options = options
  }

  /** `isRetry`: it was asked for before, and counts already. */
  of(
    page: number,
    url: string,
    path: string,
    site: number,
    rules: RobotsRules,
    isRetry: boolean,
  ): Permission {
    const { sites, maxPagesPerSite, wait, isStillInScope } = this.#options
    if (isStillInScope?.(page, url) === false) return { kind: 'refuse', cause: 'scope', error: 'scope' }
    if (!rules.allows(path)) return { kind: 'refuse', cause: 'robots', error: 'robots' }
    if (isRetry) return ask
    if (sites.asked(site) >= maxPagesPerSite) return { kind: 'refuse', cause: 'limit', error: 'site-limit' }
    if (sites.asked(site) > 0 && isTooSlow(rules.gapSeconds, wait)) {
      return { kind: 'refuse', cause: 'limit', error: 'crawl-delay' }
    }
    return this.#trapped(page, url)
  }

  #trapped(page: number, url: string): Permission {
    const { traps, pages } = this.#options
    // A page that the user has named is no trap.
    if (traps === undefined || pages.depth(page) === 0) return ask
    const verdict = traps.verdict(url, (other) => pages.findUrl(other) >= 0)
    if (verdict.standing === 'closed') {
      return { kind: 'refuse', cause: 'limit', error: `trap-${verdict.reason}` }
    }
    if (verdict.standing === 'good' || this.#last.delete(page)) return ask
    this.#last.add(page)
    return last
  }
}
