/**
 * When hosts may be requested that serve the robots.txt of another site by redirect. Such a request is one to that host:
 * it waits for that host's gap and starts a new one, whether or not the host is a site of the crawl.
 */
import type { SiteTable } from './site-table.ts'

export interface HostRestsOptions {
  readonly sites: SiteTable
  /** Does this site have a connection open? */
  readonly isOpen: (site: number) => boolean
  readonly now: () => number
}

/** Seconds until a busy host is looked at again. */
const busySeconds = 0.1
/** Hosts remembered before those that have rested are dropped. */
const hostsMax = 1000

export class HostRests {
  readonly #options: HostRestsOptions
  /** Infinity stands for busy. */
  readonly #freeAt = new Map<string, number>()

  constructor(options: HostRestsOptions) {
    this.#options = options
  }

  /** When this host may be requested as far as redirected requests are concerned; 0: none was made to it. */
  restOf(host: string): number {
    if (this.#freeAt.size === 0) return 0
    const freeAt = this.#freeAt.get(host) ?? 0
    return freeAt === Infinity ? this.#options.now() + busySeconds : freeAt
  }

  /** When a redirected request may go to this host. */
  freeAt(host: string): number {
    const { sites, isOpen, now } = this.#options
    const site = sites.find(host)
    if (site === undefined) return this.restOf(host)
    return isOpen(site) ? now() + busySeconds : Math.max(sites.freeAt(site), this.restOf(host))
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
