/**
 * When hosts may be requested for something other than the pages of a site: the robots.txt of another site,
 * to which it redirects, a sitemap or a feed. Such a request is one to that host: it waits for that host's
 * gap and starts a new one, whether or not the host is a site of the crawl.
 *
 * The shards of a worker ask each other: a host is a site of one of them, and any may request a file of it. Their clocks differ.
 */
import type { SiteTable } from '../world/site-table.ts'

interface HostRestsOptions {
  readonly sites: SiteTable
  /** Whether this site has an open connection. */
  readonly isOpen: (site: number) => boolean
  readonly now: () => number
  /** Those of all shards of this process, which this one joins. Default: it is the only one. */
  readonly neighbours?: Set<HostRests> | undefined
}

/** Seconds until a busy host is checked again. */
const busySeconds = 0.1
/** Number of hosts in the table before those that have rested are dropped. */
const hostsMax = 1000

export class HostRests {
  readonly #options: HostRestsOptions
  /** Infinity if busy. */
  readonly #freeAt = new Map<string, number>()
  /** By a Retry-After: hosts of the user's own, which have several channels. */
  readonly #requestedUntil = new Map<string, number>()

  constructor(options: HostRestsOptions) {
    this.#options = options
    options.neighbours?.add(this)
  }

  /** Its shard has ended. */
  part(): void {
    this.#options.neighbours?.delete(this)
  }

  /**
   * When this host may be requested as far as these requests are concerned; 0 if there were none. `isOwn`: it has a connection for them, so
   * one under way does not matter.
   */
  restOf(host: string, isOwn = false): number {
    return this.#latest((rests) => {
      if (rests.#freeAt.size === 0) return 0
      const freeAt = rests.#freeAt.get(host) ?? 0
      if (freeAt !== Infinity) return freeAt
      return isOwn ? 0 : rests.#options.now() + busySeconds
    })
  }

  /** The latest time of all neighbours, each by its own clock. */
  #latest(until: (rests: HostRests) => number): number {
    const { neighbours = [], now } = this.#options
    let latest = until(this)
    for (const other of neighbours) {
      const time = other === this ? 0 : until(other)
      if (time > 0) latest = Math.max(latest, time - other.#options.now() + now())
    }
    return latest
  }

  /** When such a request may go to this host. */
  freeAt(host: string): number {
    const until = Math.max(this.busyUntil(host), this.pageGapUntil(host), this.restOf(host))
    return Math.max(until, this.requestedUntil(host))
  }

  /** Until when the host has requested to be left alone, if it has several channels. */
  requestedUntil(host: string): number {
    return this.#latest((rests) => rests.#requestedUntil.get(host) ?? 0)
  }

  /** A response on one of its channels requests this. */
  leave(host: string, until: number): void {
    this.#requestedUntil.set(host, Math.max(until, this.requestedUntil(host)))
  }

  /** When to check again whether the page of this host that is under way has ended; 0 if there is none. */
  busyUntil(host: string): number {
    return this.#latest((rests) => {
      const { sites, isOpen, now } = rests.#options
      const site = sites.find(host)
      return site !== undefined && isOpen(site) ? now() + busySeconds : 0
    })
  }

  /** The end of the gap after the last page of this host. */
  pageGapUntil(host: string): number {
    return this.#latest((rests) => {
      const { sites } = rests.#options
      const site = sites.find(host)
      return site === undefined ? 0 : sites.freeAt(site)
    })
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
