/**
 * Whether a due page may be requested now, according to robots.txt, the user's limits and trap detection, in
 * this order.
 */
import type { FailureCause } from '../../engine/world.ts'
import type { TrapWatch } from '../../web/traps/trap-watch.ts'
import type { Desk } from '../desk/desk.ts'
import type { PageTable } from './page-table.ts'
import type { SiteTable } from './site-table.ts'

type Permission =
  | { readonly kind: 'ask' }
  /** After all other pages. */
  | { readonly kind: 'last' }
  | { readonly kind: 'refuse'; readonly cause: FailureCause; readonly error: string }

interface PagePermissionOptions {
  readonly pages: PageTable
  readonly sites: SiteTable
  readonly desk: Desk
  readonly maxPagesPerSite: number
  /** Whether a page discovered earlier is in the scope of this moment. */
  readonly isStillInScope: (page: number, url: string) => boolean
  /** Undefined disables trap detection. */
  readonly traps: TrapWatch | undefined
  /** Whether a page has been put last. */
  readonly isDemoted: (page: number) => boolean
}

const ask: Permission = { kind: 'ask' }
const last: Permission = { kind: 'last' }
const tooSlow: Permission = { kind: 'refuse', cause: 'limit', error: 'crawl-delay' }

export class PagePermission {
  readonly #options: PagePermissionOptions
  /** When a site whose Crawl-delay is too long was requested last, in this session. */
  readonly #slowAskedAt = new Map<number, number>()

  constructor(options: PagePermissionOptions) {
    this.#options = options
  }

  /** `isRetry`: it was requested before, and already counts. */
  of(page: number, url: string, origin: string, site: number, isRetry: boolean): Permission {
    const { desk, sites, maxPagesPerSite, isStillInScope } = this.#options
    if (!isStillInScope(page, url)) return { kind: 'refuse', cause: 'scope', error: 'scope' }
    if (!desk.allows(origin, url.slice(origin.length)))
      return { kind: 'refuse', cause: 'robots', error: 'robots' }
    if (isRetry) return this.#again(site, origin)
    if (sites.asked(site) >= maxPagesPerSite) return { kind: 'refuse', cause: 'limit', error: 'site-limit' }
    if (sites.asked(site) > 0 && desk.isTooSlow(origin)) {
      return tooSlow
    }
    const permission = this.#trapped(page, url)
    return permission.kind === 'ask' ? this.#again(site, origin) : permission
  }

  /** A site with a Crawl-delay that is too long to wait for is requested again only when that has passed. */
  #again(site: number, origin: string): Permission {
    const { desk } = this.#options
    if (!desk.isTooSlow(origin)) return ask
    const now = desk.now()
    const askedAt = this.#slowAskedAt.get(site) ?? -Infinity
    if (desk.isTooSlow(origin, now - askedAt)) return tooSlow
    this.#slowAskedAt.set(site, now)
    return ask
  }

  #trapped(page: number, url: string): Permission {
    const { traps, pages, isDemoted } = this.#options
    // A page named by the user is never a trap.
    if (traps === undefined || pages.depth(page) === 0) return ask
    const verdict = traps.verdict(url, (other) => pages.findUrl(other) >= 0)
    if (verdict.standing === 'closed') {
      return { kind: 'refuse', cause: 'limit', error: `trap-${verdict.reason}` }
    }
    return verdict.standing === 'good' || isDemoted(page) ? ask : last
  }
}
