/**
 * Whether a due page may be requested now, according to robots.txt, its owner's other wishes, the user's limits and
 * parts, in this order.
 */
import type { Desk } from '../desk/desk.ts'
import type { OwnersObjection, PartPermission } from '../parts/running-part.ts'
import type { SiteTable } from './site-table.ts'

/** `later`: the page returns to the frontier. */
type Permission = { readonly kind: 'ask' | 'later' } | PartPermission

interface PagePermissionOptions {
  readonly sites: SiteTable
  readonly desk: Desk
  readonly maxPagesPerSite: number
  /** Whether a page discovered earlier is in the scope of this moment. */
  readonly isStillInScope: (page: number, url: string) => boolean
  readonly parts: {
    objection(page: number, url: string): OwnersObjection | undefined
    permission(page: number, url: string): PartPermission | undefined
  }
}

const ask: Permission = { kind: 'ask' }
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
    const objection = this.#options.parts.objection(page, url)
    if (objection !== undefined)
      return objection.kind === 'later' ? objection : { ...objection, cause: 'robots' }
    if (isRetry) return this.#again(site, origin)
    if (sites.asked(site) >= maxPagesPerSite) return { kind: 'refuse', cause: 'limit', error: 'site-limit' }
    if (sites.asked(site) > 0 && desk.isTooSlow(origin)) {
      return tooSlow
    }
    return this.#options.parts.permission(page, url) ?? this.#again(site, origin)
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
}
