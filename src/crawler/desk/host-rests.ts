/**
 * When hosts may be requested for something other than the pages of a site: the robots.txt of another site,
 * to which it redirects, a sitemap or a feed. Such a request is one to that host: it waits for that host's
 * gap and starts a new one, whether or not the host is a site of the crawl.
 */
import type { SiteTable } from '../world/site-table.ts'

interface HostRestsOptions {
  readonly sites: SiteTable
  /** Whether this site has an open connection. */
  readonly isOpen: (site: number) => boolean
  readonly now: () => number
}

/** Seconds until a busy host is checked again. */
const busySeconds = 0.1
/** Number of hosts in the table before those that have rested are dropped. */
const hostsMax = 1000

export class HostRests {
  readonly #options: HostRestsOptions
  /** Infinity if busy. */
  readonly #freeAt = new Map<string, number>()

  constructor(options: HostRestsOptions) {
    this.#options = options
  }

  /**
   * When this host may be requested as far as these requests are concerned; 0 if there were none. `isOwn`: it has a connection for them, so
   * one under way does not matter.
   */
  restOf(host: string, isOwn = false): number {
    if (this.#freeAt.size === 0) return 0
    const freeAt = this.#freeAt.get(host) ?? 0
    if (freeAt !== Infinity) return freeAt
    return isOwn ? 0 : this.#options.now() + busySeconds
  }

  /** When such a request may go to this host. */
  freeAt(host: string): number {
    return Math.max(this.busyUntil(host), this.pageGapUntil(host), this.restOf(host))
  }

  /** When to check again whether the page of this host that is under way has ended; 0 if there is none. */
  busyUntil(host: string): number {
    const { sites, isOpen, now } = this.#options
    const site = sites.find(host)
    return site !== undefined && isOpen(site) ? now() + busySeconds : 0
  }

  /** The end of the gap after the last page of this host. */
  pageGapUntil(host: string): number {
    const { sites } = this.#options
    const site = sites.find(host)
    return site === undefined ? 0 : sites.freeAt(site)
  }

  occupy(host: string): void {
    if (this.#freeAt.size >= hostsMax) this.#sweep()
    this.#freeAt.set(host, Infinity)
  }

  release(host: string, freeAt: number): void {
    this.#freeAt.set(host, freeAt)
  }

  #sweep(): void {
    const now = this.#options.now()
    for (const [host, freeAt] of this.#freeAt) if (freeAt <= now) this.#freeAt.delete(host)
  }
}
